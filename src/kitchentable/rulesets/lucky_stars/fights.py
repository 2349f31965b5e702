"""Fights of These Lucky Stars for forecasts: contests until supply dice are Empty.

The chapter has contests (stars.4.1-contest) and supply dice for conditions
(stars.5.1-supply-conditions), but no fights. Their combination here is this program's own.
"""

from __future__ import annotations

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.kit.combatants import Fighters, Sides, draw_lot
from kitchentable.rulesets.lucky_stars.mechanics import (
    DECISION_DICE,
    SIZES,
    Party,
    contest,
    lowered,
    supply,
)
from kitchentable.rulesets.lucky_stars.options import BOOK, Options
from kitchentable.rulesets.lucky_stars.people import Person, stars

#: The steps of a full supply die until it is Empty.
_FULL = len(SIZES) - 1


@mechanic
def beat(dice: Dice, mine: Party, theirs: Party) -> bool:
    """Whether the acting side wins the contest (stars.4.1-contest, stars.4.2-tie-contest)."""
    return contest(dice, mine, theirs).winner == "first"


@mechanic
def hold_out(dice: Dice, theirs: Party, left: int, beaten: bool) -> int:
    """The steps left of a supply die after a contest; the loser rolls it.

    Steps beyond those of a D12 belong to further dice.

    stars.5.1-supply-after, stars.5.1-supply-roll, stars.5.1-supply-lower.
    """
    size = SIZES[max(0, _FULL - left)]
    return left - (lowered(size, supply(dice, size)) != size) if beaten else left


_SIDES = Sides(
    {"STAT": range(-99, 100), "DICE": range(1, 11), "DIE": SIZES[:-1]},
    "2/2/8",
    "a stat with its modifiers, 1 to 10 decision dice, and a supply die of "
    f"{', '.join(map(str, SIZES[:-1]))} sides",
    "stars.4.1-contest",
)


def _fighter(here: Options, stat: int, dice: int, size: int) -> tuple[Party, int]:
    return Party(dice, stat), _FULL - SIZES.index(size)


def _at_table(one: Person) -> tuple[Party, int] | None:
    """A person's best stat and fullest supply die; None without both, or if hidden."""
    stats = [one.stat(each.key) for each in one.options.stats if each.rolled]
    sizes = [each.value for each in one.supplies]
    if not (one.is_known and one.has_stats and stats and sizes):
        return None
    return _fighter(one.options, max(stats), DECISION_DICE, max(sizes))


_FIGHTERS = Fighters(stars, _SIDES, _fighter, _at_table)

FIGHTS = {"struggle": _FIGHTERS.fought(BOOK.tables["struggle"], draw_lot, draw_lot, beat, hold_out)}
