"""Weekly healing rolls, recovery from stun, mortality checks, and survival without help."""

from __future__ import annotations

from kitchentable.dice import Dice, mechanic
from kitchentable.rules import plural
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, NO_LIMIT, PLAIN, Extended, star
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET, tried

#: The minutes of rest that reduce stun once (toaster.4.heal-stun).
REST_MINUTES = 10

#: The number of wounds that rest does not heal.
_MORTAL = 5


def stun_after(stun: int, physique: int, minutes: int, percent: int = 100) -> int:
    """The stun left after rest: every full ten minutes remove Physique, at least 1.

    toaster.4.heal-stun, toaster.4.heal-stun-period; `percent` is the table's pace
    (toaster.4.heal-stun-rate).

    >>> [stun_after(25, 6, minutes) for minutes in (10, 19, 20, 40, 50)]
    [19, 19, 13, 1, 0]
    >>> stun_after(10, 0, 10), stun_after(10, 5, 10, 50)
    (9, 8)
    """
    pace = max(1, physique * percent // 100)
    return max(0, stun - pace * (max(0, minutes) // REST_MINUTES))


def medical_bonus(succeeds: bool, total: int) -> int:
    """The bonus of a medical roll: its margin of success, 0 for a failure.

    toaster.4.heal-medical-roll, toaster.4.heal-medical-fail, toaster.4.mortality-medical.

    >>> medical_bonus(True, 14), medical_bonus(False, 7), medical_bonus(True, 9)
    (4, 0, 0)
    """
    return max(0, total - TARGET) if succeeds else 0


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
    """The wounds left after this many weeks of rest.

    A bonus counts once (first aid), or with `lasting` until a roll fails (long-term care). Rest
    ends for characters who become mortally wounded through a fumble. toaster.4.heal-first-aid-once,
    toaster.4.heal-long-term.

    >>> from kitchentable.dice import odds
    >>> odds(wounds_after, 6, 2, 2)[0]
    Fraction(1, 5)
    """
    if weeks == 0:
        return wounds
    return rested(dice, physique, Rest(wounds, bonus), weeks, lasting, ext, bands).wounds


@record
class Rest(Ordered):
    """The state of a long rest: wounds, bonus to the next roll, early end."""

    wounds: int
    bonus: int = 0
    over: bool = False

    def order(self) -> tuple[int, int, bool]:
        return self.wounds, self.bonus, self.over


@mechanic
def rested(
    dice: Dice, physique: int, rest: Rest, weeks: int, lasting: bool, ext: Extended, bands: bool
) -> Rest:
    """The state of a rest after more weeks, solved in halves.

    Halving keeps the recursion shallow, and the solver computes equal halves once.
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
    """The change in wounds by a week's rest: -1, 0, or 1 after a fumble."""
    one = tried(dice, modifier, ext, called=False, bands=bands)
    return -1 if one.succeeds else 1 if one.fumble else 0


@mechanic
def weeks_until_healed(dice: Dice, physique: int, wounds: int, nines: int = 0) -> int:
    """The weeks of rest without help until no wounds are left; -1 for never.

    Only plain dice or nines, without fumbles (toaster.4.heal-week).

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


# ---------------------------------------------------------------- the mortality check

#: The words for immediate death, a countdown to death, and holding on.
DEAD, DIES, HOLDS = "dead", "dies", "holds"


@record
class Fate(Ordered):
    """The result of a mortality check: "dead", "dies" or "holds", with rounds and total.

    >>> print(Fate("holds", 5, 14), "/", Fate("dies", 6, 6), "/", Fate("dead", 0, 12))
    holds on for 5 rounds / dies after 6 rounds / dies at once
    """

    word: str
    rounds: int
    total: int

    def __str__(self) -> str:
        if self.word == DEAD:
            return "dies at once"
        verb = "holds on for" if self.word == HOLDS else "dies after"
        return f"{verb} {plural(self.rounds, 'round')}"

    def order(self) -> tuple[int, int]:
        return (DEAD, DIES, HOLDS).index(self.word), self.rounds


def fate_of(shown: int, modifier: int, *, by_die: bool = False) -> Fate:
    """The result of a check with this die and total.

    A die of 0 kills, whatever the total (toaster.4.mortality-zero). With 10 or more the character
    holds on for the total minus 9 (toaster.4.mortality-success). Below 10, death follows after as
    many rounds as the total, or by option the die, and immediately for a total of 0 or less
    (toaster.4.mortality-fail).

    >>> [str(fate_of(die, 6)) for die in (0, 1, 4, 8)]
    ['dies at once', 'dies after 7 rounds', 'holds on for 1 round', 'holds on for 5 rounds']
    """
    total = shown + modifier
    if shown == 0:
        return Fate(DEAD, 0, total)
    if total >= TARGET:
        return Fate(HOLDS, total - (TARGET - 1), total)
    rounds = shown if by_die else total
    return Fate(DIES, rounds, total) if rounds > 0 else Fate(DEAD, 0, total)


@mechanic
def mortality(
    dice: Dice,
    modifier: int,
    nines: int = 0,
    by_die: bool = False,
    called: bool = False,
    label: str = "roll",
) -> Fate:
    """A mortality check: Physique, -1 for each wound over 5, plus the medic's bonus.

    `modifier` is the sum of these (toaster.4.mortality-roll, toaster.4.mortality-medical).

    >>> from kitchentable.dice import odds
    >>> odds(mortality, 6).chance(lambda fate: fate.word == "holds")
    Fraction(3, 5)
    """
    shown = CALLED if called else star(dice, nines, label)
    return fate_of(shown, modifier, by_die=by_die)


@mechanic
def survives(dice: Dice, modifier: int, rounds: int, nines: int = 0, by_die: bool = False) -> bool:
    """Whether a character is alive after this many rounds without help.

    When a success's rounds run out, the next check follows at the end of the last one
    (toaster.4.mortality-success). 5 wounds and Physique 6, after 5 rounds:

    >>> from kitchentable.dice import odds
    >>> odds(survives, 6, 5)[True]
    Fraction(838949, 1000000)
    """
    fate = fate_of(star(dice, nines), modifier, by_die=by_die)
    if fate.word == DEAD:
        return False
    if fate.rounds > rounds:
        return True
    if fate.word == DIES:
        return False
    return survives(dice, modifier, rounds - _counted(fate.rounds, rounds), nines, by_die)


def _counted(number: int, most: int) -> int:
    """A number from 1 to `most`, found by bisection, the high half first.

    Remaining rounds thus go from few to many, and each count builds on earlier ones.
    """
    low, high = 1, most
    while low < high:
        middle = (low + high + 1) // 2
        if number >= middle:
            low = middle
        else:
            high = middle - 1
    return low
