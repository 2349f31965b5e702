"""Supply rolls: what is used up once an action is done, and what is filled up again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Band,
    Card,
    Entity,
    Field,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Side,
    Table,
    asked,
    card_audience,
    fresh,
    is_closed,
    number_audience,
    whole,
    whom,
)
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.character import may_restock
from kitchentable.rulesets.lucky_stars.laddered import in_percent
from kitchentable.rulesets.lucky_stars.mechanics import LOWERS, lowered
from kitchentable.rulesets.lucky_stars.supplied import (
    EMPTY,
    SIZE_CHOICES,
    Supply,
    find_supply,
    size_name,
    supply_choice,
    things,
    uses_in_words,
    within_reach,
)

_BANDS = (Band("stays", "stays", "good", good=True), Band("lower", "one size down", "bad"))


def _band(face: Any) -> str:
    return "lower" if face <= LOWERS else "stays"


def _question_of(one: Supply | None) -> Question | None:
    if one is None or one.size == EMPTY:
        return None
    after = size_name(lowered(one.size, LOWERS))
    words = f"3 or less: {after}. It lasts {uses_in_words(one.size)} more rolls on average."

    def say(shares: Mapping[str, Any]) -> str:
        return f"{words} It stays a {size_name(one.size)} in {in_percent(shares['stays'])}."

    closed = ("supply",) if is_closed(one.holder) or one.holder.hidden else ()
    return Question(mechanics.supply, (one.size,), _BANDS, _band, closed, say)


def _rolled(table: Table, one: Supply, face: int, user: Entity | None) -> tuple[Card, int]:
    """The card of a supply roll, and the size that the die has now.

    stars.5.1-supply-roll, stars.5.1-supply-lower, stars.5.1-supply-empty.
    """
    after = lowered(one.size, face)
    if after == one.size:
        words = f"Stays a {size_name(after)}."
    else:
        words = f"{size_name(one.size)} to {size_name(after)}."
    said = _said(one)
    card = Card(
        f"Supply roll: {one.name}",
        words,
        "empty" if after == EMPTY else "stays" if after == one.size else "lower",
        "plain" if after == one.size else "bad",
        (Side(one.holder.name, "supply", (), face, audience=number_audience(one.holder)),),
        (Line(said),) if after == EMPTY and said else (),
        (
            "stars.5.1-supply-roll",
            "stars.5.1-supply-empty" if after == EMPTY else "stars.5.1-supply-lower",
        ),
        (user or one.holder).id,
        _ears(one, user),
    )
    return card, after


def _ears(one: Supply, user: Entity | None = None) -> str:
    """Who may hear of it: what somebody closed has left is the GM's to know."""
    if is_closed(one.holder):
        return GM
    return card_audience(one.holder, *((user,) if user is not None else ()))


def _said(one: Supply) -> str:
    """What a thing's description says about filling it up."""
    for thing in things(one.holder):
        if one.where == "gear" and thing.key == one.key and thing.restock:
            return f"To restock: {thing.restock}"
    return ""


# ---------------------------------------------------------------- after an action


def supply_ask(table: Table, one: Supply, user: Entity, times: int) -> Ask:
    """The card for a supply roll that an action has brought: it comes after the action.

    stars.5.1-supply-after, stars.5.1-supply-individual.
    """
    return Ask(
        fresh(table, "supply"),
        (f"owner:{user.id}",),
        "supply_due",
        f"Supply roll: {one.name}",
        "The action is done; what it used is told now."
        + (f" {times} rolls, one after the other." if times > 1 else ""),
        preset={"supply": one.id, "times": times},
        rules=("stars.5.1-supply-after",),
        entity=user.id,
    )


def _due(table: Table, actor: Actor, answers: Answers) -> Supply | None:
    return find_supply(table, asked(table, actor, answers).get("supply"))


def _due_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    return _question_of(_due(table, actor, answers))


