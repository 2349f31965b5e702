"""The end of a session: the moves that characters may still make."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from litestar import get

from kitchentable.app.projections import Projection
from kitchentable.campaign.read_models import Entry, SeenMove, SeenOdds, View
from kitchentable.rules.sheets import Summary
from kitchentable.rules.table import Entity
from kitchentable.web.answers import Answer, go_to, page
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.urls import path

_PHASE = "closing"
#: The places of the moves that stand here.
_PLACES = frozenset({"closing", "growth"})
_BACK = 300


@dataclass(frozen=True, slots=True)
class Chapter:
    """The moves of one character at the end of the session.

    `rest` are the moves between rolls that they can make at the table, such as growing by points.
    """

    entity: Entity
    summary: Summary
    moves: tuple[SeenMove, ...]
    rest: tuple[SeenMove, ...]
    odds: dict[str, SeenOdds]


@get(path("closing"))
async def closing(request: AtTable) -> Answer:
    """The wrap-up of the session; outside of it, the table."""
    view = request.view
    if view.table.session.phase != _PHASE:
        return go_to(request, "table")

    def shown(projection: Projection) -> tuple[View, list[Chapter], list[Entry]]:
        view = view_in(projection)
        return view, _chapters(projection, view), _since_closing(projection.entries(limit=_BACK))

    view, chapters, entries = await request.with_odds(shown)
    return await request.site.beside(
        page,
        request,
        "pages/closing.html",
        view=view,
        entries=entries,
        chapters=chapters,
    )


def _chapters(projection: Projection, view: View) -> list[Chapter]:
    """The characters of a seat, or all players' for the GM, with their moves at the end."""
    mine = {one.id for one in view.mine}
    chapters = []
    for one in view.table.in_play():
        if not (one.id in mine or view.for_gm) or not one.is_players:
            continue
        known = projection.moves(one.id)
        moves = tuple(move for move in known if move.place in _PLACES)
        rest = tuple(move for move in known if move.place == "rest" and not move.why_not)
        odds = {
            move.name: found
            for move in moves
            if not move.why_not
            and isinstance(found := projection.odds(move.name, one.id, {}), SeenOdds)
        }
        chapters.append(Chapter(one, view.summaries[one.id], moves, rest, odds))
    return chapters


def _since_closing(entries: list[Entry]) -> list[Entry]:
    """The events after the session's end was announced."""
    since = takewhile(lambda one: one.kind != "session-closing", reversed(entries))
    return list(since)[::-1]
