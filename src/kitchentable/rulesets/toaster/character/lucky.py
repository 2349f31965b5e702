"""The luck that somebody has left, and how all of it comes back."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules import Change, Entity, Table
from kitchentable.rulesets.toaster.character.derived import luck_at_start
from kitchentable.rulesets.toaster.character.people import numbers_known
from kitchentable.rulesets.toaster.options import Options


def luck_left(table: Table, entity: Entity) -> int:
    """The luck that somebody has, as points or as what luck rolls have left."""
    left = entity.state.get("luck")
    if isinstance(left, int) and not isinstance(left, bool):
        return left
    return luck_at_start(table, entity)


def uses_luck(table: Table) -> bool:
    """Whether luck can go down at all at this table."""
    options = Options(table.options)
    return options.luck_points or bool(options.luck_rolls and options.luck_roll_cost)


def luck_back(table: Table, people: Iterable[Entity], when: str) -> tuple[Change, ...]:
    """Everybody's luck as it was at the start, where the table has it come back then.

    `when` is "next-adventure" or "session" (toaster.3.luck-return). Nobody loses what lies above.
    """
    if not uses_luck(table) or Options(table.options).luck_return != when:
        return ()
    return tuple(
        Change(("entities", one.id, "state", "luck"), luck_at_start(table, one))
        for one in people
        if numbers_known(one) and luck_left(table, one) < luck_at_start(table, one)
    )
