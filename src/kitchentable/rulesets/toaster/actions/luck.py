"""Luck points as somebody has them: how many are left, and what spending them changes."""

from __future__ import annotations

from kitchentable.rules import Change, Entity, Table
from kitchentable.rulesets.toaster.options.reading import setting

#: What throwing the die again costs (toaster.3.luck-reroll).
AGAIN = 4
#: What a point adds to a roll before it is thrown, and after (toaster.3.luck-before-plus2,
#: toaster.3.luck-after-plus1).
BEFORE, AFTER = 2, 1


def has_luck(table: Table) -> bool:
    """Whether this table plays with luck points."""
    return bool(setting(table.options, "luck_points"))


def points(table: Table, entity: Entity) -> int:
    """The luck points that somebody has left; none where the table plays without them.

    Only whole points that are there can be spent (toaster.3.luck-limits).
    """
    left = entity.state.get("luck")
    if not has_luck(table) or not isinstance(left, int) or isinstance(left, bool):
        return 0
    return max(0, left)


def spend(table: Table, entity: Entity, count: int) -> tuple[Change, ...]:
    """The change by which somebody's luck goes down; nothing for nothing."""
    if not count:
        return ()
    return (Change(("entities", entity.id, "state", "luck"), points(table, entity) - count),)
