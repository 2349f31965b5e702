"""Two things at once: what a person does while an answer is on its way, or news comes, stands.

Each answer is held back until the other thing has been done, so each race is run for certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from kitchentable.app.house import lay_out
from tests.browser.holding import Held
from tests.browser.people import EXPECT, Person, tick
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served() as one:
        yield one


@pytest.fixture
def table(served: Served) -> Played:
    one = Played(served, served.wait_for(lay_out(served.house, "toast")))
    one.play("GM> begin")
    return one


Sit = Callable[[str], Person]


@pytest.fixture
def sit(browser: Browser, table: Played) -> Iterator[Sit]:
    people: list[Person] = []

    def sit(name: str) -> Person:
        person = Person(browser, name)
        person.context.add_cookies([table.cookie(name)])
        person.page.goto(table.address)
        person.live()
        people.append(person)
        return person

    yield sit
    for person in people:
        assert [one for one in person.complaints if "ailed to" not in one] == [], person.name
        person.close()


def answer(page: Page, name: str) -> Locator:
    return page.locator(f"#move-form [name='a.{name}']")


def settled(page: Page) -> None:
    """Wait until nothing is asked any more and the panel shows what came of it."""
    page.wait_for_timeout(200)
    expect(page.locator("#moves-in.htmx-request")).to_have_count(0, timeout=EXPECT)


def said(page: Page) -> list[str]:
    return page.locator("#log-list .say > p > span").all_inner_texts()


def times(person: Person, text: str) -> int:
    """How often the log says something once all is told: after a reload."""
    person.page.reload()
    person.live()
    return person.page.locator("#log-list > li").filter(has_text=text).count()


def test_an_answer_takes_away_what_was_sent_and_nothing_that_came_after(sit: Sit) -> None:
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    answer(page, "take").fill("A rope")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        answer(page, "note").press_sequentially("Mind the knots")
        page.keyboard.press("ArrowLeft")
        held.let_through()
        lene.reads("A rope")
        expect(answer(page, "take")).to_have_value("")
    settled(page)
    note = answer(page, "note")
    expect(note).to_have_value("Mind the knots")
    expect(note).to_be_focused()
    assert note.evaluate("one => one.selectionStart") == len("Mind the knot")
    expect(answer(page, "take")).to_have_value("")
    expect(page.locator("#f-move-gear")).to_be_checked()


def test_a_move_that_is_picked_meanwhile_stays_picked(sit: Sit) -> None:
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    answer(page, "take").fill("A rope")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        lene.pick("contest")
        held.let_through()
        expect(answer(page, "other").first).to_be_attached(timeout=EXPECT)
    settled(page)
    expect(page.locator("#f-move-contest")).to_be_checked()
    lene.pick("gear")
    expect(answer(page, "take")).to_have_value("", timeout=EXPECT)
    assert times(lene, "A rope") == 1


def test_a_trait_that_is_picked_meanwhile_stays_picked(table: Played, sit: Sit) -> None:
    """The GM's form, with what only the GM sets: trait, difficulty and its veil."""
    gm = sit("GM")
    page = gm.page
    gm.pick("task")
    answer(page, "trait").select_option("aim")
    answer(page, "difficulty").select_option("easy")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        answer(page, "trait").select_option("social")
        answer(page, "difficulty").select_option("hard")
        tick(page.locator("#move-form [name='hide']").first)
        held.let_through()
        settled(page)
    expect(answer(page, "trait")).to_have_value("social")
    expect(answer(page, "difficulty")).to_have_value("hard")
    expect(page.locator("#move-form [name='hide']").first).to_be_checked()


def test_what_was_typed_for_another_move_is_there_again(sit: Sit) -> None:
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    answer(page, "take").fill("A rope")
    lene.pick("contest")
    expect(answer(page, "other").first).to_be_attached(timeout=EXPECT)
    expect(answer(page, "take")).to_have_count(0)
    lene.pick("gear")
    expect(answer(page, "take")).to_have_value("A rope", timeout=EXPECT)


