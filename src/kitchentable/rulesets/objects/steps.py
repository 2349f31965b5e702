"""The six steps of creation, in their order, and how far somebody has come (objects.2-order)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Entity, Table
from kitchentable.rulesets.objects.options import setting

#: The end of a sentence; a row of points is looked at once, from its first.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++(?:\s|$)|\n\s*\n")

#: The steps by key, in the order of the book, with their titles.
STEPS: dict[str, str] = {
    "concept": "Concept",
    "story": "Story",
    "talents": "Talents",
    "signs": "Signs",
    "status": "Status",
    "goals": "Goal and objectives",
}

#: Steps that may stay empty when somebody says so; the others have to be filled.
MAY_BE_EMPTY = frozenset({"talents", "signs", "goals"})


def is_new(entity: Entity) -> bool:
    """Whether it has never been in play."""
    return entity.stage != "play" and "status" not in entity.state


def is_done(entity: Entity, step: str) -> bool:
    """Whether a step is filled, or marked as done.

    Goals wait for nobody without a will of its own (objects.2.6-sentient-only).
    """
    sheet = entity.sheet
    marked: Any = sheet.get("done") or {}
    if step in MAY_BE_EMPTY and isinstance(marked, Mapping) and marked.get(step):
        return True
    match step:
        case "concept" | "story":
            return bool(str(sheet.get(step) or "").strip())
        case "talents":
            levels: Any = sheet.get("basic") or {}
            return bool(sheet.get("talents")) or any(levels.values())
        case "signs":
            return bool(sheet.get("signs"))
        case "status":
            return True
    return bool(sheet.get("goal") or sheet.get("objectives")) or not sheet.get("sentient")


def open_steps(table: Table, entity: Entity) -> tuple[str, ...]:
    """The steps that can be seen: all up to the first that is not done.

    objects.2-order; earlier ones stay open until play starts.
    """
    if not is_new(entity) or not setting(table.options, "steps_in_order"):
        return tuple(STEPS)
    shown = []
    for step in STEPS:
        shown.append(step)
        if not is_done(entity, step):
            break
    return tuple(shown)


def undone(entity: Entity) -> str:
    """The first step that is neither filled nor marked as done; "" when all are."""
    return next((step for step in STEPS if not is_done(entity, step)), "")


def sentences(story: str) -> int:
    """How many sentences a story has, a last one without a stop counted too.

    >>> sentences("She was born at sea. She never left it"), sentences("  ")
    (2, 0)
    """
    return len([part for part in _STOP.split(story) if part.strip()])
