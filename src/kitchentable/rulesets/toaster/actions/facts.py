"""The note that a skill was used, for moves that are not on the kit yet."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import Change, Entity


def noted(entity: Entity, on: str) -> tuple[Change, ...]:
    """The note that a skill was used in this adventure (toaster.2.adv-used-skills).

    >>> noted(Entity("e", "E", "pc", "s", {}, {"used": ["climb"]}), "skill:ride")[0].now
    ['climb', 'ride']
    """
    kind, _, key = on.partition(":")
    before: Any = entity.state.get("used") or []
    if kind != "skill" or not key or key in before:
        return ()
    return (Change(("entities", entity.id, "state", "used"), [*before, key]),)
