"""The length of weapons: at which distance two people fight, and what it costs to be wrong there.

The distance is shared by the two: it is that of the weapon which got through last, and before any
did, that of the longer one of those that are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    Entity,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.combat.arms import Arm, arms, in_hand

#: What attacking from the wrong distance costs, and what where lengths differ only slightly
#: (toaster.4.length-penalty, toaster.4.length-penalty-slight).
WRONG, SLIGHT = -2, -1


def between(one: str, other: str) -> str:
    """The name of two people's distance, whoever of them asks.

    >>> between("b", "a") == between("a", "b")
    True
    """
    return "|".join(sorted((one, other)))


def distance(table: Table, one: Entity, other: Entity) -> int:
    """The reach at which two people fight just now.

    toaster.4.length-shift, toaster.4.length-success.
    """
    known: Any = table.fight.get("distances") if table.fight else None
    found = (known or {}).get(between(one.id, other.id))
    if isinstance(found, Mapping):
        return whole(found.get("reach"))
    return max(_longest(table, one), _longest(table, other))


def _longest(table: Table, entity: Entity) -> int:
    drawn = in_hand(table, entity)
    held = [use.weapon for use in arms(table, entity) if not use.ranged]
    return max((one.length for one in held if one.id in drawn), default=0)


def length_penalty(table: Table, one: Entity, other: Entity, use: Arm) -> int:
    """What the distance takes off an attack; the GM may say otherwise.

    toaster.4.length-penalty, toaster.4.length-penalty-slight.
    """
    return penalty_of(abs(use.weapon.length - distance(table, one, other)))


def penalty_of(apart: int) -> int:
    """What being so far from a weapon's own distance costs.

    Roughly equal lengths are ignored, as a fist's and a dagger's; the GM may say otherwise.

    >>> [penalty_of(apart) for apart in (0, 1, 2, 3, 6)]
    [0, 0, -1, -2, -2]
    """
    if apart <= 1:
        return 0
    return SLIGHT if apart == 2 else WRONG
