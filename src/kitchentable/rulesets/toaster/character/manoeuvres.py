"""What a fighting style can do beyond striking: the GM's own list, empty until it is written.

toaster.2.skill-martial-manoeuvres: the book grants such moves and lists none.
"""

from __future__ import annotations

from kitchentable.rules import (
    Answers,
    Choice,
    Field,
    Part,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.tables import row, rows


def manoeuvre_fields(table: Table, skill: str, name: str) -> list[Field]:
    """The question which of them is tried; none where the skill has none."""
    choices = tuple(
        Choice(one["key"], f"{one['name']}, {whole(one.get('modifier')):+}", str(one["note"]))
        for one in rows(table, "manoeuvres")
        if one.get("skill") == skill
    )
    if not choices:
        return []
    return [
        Field(
            name,
            "A manoeuvre?",
            "choice",
            (Choice("", "No"), *choices),
            default="",
            required=False,
            rule="toaster.2.skill-martial-manoeuvres",
        )
    ]


def manoeuvre_parts(table: Table, skill: str, answers: Answers, name: str) -> tuple[Part, ...]:
    """What the chosen one adds to the roll, by its name."""
    found = row(table, "manoeuvres", answers.get(name)) if answers.get(name) else None
    if found is None or found.get("skill") != skill:
        return ()
    return (Part(str(found["name"]), whole(found.get("modifier"))),)
