"""Waiting cards: proposed rolls, questions of the game, and a seat's queue.

A refused card is shown again with everything that was typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.projections import Projection
from kitchentable.app.table import Handled
from kitchentable.campaign.commands import MakeMove, Settle, Throw
from kitchentable.campaign.concealment import answers_as
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event
from kitchentable.campaign.kinds import sentence
from kitchentable.campaign.permissions import actor_for
from kitchentable.campaign.questions import fill_in
from kitchentable.campaign.read_models import NoOdds, SeenAsk, SeenProposal, View
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Move
from kitchentable.rules.table import Actor, Table
from kitchentable.rules.values import Field
from kitchentable.web.answers import Answer, is_script, piece
from kitchentable.web.at_table import (
    QUEUE,
    AtTable,
    problems_of,
    shown_errors,
    view_in,
    what_follows,
)
from kitchentable.web.forms import Form, read_either, read_form
from kitchentable.web.moves import veils
from kitchentable.web.panel import hides_in, shown_values
from kitchentable.web.phrases import unanswered
from kitchentable.web.table_page import Again, Card, table_page
from kitchentable.web.urls import path


@post(path("proposal_settle"))
async def proposal_settle(request: AtTable, proposal: FromPath[str]) -> Answer:
    """Set the fields of one party of a proposal."""
    form = await read_form(request)
    try:
        handled = await _settle(request, proposal, form, form.command())
    except shown_errors(request) as refused:
        return await _show_again(request, proposal, form, refused)
    return _settled(request, handled.events[-1:])


@post(path("proposal_throw"))
async def proposal_throw(request: AtTable, proposal: FromPath[str]) -> Answer:
    """Set the changed fields of a proposal, then throw its dice."""
    form = await read_form(request)
    try:
        if form.answers():
            await _settle(request, proposal, form, f"{form.command()}.settle")
        await request.do(Throw(id=form.command(), proposal=proposal, faces=form.faces()))
    except shown_errors(request) as refused:
        return await _show_again(request, proposal, form, refused)
    return request.done("#log")


async def _settle(request: AtTable, proposal: str, form: Form, command: str) -> Handled:
    view = request.view
    talk, gm = _find(view, proposal), view.for_gm
    asked: tuple[Field, ...] = ()
    if gm and isinstance(talk, SeenProposal):
        asked = talk_with(view, request.game, talk, form.answers()).mine
    hidden, shown = veils(asked, form)
    return await request.do(
        Settle(
            id=command,
            proposal=proposal,
            answers=form.answers(),
            hidden=hidden,
            shown=shown,
            stands_in=form.all("stands_in") if gm else (),
        ),
    )


@post(path("approve_all"))
async def approve_all(request: AtTable) -> Answer:
    """Approve every roll that waits for the GM, with its current answers."""
    form = await read_form(request)
    steps: list[Event] = []
    for talk in request.view.proposals:
        if talk.my_turn and not talk.may_throw and not unanswered(talk):
            command = f"{form.command()}.{talk.id}"
            handled = await request.do(Settle(id=command, proposal=talk.id))
            steps += handled.events[-1:]
    return _settled(request, steps)


@post(path("ask_answer"))
async def ask_answer(request: AtTable, ask: FromPath[str]) -> Answer:
    """Answer a waiting card."""
    form = await read_form(request)
    waiting = _find(request.view, ask)
    if not isinstance(waiting, SeenAsk):
        raise CannotBe("Someone has already answered this card.", code="ask/gone")
    command = MakeMove(
        id=form.command(),
        move=waiting.ask.move,
        entity=waiting.ask.entity,
        answers=form.answers(),
        ask=ask,
        faces=form.faces(),
    )
    try:
        await request.do(command)
    except shown_errors(request) as refused:
        return await _show_again(request, ask, form, refused)
    return request.done("#moves")


async def look_at_card(request: AtTable) -> Answer:
    """A waiting card with this seat's answers so far: its questions, and odds."""
    form, parts = await read_either(request), request.path_params
    which = str(parts.get("proposal") or parts["ask"])

    def shown(projection: Projection) -> tuple[View, Card | None]:
        view = view_in(projection)
        card = _find(view, which)
        return view, _with_odds(projection, view, card, form) if card else None

    view, card = await request.with_odds(shown)
    if card is None:  # gone in the meantime; the feed removes it
        return Answer(b"", status_code=204)
    again = Again(card, hidden=_hidden(card, form))
    return piece(request, "parts/card_fields.html", view=view, again=again)


_LOOKS = ("proposal_odds", "ask_fields")
look = get([path(name) for name in _LOOKS])(look_at_card)
look_sent = post([path(f"{name}_look") for name in _LOOKS])(look_at_card)


