"""Healing: the roll after a week's rest, weeks until somebody is whole, stun that passes."""

from __future__ import annotations

from kitchentable.dice import Dice, mechanic
from kitchentable.games.toaster.mechanics.stars import PLAIN, Extended
from kitchentable.games.toaster.mechanics.tasks import TARGET, Outcome, task

#: Minutes of rest that take off stun once (toaster.4.heal-stun).
REST_MINUTES = 10

#: From this many wounds on nobody rests any more.
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
    """What a medical roll adds to the patient's: what it succeeded by, and nothing where it failed.

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
    if weeks == 0 or wounds == 0:
        return wounds
    one = healing(dice, physique, wounds, bonus, ext, bands=bands)
    left = wounds - 1 if one.succeeds else wounds + 1 if one.fumble else wounds
    if left > wounds and left >= _MORTAL:
        return left
    held = bonus if lasting and one.succeeds else 0
    return wounds_after(dice, physique, left, weeks - 1, held, lasting, ext, bands)


@mechanic
def weeks_until_healed(dice: Dice, physique: int, wounds: int, nines: int = 0) -> int:
    """How many weeks of rest it takes without help until no wound is left; -1 for never.

    Plain dice or nines, without fumbles (toaster.4.heal-week).

    >>> from kitchentable.dice import odds
    >>> odds(weeks_until_healed, 6, 1).mean(), odds(weeks_until_healed, 6, 2).mean()
    (Fraction(2, 1), Fraction(9, 2))
    """
    if wounds == 0:
        return 0
    if not nines and 9 + physique - wounds < TARGET:
        return -1
    if healing(dice, physique, wounds, 0, Extended(nines)).succeeds:
        return 1 + weeks_until_healed(dice, physique, wounds - 1, nines)
    return 1 + weeks_until_healed(dice, physique, wounds, nines)
