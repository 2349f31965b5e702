"""Odds and Roll stay visible in every game, for players and GM, at each screen size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from kitchentable.app.server import lay_out
from kitchentable.rules.registry import names
from kitchentable.web.urls import Urls
from tests.browser.pages import OPEN_ALL
from tests.browser.people import EXPECT, Sit
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser

SIZES = ((1440, 900), (1280, 720), (390, 844), (360, 640))
#: Top and bottom of what has to stay in sight, and whether something else lies over it.
PARTS = "#go, #odds .shares, #roll-sheet > summary"
SEEN = """(parts) => [...document.querySelectorAll(parts)].map((one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const there = document.elementFromPoint(x, y);
    return [one.id || one.tagName, box.top, box.bottom, one.contains(there)];
})"""


def in_sight(page: Page, height: int) -> list[str]:
    """The parts of the current roll that are outside the window or covered."""
    return [
        f"{name}: {top:.0f} to {bottom:.0f} of {height}{'' if free else ', covered'}"
        for name, top, bottom, free in page.evaluate(SEEN, PARTS)
        if top < 0 or bottom > height or not free
    ]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.slow
def test_in_every_game_for_everybody_on_every_screen(served: Served, page: Page) -> None:
    """Closed, and with the choices open; the choice of a move is one line on a desk."""
    wrong = []
    for game in names():
        at = Played(served, served.wait_for(lay_out(served.server, game)))
        at.play("GM> begin")
        seats = at.stage.seats
        player = next(who for who in seats if who != "GM")
        for who in ("GM", player):
            page.context.clear_cookies()
            page.context.add_cookies([at.cookie(who)])
            page.goto(at.address)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                for opened in (False, True):
                    page.evaluate(
                        f"document.getElementById('roll-sheet').open = {str(opened).lower()}"
                    )
                    place = f"{game}, {who}, {width} x {height}, {'open' if opened else 'closed'}"
                    wrong += [f"{place}: {one}" for one in in_sight(page, height)]
                top, bar = (
                    page.locator(one).bounding_box() or {} for one in (".roll-sheet", ".bar")
                )
                if top["y"] < bar["height"]:
                    wrong.append(f"{game}, {who}, {width} x {height}: the choices cover the head")
    assert wrong == [], "\n".join(wrong)


def test_nothing_jumps_while_the_gm_rolls(table: Played, sit: Sit) -> None:
    """The button is where it was after a roll, after the next, and while moves are chosen."""
    gm = sit("GM")
    page = gm.page
    before = page.locator("#go").bounding_box()
    for index in range(2):
        gm.move("task", trait="aim", faces="7")
        expect(page.locator("#log-list > li .card")).to_have_count(index + 1, timeout=EXPECT)
        gm.quiet()
        assert page.locator("#go").bounding_box() == before
    gm.open_sheet()
    more = page.locator("#more-moves > summary")
    place = more.evaluate("one => one.getBoundingClientRect().x")
    more.click()
    assert more.evaluate("one => one.getBoundingClientRect().x") == place
    assert page.locator("#go").bounding_box() == before
    rare = page.locator("#f-move-npc")
    expect(rare).to_be_attached()
    assert rare.evaluate("one => !!one.closest('#more-moves')")
    page.keyboard.press("Escape")
    expect(page.locator(".roll-sheet")).to_be_hidden()
    gm.open_sheet()
    expect(rare).to_be_hidden()  # it would push the questions of the roll out of sight


def test_the_verdict_that_can_be_taken_back_leaves_the_roll_in_sight(
    table: Played, sit: Sit
) -> None:
    gm = sit("GM")
    page = gm.page
    page.set_viewport_size({"width": 1280, "height": 800})
    table.play("Mara> propose task for 'Mara Vell' trait=aim")
    powered = page.locator("#waiting .verdicts[data-htmx-powered]")
    powered.get_by_role("button", name="Medium").click()
    toast = page.locator("#last form")
    expect(toast).to_be_visible(timeout=EXPECT)
    toast.hover()  # it stays
    bottom = toast.bounding_box()["y"] + toast.bounding_box()["height"]
    assert bottom <= page.locator("#dock").bounding_box()["y"]


def test_a_new_campaign_can_begin_before_its_rules_are_read(
    browser: Browser, served: Served
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    key = served.server.keys.issue("host")
    context.add_cookies([{"name": "kt_host", "value": key, "url": served.address}])
    page = context.new_page()
    page.goto(served.address + Urls()("new_campaign", game="toaster"))
    page.evaluate(OPEN_ALL)
    first, last = page.get_by_role("button", name="Create campaign").all()
    assert page.evaluate("document.documentElement.scrollHeight") > 8000
    expect(first).to_be_in_viewport(ratio=1)
    expect(last).not_to_be_in_viewport()
    context.close()


def test_the_tabs_of_a_phone_on_its_side_have_their_signs_beside_their_words(sit: Sit) -> None:
    page = sit("Mara").page
    page.set_viewport_size({"width": 844, "height": 390})
    gaps = page.locator(".tabs a").evaluate_all("""all => all.map((tab) => {
        const words = document.createRange();
        words.selectNodeContents(tab.lastChild.length ? tab.lastChild : tab.childNodes[1]);
        const sign = tab.querySelector("svg").getBoundingClientRect();
        return words.getBoundingClientRect().left - sign.right;
    })""")
    assert len(gaps) >= 4
    assert all(0 <= gap < 12 for gap in gaps), gaps


def test_two_taps_from_the_sheet_to_a_roll(table: Played, sit: Sit) -> None:
    mara = sit("Mara")
    page = mara.page
    page.locator("#sheet").get_by_role("link", name="Perception 6").click()
    expect(page.locator("#move-form [name='a.trait']")).to_have_value("perception")
    expect(page.locator("#roll-sheet > summary")).to_contain_text("Perception 6", timeout=EXPECT)
    expect(page.locator("#odds b")).to_have_text("58\N{NO-BREAK SPACE}%", timeout=EXPECT)
    page.locator("#sheet").get_by_role("link", name="Knows the Krim valley").click()
    expect(page.locator("#odds b")).to_have_text("83\N{NO-BREAK SPACE}%", timeout=EXPECT)
    expect(page.locator("#go")).to_be_focused()
    page.locator("#go").click()
    expect(page.locator(".roll-sheet")).to_be_hidden()
    expect(page.locator("#waiting")).to_contain_text("Perception", timeout=EXPECT)


def test_two_taps_without_a_script(table: Played, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([table.cookie("Mara")])
    page = context.new_page()
    page.goto(table.address)
    page.locator("#sheet").get_by_role("link", name="Perception 6").click()
    expect(page.locator("#roll-sheet")).to_have_attribute("open", "")
    expect(page.locator("#odds b")).to_have_text("58\N{NO-BREAK SPACE}%")
    page.get_by_role("button", name="Ask the GM").click()
    expect(page.locator("#waiting")).to_contain_text("Perception")
    context.close()


def test_whoever_is_down_keeps_a_name_in_whole_words(table: Played, sit: Sit) -> None:
    """A long condition beside the name left it one letter a line."""
    table.play("GM> move fight")
    table.play("GM> move hurt who=@'Brother Ivo' cause='a falling beam' wounds=4")
    for who in ("GM", "Mara"):
        page = sit(who).page
        row = page.locator("#fight li.out")
        expect(row).to_contain_text("Unconscious", timeout=EXPECT)
        assert row.locator(".name").bounding_box()["height"] < 48, who
