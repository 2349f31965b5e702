"""The page of the table, and the fragments that its script requests.

Such a request contains the answers so far: in its address or, if they are too long for an address,
as a form that is sent only to be rendered and changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from litestar import get, post

from kitchentable.app.projections import Projection
from kitchentable.campaign.kinds import QUIET
from kitchentable.campaign.read_models import Entry, SeenAsk, SeenProposal, View
from kitchentable.campaign.settings import DIALECT_CHOICES
from kitchentable.rules.values import Problem
from kitchentable.web.answers import Answer, go_to, is_script, page, piece, see_other
from kitchentable.web.at_table import AtTable, for_table, view_in
from kitchentable.web.auth import (
    DIALECT_COOKIE,
    HINTS_COOKIE,
    cookie_of,
    is_host,
    make_cookie,
    seat_cookie,
)
from kitchentable.web.csrf import FIELD
from kitchentable.web.errors import NoSeat
from kitchentable.web.feed import regions_of
from kitchentable.web.forms import FORMS_OWN, Form, read_form, read_query
from kitchentable.web.panel import Panel, panel_of
from kitchentable.web.urls import path

ENTRIES = 28
#: The parts of the log that can be shown alone, by the address.
_PARTS = frozenset({"story", "rolls"})


#: A proposed roll, or a question of the game.
Card = SeenProposal | SeenAsk


@dataclass(frozen=True, slots=True)
class Again:
    """A waiting card with all that was typed into it, and its problems."""

    card: Card
    problems: tuple[Problem, ...] = ()
    faces: str = ""
    hidden: Collection[str] | None = None

    @property
    def key(self) -> str:
        """The id of the roll, or of the question."""
        return self.card.ask.id if isinstance(self.card, SeenAsk) else self.card.id

    @property
    def is_ask(self) -> bool:
        """Whether the card is a question of the game, and no roll that is talked about."""
        return isinstance(self.card, SeenAsk)


async def table_page(
    request: AtTable,
    *,
    form: Form | None = None,
    problems: tuple[Problem, ...] = (),
    notices: Iterable[tuple[str, str]] = (),
    typed: str = "",
    again: Again | None = None,
    status: int = 200,
) -> Answer:
    """The page of the table for a seat, with the answers of a refused form."""
    site = request.site

    def shown(projection: Projection) -> tuple[View, Panel, list[Entry]]:
        view = view_in(projection)
        panel = panel_of(projection, view, form or read_query(request), problems)
        return view, panel, projection.entries(limit=ENTRIES, without=QUIET)

    view, panel, entries = await request.with_odds(shown)
    site.remember(view.cursor, regions_of(view))
    only = read_query(request).one("log")
    here = site.server.tables.hub.here(request.campaign) | {request.sitting.seat}
    return await site.beside(
        page,
        request,
        "pages/table.html",
        status=status,
        view=view,
        notices=notices,
        entries=for_table(entries),
        older=entries[0].cursor if len(entries) == ENTRIES else "",
        only=only if only in _PARTS else "all",
        p=panel,
        people=sorted(view.table.seats[seat].name for seat in here if seat in view.table.seats),
        alive=site.settings.keep_alive,
        typed=typed,
        dice_as=_dice_as(cookie_of(request, DIALECT_COOKIE, request.campaign), view),
        again=again,
        hint=_hints_seen(request),
    )


def _hints_seen(request: AtTable) -> int:
    """The number of hints that this browser has dismissed."""
    seen = cookie_of(request, HINTS_COOKIE)
    return int(seen) if seen in {"1", "2", "3"} else 0


def _dice_as(own: str, view: View) -> str:
    """The dice notation of the table in words, such as "as in Roll20"; "" for the manual's."""
    written = own or view.settings.get("dialect")
    labels = {one.value: one.label for one in DIALECT_CHOICES}
    if written not in labels or (written == "house" and not own):
        return ""
    return labels[written][0].lower() + labels[written][1:]


@get(path("table"), opt={"open": True})
async def table(request: AtTable) -> Answer:
    """The page of the table, or of the wait for a seat; the host's device becomes the GM's."""
    query = read_query(request)
    if FIELD in query.fields:
        # Without a script the form of moves is sent as a query, to see its odds: with its token.
        kept = {name: words for name, words in query.fields.items() if name not in FORMS_OWN}
        below = urlencode(kept, doseq=True)
        return see_other(request, f"{request.path_to('table')}?{below}#moves")
    try:
        request.sit()
    except NoSeat:
        if not is_host(request):
            raise
        gm = request.whole_campaign.table.gm
        cookie = await seat_cookie(request, request.campaign, gm.id)
        return go_to(request, "table", cookies=[cookie])
    if not request.seat.is_seated:
        return go_to(request, "join_wait")
    return await table_page(request)


@post(path("table"))
async def table_filled(request: AtTable) -> Answer:
    """The table with the answers of the panel of moves, and its odds; nothing is recorded."""
    return await table_page(request, form=await read_form(request))


@get(path("table_log"))
async def table_log(request: AtTable) -> Answer:
    """Earlier entries of the log."""
    projection = request.projection
    view = view_in(projection)
    before = read_query(request).one("before") or None
    read = partial(projection.entries, before=before, limit=ENTRIES, without=QUIET)
    entries = await request.site.beside(read)
    return piece(
        request,
        "parts/log_page.html",
        view=view,
        entries=for_table(entries),
        older=entries[0].cursor if len(entries) == ENTRIES else "",
    )


_MOST = 3


@post(path("hint"))
async def hint(request: AtTable) -> Answer:
    """Dismiss a hint and show the next one."""
    view = request.view
    seen = (await read_form(request)).whole("seen", _MOST, _MOST)
    cookie = make_cookie(request, HINTS_COOKIE, str(seen))
    if not is_script(request):
        return go_to(request, "table", cookies=[cookie])
    answer = piece(request, "parts/hints_next.html", view=view, seen=seen)
    answer.set_cookie(cookie)
    return answer
