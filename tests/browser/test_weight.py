"""The size of the table's page, reduced motion, and printing."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.pages import Screens, Shown, all_pages
from tests.browser.scene import World
from tests.browser.serving import Served

pytestmark = pytest.mark.browser

MOST_BYTES = 60_000
MOST_REQUESTS = 5
#: The fonts come once, on top of the first page, and are kept for ever.
MOST_BYTES_OF_FONTS = 60_000


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with Served() as served:
        yield World(served)


@pytest.fixture(scope="module")
def pages(world: World) -> dict[str, Shown]:
    return {one.name: one for one in all_pages(world)}


@pytest.fixture
def screens(browser: Browser, world: World) -> Iterator[Screens]:
    one = Screens(browser, world)
    yield one
    one.close()


def test_the_first_page_of_the_table(
    browser: Browser, world: World, pages: dict[str, Shown]
) -> None:
    """As a browser gets it that was never here: what goes over the line, headers included."""
    for name in ("table-gm", "table-player"):
        shown = pages[name]
        context = browser.new_context()
        context.add_cookies([world.evening.cookie(shown.who)])
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        asked: dict[str, str] = {}
        weighs: dict[str, float] = {}
        devtools.on(
            "Network.requestWillBeSent",
            lambda event, asked=asked: asked.update({event["requestId"]: event["request"]["url"]}),
        )
        devtools.on(
            "Network.loadingFinished",
            lambda event, weighs=weighs: weighs.update(
                {event["requestId"]: event["encodedDataLength"]}
            ),
        )
        devtools.send("Network.enable")
        page.goto(world.served.address + shown.address)
        page.wait_for_selector("#live[data-state='live']")
        for _ in range(600):
            if len(weighs) >= len(asked) - 1:  # the feed goes on
                break
            page.wait_for_timeout(100)
        feed = [one for one, url in asked.items() if "/feed" in url]
        assert len(feed) == 1
        fonts = [one for one, url in asked.items() if url.endswith(".woff2")]
        assert len(asked) - len(fonts) <= MOST_REQUESTS, sorted(asked.values())
        total = sum(weighs[one] for one in asked if one not in {*feed, *fonts})
        assert 10_000 < total < MOST_BYTES, (name, total)
        assert 2 <= len(fonts) <= 3, sorted(asked.values())
        assert 20_000 < sum(weighs[one] for one in fonts) < MOST_BYTES_OF_FONTS
        context.close()


def test_nothing_moves_for_those_who_asked_for_calm(
    browser: Browser, world: World, pages: dict[str, Shown]
) -> None:
    """With motion the newest dice fall; without, nothing does."""
    for motion, moves in (("no-preference", True), ("reduce", False)):
        screens = Screens(browser, world, reduced_motion=motion)
        page = screens.open(pages["table-between"])
        page.wait_for_selector("#live[data-state='live']")
        page.evaluate("""() => { window.moved = []; window.thrown = false;
            addEventListener("animationstart", (one) => window.moved.push(one.animationName));
            new MutationObserver(() => { window.thrown ||= !!document.querySelector("#thrown"); })
                .observe(document.body, { childList: true }); }""")
        world.over.play("Mara> roll 3d6")
        page.wait_for_selector("#log-list > li.fresh")
        for _ in range(300 if moves else 1):
            page.wait_for_timeout(200)
            if page.evaluate("window.thrown"):
                break
        running = page.evaluate("document.getAnimations().length")
        moved = set(page.evaluate("window.moved"))
        assert page.evaluate("window.thrown") is moves
        assert moves or (running, moved) == (0, set())
        screens.close()


def leaves(pdf: bytes) -> int:
    """How many pages a printed document has."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    parts = [pdf]
    for one in streams:
        try:
            parts.append(zlib.decompress(one))
        except zlib.error:
            continue
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", b"\n".join(parts)))


CONTROLS = "a.button, button, input, select, textarea, nav, .menu, #live, #moves, .undo, summary"


def test_a_sheet_fits_on_one_leaf_and_the_log_prints_without_controls(
    screens: Screens, pages: dict[str, Shown]
) -> None:
    for name in ("sheet", "sheet-other"):
        page = screens.open(pages[name])
        assert leaves(page.pdf(format="A4")) == 1, name
        assert leaves(page.pdf(format="Letter")) == 1, name
    for name in ("table-gm", "sheet", "journal"):
        page = screens.open(pages[name])
        page.emulate_media(media="print")
        shown: list[Any] = page.locator(CONTROLS).evaluate_all(
            "all => all.filter(one => one.checkVisibility()).map(one => one.outerHTML)"
        )
        assert shown == [], name