def test_a_refusal_keeps_what_came_after_it_was_asked_for(table: Played, sit: Sit) -> None:
    """And its sentence stays through the news, until something is changed."""
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    expect(answer(page, "take")).to_be_visible()
    refusal = page.locator("#move-form .refuses")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        answer(page, "note").fill("Later")
        held.let_through()
        expect(refusal.first).to_be_visible(timeout=EXPECT)
    expect(answer(page, "note")).to_have_value("Later")
    table.play("Mara> propose task for 'Mara Vell' trait=aim")
    expect(page.locator("#waiting")).to_contain_text("Mara Vell", timeout=EXPECT)
    settled(page)
    expect(refusal.first).to_be_visible()
    answer(page, "take").fill("A rope")
    expect(refusal).to_have_count(0, timeout=EXPECT)
    expect(answer(page, "note")).to_have_value("Later")


def test_the_fold_of_real_dice_stays_open(table: Played, sit: Sit) -> None:
    """In the panel and on a card: with nothing typed, and with a face."""
    lene = sit("Lene")
    page = lene.page
    lene.pick("task")
    fold = page.locator("#typed-move")
    lene.pick("gear")
    expect(fold).to_have_count(0)
    table.play("GM> move fight")
    lene.pick("initiative")
    fold.locator("summary").click()
    table.play("Mara> move initiative for 'Mara Vell' faces=5")
    expect(lene.last()).to_contain_text("Mara Vell", timeout=EXPECT)
    settled(page)
    faces = page.locator("#faces-move")
    expect(faces).to_be_visible()
    faces.press_sequentially("ki")
    table.play("Jonas> move initiative for 'Old Tam' faces=6")
    expect(lene.last()).to_contain_text("Old Tam", timeout=EXPECT)
    settled(page)
    expect(faces).to_be_focused()
    faces.press_sequentially("ck")
    expect(faces).to_have_value("kick")
    page.locator("#go").click()
    lene.reads("kick")


def test_a_card_that_is_drawn_anew_keeps_what_was_typed_in_it(table: Played, sit: Sit) -> None:
    """A refused throw draws the whole card: its other forms and folds are as they were."""
    table.play("Lene> propose task for 'Brother Ivo' trait=aim\nGM> settle difficulty=hard")
    lene = sit("Lene")
    page = lene.page
    card = page.locator("#waiting li.ask").first
    card.get_by_text("Change something first").click()
    card.locator("details.more [name='a.trait']").select_option("social")
    card.locator("details.typed summary").click()
    card.locator("[name='faces']").fill("fifteen")
    with Held(page, "**/throw") as held:
        card.locator("form[action$='/throw'] button.go").click()
        held.wait()
        card.locator("[name='faces']").fill("7")
        held.let_through()
        expect(card.locator(".refuses").first).to_be_visible(timeout=EXPECT)
    expect(card.locator("[name='faces']")).to_have_value("7")
    expect(card.locator("[name='faces']")).to_be_visible()
    expect(card.locator("details.more [name='a.trait']")).to_have_value("social")
    expect(card.locator("details.more [name='a.trait']")).to_be_visible()
    lene.complaints.clear()  # the browser notes the refusal in its console
    card.locator("form[action$='/throw'] button.go").click()
    lene.reads("Against Hard, 16")


def test_a_card_that_goes_away_gives_back_what_was_written(table: Played, sit: Sit) -> None:
    table.play(
        """Jonas> propose task for "Old Tam" trait=athletics
        GM> settle
        Jonas> throw kick"""
    )
    gm = sit("GM")
    page = gm.page
    page.locator("#waiting textarea[name='a.text']").fill("The ferryman is her uncle.")
    table.play("GM> answer twist text='A dog barks.'")
    expect(page.locator("#toast")).to_contain_text("The ferryman is her uncle.", timeout=EXPECT)
    expect(page.locator("#toast")).to_contain_text("not asked any more")


