"""Rows of the fight tracker, with minions of one name in one row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kitchentable.rules.sheets import FightRow
from kitchentable.rules.table import Entity

_NUMBER = re.compile(r"\s+\d+$")


def grouped(
    rows: Iterable[FightRow], entities: Mapping[str, Entity]
) -> list[tuple[str, list[FightRow]]]:
    """Rows with the name that several share, or "" for a row of its own.

    The GM's people of one kind whose names differ by a number alone stand in one row, where the
    first of them stood; whoever acts now has a row of their own.

    >>> guards = [Entity(f"g{n}", f"Guard {n}", "minion", "gm", {}, {}) for n in (1, 2, 3)]
    >>> rows = [FightRow(one.id, one.name, "", acting=one.id == "g2") for one in guards]
    >>> told = grouped(rows, {one.id: one for one in guards})
    >>> [(name, [row.name for row in group]) for name, group in told]
    [('Guard', ['Guard 1', 'Guard 3']), ('', ['Guard 2'])]
    """
    found: dict[object, list[FightRow]] = {}
    for row in rows:
        one = entities.get(row.entity)
        stem = _NUMBER.sub("", row.name)
        shared = one is not None and not one.is_players and not row.acting and stem != row.name
        key = (stem, one.kind) if one is not None and shared else row.entity
        found.setdefault(key, []).append(row)
    return [
        (_NUMBER.sub("", group[0].name) if len(group) > 1 else "", group)
        for group in found.values()
    ]