def _due_roll(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ask = table.asks[actor.ask]
    one, user = _due(table, actor, answers), whom(table, ask.entity)
    if one is None or user is None or outcome is None:
        card = Card(
            ask.title,
            "Nothing is left to roll for.",
            rules=("stars.5.1-supply-empty",),
            entity=ask.entity,
            audience=card_audience(*((user,) if user is not None else ())),
        )
        return Result(card, closes=(ask.id,))
    card, after = _rolled(table, one, outcome, user)
    left = whole(ask.preset.get("times")) - 1
    again: tuple[Ask, ...] = ()
    if left > 0 and after != EMPTY:
        again = (supply_ask(table, one, user, left),)
    return Result(card, (one.becomes(after),), again, (ask.id,))


SUPPLY_DUE = Move(
    "supply_due",
    "Supply roll",
    "Roll the supply die of what an action used.",
    ("stars.5.1-supply-roll", "stars.5.1-supply-after", "stars.5.1-supply-individual"),
    _due_roll,
    by=(),
    question=_due_question,
    for_entity=False,
)

# ---------------------------------------------------------------- by itself


def _reach(table: Table, actor: Actor) -> tuple[Supply, ...]:
    return within_reach(table, actor, whom(table, actor.entity))


def _when(table: Table, actor: Actor) -> str | None:
    return None if _reach(table, actor) else "Nothing here has a supply die."


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity, reach = whom(table, actor.entity), _reach(table, actor)
    fields = [
        Field(
            "supply",
            "Which?",
            "choice",
            tuple(supply_choice(one, entity) for one in reach),
            default=reach[0].id if len(reach) == 1 else None,
            rule="stars.5.1-supply-sizes",
        )
    ]
    one = find_supply(table, answers.get("supply"))
    when = next((t.rolls for t in things(one.holder) if t.key == one.key), "") if one else ""
    return (
        *fields,
        Field("what", "For what?", required=False, default="", longest=400, help=when),
    )


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    one = find_supply(table, answers.get("supply"))
    if one is not None and one.size == EMPTY:
        rule = "stars.5.1-supply-empty-blocked"
        return (Problem("supply", rule, f"{one.name} is Empty: there is nothing to roll."),)
    return ()


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    return _question_of(find_supply(table, answers.get("supply")))


def _roll(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    one = find_supply(table, answers.get("supply"))
    if one is None:
        return Result()
    card, after = _rolled(table, one, outcome, whom(table, actor.entity))
    lines = (Line(str(answers["what"])), *card.lines) if answers.get("what") else card.lines
    told = Card(
        card.title,
        card.sentence,
        card.outcome,
        card.tone,
        card.sides,
        lines,
        card.rules,
        card.entity,
        card.audience,
    )
    return Result(told, (one.becomes(after),))


SUPPLY = Move(
    "supply",
    "Supply roll",
    "Use something that runs out, or see how a condition holds: 3 or less, and its die shrinks.",
    ("stars.5.1-supply-roll", "stars.5.1-supply-lower", "stars.5.1-supply-no-explode"),
    _roll,
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
)

# ---------------------------------------------------------------- filled up


def _when_restock(table: Table, actor: Actor) -> str | None:
    if not may_restock(table, actor):
        return "At this table the GM restocks things."
    return _when(table, actor)


def _restock_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity, reach = whom(table, actor.entity), _reach(table, actor)
    one = find_supply(table, answers.get("supply"))
    return (
        Field(
            "supply",
            "Which?",
            "choice",
            tuple(supply_choice(supply, entity) for supply in reach),
            default=reach[0].id if len(reach) == 1 else None,
            rule="stars.5.1-supply-item-text",
        ),
        Field(
            "size",
            "To",
            "choice",
            SIZE_CHOICES,
            default="12",
            help=_said(one) if one is not None else "",
            rule="stars.5.1-supply-sizes",
        ),
        Field("why", "How?", required=False, default="", longest=400),
    )


def _restock(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    one = find_supply(table, answers.get("supply"))
    if one is None:
        return Result()
    size = int(str(answers["size"]))
    card = Card(
        f"Restock: {one.name}",
        f"{size_name(one.size)} to {size_name(size)}.",
        lines=(Line(str(answers["why"])),) if answers.get("why") else (),
        rules=("stars.5.1-supply-item-text",),
        entity=one.holder.id,
        audience=_ears(one),
    )
    return Result(card, (one.becomes(size),))


RESTOCK = Move(
    "restock",
    "Restock",
    "Fill up what has run down, as its description says.",
    ("stars.5.1-supply-item-text",),
    _restock,
    place="rest",
    when=_when_restock,
    fields=_restock_fields,
)
