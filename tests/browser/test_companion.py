"""The device beside the page: the tray, alerts, the page without a connection; nothing covered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import EXPECT, Person, Sit
from tests.browser.scene import World
from tests.browser.serving import Played, Served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table() -> Iterator[Played]:
    with Served() as served:
        yield World(served).evening


@pytest.fixture
def lene(browser: Browser, table: Played) -> Iterator[Person]:
    one = Person(browser, "Lene", viewport={"width": 320, "height": 568})
    one.context.add_cookies([table.cookie("Lene")])
    one.page.goto(table.address)
    one.live()
    yield one
    one.context.close()


@pytest.mark.slow
def test_the_tray_builds_dice_by_tapping_and_covers_nothing_at_320_px(lene: Person) -> None:
    page = lene.page
    page.goto(f"{page.url.split('#')[0]}#notes")
    page.locator("#tray > summary").click()
    for name in ("Add a d6", "Add a d6", "+1", "Keep highest"):
        page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".expression")).to_have_text("2d6kh1+1")
    for times in (1, 2):
        page.evaluate("location.hash = 'notes'")
        page.get_by_role("button", name="Roll dice", exact=True).click()
        expect(page.locator("#log-list > .fresh")).to_have_count(times, timeout=EXPECT)
    expect(page.locator("#log-list")).to_contain_text("2d6kh1+1", timeout=EXPECT)
    for room in ("sheet", "log", "notes", "party", "fight"):
        page.evaluate("room => { location.hash = room; }", room)
        wide, shown = page.evaluate(
            "[document.documentElement.scrollWidth, innerWidth]",
        )
        assert wide <= shown, room
        covered = page.evaluate(
            """room => [...document.querySelectorAll(`#${room} button`)]
            .filter((one) => one.checkVisibility()).filter((one) => {
                one.scrollIntoView({ block: "center" });
                const { x, y, width, height } = one.getBoundingClientRect();
                const top = document.elementFromPoint(x + width / 2, y + height / 2);
                return !one.contains(top);
            }).map((one) => one.textContent)""",
            room,
        )
        assert covered == [], room


@pytest.mark.slow
def test_alerts_are_off_until_switched_on_and_then_come_with_what_is_new(
    table: Played, lene: Person
) -> None:
    page = lene.page
    mine = page.locator("#waiting li.ask.mine")
    before = mine.count()
    asked = 'GM> propose task for "Brother Ivo" difficulty=easy'
    table.play(asked)
    expect(mine).to_have_count(before + 1, timeout=EXPECT)
    assert page.evaluate("document.body.dataset.called") is None
    page.get_by_role("button", name="You are Lene").click()
    page.get_by_role("button", name="Alerts").click()
    expect(page.locator("body")).to_have_attribute("data-called", "1", timeout=EXPECT)
    page.evaluate("""() => { Object.defineProperty(document, "hidden", { get: () => true });
        document.dispatchEvent(new Event("visibilitychange")); }""")
    table.play(asked)
    expect(page.locator("body")).to_have_attribute("data-called", "2", timeout=EXPECT)
    page.reload()
    lene.live()
    table.play(asked)
    expect(page.locator("body")).to_have_attribute("data-called", "1", timeout=EXPECT)


def test_without_a_connection_a_page_says_so_and_nothing_else_was_kept(lene: Person) -> None:
    page = lene.page
    page.evaluate("import(document.body.dataset.companion)")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    kept = page.evaluate("""async () => {
        const names = await caches.keys();
        const keys = async (name) => (await caches.open(name)).keys();
        const found = await Promise.all(names.map(keys));
        return found.flat().map((one) => new URL(one.url).pathname);
    }""")
    assert len(kept) == 2
    assert kept[0] == "/offline"
    assert kept[1].startswith("/assets/app-")
    lene.context.set_offline(True)
    page.reload()
    expect(page.locator("h1")).to_have_text("No connection")
    lene.context.set_offline(False)
    page.get_by_role("link", name="try again").click()
    expect(page.locator("#feed")).to_be_attached(timeout=EXPECT)
    lene.complaints.clear()  # the browser tells of the page that it could not get


def test_the_page_can_be_installed(table: Played, lene: Person) -> None:
    address = lene.page.locator("link[rel=manifest]").get_attribute("href")
    told = lene.page.evaluate("async (url) => (await fetch(url)).json()", address)
    assert told["start_url"].endswith(table.campaign)
    assert told["display"] == "standalone"
    for icon in told["icons"]:
        got = lene.page.request.get(f"{table.served.address}{icon['src']}")
        assert got.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width = int.from_bytes(got.body()[16:20], "big")
            assert icon["sizes"] == f"{width}x{width}"
    assert lene.page.locator("link[rel=apple-touch-icon]").get_attribute("href") == "/icons/180"


def test_the_gm_moves_a_row_by_keys_and_by_dragging(browser: Browser, table: Played) -> None:
    gm = Person(browser, "GM", viewport={"width": 1280, "height": 1600})
    gm.context.add_cookies([table.cookie("GM")])
    page = gm.page
    page.goto(table.address)
    gm.live()
    rows = page.locator("#fight .order > li[data-row] .name")
    names = rows.all_inner_texts()
    page.get_by_role("button", name="Change turn order").click()
    expect(page.locator("#fight .order > li[data-row]").first).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    moved = [names[1], names[0], *names[2:]]
    expect(rows).to_have_text(moved, timeout=EXPECT)
    page.locator("#fight .order > li[data-row]").nth(1).drag_to(
        page.locator("#fight .order > li[data-row]").first
    )
    expect(rows).to_have_text(names, timeout=EXPECT)
    gm.context.close()


def test_a_link_is_copied_where_the_page_has_no_clipboard(table: Played, sit: Sit) -> None:
    """Browsers give it to pages over HTTPS alone, and a table at home has none."""
    page = sit("GM").page
    page.add_init_script("delete Navigator.prototype.clipboard")
    page.goto(f"{table.address}/desk")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible(timeout=EXPECT)
    field = page.get_by_label("New value")
    field.press("Control+V")
    expect(field).to_have_value(page.locator("#invite").input_value())
