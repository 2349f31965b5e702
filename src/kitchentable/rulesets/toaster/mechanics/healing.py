"""Healing: the weekly roll, weeks until all wounds are healed, and recovery from stun."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.dice import Dice, mechanic
from kitchentable.rulesets.toaster.mechanics.stars import NO_LIMIT, PLAIN, Extended
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET, Outcome, task, tried

#: Minutes of rest that take off stun once (toaster.4.heal-stun).
REST_MINUTES = 10

#: From this many wounds on rest does not heal.
_MORTAL = 5


def stun_after(stun: int, physique: int, minutes: int, percent: int = 100) -> int:
    """The stun left after so many minutes of rest: each full ten take off Physique, at least 1.

    toaster.4.heal-stun, toaster.4.heal-stun-period; `percent` is the table's own pace
    (toaster.4.heal-stun-rate).

    >>> [stun_after(25, 6, minutes) for minutes in (10, 19, 20, 40, 50)]
    [19, 19, 13, 1, 0]
    >>> stun_after(10, 0, 10), stun_after(10, 5, 10, 50)
    (9, 8)
    """
    pace = max(1, max(0, physique) * percent // 100)
    return max(0, stun - pace * (max(0, minutes) // REST_MINUTES))


def medical_bonus(succeeds: bool, total: int) -> int:
    """The bonus of a medical roll: its margin of success, 0 for a failure.

    toaster.4.heal-medical-roll, toaster.4.heal-medical-fail, toaster.4.mortality-medical.

    >>> medical_bonus(True, 14), medical_bonus(False, 7), medical_bonus(True, 9)
    (4, 0, 0)
    """
    return max(0, total - TARGET) if succeeds else 0


@mechanic
def healing(
    dice: Dice,
    physique: int,
    wounds: int,
    bonus: int = 0,
    ext: Extended = PLAIN,
    called: bool = False,
    bands: bool = False,
) -> Outcome:
    """The roll at the end of a week's rest: Physique, less the wounds, with care, against 10.

    A success heals one wound, a fumble adds one (toaster.4.heal-week, toaster.4.heal-week-fumble).

    >>> from kitchentable.dice import odds
    >>> odds(healing, 8, 4).chance(lambda one: one.succeeds)
    Fraction(2, 5)
    """
    return task(dice, physique - wounds + bonus, ext, called, bands)


@mechanic
def wounds_after(
    dice: Dice,
    physique: int,
    wounds: int,
    weeks: int,
    bonus: int = 0,
    lasting: bool = False,
    ext: Extended = PLAIN,
    bands: bool = False,
) -> int:
    """The wounds left after so many weeks of rest.

    A bonus counts once (first aid), or while `lasting` until a roll fails (long-term care). Who
    comes to be mortally wounded by a fumble rests no further. toaster.4.heal-first-aid-once,
    toaster.4.heal-long-term.

    >>> from kitchentable.dice import odds
    >>> odds(wounds_after, 6, 2, 2)[0]
    Fraction(1, 5)
    """
    if weeks == 0:
        return wounds
    return rested(dice, physique, Rest(wounds, bonus), weeks, lasting, ext, bands).wounds


@dataclass(frozen=True, slots=True)
class Rest:
    """The state of a long rest: wounds, bonus to the next roll, whether it has ended early."""

    wounds: int
    bonus: int = 0
    over: bool = False

    def __lt__(self, other: Rest) -> bool:
        return (self.wounds, self.bonus, self.over) < (other.wounds, other.bonus, other.over)


@mechanic
def rested(
    dice: Dice, physique: int, rest: Rest, weeks: int, lasting: bool, ext: Extended, bands: bool
) -> Rest:
    """The state of a rest after so many more weeks, solved in halves.

    With halves a year is a few calls deep, and equal halves are solved once.
    """
    if rest.wounds == 0 or rest.over:
        return rest
    if weeks > 1:
        half = rested(dice, physique, rest, weeks // 2, lasting, ext, bands)
        return rested(dice, physique, half, weeks - weeks // 2, lasting, ext, bands)
    change = mended(dice, physique - rest.wounds + rest.bonus, ext, bands)
    left = rest.wounds + change
    return Rest(left, rest.bonus if lasting and change < 0 else 0, change > 0 and left >= _MORTAL)


@mechanic
def mended(dice: Dice, modifier: int, ext: Extended, bands: bool) -> int:
    """The change of wounds by a week's rest: -1, 0, or 1 after a fumble."""
    one = tried(dice, modifier, ext, called=False, bands=bands)
    return -1 if one.succeeds else 1 if one.fumble else 0


@mechanic
def weeks_until_healed(dice: Dice, physique: int, wounds: int, nines: int = 0) -> int:
    """The weeks of rest without help until no wound is left; -1 for never.

    Plain dice or nines, without fumbles (toaster.4.heal-week).

    >>> from kitchentable.dice import odds
    >>> odds(weeks_until_healed, 6, 1).mean(), odds(weeks_until_healed, 6, 2).mean()
    (Fraction(2, 1), Fraction(9, 2))
    """
    if wounds == 0:
        return 0
    if nines != NO_LIMIT and 9 * (nines + 1) + physique - wounds < TARGET:
        return -1
    if mended(dice, physique - wounds, Extended(nines), bands=False) < 0:
        return 1 + weeks_until_healed(dice, physique, wounds - 1, nines)
    return 1 + weeks_until_healed(dice, physique, wounds, nines)
