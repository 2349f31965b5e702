"""The story of a critical: radical and unpredictable, told by the GM, suggested by anybody."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Entity,
    Field,
    Move,
    Result,
    Table,
    asked,
    fresh,
)
from kitchentable.rulesets.objects.mechanics import Attempt


def critical_ask(table: Table, entity: Entity, outcome: Attempt) -> Ask:
    """The card that waits for what a critical brings (objects.3-crit-radical).

    While the object is hidden, it is the GM's alone.
    """
    return Ask(
        fresh(table, "critical"),
        (GM,) if entity.hidden else (GM, "players"),
        "critical",
        f"{entity.name}: {outcome.grade}",
        "More radical and less predictable than any other result. What happens?",
        preset={"grade": outcome.grade, "name": entity.name, "about": table.number + 1},
        secret=("about",),
        rules=("objects.3-crit-radical",),
        skippable=True,
        entity=entity.id,
    )


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    if not actor.is_gm:
        return (Field("text", "What might happen", "story", rule="objects.3-crit-radical"),)
    ask = table.asks.get(actor.ask)
    ideas: Any = ask.votes if ask else {}
    heard = "; ".join(f"{_name(table, seat)}: {said['text']}" for seat, said in ideas.items())
    help_text = f"Suggested: {heard}" if heard else ""
    return (Field("text", "What happens", "story", help=help_text, rule="objects.3-crit-radical"),)


def _name(table: Table, seat: str) -> str:
    return table.seats[seat].name if seat in table.seats else "Somebody"


def _tell(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    told = asked(table, actor, answers)
    ask = table.asks[actor.ask]
    title, text = f"{told['name']}: {told['grade']}", str(told["text"])
    if not actor.is_gm:
        card = Card(title, f"{_name(table, actor.seat)} suggests: {text}")
        return Result(card, asks=(replace(ask, votes={**ask.votes, actor.seat: {"text": text}}),))
    card = Card(
        title,
        text,
        str(told["grade"]),
        "splendid",
        rules=("objects.3-crit-radical",),
        entity=ask.entity,
        audience=GM if ask.to == (GM,) else "all",
        about=int(str(told.get("about") or 0)),
    )
    return Result(card, closes=(ask.id,))


CRITICAL = Move(
    "critical",
    "What happens?",
    "Tell what a critical brings; players can suggest.",
    ("objects.3-crit-radical",),
    _tell,
    by=(),
    fields=_fields,
    for_entity=False,
)
