"""Sent lines take effect once, and drafts survive queues, broken connections and reloads."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.holding import Held
from tests.browser.people import EXPECT, Person, Sit, tick
from tests.browser.serving import Played

pytestmark = pytest.mark.browser


def times(person: Person, text: str) -> int:
    """How often the log says something once all is told: after a reload."""
    person.page.reload()
    person.live()
    return person.page.locator("#log-list > li").filter(has_text=text).count()


@pytest.mark.slow
def test_lines_of_talk_come_one_by_one_however_fast(sit: Sit) -> None:
    """The line is free for the next as soon as one is sent; each is said once, in order."""
    lene = sit("Lene")
    page = lene.page
    say = page.locator("#say")
    with Held(page, "**/say") as held:
        for line in ("One.", "Two.", "Three."):
            say.press_sequentially(line)
            say.press("Enter")
            expect(say).to_have_value("")
        say.press("Enter")
        say.press_sequentially("Four, half wri")
        held.wait()
        held.let_through()
        lene.reads("Three.")
    expect(say).to_have_value("Four, half wri")
    assert lene.said() == ["One.", "Two.", "Three."]
    say.press_sequentially("tten.")
    say.press("Enter")
    lene.reads("Four, half written.")
    assert lene.said() == ["One.", "Two.", "Three.", "Four, half written."]


def test_what_is_tapped_without_a_connection_is_there_when_it_returns(sit: Sit) -> None:
    mara = sit("Mara")
    page = mara.page
    sentence = page.locator("#roll-sheet > summary")
    page.locator("body").press("?")
    expect(page.locator("#dialog h1")).to_have_text("Commands and keys", timeout=EXPECT)
    page.keyboard.press("Escape")
    mara.context.set_offline(True)
    page.keyboard.press("Control+k")
    expect(page.locator("#toast")).to_contain_text("could not be reached", timeout=EXPECT)
    expect(page.locator("#dialog")).to_be_hidden()  # nor what it showed the last time
    page.locator("#sheet").get_by_role("link", name="Attack 4").click()
    expect(sentence).not_to_contain_text("Attack")
    mara.context.set_offline(False)
    expect(sentence).to_contain_text("Attack 4", timeout=EXPECT)
    mara.complaints.clear()  # the browser tells of the outage itself


def test_a_page_that_the_browser_brings_back_is_made_anew(sit: Sit) -> None:
    mara = sit("Mara")
    mara.page.fill("#say", "Half a line")
    mara.page.evaluate("window.old = true")
    mara.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    mara.page.wait_for_function("!window.old")
    mara.live()
    expect(mara.page.locator("#say")).to_have_value("Half a line")


@pytest.mark.slow
def test_two_pages_of_one_sheet_keep_what_each_changes(table: Played, sit: Sit) -> None:
    table.play("Mara> make pc Ada")
    mara = sit("Mara")
    address = f"{table.address}/characters/{table.entity('Ada')}?step=all"
    first, second = mara.page, mara.context.new_page()
    for page in (first, second):
        page.goto(address)
    first.fill("[name='a.traits.aim']", "5")
    first.fill("[name='a.perks.0.text']", "Knows every eddy")
    expect(first.locator("#so-far")).to_contain_text("Knows every eddy", timeout=EXPECT)
    # Both change the list: the older page is told, keeps what it wrote, and takes nothing away.
    second.fill("[name='a.perks.0.text']", "Sings")
    told = second.locator("#builder .k-rows .refuses").first
    expect(told).to_contain_text("another page has changed this to Knows", timeout=EXPECT)
    second.get_by_role("link", name="Reload page").click()
    expect(second.locator("[name='a.traits.aim']")).to_have_value("5", timeout=EXPECT)
    second.fill("[name='a.traits.attack']", "4")
    expect(second.locator(".saved")).to_contain_text("Saved.", timeout=EXPECT)
    first.goto(address)
    for name, value in (("traits.aim", "5"), ("traits.attack", "4")):
        expect(first.locator(f"[name='a.{name}']")).to_have_value(value)
    expect(first.locator("[name='a.perks.0.text']")).to_have_value("Knows every eddy")


def test_pressed_twice_is_sent_once(sit: Sit) -> None:
    """Twice while it is on its way, twice with one hand, and a key that is held."""
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    lene.field("take").fill("A rope")
    with Held(page, "**/moves") as held:
        page.locator("#go").dblclick()
        held.wait()
        page.evaluate("document.getElementById('move-form').requestSubmit()")
        page.wait_for_timeout(100)
        held.let_through()
        lene.reads("A rope")
    assert held.requests == 1
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    lene.field("take").fill("A lamp")
    page.locator("#go").dblclick(delay=150)  # the answer comes between the two
    lene.reads("A lamp")
    page.locator("#go").focus()
    lene.field("take").fill("A bell")
    page.locator("#go").focus()
    for _ in range(4):
        page.keyboard.down("Enter")  # down again without an up is a key that repeats
        page.wait_for_timeout(100)
    page.keyboard.up("Enter")
    lene.reads("A bell")
    lene.quiet()
    assert len(sent) == 2


def test_what_reached_the_table_unknown_to_the_page_happens_once(table: Played, sit: Sit) -> None:
    """The line breaks after the table has heard; the person sends again, as the page says."""
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    lene.field("take").fill("A rope")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        held.lose()
    expect(page.locator("#toast")).to_contain_text("could not be reached", timeout=EXPECT)
    table.play("Mara> propose task for 'Mara Vell' trait=aim")
    expect(page.locator("#waiting")).to_contain_text("Mara Vell", timeout=EXPECT)
    lene.quiet()
    expect(lene.field("take")).to_have_value("A rope")
    page.locator("#go").click()
    expect(lene.field("take")).to_have_value("", timeout=EXPECT)
    with Held(page, "**/say") as held:
        lene.say("Did you hear that?")
        held.wait()
        held.lose()
    expect(page.locator("#say")).to_have_value("Did you hear that?", timeout=EXPECT)
    page.press("#say", "Enter")
    expect(page.locator("#say")).to_have_value("")
    lene.quiet()
    assert times(lene, "A rope") == 1
    assert lene.said() == ["Did you hear that?"]


def test_a_page_that_is_loaded_again_is_as_it_was(sit: Sit) -> None:
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    lene.field("take").fill("A rope")
    page.fill("#say", "Half a sen")
    page.get_by_text("Edit notes").click()
    page.locator("#n-table").fill("The bridge is out.")
    page.reload()
    lene.live()
    expect(lene.field("take")).to_have_value("A rope", timeout=EXPECT)
    expect(page.locator("#f-move-gear")).to_be_checked()
    expect(page.locator("#say")).to_have_value("Half a sen")
    expect(page.locator("#n-table")).to_be_visible()
    expect(page.locator("#n-table")).to_have_value("The bridge is out.")
    page.locator("#party a").first.click()
    expect(page.locator("article.sheet")).to_be_visible()
    page.go_back()
    lene.live()
    expect(lene.field("take")).to_have_value("A rope", timeout=EXPECT)
    page.locator("#go").click()
    lene.reads("A rope")
    expect(lene.field("take")).to_have_value("", timeout=EXPECT)
    assert times(lene, "A rope") == 1
    lene.quiet()
    expect(lene.field("take")).to_have_count(0)
    expect(page.locator("#say")).to_have_value("Half a sen")


#: Notes all that is put into the log: its entries, and every change of words in one of them.
HEARD = """() => {
  window.heard = [];
  new MutationObserver((changes) => {
    for (const { type, addedNodes, target } of changes) {
      if (type === "characterData") window.heard.push("again: " + target.data);
      for (const node of addedNodes)
        window.heard.push((node.id ? "" : "again: ") + node.textContent);
    }
  }).observe(document.getElementById("log-list"),
    { childList: true, subtree: true, characterData: true });
}"""


def test_ten_lines_while_one_writes(table: Played, sit: Sit) -> None:
    """The caret stays; a screen reader hears each line once, and no other word of the log."""
    lene = sit("Lene")
    page = lene.page
    say = page.locator("#say")
    say.fill("half a sentence")
    page.evaluate("document.activeElement.setSelectionRange(4, 6)")
    page.evaluate(HEARD)
    for number in range(10):
        table.play(f"Mara> say Line {number}.")
    lene.reads("Line 9.")
    page.wait_for_timeout(300)
    where = "(at => [at.id, at.value, at.selectionStart, at.selectionEnd])(document.activeElement)"
    assert page.evaluate(where) == ["say", "half a sentence", 4, 6]
    heard = page.evaluate("heard")
    assert len(heard) == 10
    assert all(f"Line {number}." in line for number, line in enumerate(heard)), heard


def test_news_above_does_not_move_what_one_writes_in(table: Played, sit: Sit) -> None:
    lene = sit("Lene")
    page = lene.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{table.address}#moves")
    lene.live()
    lene.pick("gear")
    note = lene.field("note")
    note.fill("half a sentence")
    lene.quiet()
    top = note.bounding_box()
    assert top is not None
    for who, whom in (("Mara", "Mara Vell"), ("Jonas", "Old Tam")):
        table.play(f"{who}> propose task for '{whom}' trait=aim")
        expect(page.locator("#waiting")).to_contain_text(whom, timeout=EXPECT)
    lene.quiet()
    now = note.bounding_box()
    assert now is not None
    assert abs(now["y"] - top["y"]) < 2
    expect(note).to_be_focused()


def test_a_sheet_keeps_the_last_word(table: Played, sit: Sit) -> None:
    """Typed while a save is under way, taken out once and not twice, and left at once."""
    table.play('Lene> make pc "Hob"')
    page = sit("Lene").page
    builder = f"{table.address}/characters/{table.entity('Hob')}?step=all"
    page.goto(builder)
    perks = [page.locator(f"[name='a.perks.{row}.text']") for row in range(3)]
    for perk, words in zip(perks, ("Knows every eddy", "Best cook", "Swims"), strict=True):
        perk.fill(words)
        expect(page.locator(".saved")).to_contain_text("Saved", timeout=EXPECT)
        expect(perk).to_have_attribute("value", words, timeout=EXPECT)
    tick(page.locator("[name='a.perks.0.remove']"))
    expect(perks[0]).to_have_value("Best cook", timeout=EXPECT)
    expect(page.locator("[name='a.perks.0.remove']")).not_to_be_checked()
    with Held(page, "**/save") as held:
        page.locator("#f-s-name").fill("Hob Net")
        held.wait()
        page.locator("#f-s-name").fill("Hob Nettle")
        held.wait(2)
        held.let_through()
    expect(page.locator("#f-s-name")).to_have_attribute("value", "Hob Nettle", timeout=EXPECT)
    page.locator("#f-s-line").fill("Ferryman")
    page.get_by_role("link", name="Journal").first.click()
    expect(page.locator("h1")).to_contain_text("Journal")
    page.goto(builder)
    for _ in range(100):
        if page.locator("#f-s-line").input_value() == "Ferryman":
            break
        page.wait_for_timeout(100)  # what a page sends as it goes is not waited for
        page.reload()
    expect(page.locator("#f-s-line")).to_have_value("Ferryman")
    expect(page.locator("#f-s-name")).to_have_value("Hob Nettle")
    assert [perk.input_value() for perk in perks] == ["Best cook", "Swims", ""]


def test_notes_that_two_write_in(table: Played, sit: Sit) -> None:
    """Who has written nothing yet sees the newest; who has is told, and keeps the own words."""
    lene = sit("Lene")
    page = lene.page
    box = page.locator("#n-table")
    page.get_by_text("Edit notes").click()
    table.play("Mara> note table 'The bridge is out.'")
    expect(box).to_have_value("The bridge is out.", timeout=EXPECT)
    box.fill("The bridge is out. Tam knows a ford.")
    table.play("Mara> note table 'The bridge is out. Serk is behind us.'")
    expect(page.locator("#toast")).to_contain_text("Someone else has changed", timeout=EXPECT)
    expect(page.locator("#note-table")).to_contain_text("Serk is behind us.")
    expect(box).to_have_value("The bridge is out. Tam knows a ford.")
    page.get_by_role("button", name="Save notes").click()
    expect(page.locator("#note-table")).to_contain_text("Tam knows a ford.", timeout=EXPECT)
    expect(box).to_be_hidden()


def test_what_was_written_stays_where_it_is_refused(sit: Sit) -> None:
    gm = sit("GM")
    form = gm.page.locator("#oracle-new")
    gm.page.locator("#oracle-new > summary").click()
    form.locator("[name=title]").fill("Weather")
    form.locator("[name=rows]").fill("1 Rain\nno number")
    form.get_by_role("button", name="Add table").click()
    expect(gm.page.locator("#toast")).to_contain_text("number", timeout=EXPECT)
    gm.quiet()
    expect(form.locator("[name=title]")).to_have_value("Weather")
    expect(form.locator("[name=rows]")).to_have_value("1 Rain\nno number")


def test_a_wrong_number_in_a_closed_sheet_is_told(sit: Sit) -> None:
    gm = sit("GM")
    gm.pick("hurt")
    gm.field("wounds").fill("999")
    gm.page.keyboard.press("Escape")
    expect(gm.page.locator("#roll-sheet")).not_to_have_attribute("open", "")
    gm.page.locator("#go").click()
    expect(gm.page.locator("#f-m-hurt-wounds-p")).to_be_visible(timeout=EXPECT)
    expect(gm.field("wounds")).to_have_value("999")
