"""The page of the table, and the fragments that its script requests.

What is filled in so far comes with such a request: in its address, or, where it holds more than an
address can (a page of text in each field), as a form that is sent to be looked at and changes
nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.projections import Projection
from kitchentable.campaign.read_models import Entry, NoOdds, SeenAsk, SeenProposal, View
from kitchentable.campaign.settings import DIALECT_CHOICES
from kitchentable.rules.values import GM, Problem
from kitchentable.web.answers import Answer, nothing, page, piece, see_other
from kitchentable.web.at_table import AtTable, aloud, view_in
from kitchentable.web.auth import dialect_of, hints_seen, is_host, seat_cookie
from kitchentable.web.csrf import FIELD
from kitchentable.web.errors import NoSeat
from kitchentable.web.forms import Form, read_form, read_query
from kitchentable.web.panel import Panel, ask_with, hides_in, panel_of, talk_with
from kitchentable.web.urls import path

ENTRIES = 32
#: The parts of the log that can be shown alone, by the address.
_PARTS = frozenset({"story", "rolls"})
_FORMS_OWN = frozenset({FIELD, "command"})


@dataclass(frozen=True, slots=True)
class Again:
    """A waiting card that was filled in in a way that cannot be used, with all that was typed."""

    card: SeenProposal | SeenAsk
    problems: tuple[Problem, ...]
    faces: str
    hidden: Collection[str] | None = None

    @property
    def key(self) -> str:
        """The id of the roll, or of the question."""
        return self.card.ask.id if isinstance(self.card, SeenAsk) else self.card.id

    def into(self, view: View) -> View:
        """The view with the card as it was filled in."""
        card, key = self.card, self.key
        if isinstance(card, SeenAsk):
            return replace(
                view, asks=tuple(card if one.ask.id == key else one for one in view.asks)
            )
        return replace(
            view, proposals=tuple(card if one.id == key else one for one in view.proposals)
        )


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
    told = tuple(notices)

    def shown(projection: Projection) -> tuple[View, Panel, list[Entry]]:
        view = view_in(projection)
        view = again.into(view) if again is not None else view
        panel = panel_of(projection, view, form or read_query(request), problems)
        return view, panel, projection.entries(limit=ENTRIES)

    view, panel, entries = await request.with_odds(shown)
    only = read_query(request).one("log")
    here = site.server.tables.hub.here(request.campaign) | {request.sitting.seat}
    return await site.beside(
        page,
        request,
        "pages/table.html",
        status=status,
        view=view,
        notices=told,
        entries=aloud(entries),
        older=entries[0].cursor if len(entries) == ENTRIES else "",
        only=only if only in _PARTS else "all",
        p=panel,
        people=sorted(view.table.seats[seat].name for seat in here if seat in view.table.seats),
        alive=site.settings.keep_alive,
        typed=typed,
        dice_as=_dice_as(dialect_of(request, request.campaign), view),
        again=again,
        hint=hints_seen(request),
    )


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
        kept = {name: words for name, words in query.fields.items() if name not in _FORMS_OWN}
        below = urlencode(kept, doseq=True)
        return see_other(request, f"{request.path_to('table')}?{below}#moves")
    try:
        request.sit()
    except NoSeat:
        if not is_host(request):
            raise
        campaign = request.campaign
        seats = request.server.tables.campaign(campaign).table.seats.values()
        gm = next(seat.id for seat in seats if seat.role == GM)
        cookie = await seat_cookie(request, campaign, gm)
        return see_other(request, request.path_to("table"), cookies=[cookie])
    if request.seat.state != "seated":
        return see_other(request, request.path_to("join_wait"))
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
    entries = projection.entries(before=before, limit=ENTRIES)
    return piece(
        request,
        "parts/log_page.html",
        view=view,
        entries=aloud(entries),
        older=entries[0].cursor if len(entries) == ENTRIES else "",
    )


@get(path("table_moves"))
async def table_moves(request: AtTable) -> Answer:
    """The panel of moves with the answers so far, and its odds."""
    return await moves_panel(request, read_query(request))


@post(path("table_moves_look"))
async def table_moves_look(request: AtTable) -> Answer:
    """The same, filled in with more than an address holds."""
    return await moves_panel(request, await read_form(request))


async def moves_panel(
    request: AtTable,
    form: Form,
    problems: tuple[Problem, ...] = (),
    status: int = 200,
) -> Answer:
    """The panel of moves, as the page's script asks for it."""

    def shown(projection: Projection) -> tuple[View, Panel]:
        view = view_in(projection)
        return view, panel_of(projection, view, form, problems)

    view, panel = await request.with_odds(shown)
    return await request.site.beside(
        piece, request, "parts/moves_panel.html", status=status, view=view, p=panel
    )


@get(path("proposal_odds"))
async def proposal_odds(request: AtTable, proposal: FromPath[str]) -> Answer:
    """A proposal with this seat's answers so far: its questions and odds."""
    return await _talk(request, proposal, read_query(request))


@post(path("proposal_odds_look"))
async def proposal_odds_look(request: AtTable, proposal: FromPath[str]) -> Answer:
    """The same, filled in with more than an address holds."""
    return await _talk(request, proposal, await read_form(request))


async def _talk(request: AtTable, proposal: str, form: Form) -> Answer:

    def shown(projection: Projection) -> tuple[View, SeenProposal | None]:
        view = view_in(projection)
        talk = next((one for one in view.proposals if one.id == proposal), None)
        return view, _talk_filled(projection, view, talk, form) if talk else None

    view, talk = await request.with_odds(shown)
    if talk is None:
        return nothing()
    return piece(
        request,
        "parts/card_fields.html",
        view=view,
        proposal=talk,
        ask=None,
        hidden=hides_in(talk.mine, form),
    )


def _talk_filled(
    projection: Projection, view: View, talk: SeenProposal, form: Form
) -> SeenProposal:
    """A proposal with the answers so far, and its odds."""
    talk = talk_with(view, projection.game, talk, form.answers())
    if view.me.role != GM and any(row[2] for row in talk.settled):
        return replace(talk, odds=None)
    answers = {**talk.answers, **form.answers()}
    odds = projection.odds(talk.move, talk.entity, answers)
    if isinstance(odds, NoOdds):
        return replace(talk, odds=None, odds_note=odds.why)
    return replace(talk, odds=odds, odds_note="")


@get(path("ask_fields"))
async def ask_fields(request: AtTable, ask: FromPath[str]) -> Answer:
    """The questions of a waiting card, given the answers so far."""
    return _card(request, ask, read_query(request))


@post(path("ask_fields_look"))
async def ask_fields_look(request: AtTable, ask: FromPath[str]) -> Answer:
    """The same, filled in with more than an address holds."""
    return _card(request, ask, await read_form(request))


def _card(request: AtTable, ask: str, form: Form) -> Answer:
    projection = request.projection
    view = view_in(projection)
    card = next((one for one in view.asks if one.ask.id == ask and one.mine), None)
    if card is None:
        return nothing()
    card = ask_with(view, projection.game, card, form.answers())
    return piece(request, "parts/card_fields.html", view=view, proposal=None, ask=card)
