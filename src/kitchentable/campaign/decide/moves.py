"""Moves made without a proposal, and answers to waiting cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.campaign.commands import KeepQuick, MakeMove, Propose, SkipAsk
from kitchentable.campaign.concealment import answers_as, is_put_to, known_choices
from kitchentable.campaign.decide.bounds import LONGEST_REASON, a_text
from kitchentable.campaign.decide.context import Context, audience_for, named
from kitchentable.campaign.decide.entry import (
    check_may_make,
    check_typed,
    chosen_audience,
    own_entity,
)
from kitchentable.campaign.decide.proposals import propose
from kitchentable.campaign.decide.rolls import Play, check_when, find_move, play
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.permissions import actor_for
from kitchentable.campaign.proposals import opened_by_hidden
from kitchentable.campaign.questions import fill_in
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.moves import Change, Move
from kitchentable.rules.table import Actor, Ask
from kitchentable.rules.values import EVERYONE, GM, LONGEST_NAME, Answers, Field, Json

#: Limit of quick rolls for one character.
MOST_QUICK = 20


def make_move(context: Context, command: MakeMove) -> Event:
    """Make a move without a proposal, or answer an ask."""
    check_typed(context, command.faces)
    audience = chosen_audience(context, command.audience)
    if command.ask:
        return _answer(context, command, audience)
    move = find_move(context.game, command.move)
    entity = check_may_make(context, move, command.entity)
    audience = audience_for(entity, audience)
    if move.converses:
        return _at_once(context, command)
    hidden = frozenset(command.hidden)
    actor = actor_for(context.me, entity.id if entity else "", hidden=hidden)
    if hidden and not context.by_gm:
        raise NotAllowed("Only the GM can hide an answer.")
    check_when(context.table, move, actor)
    answers = read_form(context, move, actor, command.answers)
    table = context.table
    kept = {one.name for one in move.fields(table, actor, answers) if one.hidden}
    actor = replace(actor, hidden=hidden | (kept - set(command.shown)))
    opened = opened_by_hidden(move, table, actor, answers) if actor.hidden else frozenset()
    actor = replace(actor, hidden=actor.hidden | (opened - set(command.shown)))
    return play(context, "move", Play(move, actor, answers, audience))


def _at_once(context: Context, command: MakeMove) -> Event:
    """Make a roll that allows a proposal without one, because nobody else takes part."""
    proposal = Propose(
        id=command.id,
        seat=command.seat,
        move=command.move,
        entity=command.entity,
        answers=command.answers,
        hidden=command.hidden,
        shown=command.shown,
        audience=command.audience,
        throw=True,
        faces=command.faces,
    )
    event = propose(context, proposal)
    if event.kind == "proposed":
        raise CannotBe(
            "Other people take part in this roll. Propose it, and throw when they are ready.",
            code="move/needs-conversation",
        )
    return event


def _answer(context: Context, command: MakeMove, audience: str) -> Event:
    ask = _waiting(context, command.ask)
    move = find_move(context.game, ask.move)
    if command.move not in {"", ask.move}:
        raise CannotBe("The card asks for another move.", code="move/unknown")
    entity = ask.entity or command.entity
    if ask.entity and ask.entity not in context.table.entities:
        raise CannotBe(
            "The person on this card has left the table. Skip the card.", code="entity/unknown"
        )
    if entity and not ask.entity:
        own_entity(context, entity)
    me = answers_as(context.table, ask, context.me)
    actor = actor_for(me, entity, ask.id, frozenset(ask.secret))
    check_when(context.table, move, actor)
    answers = read_form(context, move, actor, command.answers, ask.preset)
    audience = audience_for(context.table.entities.get(entity), audience)
    return play(context, "move", Play(move, actor, answers, audience))


def read_form(
    context: Context,
    move: Move,
    actor: Actor,
    raw: Mapping[str, Any],
    preset: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """All answers of a move's form, including those preset by a card. Errors: BadAnswers."""
    given = preset or {}
    taken = given.keys() & raw.keys()
    if taken:
        raise NotAllowed(f"{', '.join(sorted(taken))}: already set by the card.")

    def asked(answers: Answers) -> list[Field]:
        fields = known_choices(
            context.table, context.me, move.fields(context.table, actor, answers)
        )
        return [field for field in fields if field.name not in given]

    form = fill_in(move.title, asked, raw, given)
    if form.problems:
        raise BadAnswers(tuple(replace(one, refuses=True) for one in form.problems))
    return form.answers


def skip_ask(context: Context, command: SkipAsk) -> Event:
    """Dismiss a card that may be skipped."""
    ask = _waiting(context, command.ask)
    lost = bool(ask.entity) and ask.entity not in context.table.entities
    if not ask.skippable and not lost:
        raise CannotBe("That card has to be answered.", code="ask/not-skippable")
    if GM in ask.to and not (context.by_gm or context.table.alone):
        raise NotAllowed("That card also waits for the GM. Only the GM can dismiss it.")
    audience = context.private if set(ask.to) == {GM} else EVERYONE
    return context.event(
        "ask-skipped",
        [Change(("asks", ask.id), gone=True)],
        data={"ask": ask.id, "title": ask.title},
        audience=audience_for(context.table.entities.get(ask.entity), audience),
    )


def _waiting(context: Context, ask: str) -> Ask:
    """A card that waits for the sender. Errors: CannotBe, NotAllowed."""
    one = context.table.asks.get(ask)
    if one is None or not (context.by_gm or is_put_to(context.table, one, context.me)):
        raise CannotBe("This card no longer waits for you.", code="ask/gone")
    if not is_put_to(context.table, one, context.me) and not one.skippable:
        raise NotAllowed("Only somebody else can answer this card.")
    return one


def keep_quick(context: Context, command: KeepQuick) -> Event:
    """Save a character's quick roll under a name, or remove one."""
    entity = own_entity(context, command.entity)
    label = a_text(command.label, "The name of a quick roll", LONGEST_NAME)
    kept = context.campaign.tree.get("quick", {}).get(entity.id, {})
    if command.gone:
        if label not in kept:
            raise CannotBe("There is no quick roll of that name.", code="quick/unknown")
        change = Change(("quick", entity.id, label), gone=True)
    else:
        if label not in kept and len(kept) >= MOST_QUICK:
            raise CannotBe(f"A character can have {MOST_QUICK} quick rolls. Remove one first.")
        move = find_move(context.game, command.move)
        check_may_make(context, move, entity.id)
        actor = actor_for(context.me, entity.id)
        fields = fill_in(
            move.title, lambda given: move.fields(context.table, actor, given), command.answers
        ).fields
        names = {field.name for field in fields if field.kind in {"choice", "entity", "text"}}
        answers = {
            name: a_text(str(value), "An answer", LONGEST_REASON, required=False)
            for name, value in command.answers.items()
            if name in names and value not in (None, "")
        }
        change = Change(("quick", entity.id, label), {"move": move.name, "answers": answers})
    return context.event(
        "quick-kept",
        [change],
        data={**named(entity), "label": label, "gone": command.gone},
        audience=context.private,
        unchanged="This quick roll is already saved.",
    )
