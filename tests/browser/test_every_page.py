"""Every page in every look: nothing against WCAG 2.2 AA or good practice, nothing too wide,
no complaint of the browser, no reaching for other servers.

One page is opened once, by day, wide and on a narrow phone, where the sizes of targets are
measured, and every rule is checked again where the phone shows other elements. Pages that between
them show every kind of thing are looked at by night too, with the sizes of their targets on a wide
screen, and what one operates there hovered and focused. `make test` looks at two of them,
`make test-all` at every page, and `make soak` at every page by night.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from kitchentable.web.application import make_app
from kitchentable.web.urls import ROUTES, path
from tests.browser.pages import Screens, Shown, all_pages, open_everything, open_menu
from tests.browser.scene import World
from tests.browser.serving import Served

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
#: A screen of 1280 pixels, enlarged twice.
ENLARGED = {"width": 640, "height": 450}
DESKTOP = {"width": 1280, "height": 900}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
EVERYTHING = {
    "runOnly": {"type": "tag", "values": TAGS},
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
    "selectors": False,
    "preload": False,
}
BUT_COLOURS = {
    **EVERYTHING,
    "rules": {**EVERYTHING["rules"], "color-contrast": {"enabled": False}},
}
#: Targets are measured on a phone, where they are smallest.
BUT_SIZES = {**EVERYTHING, "rules": {"target-size": {"enabled": False}}}
#: The rules that a narrow screen may break with the same elements as a wide one.
LAYOUT = {
    **EVERYTHING,
    "runOnly": {
        "type": "rule",
        "values": ["target-size", "scrollable-region-focusable", "link-in-text-block"],
    },
    "rules": {},
}
VISIBLE = """[...document.body.querySelectorAll("*")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))"""
REMEMBER_VISIBLE = f"() => {{ window.before = {VISIBLE}; }}"
SAME_VISIBLE = f"""() => {{ const now = {VISIBLE};
    return now.length === before.length && now.every((one, at) => one === before[at]); }}"""
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
    "selectors": False,
    "preload": False,
}
OPERATED = "a, button, summary, label, input:not([type=hidden]), select, textarea"
#: Pages that between them show every kind of thing that one can operate.
OPERATED_ON = {
    "home-host", "new-refused", "join-ask", "table-gm", "table-contest", "builder-refused",
    "desk", "closing-player", "journal-found", "undo", "rules-found", "dice-odds",
    "help-dialog",
}  # fmt: skip
#: Those of them that `make test` looks at.
FIRST = {"table-gm", "builder-refused"}
#: What stands out of the screen, or scrolls sidewards, in any of the tabs that a narrow one shows
#: one at a time.
TOO_WIDE = """async () => {
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
    const wide = () => {
        const width = document.documentElement.clientWidth;
        const much = document.documentElement.scrollWidth > width;
        return [...document.querySelectorAll("body *")].filter((one) =>
            (much && one.getBoundingClientRect().right > width + 1)
            || (one.clientWidth && one.scrollWidth > one.clientWidth + 1
                && /auto|scroll/.test(getComputedStyle(one).overflowX)))
            .map((one) => `${location.hash} too wide: ${one.outerHTML.slice(0, 120)}`).slice(0, 4);
    };
    const rooms = [...document.querySelectorAll(".tabs a")].map((one) => one.hash);
    const found = [];
    for (const room of rooms.length ? rooms : [location.hash]) {
        if (location.hash !== room) {
            const seen = new Promise((now) => addEventListener("hashchange", now, {once: true}));
            location.hash = room;
            await seen;
        }
        found.push(...wide());
    }
    return found;
}"""
BREACHES = """addEventListener("securitypolicyviolation",
    (one) => console.error("policy: " + one.violatedDirective + " " + one.blockedURI));"""
#: The refusal that a page is about is noted by the browser too.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
#: What answers a GET without being a page for people: a file, a stream, data, a piece, a redirect;
#: or with a page that is looked at under another name, as the one that carries a character in is.
NO_PAGES = {
    "health", "live", "manifest", "worker",
    "asset", "cover", "picture", "export", "journal_export", "table_feed", "table_log",
    "table_moves", "proposal_odds", "ask_fields", "join_check", "needs", "say_lines",
    "character_file", "icon", "api_lines", "carry_in",
    "api_document", "api_seat", "api_view", "api_entries", "api_events", "api_sheet",
    "api_rules", "api_moves", "api_odds", "api_line",
}  # fmt: skip


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with Served() as served:
        yield World(served)


@dataclass
class Heard:
    """The browser's messages, and all requested addresses."""

    said: list[str] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)

    def watch(self, page: Page) -> None:
        page.on("console", lambda one: self.said.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda one: self.reached.add(one.url))

    def told(self) -> list[str]:
        """What was said since this was last asked."""
        told = [one for one in self.said if not REFUSED.match(one)]
        self.said.clear()
        return told


@pytest.fixture(scope="module")
def heard() -> Heard:
    return Heard()


@pytest.fixture(scope="module")
def screens(browser: Browser, world: World, heard: Heard, axe_source: str) -> Iterator[Screens]:
    # Sent to the browser once, not once a page.
    script = f"{BREACHES}\n{axe_source}"
    screens = Screens(browser, world, before=heard.watch, script=script, viewport=DESKTOP)
    yield screens
    screens.close()


