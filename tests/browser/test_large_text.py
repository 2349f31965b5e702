"""Text at twice its size, as set in the browser and as a page style: no page is wider than the
window, and nothing in it scrolls sidewards.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.pages import Screens, all_pages
from tests.browser.scene import World
from tests.browser.serving import Served
from tests.browser.test_every_page import too_wide

pytestmark = pytest.mark.browser

WINDOWS = ((1280, 800), (390, 844), (320, 568))
MAIN = {
    "home-host", "new-refused", "table-gm", "table-player", "table-contest", "builder", "desk",
    "journal", "sheet", "print-sheet", "dice-odds", "dice-wrong", "carry", "lab", "forecast",
    "help-dialog",
}  # fmt: skip
LARGE = "document.documentElement.style.fontSize = '200%'"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with Served() as served:
        yield World(served)


def _large_in_browser(page: Page) -> None:
    sizes = {"standard": 32, "fixed": 26}
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})


@pytest.mark.slow
@pytest.mark.parametrize("where", ["browser", pytest.param("page", marks=pytest.mark.soak)])
def test_no_page_is_wider_than_its_window(browser: Browser, world: World, where: str) -> None:
    if where == "browser":
        screens = Screens(browser, world, before=_large_in_browser)
    else:
        screens = Screens(browser, world, script=f"addEventListener('load', () => {{ {LARGE} }})")
    wrong = []
    for shown in all_pages(world):
        if shown.name not in MAIN:
            continue
        page = screens.open(shown)
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wrong.append(f"{shown.name}, {width} pixels: wider than its window")
            wrong += [f"{shown.name}, {width} pixels: {one}" for one in too_wide(page)]
        page.set_viewport_size({"width": 1280, "height": 800})
    screens.close()
    assert wrong == [], "\n".join(wrong)
