"""Initiative: everybody's dice at the start of each round, and the order of equals."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Band,
    Card,
    Choice,
    Entity,
    Field,
    Json,
    Move,
    Part,
    Problem,
    Question,
    Result,
    RuleRefuses,
    Side,
    Table,
    ids,
    running,
)
from kitchentable.rules.rounds import (
    TIE_ASK,
    by_hand,
    order_fields,
    order_problems,
    order_settled,
    tied_of,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.fight import place, rolled, settle, step, to_roll
from kitchentable.rulesets.toaster.harm.state import penalty
from kitchentable.rulesets.toaster.mechanics import initiative as mechanics
from kitchentable.rulesets.toaster.mechanics.initiative import Initiative
from kitchentable.rulesets.toaster.options.reading import setting


def initiative_parts(table: Table, entity: Entity) -> tuple[Part, ...]:
    """What is added to the d10: Coordination and, where the table says so, stun and wounds.

    toaster.4.initiative-roll, toaster.4.initiative-penalties.
    """
    own = Part("Coordination", lens.initiative_bonus(table, entity))
    hurt = penalty(table, entity) if setting(table.options, "initiative_penalties") else None
    return (own, hurt) if hurt is not None else (own,)


def _added(table: Table, entity: Entity) -> int:
    return sum(part.value for part in initiative_parts(table, entity))


# ---------------------------------------------------------------- one's own


def _when_roll(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    if mine is None:
        return "They are not in a fight."
    return None if mine["status"] == "to roll" else "They have rolled initiative this round."


def _roll_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = lens.whom(table, actor.entity)
    if entity is None or not lens.numbers_known(entity):
        return None
    return Question(
        mechanics.initiative,
        (_added(table, entity), entity.id),
        (Band("number", "a number to act by", good=True),),
        _any_number,
        (entity.id,) if lens.is_closed(entity) or entity.hidden else (),
        lambda shares: "Each number of the d10 is as likely as the others.",
    )


def _any_number(outcome: Initiative) -> str:
    return "number"


def _roll(table: Table, actor: Actor, answers: Answers, outcome: Initiative) -> Result:
    return _rolled_all(table, ((actor.entity, outcome),))


def _rolled_all(table: Table, thrown: tuple[tuple[str, Initiative], ...]) -> Result:
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toaster.4.initiative-roll")
    for who, one in thrown:
        entity = table.entities[who]
        bonus = lens.initiative_bonus(table, entity)
        rolled(fight, who, one.number, bonus, one.breaks)
    changes, asks = step(table, fight)
    alone = thrown[0][0] if len(thrown) == 1 else ""
    card = Card(
        "Initiative",
        order_words(table, fight),
        sides=tuple(_side(table, who, one) for who, one in thrown),
        rules=("toaster.4.initiative-roll", "toaster.4.initiative-order"),
        entity=alone,
        audience=lens.card_audience(*((table.entities[alone],) if alone else ())),
    )
    return Result(card, changes, asks)


def _side(table: Table, who: str, one: Initiative) -> Side:
    entity = table.entities[who]
    audience = GM if entity.hidden else lens.number_audience(entity)
    parts = initiative_parts(table, entity)
    return Side(entity.name, who, parts, one.number, audience=audience, unseen=entity.hidden)


def order_words(table: Table, fight: dict[str, Any]) -> str:
    """Where a round stands: who still has to roll, or in which order they act."""
    if fight["phase"] == "initiative":
        return f"{len(to_roll(fight))} still to roll."
    if fight["phase"] == "ties":
        return "Equal numbers: the GM settles the order."
    names = [
        table.entities[who].name
        for who in fight["order"]
        if who in table.entities and not table.entities[who].hidden
    ]
    return f"In this order: {lens.listed(names)}." if names else "Nobody acts this round."


INITIATIVE = Move(
    "initiative",
    "Roll initiative",
    "d10 and Coordination: the highest acts first.",
    ("toaster.4.initiative-roll", "toaster.4.initiative-order"),
    _roll,
    place="fight",
    when=_when_roll,
    question=_roll_question,
)

# ---------------------------------------------------------------- everybody's


def _when_any(table: Table, actor: Actor) -> str | None:
    if table.fight is None:
        return "No fight is on."
    return None if to_roll(table.fight) else "Everybody has rolled initiative."


def _all_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    waiting = to_roll(table.fight or {"fighters": {}})
    people = tuple(table.entities[who] for who in waiting if who in table.entities)
    every: Json = [one.id for one in people]
    return (Field("who", "For whom?", "many", lens.choose(people), default=every),)


def _all_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    people = [table.entities.get(who) for who in ids(answers, "who")]
    here = [one for one in people if one is not None and lens.numbers_known(one)]
    if not here or len(here) < len(people):
        return None
    numbers = tuple((one.id, _added(table, one), lens.initiative_bonus(table, one)) for one in here)
    closed = tuple(one.id for one in here if one.hidden or lens.is_closed(one))
    return Question(mechanics.initiative_of_all, (numbers,), (), str, closed)


def _roll_all(
    table: Table, actor: Actor, answers: Answers, outcome: tuple[Initiative, ...]
) -> Result:
    return _rolled_all(table, tuple(zip(ids(answers, "who"), outcome, strict=True)))


INITIATIVE_ALL = Move(
    "initiative_all",
    "Initiative for everybody",
    "All the dice that are still to fall, at once; equals throw on until they differ.",
    ("toaster.4.initiative-roll", "toaster.4.initiative-ties"),
    _roll_all,
    by=("gm",),
    place="fight",
    when=_when_any,
    fields=_all_fields,
    question=_all_question,
    for_entity=False,
)

# ---------------------------------------------------------------- equals


_TIES = "toaster.4.initiative-ties"


def _tie_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    again = Choice("dice", "Another die among them")
    return order_fields(tied_of(table, actor), answers, _TIES, again)


def _tie_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    return order_problems(tied_of(table, actor), answers, _TIES)


def _tie_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    people = tied_of(table, actor)
    if answers.get("ruling") == "hand" or len(people) < 2:
        return None
    closed = tuple(one.id for one in people if one.hidden or lens.is_closed(one))
    group = tuple(one.id for one in people)
    return Question(mechanics.initiative_tie, (group,), (), str, closed)


def _tie(
    table: Table, actor: Actor, answers: Answers, outcome: tuple[tuple[int, ...], ...] | None
) -> Result:
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", _TIES)
    people = tied_of(table, actor)
    if outcome is not None:
        dice = dict(zip((one.id for one in people), outcome, strict=True))
    else:
        hand = by_hand(people, answers)
        dice = {who: (len(hand) - index,) for index, who in enumerate(hand)}
    for who, faces in dice.items():
        fight["fighters"][who]["breaks"] += list(faces)
    settle(fight)
    changes, asks = step(table, fight)
    order = sorted(dice, key=lambda who: dice[who], reverse=True)
    how = "By another die" if outcome is not None else "By the GM's word"
    card = order_settled(table, order, how, "Equal initiative", _TIES, thrown=outcome is not None)
    closes = () if any(ask.id == TIE_ASK for ask in asks) else (TIE_ASK,)
    return Result(card, changes, asks, closes)


INITIATIVE_TIE = Move(
    "initiative_tie",
    "Settle equal initiative",
    "Another die among the tied, or the GM's order.",
    (_TIES,),
    _tie,
    by=(),
    fields=_tie_fields,
    check=_tie_check,
    question=_tie_question,
    for_entity=False,
)

MOVES = (INITIATIVE, INITIATIVE_ALL, INITIATIVE_TIE)
