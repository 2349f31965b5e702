"""Fights of Objects for forecasts: a chain of tests that change each status.

The book has no opposed rolls and no damage: a fight is a chain of rolls, with modifiers and changes
of status (objects.4-no-opposed), and the GM decides how far a status falls
(objects.2.5-status-change). The number of steps here is this program's own.
"""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.kit.combatants import Fighters, Sides, draw_lot
from kitchentable.rulesets.objects.mechanics import attempt
from kitchentable.rulesets.objects.options import BOOK, Options
from kitchentable.rulesets.objects.rolls import FAR
from kitchentable.rulesets.objects.thing import GOOD, HIGHEST, LOWEST, Thing, objects

#: The steps of status that a foe loses after a test, by its grade; other grades take none.
STEPS = {"marginal": 1, "total": 2, "critical success": 3}


class Fighter(NamedTuple):
    """A combatant's talent, and the GM's modifier for tests against them; plus is harder."""

    talent: int
    modifier: int


@mechanic
def take_steps(dice: Dice, mine: Fighter, theirs: Fighter) -> int:
    """The steps that a test takes from a foe's status (objects.3-conflict-mod)."""
    return STEPS.get(attempt(dice, mine.talent, theirs.modifier).grade, 0)


def _after(theirs: Fighter, status: int, steps: int) -> int:
    """The status after a test; at 0 the GM decides (objects.2.5-status-zero)."""
    return status - steps


_SIDES = Sides(
    {
        "TALENT": range(LOWEST, HIGHEST + 1),
        "MODIFIER": range(-FAR, FAR + 1),
        "STATUS": range(1, GOOD + 1),
    },
    "4/0/6",
    "a talent from 0 to 6, the GM's modifier for tests against it, and a status from 1 to 6",
    "objects.4-no-opposed",
)


def _fighter(here: Options, talent: int, modifier: int, status: int) -> tuple[Fighter, int]:
    return Fighter(talent, modifier), status


def _at_table(one: Thing) -> tuple[Fighter, int] | None:
    """An object's best talent and its status, or None if hidden."""
    if not one.is_known:
        return None
    best = max((each.level for each in one.usable), default=LOWEST)
    return _fighter(one.options, best, 0, one.status)


_FIGHTERS = Fighters(objects, _SIDES, _fighter, _at_table)

FIGHTS = {"chain": _FIGHTERS.fought(BOOK.tables["chain"], draw_lot, draw_lot, take_steps, _after)}