def audit(page: Page, rules: dict[str, Any], of: str = "body") -> list[str]:
    """The findings of axe-core, one line for each element."""
    found = page.evaluate(
        "([of, rules]) => axe.run({include: [of]}, rules).then((all) => all.violations)",
        [of, rules],
    )
    return [
        f"{one['id']}: {one['help']}\n  {node['html'][:200]}\n  {node.get('failureSummary', '')}"
        for one in found
        for node in one["nodes"]
    ]


def operate(page: Page) -> None:
    """Hover and focus everything that can be operated, all at once; until the page is left.

    Meanwhile the page is taken out of sight, or the browser would lay it out anew for each.
    """
    devtools = page.context.new_cdp_session(page)
    page.evaluate("document.documentElement.style.display = 'none'")
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    root = devtools.send("DOM.getDocument")["root"]["nodeId"]
    nodes = devtools.send("DOM.querySelectorAll", {"nodeId": root, "selector": OPERATED})["nodeIds"]
    for node in nodes:
        devtools.send(
            "CSS.forcePseudoState",
            {"nodeId": node, "forcedPseudoClasses": ["hover", "focus", "focus-visible"]},
        )
    page.evaluate("document.documentElement.style.display = ''")


def too_wide(page: Page) -> list[str]:
    """The elements too wide for a narrow screen."""
    found: list[str] = page.evaluate(TOO_WIDE)
    return found


def look(page: Page, name: str, *, by_night: bool, thorough: bool) -> list[str]:
    """All findings about a page by day, on small screens, and perhaps by night.

    On a phone that shows the elements of the wide screen, only layout can be wrong.
    """
    wrong = []
    open_everything(page)
    by_day = EVERYTHING if by_night else BUT_SIZES
    wrong += [f"{name}, by day: {one}" for one in audit(page, by_day)]
    if by_night:
        page.emulate_media(color_scheme="dark")
        wrong += [f"{name}, by night: {one}" for one in audit(page, COLOURS)]
    if name in OPERATED_ON:
        page.emulate_media(color_scheme="dark")
        operate(page)
        wrong += [f"{name}, hovered by night: {one}" for one in audit(page, COLOURS, OPERATED)]
        page.emulate_media(color_scheme="light")
        wrong += [f"{name}, hovered by day: {one}" for one in audit(page, COLOURS, OPERATED)]
    page.evaluate(REMEMBER_VISIBLE)
    page.set_viewport_size(PHONE)
    on_a_phone = LAYOUT if page.evaluate(SAME_VISIBLE) and not thorough else BUT_COLOURS
    wrong += [f"{name}, on a phone: {one}" for one in audit(page, on_a_phone) + too_wide(page)]
    page.set_viewport_size(ENLARGED)
    wrong += [f"{name}, enlarged: {one}" for one in too_wide(page)]
    # Out of sight, a page that is left is not laid out anew for the next one.
    page.evaluate("document.documentElement.style.display = 'none'")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(DESKTOP)
    return wrong


def names(world: World) -> dict[str, Shown]:
    shown = all_pages(world)
    assert len({one.name for one in shown}) == len(shown)
    return {one.name: one for one in shown}


@pytest.mark.parametrize(
    "pages",
    [
        "first",
        pytest.param("others", marks=pytest.mark.slow),
        pytest.param("all", marks=pytest.mark.soak),
    ],
)
def test_no_page_has_anything_wrong(
    screens: Screens, world: World, heard: Heard, pages: str
) -> None:
    wrong: list[str] = []
    for shown in names(world).values():
        operated = shown.name in OPERATED_ON
        if pages != "all" and (shown.name in FIRST) != (pages == "first"):
            continue
        page = screens.open(shown)
        night = operated or pages == "all"
        wrong += look(page, shown.name, by_night=night, thorough=pages == "all")
        wrong += [f"{shown.name}, the browser: {one}" for one in heard.told()]
    assert wrong == [], "\n".join(wrong)
    at_home = (world.served.address, "data:")
    assert heard.reached
    assert {one for one in heard.reached if not one.startswith(at_home)} == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["table-gm", "home-host"])
def test_the_menu_has_nothing_wrong(screens: Screens, world: World, name: str) -> None:
    page = screens.open(names(world)[name])
    open_menu(page)
    wrong = audit(page, EVERYTHING)
    page.emulate_media(color_scheme="dark")
    operate(page)
    wrong += audit(page, COLOURS, "#menu")
    page.emulate_media(color_scheme="light")
    assert wrong == [], "\n".join(wrong)


def test_no_page_is_forgotten(world: World) -> None:
    shown = {one.route for one in all_pages(world)}
    app = make_app(world.served.server)
    asked = {
        route.path_format
        for route in app.router.routes
        for handler in getattr(route, "route_handlers", ())
        if "GET" in handler.http_methods
    }
    # Two names may share an address; the one that is looked at speaks for both.
    known = {
        path(name, shape).replace(":str", "")
        for name in shown | NO_PAGES
        for shape in range(len(ROUTES[name]))
    }
    assert {one for one in asked if not one.startswith("/api")} - known == set()
    assert shown & NO_PAGES == set()
