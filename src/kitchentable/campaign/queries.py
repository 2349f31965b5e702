"""Queries of one seat: its moves, their odds, open proposals and waiting cards.

Everything is computed from the table concealed for that seat, so no form, move or probability can
reveal a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from kitchentable.campaign.audiences import is_gm, sees
from kitchentable.campaign.concealment import answers_as, is_put_to, waits_for
from kitchentable.campaign.decide.rolls import entities_in, in_words
from kitchentable.campaign.errors import OddsNeeded
from kitchentable.campaign.permissions import actor_for, may_start, speaks_for
from kitchentable.campaign.proposals import (
    Proposal,
    asked_of_player,
    may_stand,
    parties_of,
    party_of,
    proposals,
    waits_on,
    whose,
    with_defaults,
)
from kitchentable.campaign.questions import Filled, fill_in
from kitchentable.campaign.read_models import (
    NoOdds,
    SeenAsk,
    SeenMove,
    SeenOdds,
    SeenProposal,
    View,
)
from kitchentable.campaign.settings import shows_odds
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.throws import Solver, solve
from kitchentable.campaign.words import listed
from kitchentable.dice.errors import NotSolved
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Moment, Move, Question
from kitchentable.rules.table import Actor, Ask, Seat, Table
from kitchentable.rules.values import GM, Field, Json

_NOT_SHOWN = NoOdds("This table does not show odds.")
_GM_KEEPS = NoOdds("Only the GM sees the odds of this roll.")
_CLOSED = NoOdds("The odds depend on numbers that you may not see.")
_UNUSABLE = NoOdds("The odds appear when every answer is valid.")
_AWAITED = NoOdds("The odds are still being computed.")
_NONE = NoOdds()


def moves_for(
    view: View, game: Game, entity: str = "", moment: Moment | None = None
) -> tuple[SeenMove, ...]:
    """Return the moves of this seat for an entity, each with its form or the reason why not.

    Without an entity: the moves that need none. For a roll with a proposal, a player's form has
    only the player's fields. `moment` is the actor's moment, if the caller already has it.
    """
    if view.me.role == "spectator" or not view.me.is_seated:
        return ()
    who = view.table.entities.get(entity)
    if entity and (who is None or who.stage != "play" or not speaks_for(view.me, who)):
        return ()
    actor = actor_for(view.me, entity)
    moment = moment or game.moment(view.table, actor)
    return tuple(
        _seen_move(view, moment, move, actor) for move in game.moves if may_start(actor, move)
    )


def _seen_move(view: View, moment: Moment, move: Move, actor: Actor) -> SeenMove:
    why_not = moment.may(move)
    fields = moment.fields(move, {}) if why_not is None else ()
    if move.converses and not view.for_gm:
        fields = asked_of_player(fields, view.table)
    return SeenMove(
        name=move.name,
        title=move.title,
        help=move.help,
        place=move.place,
        rules=move.rules,
        entity=actor.entity,
        fields=fields,
        why_not=why_not or "",
        converses=move.converses,
        throws=move.throws,
    )


def odds_for(
    view: View,
    game: Game,
    move: str,
    entity: str = "",
    raw: Mapping[str, Any] | None = None,
    solver: Solver = solve,
    fill: Callable[[], Filled] | None = None,
) -> SeenOdds | NoOdds:
    """Return the odds of a move with these answers, if the seat may know them.

    `fill` returns the move's form filled in with the answers, if the caller caches it. Missing
    answers get their defaults, and texts may be missing. The odds are for the GM alone if a number
    is hidden by default, or if the table's settings say so.
    """
    gm = view.for_gm
    if not shows_odds(view.settings, gm=gm):
        return _NOT_SHOWN
    one = game.move(move) if game.has_move(move) else None
    if one is None or not one.throws or (one.for_entity and entity not in view.table.entities):
        return _NONE
    actor = actor_for(view.me, entity)
    ask = partial(one.fields, view.table, actor)
    form = fill() if fill is not None else fill_in(one.title, ask, raw or {})
    unsaid = _unsaid(form.fields, raw or {})
    if any(problem.refuses and problem.where not in unsaid for problem in form.problems):
        return _not_yet(form.fields, form.answers, _UNUSABLE)
    if not gm and any(field.hidden for field in form.fields):
        return _GM_KEEPS
    question = one.question(view.table, actor, form.answers)
    if question is None:
        return _not_yet(form.fields, form.answers, _CLOSED)
    return seen_odds(question, solver)


def _not_yet(fields: Iterable[Field], answers: Mapping[str, Json], else_: NoOdds) -> NoOdds:
    """Name the answers that the odds need, or give `else_` if none is missing."""
    words = {"text", "story", "tick", "many", "rows"}
    missing = [
        field.label.rstrip("?")
        for field in fields
        if field.required and field.kind not in words and answers.get(field.name) in (None, "")
    ]
    return NoOdds(f"To see the odds, set: {listed(missing)}.") if missing else else_


def _unsaid(fields: tuple[Field, ...], raw: Mapping[str, Any]) -> set[str]:
    """Return the names of empty text fields, which odds do not need."""
    return {one.name for one in fields if one.kind in {"text", "story"} and not raw.get(one.name)}


def seen_odds(question: Question, solver: Solver) -> SeenOdds | NoOdds:
    """Return a question's odds for a page, or the reason why there are none."""
    if not question.bands:
        return _NONE
    try:
        return SeenOdds.of(question.bands, solver(question))
    except NotSolved as refused:
        return NoOdds(str(refused))
    except OddsNeeded:
        return _AWAITED


