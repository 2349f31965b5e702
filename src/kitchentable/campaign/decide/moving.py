"""Moves that are made at once, and the answers to cards that wait."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.campaign.commands import MakeMove, Propose, SkipAsk
from kitchentable.campaign.concealing import is_put_to, known_choices
from kitchentable.campaign.conversations import opened_by_hidden, waits_on
from kitchentable.campaign.decide.conversing import begin, throw_talk
from kitchentable.campaign.decide.entry import (
    check_may_make,
    check_speaks_for,
    check_typed,
    chosen_audience,
)
from kitchentable.campaign.decide.matter import Matter, audience_for
from kitchentable.campaign.decide.playing import Play, check_when, find_move, play
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.permissions import actor_for
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.forms import read_answers
from kitchentable.rules.moves import Change, Move
from kitchentable.rules.table import Actor, Ask
from kitchentable.rules.values import GM, Json, Problem

#: How often answers may open further questions before the form counts as read.
_ROUNDS = 6


def make_move(matter: Matter, command: MakeMove) -> tuple[Event, ...]:
    """A move without a conversation, or the answer to an ask."""
    check_typed(matter, command.faces)
    audience = chosen_audience(matter, command.audience)
    if command.ask:
        return (_answer(matter, command, audience),)
    move = find_move(matter.game, command.move)
    entity = check_may_make(matter, move, command.entity)
    audience = audience_for(entity, audience)
    if move.converses:
        return (_at_once(matter, command, move, audience),)
    hidden = frozenset(command.hidden)
    actor = actor_for(matter.me, entity.id if entity else "", hidden=hidden)
    if hidden and not matter.by_gm:
        raise NotAllowed("Only the GM keeps an answer hidden.")
    check_when(matter.table, move, actor)
    answers = read_form(matter, move, actor, command.answers)
    kept = {one.name for one in move.fields(matter.table, actor, answers) if one.hidden}
    actor = actor_for(matter.me, actor.entity, hidden=hidden | (kept - set(command.shown)))
    opened = opened_by_hidden(move, matter.table, actor, answers) if actor.hidden else frozenset()
    actor = replace(actor, hidden=actor.hidden | (opened - set(command.shown)))
    return (play(matter, matter.table, "move", Play(move, actor, answers, audience)),)


def _at_once(matter: Matter, command: MakeMove, move: Move, audience: str) -> Event:
    """A roll with a conversation in which nobody else has a part to speak."""
    proposal = Propose(
        id=command.id,
        seat=command.seat,
        move=command.move,
        entity=command.entity,
        answers=command.answers,
        hidden=command.hidden,
        shown=command.shown,
        audience=command.audience,
    )
    talk = begin(matter, proposal)
    if waits_on(talk, matter.table, matter.campaign.settings):
        raise CannotBe(
            "Others have their part in this roll; propose it, and throw when all have spoken.",
            code="move/needs-conversation",
        )
    return throw_talk(matter, talk, audience)


def _answer(matter: Matter, command: MakeMove, audience: str) -> Event:
    ask = _waiting(matter, command.ask)
    move = find_move(matter.game, ask.move)
    if command.move not in {"", ask.move}:
        raise CannotBe("That is not what the card asks for.", code="move/unknown")
    entity = ask.entity or command.entity
    _check_there(matter, ask)
    if entity and not ask.entity:
        check_speaks_for(matter, matter.entity(entity))
    actor = actor_for(matter.me, entity, ask.id, frozenset(ask.secret))
    check_when(matter.table, move, actor)
    answers = read_form(matter, move, actor, command.answers, ask.preset)
    audience = audience_for(matter.table.entities.get(entity), audience)
    return play(matter, matter.table, "move", Play(move, actor, answers, audience))


def read_form(
    matter: Matter,
    move: Move,
    actor: Actor,
    raw: Mapping[str, Any],
    preset: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """All answers of a move's form, what a card sets beforehand included. Errors: BadAnswers."""
    preset = dict(preset or {})
    taken = preset.keys() & raw.keys()
    if taken:
        raise NotAllowed(f"{', '.join(sorted(taken))}: that is set by the card already.")
    answers: dict[str, Json] = dict(preset)
    problems: tuple[Problem, ...] = ()
    for _ in range(_ROUNDS):
        fields = known_choices(matter.table, matter.me, move.fields(matter.table, actor, answers))
        asked = tuple(field for field in fields if field.name not in preset)
        read, problems = read_answers(asked, raw)
        before, answers = answers, {**preset, **read}
        if answers == before:
            break
    refusing = tuple(problem for problem in problems if problem.refuses)
    unknown = tuple(problem for problem in problems if not problem.refuses)
    if refusing or unknown:
        raise BadAnswers(refusing or unknown)
    return answers


def skip_ask(matter: Matter, command: SkipAsk) -> tuple[Event, ...]:
    """A card that may be skipped is put away."""
    ask = _waiting(matter, command.ask)
    lost = bool(ask.entity) and ask.entity not in matter.table.entities
    if not ask.skippable and not lost:
        raise CannotBe("That card has to be answered.", code="ask/not-skippable")
    if GM in ask.to and not matter.by_gm:
        raise NotAllowed("That card waits for the GM too, who alone puts it away.")
    event = matter.event(
        "ask-skipped",
        [Change(("asks", ask.id), gone=True)],
        data={"ask": ask.id, "title": ask.title},
        audience=audience_for(matter.table.entities.get(ask.entity), _ears(matter, ask)),
    )
    return (event,)


def _waiting(matter: Matter, ask: str) -> Ask:
    """A card that waits for the sender. Errors: CannotBe, NotAllowed."""
    one = matter.table.asks.get(ask)
    if one is None or not (matter.by_gm or is_put_to(matter.table, one, matter.me)):
        raise CannotBe("That card does not wait for you, or no longer.", code="ask/gone")
    if not is_put_to(matter.table, one, matter.me) and not one.skippable:
        raise NotAllowed("That card waits for somebody else, who alone can answer it.")
    return one


def _check_there(matter: Matter, ask: Ask) -> None:
    if ask.entity and ask.entity not in matter.table.entities:
        raise CannotBe(
            "Whom the card is about is no longer at the table; put it away.", code="entity/unknown"
        )


def _ears(matter: Matter, ask: Ask) -> str:
    return matter.eyes if set(ask.to) == {"gm"} else "all"