def test_what_is_no_longer_offered_is_told(table: Played, sit: Sit) -> None:
    table.play("GM> move fight")
    lene = sit("Lene")
    page = lene.page
    lene.pick("initiative")
    table.play("GM> move initiative_all faces=5,6,7,8,9,2")
    expect(page.locator("#toast")).to_contain_text(
        "“Roll Initiative” is no longer offered; your form now says", timeout=EXPECT
    )
    expect(page.locator("#f-move-initiative")).to_have_count(0)


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
    assert said(page) == ["One.", "Two.", "Three."]
    say.press_sequentially("tten.")
    say.press("Enter")
    lene.reads("Four, half written.")
    assert said(page) == ["One.", "Two.", "Three.", "Four, half written."]


def test_pressed_twice_is_sent_once(sit: Sit) -> None:
    """Twice while it is on its way, twice with one hand, and a key that is held."""
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    answer(page, "take").fill("A rope")
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
    answer(page, "take").fill("A lamp")
    page.locator("#go").dblclick(delay=150)  # the answer comes between the two
    lene.reads("A lamp")
    page.locator("#go").focus()
    answer(page, "take").fill("A bell")
    page.locator("#go").focus()
    for _ in range(4):
        page.keyboard.down("Enter")  # down again without an up is a key that repeats
        page.wait_for_timeout(100)
    page.keyboard.up("Enter")
    lene.reads("A bell")
    settled(page)
    assert len(sent) == 2


def test_what_reached_the_table_unknown_to_the_page_happens_once(table: Played, sit: Sit) -> None:
    """The line breaks after the table has heard; the person sends again, as the page says."""
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    answer(page, "take").fill("A rope")
    with Held(page, "**/moves") as held:
        page.locator("#go").click()
        held.wait()
        held.lose()
    expect(page.locator("#toast")).to_contain_text("did not reach the table", timeout=EXPECT)
    table.play("Mara> propose task for 'Mara Vell' trait=aim")
    expect(page.locator("#waiting")).to_contain_text("Mara Vell", timeout=EXPECT)
    settled(page)
    expect(answer(page, "take")).to_have_value("A rope")
    page.locator("#go").click()
    expect(answer(page, "take")).to_have_value("", timeout=EXPECT)
    with Held(page, "**/say") as held:
        lene.say("Did you hear that?")
        held.wait()
        held.lose()
    expect(page.locator("#say")).to_have_value("Did you hear that?", timeout=EXPECT)
    page.press("#say", "Enter")
    expect(page.locator("#say")).to_have_value("")
    settled(page)
    assert times(lene, "A rope") == 1
    assert said(page) == ["Did you hear that?"]


def test_a_page_that_is_loaded_again_is_as_it_was(sit: Sit) -> None:
    lene = sit("Lene")
    page = lene.page
    lene.pick("gear")
    answer(page, "take").fill("A rope")
    page.fill("#say", "Half a sen")
    page.get_by_text("Write in them").click()
    page.locator("#n-table").fill("The bridge is out.")
    page.reload()
    lene.live()
    expect(answer(page, "take")).to_have_value("A rope", timeout=EXPECT)
    expect(page.locator("#f-move-gear")).to_be_checked()
    expect(page.locator("#say")).to_have_value("Half a sen")
    expect(page.locator("#n-table")).to_be_visible()
    expect(page.locator("#n-table")).to_have_value("The bridge is out.")
    page.locator("#party a").first.click()
    expect(page.locator("article.sheet")).to_be_visible()
    page.go_back()
    lene.live()
    expect(answer(page, "take")).to_have_value("A rope", timeout=EXPECT)
    page.locator("#go").click()
    lene.reads("A rope")
    expect(answer(page, "take")).to_have_value("", timeout=EXPECT)
    assert times(lene, "A rope") == 1
    settled(page)
    expect(answer(page, "take")).to_have_count(0)
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
    note = answer(page, "note")
    note.fill("half a sentence")
    settled(page)
    top = note.bounding_box()
    assert top is not None
    for who, whom in (("Mara", "Mara Vell"), ("Jonas", "Old Tam")):
        table.play(f"{who}> propose task for '{whom}' trait=aim")
        expect(page.locator("#waiting")).to_contain_text(whom, timeout=EXPECT)
    settled(page)
    now = note.bounding_box()
    assert now is not None
    assert abs(now["y"] - top["y"]) < 2
    expect(note).to_be_focused()