def seen_proposals(
    campaign: Campaign, game: Game, table: Table, seat: Seat, solver: Solver
) -> tuple[SeenProposal, ...]:
    """Return the open proposals that a seat knows of; `table` is the seat's own."""
    gm = is_gm(seat)
    known = []
    for proposal in proposals(campaign, game):
        parties = parties_of(proposal, campaign.table, seat) if seat.role != "spectator" else ()
        there = not proposal.entity or proposal.entity in table.entities or gm
        if there and (sees(proposal.audience, seat) or parties):
            known.append(
                _seen_proposal(campaign, table, proposal, seat, frozenset(parties), solver)
            )
    return tuple(known)


def _seen_proposal(
    campaign: Campaign,
    table: Table,
    proposal: Proposal,
    seat: Seat,
    parties: frozenset[str],
    solver: Solver,
) -> SeenProposal:
    gm = is_gm(seat)
    waiting = waits_on(proposal, campaign.table, campaign.settings)
    names = [_name(campaign, whose(proposal, campaign.table, party)) for party in waiting]
    picked = entities_in(proposal.fields(campaign.table), proposal.answers)
    named = (proposal.entity, *picked) if proposal.entity else picked
    open_to_seat = all(one in table.entities for one in named)
    answers = {
        name: value
        for name, value in proposal.answers.items()
        if gm or (open_to_seat and name not in proposal.hidden)
    }
    mine = replace(proposal, answers=answers)
    fields = mine.fields(table) if open_to_seat else ()
    untold = frozenset() if gm else _untold(fields, answers)
    full = with_defaults(mine, table) if open_to_seat else mine
    secret = not gm and (bool(proposal.hidden | full.hidden) or not open_to_seat)
    odds: SeenOdds | NoOdds = _NOT_SHOWN
    if secret:
        odds = _GM_KEEPS
    elif shows_odds(campaign.settings, gm=gm):
        question = proposal.move.question(table, full.actor(table), full.answers)
        if question is not None:
            odds = seen_odds(question, solver)
        else:
            odds = _not_yet(fields, full.answers, _CLOSED)
    judges = gm and GM in waiting
    number = _number_by(proposal, table, fields) if judges else ()
    throws = not waiting and (gm or proposal.for_seat == seat.id)
    return SeenProposal(
        id=proposal.id,
        move=proposal.move.name,
        title=proposal.move.title,
        entity=proposal.entity,
        who=_name(campaign, proposal.starter),
        rules=proposal.move.rules,
        settled=_settled(proposal, tuple(f for f in fields if f.name not in untold), gm=gm),
        answers={name: value for name, value in answers.items() if name not in untold},
        mine=fields if gm else _put_to(campaign, proposal, parties, fields),
        waits_on=listed(names) if names else "",
        my_turn=any(party in parties for party in waiting),
        may_throw=throws and seat.role != "spectator",
        may_withdraw=gm or proposal.starter == seat.id,
        may_decline=gm,
        number=number,
        odds=odds if isinstance(odds, SeenOdds) else None,
        odds_note=odds.why if isinstance(odds, NoOdds) else "",
        chances=_chances(mine, table, fields, number[4:], solver)
        if judges and shows_odds(campaign.settings, gm=True)
        else {},
    )


