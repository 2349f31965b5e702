"""Every action at the table with the keyboard alone; the focus stays in place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from kitchentable.app.server import lay_out
from tests.browser.people import EXPECT, Person
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser

#: More stops than any page has.
FAR = 250


@pytest.fixture
def table(served: Served) -> Played:
    return Played(served, served.wait_for(lay_out(served.server, "toast")))


@pytest.fixture
def sit(browser: Browser, table: Played) -> Iterator:
    """Sit down in somebody's seat."""
    people: list[Person] = []

    def sit(name: str, at: str = "", **look: object) -> Person:
        person = Person(browser, name, reduced_motion="reduce", **look)
        person.context.add_cookies([table.cookie(name)])
        person.page.goto(table.address + at)
        if not at:
            person.live()
        people.append(person)
        return person

    yield sit
    for person in people:
        assert person.complaints == [], person.name
        person.close()


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until the focus is there. That it is to be seen there is part of getting there."""
    for _ in range(FAR):
        page.keyboard.press(key)
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            break
    else:
        raise AssertionError(f"nobody gets to {selector} with the keyboard")
    expect(page.locator(":focus")).to_be_in_viewport()


def test_a_whole_roll(table: Played, sit) -> None:
    table.play("GM> begin")
    mara, gm = sit("Mara"), sit("GM")
    tab_to(mara.page, "#roll-sheet > summary")
    mara.page.keyboard.press("Enter")
    tab_to(mara.page, "#move-form input[name='move']")
    mara.page.keyboard.press("ArrowRight")
    expect(mara.page.locator("#f-move-contest")).to_be_checked()
    expect(mara.page.locator("#move-form [name='a.other']").first).to_be_attached()
    mara.page.keyboard.press("ArrowLeft")
    expect(mara.page.locator("#f-move-task")).to_be_focused()
    expect(mara.page.locator("#move-form [name='a.other']")).to_have_count(0)
    tab_to(mara.page, "#move-form select[name='a.trait']")
    mara.page.keyboard.type("Perc")
    expect(mara.page.locator("#odds b")).to_have_text("58\N{NO-BREAK SPACE}%", timeout=EXPECT)
    expect(mara.page.locator("select[name='a.trait']")).to_be_focused()
    tab_to(mara.page, "#move-form button.go")
    mara.page.keyboard.press("Enter")

    expect(gm.page.locator("#waiting")).to_contain_text("Perception", timeout=EXPECT)
    tab_to(gm.page, "#waiting .verdicts button[value='hard']")
    gm.page.keyboard.press("Enter")

    throw = mara.page.locator("#waiting form[action$='/throw'] button.go")
    expect(throw).to_be_visible(timeout=EXPECT)
    tab_to(mara.page, "#waiting form[action$='/throw'] button.go")
    mara.page.keyboard.press("Enter")
    mara.reads("Against Hard, 16")
    gm.reads("Against Hard, 16")


def test_talk(table: Played, sit) -> None:
    mara = sit("Mara")
    page = mara.page
    # The keys come with the first one; a line that is quicker than they are is not recalled.
    with page.expect_response("**/assets/play-*"):
        page.keyboard.press("/")
    say = page.locator("#say")
    expect(say).to_be_focused()
    expect(say).to_have_value("")
    page.keyboard.type("Two steps to the left / and one back?")
    page.keyboard.press("Enter")
    mara.reads("Two steps to the left / and one back?")
    expect(say).to_be_focused()
    expect(say).to_have_value("")
    page.keyboard.press("ArrowUp")
    expect(say).to_have_value("Two steps to the left / and one back?")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("/roll 4d6k3")
    page.keyboard.press("Enter")
    expect(page.locator("#say-error")).to_contain_text("4d6kh3", timeout=EXPECT)
    expect(say).to_have_value("/roll 4d6k3")
    mara.complaints.clear()  # the browser notes the refusal in its console


def test_help_opens_closes_and_gives_the_focus_back(sit) -> None:
    page = sit("Lene").page
    tab_to(page, "#party a")
    page.keyboard.press("?")
    dialog = page.locator("#dialog")
    expect(dialog).to_be_visible()
    assert page.evaluate("document.getElementById('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#party a").first).to_be_focused()
    tab_to(page, "a.keys")
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.keyboard.press("Enter")  # the focus is on what closes it
    expect(dialog).to_be_hidden()
    expect(page.locator("a.keys")).to_be_focused()


def test_the_menu_opens_closes_and_gives_the_focus_back(sit) -> None:
    page = sit("Lene").page
    tab_to(page, "button.menu")
    page.keyboard.press("Enter")
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.getElementById('menu').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.locator("button.menu")).to_be_focused()


def test_the_rooms_of_a_phone(sit) -> None:
    page = sit("Jonas", viewport={"width": 360, "height": 740}).page
    expect(page.locator("#party")).to_be_hidden()
    tab_to(page, ".tabs a[href='#party']")
    page.keyboard.press("Enter")
    expect(page.locator("#party")).to_be_visible()
    expect(page.locator("#log")).to_be_hidden()
    expect(page.locator(".tabs a[href='#party']")).to_have_attribute("aria-current", "true")
    page.keyboard.press("/")
    expect(page.locator("#say")).to_be_focused()
    expect(page.locator("#say")).to_be_in_viewport()


@pytest.mark.slow
def test_the_builder(table: Played, sit) -> None:
    table.play('Lene> make pc "Hob"')
    lene = sit("Lene", f"/characters/{table.entity('Hob')}?step=all")
    page = lene.page
    tab_to(page, "[name='a.traits.aim']")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    expect(page.locator(".budgets")).to_contain_text("49 left", timeout=EXPECT)
    aim = page.locator("[name='a.traits.aim']")
    expect(aim).to_be_focused()
    expect(aim).to_have_value("3")
    tab_to(page, "[name='a.perks.0.text']")
    page.keyboard.type("Knows every eddy")
    expect(page.locator("[name='a.perks.1.text']")).to_be_visible(timeout=EXPECT)
    page.keyboard.type(" of the river")
    expect(page.locator("[name='a.perks.0.text']")).to_have_value("Knows every eddy of the river")
    tab_to(page, "button[name='submit']")
    page.keyboard.press("Enter")
    expect(page.locator("#builder .problems, #builder .warns").first).to_be_visible()
    lene.complaints.clear()


#: Puts the caret in the middle of what stands in the focused field.
CARET = "document.activeElement.setSelectionRange(4, 6)"
WHERE = """(at => [at.id, at.value, at.selectionStart, at.selectionEnd])(document.activeElement)"""


@pytest.mark.slow
def test_the_caret_stays_while_the_table_moves_on(table: Played, sit) -> None:
    """In the chat line, in the panel of moves, and in a card that waits."""
    table.play(
        """GM> begin
        Jonas> propose task for "Old Tam" trait=athletics
        GM> settle
        Jonas> throw kick"""
    )
    gm, lene = sit("GM"), sit("Lene")
    for person, field, news in (
        (lene, "#say", 'GM> say One.\nMara> propose task for "Mara Vell" trait=aim'),
        (lene, "#move-form [name='a.what']", "GM> say Two.\nGM> settle\nMara> throw 3"),
        (gm, "#waiting textarea[name='a.text']", "GM> say Three.\nGM> move fight"),
    ):
        page = person.page
        if "#move-form" in field:
            person.open_sheet()
        page.locator(field).first.fill("half a sentence")
        page.evaluate(CARET)
        before = page.evaluate(WHERE)
        last = news.split("> say ")[1].split("\n")[0]
        table.play(news)
        person.reads(last)
        page.wait_for_timeout(400)
        assert page.evaluate(WHERE) == before
        assert before[1:] == ["half a sentence", 4, 6]
    expect(lene.page.locator("#fight")).to_contain_text("Fight")


def test_the_way_past_the_head_of_the_page(table: Played, sit) -> None:
    for address in ("", "/journal"):
        page = sit("Mara", address).page
        page.keyboard.press("Tab")
        skip = page.locator("a.skip")
        expect(skip).to_be_focused()
        expect(skip).to_be_in_viewport()
        page.keyboard.press("Enter")
        expect(page.locator("#main")).to_be_focused()


#: How the focus shows on what has it: as an outline, of its own or of the label it stands in.
SEEN = """() => {
    const at = document.activeElement;
    const outlined = (one) => {
        const style = one && getComputedStyle(one);
        return style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    };
    return [at.tagName + "#" + at.id + "." + at.className, at === document.body
        || outlined(at) || outlined(at.closest("label"))];
}"""


@pytest.mark.slow
def test_the_focus_is_always_to_be_seen(table: Played, sit) -> None:
    for who, address in (("GM", ""), ("GM", "/desk"), ("Mara", "/journal")):
        page = sit(who, address).page
        unseen = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            what, seen = page.evaluate(SEEN)
            if not seen:
                unseen.add(what)
        assert unseen == set()