def _settled(request: AtTable, steps: Sequence[Event]) -> Answer:
    """The response after verdicts; a script offers to undo them for a moment."""
    view = request.view
    stays = is_script(request) and not what_follows(request, request.campaign)
    if not view.for_gm or not steps or not (stays or QUEUE in request.headers):
        return request.done("#moves")
    first, *also = steps
    return piece(
        request,
        "parts/take_back.html",
        view=view,
        cursor=request.tables.cursors.seal(request.campaign, first.number),
        also=[step.number for step in also],
        said=f"{len(steps)} rolls are approved." if also else sentence(first),
        queue=QUEUE in request.headers,
    )


def _find(view: View, which: str) -> Card | None:
    """A roll under way, or a question that this seat may answer."""
    every: tuple[Card, ...] = (*view.proposals, *(one for one in view.asks if one.mine))
    return next((one for one in every if Again(one).key == which), None)


def _hidden(card: Card, form: Form) -> tuple[str, ...] | None:
    return hides_in(card.mine, form) if isinstance(card, SeenProposal) else None


async def _show_again(
    request: AtTable, which: str, form: Form, refused: KitchenTableError
) -> Answer:
    """A refused card with its answers and problems; raises `refused` if the card is gone."""
    view = await request.with_odds(view_in)
    card = _find(view, which)
    if card is None:
        raise refused
    card = _with(view, request.game, card, form.answers())
    again = Again(card, problems_of(refused), form.one("faces"), _hidden(card, form))
    if is_script(request):
        return piece(request, "parts/card.html", status=422, view=view, again=again)
    notices = [("bad", problem.sentence) for problem in again.problems if problem.refuses]
    return await table_page(request, notices=notices, again=again, status=422)


def _with(view: View, game: Game, card: Card, raw: Mapping[str, Any]) -> Card:
    """A card with these answers."""
    if isinstance(card, SeenAsk):
        return ask_with(view, game, card, raw)
    return talk_with(view, game, card, raw)


def _with_odds(projection: Projection, view: View, card: Card, form: Form) -> Card:
    """A card with the answers so far, and the odds of a roll."""
    talk = _with(view, projection.game, card, form.answers())
    if isinstance(talk, SeenAsk):
        return talk
    if not view.for_gm and any(row[2] for row in talk.settled):
        return replace(talk, odds=None)
    answers = {**talk.answers, **form.answers()}
    odds = projection.odds(talk.move, talk.entity, answers)
    if isinstance(odds, NoOdds):
        return replace(talk, odds=None, odds_note=odds.why)
    return replace(talk, odds=odds, odds_note="")


def talk_with(view: View, game: Game, talk: SeenProposal, raw: Mapping[str, Any]) -> SeenProposal:
    """The card of a proposed roll with these answers, some of which open further questions."""
    parties = {field.set_by for field in talk.mine}
    actor = actor_for(view.me, talk.entity)
    fields = _opened(game.move(talk.move), view.table, actor, talk.answers, raw)
    before = {field.name for field in talk.mine}
    mine = (field for field in fields if field.name in before or field.set_by in parties)
    # What comes up only where the other side's sheet is known was put to this seat all the same.
    own = {field.name for field in game.move(talk.move).fields(view.table, actor, talk.answers)}
    known = (*mine, *(field for field in talk.mine if field.name not in own))
    return replace(talk, mine=known, answers={**talk.answers, **shown_values(known, raw)})


def ask_with(view: View, game: Game, card: SeenAsk, raw: Mapping[str, Any]) -> SeenAsk:
    """A question's card with these answers, some of which open further questions."""
    me = answers_as(view.table, card.ask, view.me)
    actor = actor_for(me, card.ask.entity, card.ask.id)
    opened = _opened(game.move(card.ask.move), view.table, actor, card.ask.preset, raw)
    fields = tuple(field for field in opened if field.name not in card.ask.preset)
    preset = {**card.ask.preset, **shown_values(fields, raw)}
    return replace(card, fields=fields, ask=replace(card.ask, preset=preset))


def _opened(
    move: Move, table: Table, actor: Actor, before: Mapping[str, Any], raw: Mapping[str, Any]
) -> tuple[Field, ...]:
    """The questions of a move, given the answers typed so far."""
    form = fill_in(
        move.title, lambda given: move.fields(table, actor, given), raw, before, fill=False
    )
    return form.fields


@get(path("needs"))
async def needs(request: AtTable) -> Answer:
    """The queue in the header of a page: its button and its cards, with their odds."""
    view = await request.with_odds(view_in)
    return piece(request, "parts/needs_news.html", view=view)
