"""The mortality check, and survival without help."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.dice import Dice, mechanic
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, star
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET

#: Dead at once, dying after so many rounds, or holding on for so many.
DEAD, DIES, HOLDS = "dead", "dies", "holds"


@dataclass(frozen=True, slots=True)
class Fate:
    """The result of a mortality check: "dead", "dies" or "holds", rounds, total.

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
        return f"{verb} {self.rounds} round{'' if self.rounds == 1 else 's'}"

    def __lt__(self, other: Fate) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[int, int]:
        return (DEAD, DIES, HOLDS).index(self.word), self.rounds


def fate_of(shown: int, modifier: int, *, by_die: bool = False) -> Fate:
    """The result of a check with this die and total.

    A die of 0 kills, whatever the total (toaster.4.mortality-zero). From 10 on somebody holds on
    for the total less 9 (toaster.4.mortality-success); under it they die after as many rounds as
    the total, or as the die by option, and at once for a total of 0 or less
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
    """A mortality check: Physique, less 1 for each wound over 5, plus the medic's bonus.

    `modifier` is all of that together (toaster.4.mortality-roll, toaster.4.mortality-medical).

    >>> from kitchentable.dice import odds
    >>> odds(mortality, 6).chance(lambda fate: fate.word == "holds")
    Fraction(3, 5)
    """
    shown = CALLED if called else star(dice, nines, label)
    return fate_of(shown, modifier, by_die=by_die)


@mechanic
def survives(dice: Dice, modifier: int, rounds: int, nines: int = 0, by_die: bool = False) -> bool:
    """Whether somebody is alive after so many rounds without help.

    When the rounds of a success run out, the next check follows at the end of the last
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

    So what is left over comes from few to many, and each is worked out from those before.
    """
    low, high = 1, most
    while low < high:
        middle = (low + high + 1) // 2
        if number >= middle:
            low = middle
        else:
            high = middle - 1
    return low
