"""All pages in all states worth testing, with the way to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, expect

from kitchentable.web.urls import Urls
from tests.browser.scene import World
from tests.browser.serving import Played

#: Somebody without any cookie, and the host.
STRANGER, HOST = "a stranger", "the host"


def _nothing(page: Page) -> None:
    """The page is as it comes."""


@dataclass(frozen=True)
class Shown:
    """A page: its name here, the address it is found at, who looks, and what they do first."""

    name: str
    route: str
    address: str
    who: str = STRANGER
    at: Played | None = None
    do: Callable[[Page], None] = _nothing
    status: int = 200


class Screens:
    """A browser in which all who look at pages take turns, each with their own cookies.

    `before` gets its one tab before anything is in it; `script` runs first in each page. A browser
    of one's own for each, or a tab, would cost more than the page.
    """

    def __init__(
        self,
        browser: Browser,
        world: World,
        *,
        before: Callable[[Page], None] = _nothing,
        script: str = "",
        **look: object,
    ) -> None:
        self._world = world
        self._context = browser.new_context(**{"reduced_motion": "reduce", **look})
        self._context.set_default_timeout(60_000)
        self._page = self._context.new_page()
        before(self._page)
        if script:
            self._page.add_init_script(script)

    def open(self, shown: Shown) -> Page:
        """That page as its reader is to look at it; what was there before is gone."""
        self._context.clear_cookies()
        self._context.add_cookies(self._cookies(shown))
        answer = self._page.goto(self._world.served.address + shown.address)
        assert answer is not None
        assert answer.status == shown.status, (shown.name, answer.status)
        shown.do(self._page)
        return self._page

    def _cookies(self, shown: Shown) -> list[Any]:
        if shown.at is not None:
            return [shown.at.cookie(shown.who)]
        if shown.who == HOST:
            key = self._world.served.server.keys.issue("host")
            return [{"name": "kt_host", "value": key, "domain": "127.0.0.1", "path": "/"}]
        return []

    def close(self) -> None:
        self._context.close()


#: Opens everything on a page that can be opened, the menu aside.
OPEN_ALL = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


def open_everything(page: Page) -> None:
    page.evaluate(OPEN_ALL)


def open_menu(page: Page) -> None:
    page.locator("button.menu").click()
    expect(page.locator("#menu")).to_be_visible()


def _help(page: Page) -> None:
    page.locator("body").press("?")
    expect(page.locator("#dialog")).to_be_visible()


def _submit_nonsense(page: Page) -> None:
    """A whole form of rules in which one number is far too large."""
    page.locator("input[name='title']").fill("A campaign")
    easy = page.locator("input[name='o.easy']")
    easy.evaluate("one => { one.value = '99999'; one.form.noValidate = true; }")
    page.get_by_role("button", name="Create campaign").last.click()
    expect(page.locator(".problems").first).to_be_visible()
    expect(page.locator("input[name='o.easy']")).to_have_value("99999")


def _compare(page: Page) -> None:
    """Two settings, one of them moved by its slider, and the chances that follow."""
    page.get_by_role("button", name="Compare with a copy").click()
    page.get_by_role("slider", name="Rank").nth(1).fill("9")
    expect(page.locator(".lab th", has_text="rank 9")).to_be_visible()


def _roll(page: Page) -> None:
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("article.card")).to_be_visible()


def _check_dice(page: Page) -> None:
    page.get_by_role("button", name="Check dice").click()
    expect(page.locator("p.status[role='status']")).to_be_visible()


def _new_link(page: Page) -> None:
    open_everything(page)
    page.get_by_role("button", name="New link").last.click()
    expect(page.locator("#new-link")).to_be_visible()


def _submit_sheet(page: Page) -> None:
    page.get_by_role("button", name="Send to the GM").click()
    expect(page.locator("#builder .problems")).to_be_visible()


def _pick_contest(page: Page) -> None:
    page.locator("#roll-sheet > summary").click()
    page.locator("#f-move-contest").check(force=True)
    expect(page.locator("#move-form [name='a.other']").first).to_be_attached()


def _no_name(page: Page) -> None:
    page.locator("#f-j-name").evaluate("one => { one.value = ' '; one.required = false; }")
    page.get_by_role("button", name="Knock").click()
    expect(page.locator("[aria-invalid='true']")).to_be_visible()


def all_pages(world: World) -> list[Shown]:
    """The list. A route that shows a page and is not in it makes a test fail."""
    url = Urls()
    evening, talk, end, over = world.evening, world.talk, world.end, world.over
    key = world.served.server.keys.issue("join", evening.campaign)
    mara, wim = (
        evening.entity("Mara Vell"),
        evening.entity("Wim of the Seven Long and Winding Staircases"),
    )
    eyes = world.served.server.projections
    moment = eyes.of(evening.campaign, evening.stage.seat("GM")).entries()[-20].cursor

    def of(
        name: str,
        route: str,
        at: Played,
        who: str,
        do: Callable[[Page], None] = _nothing,
        status: int = 200,
        **parts: str,
    ) -> Shown:
        return Shown(name, route, url(route, campaign=at.campaign, **parts), who, at, do, status)

    return [
        Shown("home-host", "home", url("home"), HOST),
        Shown("offline", "offline", url("offline")),
        Shown("home-stranger", "home", url("home"), status=401),
        Shown("new-choose", "new_campaign", url("new_campaign"), HOST),
        Shown(
            "new-refused",
            "new_campaign",
            url("new_campaign", game="toast"),
            HOST,
            do=_submit_nonsense,
        ),
        Shown("host-link", "host_key", url("host_key", key=world.served.server.host_link())),
        Shown("join-ask", "join", url("join", key=key)),
        Shown("join-no-name", "join", url("join", key=key), do=_no_name),
        of("join-waiting", "join_wait", evening, "Somebody from next door"),
        of("join-refused", "join_wait", evening, "Ruth", status=403),
        of("table-gm", "table", evening, "GM"),
        of("table-player", "table", evening, "Lene"),
        of("forecast", "forecast", world.duel, "GM", **{"retreat.heroes": "retreat at half"}),
        of(
            "plan",
            "plan",
            evening,
            "GM",
            **{f"side.{mara}": "players", f"side.{evening.entity('Old Tam')}": "others"},
        ),
        of("recap", "recap", evening, "Jonas"),
        of("luck", "luck", evening, "Mara"),
        of("quick", "quick", evening, "Mara", entity=evening.entity("Mara Vell"), move="task"),
        of("find", "find", evening, "Mara", q="kr"),
        of("table-contest", "table", talk, "Mara", _pick_contest),
        of("table-watching", "table", evening, "Una"),
        of("table-talk-gm", "table", talk, "GM"),
        of("table-throw", "table", talk, "Jonas"),
        of("table-between", "table", over, "Mara"),
        of("builder-new", "builder_new", evening, "GM"),
        of("builder", "builder", evening, "Wim", entity=wim, step="traits"),
        of("builder-refused", "builder", evening, "Wim", _submit_sheet, entity=wim, step="all"),
        of("builder-judge", "builder", evening, "GM", entity=evening.entity("Hob Nettle")),
        of("closing-gm", "closing", end, "GM"),
        of("closing-player", "closing", end, "Mara"),
        of("journal", "journal", evening, "GM"),
        of("journal-found", "journal", evening, "Mara", words="ferry", kind="rolls"),
        of("journal-checked", "journal", over, "Mara", _check_dice),
        of("undo", "undo", evening, "GM", cursor=moment),
        of("rules-of-table", "rules", evening, "Mara", game="toast"),
        Shown("print-sheet", "prints", url("prints", game="toaster", kind="pc")),
        of("print-screen", "prints", evening, "GM", game="toast"),
        Shown("rules-found", "rules", url("rules", game="toast", words="kick")),
        of("sheet", "sheet", evening, "Mara", entity=mara),
        of("sheet-other", "sheet", evening, "Mara", entity=evening.entity("Old Tam")),
        of("handouts-gm", "handouts", talk, "GM", open_everything),
        of("handouts-player", "handouts", talk, "Mara"),
        of("carry", "carry", evening, "Mara", entity=mara, to="objects"),
        of("sheet-portrait", "sheet", talk, "Mara", entity=talk.entity("Mara Vell")),
        Shown("devices-host", "devices", url("devices"), HOST),
        of("devices", "devices", evening, "Mara"),
        of("webhooks", "webhooks", talk, "GM"),
        Shown("dice", "dice", url("dice")),
        Shown("dice-odds", "dice", url("dice", notation="2d6!+3"), do=_roll),
        Shown("dice-wrong", "dice", url("dice", notation="4d6k3" + "+1" * 99), status=400),
        Shown("lab-empty", "lab", url("lab")),
        Shown("lab", "lab", url("lab", of="toaster task rank=6"), do=_compare),
        Shown("help", "help", url("help")),
        Shown("api", "api", url("api")),
        of("help-dialog", "table", talk, "Lene", _help),
        of("nobody-there", "sheet", evening, "Mara", status=404, entity="nobody"),
        of("not-for-players", "desk", evening, "Mara", status=403),
        Shown("shut", "table", url("table", campaign=evening.campaign), status=401),
        Shown("no-such-link", "seat_key", url("seat_key", key="x" * 32), status=404),
        Shown("no-such-page", "home", "/nowhere", status=404),
        # The last one: it takes a seat away from the device that sits in it.
        of("desk", "desk", evening, "GM", _new_link),
    ]