def _chances(
    proposal: Proposal,
    table: Table,
    fields: tuple[Field, ...],
    opening: tuple[str, ...],
    solver: Solver,
) -> dict[str, Fraction]:
    """Return the known chances of success with each value of the GM's choice that is not `opening`.

    The choice is the first that can be hidden, or else the first.
    """
    choices = [field for field in fields if field.set_by == GM and field.kind == "choice"]
    found = {}
    for field in sorted(choices, key=lambda one: not one.hideable)[:1]:
        for value in [choice.value for choice in field.choices if choice.value not in opening]:
            answers = {**proposal.answers, field.name: value}
            full = with_defaults(replace(proposal, answers=answers), table)
            question = full.move.question(table, full.actor(table), full.answers)
            odds = seen_odds(question, solver) if question is not None else None
            if isinstance(odds, SeenOdds) and odds.judges:
                found[value] = odds.good
    return found


def _number_by(proposal: Proposal, table: Table, fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Return how the GM sets a custom number: choice, value, opened field and its label.

    After these four come all values of the choice that open a question without a default.
    """
    known = {field.name for field in fields}
    actor = proposal.actor(table)
    for field in sorted(fields, key=lambda one: not one.hideable):
        if field.set_by != GM or field.kind != "choice":
            continue
        found: dict[str, Field] = {}
        opening: list[str] = []
        for choice in field.choices:
            answers = {**proposal.answers, field.name: choice.value}
            for opened in proposal.move.fields(table, actor, answers):
                if opened.set_by == GM and opened.name not in known:
                    if opened.kind == "number":
                        found[choice.value] = opened
                    if opened.kind == "number" or not may_stand(opened):
                        opening.append(choice.value)
        if found:
            last, number = [*found.items()][-1]
            return field.name, last, number.name, number.label, *opening
    return ()


def _put_to(
    campaign: Campaign, proposal: Proposal, parties: frozenset[str], fields: tuple[Field, ...]
) -> tuple[Field, ...]:
    """Return the fields of a seat's own parties, from its own table.

    Some fields need the other side's sheet, such as the defense against a blow with a secret weapon
    of the GM. A party that has to act gets those too, from the whole table.
    """
    known = {field.name for field in fields}
    owned = {party for party in parties if party.startswith("owner:")}
    further = proposal.fields(campaign.table) if owned else ()
    own = (field for field in fields if party_of(proposal, campaign.table, field) in parties)
    unknown = (field for field in further if field.name not in known)
    return (*own, *(one for one in unknown if party_of(proposal, campaign.table, one) in owned))


def _untold(fields: tuple[Field, ...], answers: Mapping[str, Json]) -> frozenset[str]:
    """Return picks from a closed sheet, which this seat's form does not offer."""
    untold = set()
    for field in fields:
        value = answers.get(field.name)
        picks = value if field.kind == "many" and isinstance(value, list) else [value]
        offered = {None, "", *(choice.value for choice in field.choices)}
        if field.kind in {"choice", "entity", "many"} and not offered.issuperset(picks):
            untold.add(field.name)
    return frozenset(untold)


def _settled(
    proposal: Proposal, fields: tuple[Field, ...], *, gm: bool
) -> tuple[tuple[str, str, bool], ...]:
    rows = []
    for field in fields:
        hidden = field.name in proposal.hidden
        if hidden and not gm:
            rows.append((field.label, "", True))
        elif field.name in proposal.answers:
            words = in_words(field, proposal.answers[field.name])
            if words:
                rows.append((field.label, words, hidden))
    return tuple(rows)


def _name(campaign: Campaign, seat: str) -> str:
    if seat == GM or seat not in campaign.table.seats:
        return "the GM"
    return campaign.table.seats[seat].name


def seen_asks(campaign: Campaign, game: Game, table: Table, seat: Seat) -> tuple[SeenAsk, ...]:
    """Return the waiting cards as a seat sees them; `table` is the seat's own."""
    return tuple(
        _seen_ask(campaign, game, table, seat, ask)
        for ask in table.asks.values()
        if game.has_move(campaign.table.asks[ask.id].move)
    )


def _seen_ask(campaign: Campaign, game: Game, table: Table, seat: Seat, ask: Ask) -> SeenAsk:
    whole = campaign.table.asks[ask.id]
    waits = waits_for(campaign.table, whole)
    if not is_put_to(campaign.table, whole, seat):
        return SeenAsk(ask, waits_on=waits)
    if ask.entity and ask.entity not in table.entities:
        return SeenAsk(ask, mine=True, waits_on=waits)
    me = answers_as(campaign.table, whole, seat)
    actor = actor_for(me, ask.entity, ask.id, frozenset(whole.secret))
    move = game.move(whole.move)
    fields = move.fields(table, actor, ask.preset)
    asked = tuple(field for field in fields if field.name not in whole.preset)
    throws = move.throws
    return SeenAsk(ask, asked, mine=True, waits_on=waits, throws=throws)
