"""Possessions in play: no prices, no counting, just what somebody carries."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Json,
    Move,
    Problem,
    Result,
    Table,
    quoted,
    whom,
)


def gear(entity: Entity) -> list[dict[str, Any]]:
    """The rows of possessions: item, note, and whether it is a perk."""
    rows: Any = entity.sheet.get("gear") or []
    return [dict(row) for row in rows]


def plain_things(entity: Entity | None) -> tuple[Choice, ...]:
    """Possessions that are no perks."""
    rows = gear(entity) if entity is not None else []
    return tuple(Choice(row["item"], row["item"]) for row in rows if not row.get("perk"))


def with_gear(entity: Entity, rows: list[dict[str, Any]]) -> Change:
    """The fact that the possessions are these."""
    kept: list[Json] = list(rows)
    return Change(("entities", entity.id, "sheet", "gear"), kept)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    things = plain_things(whom(table, actor.entity))
    take = Field("take", "Comes to have", required=False, default="", longest=200)
    note = Field("note", "Note", required=False, default="", longest=400)
    lose = Field(
        "lose",
        "Has no longer",
        "choice",
        (Choice("", "Nothing"), *things),
        default="",
        required=False,
        help="A possession that is a perk cannot be lost.",
        rule="toast.4-perk-no-nullify",
    )
    return (take, note, lose) if things else (take, note)


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if answers.get("take") or answers.get("lose"):
        return ()
    return (Problem("take", "toast.9-starting-gear", "Say what comes or goes."),)


def _changes(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    take, lose = str(answers.get("take") or ""), str(answers.get("lose") or "")
    rows = [row for row in gear(entity) if row.get("perk") or row["item"] != lose]
    words = []
    if take:
        rows.append({"item": take, "note": str(answers.get("note") or ""), "perk": False})
        words.append(f"Comes to have {quoted(take)}.")
    if lose:
        words.append(f"Has {quoted(lose)} no longer.")
    card = Card("Possessions", " ".join(words), rules=("toast.9-starting-gear",), entity=entity.id)
    return Result(card, (with_gear(entity, rows),))


GEAR = Move(
    "gear",
    "Possessions",
    "Note what somebody finds, buys, gives away or loses.",
    ("toast.9-starting-gear",),
    _changes,
    place="rest",
    fields=_fields,
    check=_check,
)
