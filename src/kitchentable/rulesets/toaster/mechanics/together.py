"""One task by several people: all throw, and one die counts."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.dice import Dice, mechanic
from kitchentable.rulesets.toaster.mechanics.stars import PLAIN, Extended, star
from kitchentable.rulesets.toaster.mechanics.tasks import (
    FAILURE,
    FUMBLE,
    SUCCESS,
    TARGET,
    Outcome,
    band_of,
)


@dataclass(frozen=True, slots=True)
class Together:
    """The result of a task by several people: outcome, and the die that counted."""

    outcome: Outcome
    die: int

    def __lt__(self, other: Together) -> bool:
        return self.outcome < other.outcome

    def __str__(self) -> str:
        return str(self.outcome)


def band(outcome: Together) -> str:
    """The outcome word, which the odds are about."""
    return outcome.outcome.band


@mechanic
def used_star(dice: Dice, who: tuple[str, ...], nines: int, worst: bool) -> int:
    """Pick the die that counts among those of several people: the best or the worst.

    `who` are the labels of the dice. Each die has nines of its own
    (toaster.3.collab-best, toaster.3.collab-too-many-cooks, toaster.3.collab-extended).
    """
    mine = star(dice, nines, who[0])
    if len(who) == 1:
        return mine
    theirs = used_star(dice, who[1:], nines, worst)
    if (mine <= theirs) if worst else (mine >= theirs):
        dice.drop([1], "another die counts")
        return mine
    dice.drop([0], "another die counts")
    return theirs


@mechanic
def together(
    dice: Dice,
    who: tuple[str, ...],
    modifier: int,
    ext: Extended = PLAIN,
    worst: bool = False,
    bands: bool = False,
) -> Together:
    """A task by several: all throw, and one die is added to the best rank.

    The highest die where they help each other, the lowest where they are in each other's way.
    Only the die that counts can fail by a zero; then all throw again. `modifier` is the best
    rank with its modifiers.

    >>> from kitchentable.dice import load, odds
    >>> load(together, ("a", "b", "c"), 6, faces=[2, 8, 5]).outcome.outcome.total
    14
    >>> odds(together, ("a", "b"), 4).chance(lambda one: one.outcome.succeeds)
    Fraction(16, 25)
    """
    die = used_star(dice, who, ext.nines, worst)
    total = die + modifier
    if ext.zeros and die == 0:
        again = used_star(dice, who, ext.nines, worst)
        saved = again != 0 and again + modifier >= TARGET
        word = FAILURE if saved else FUMBLE
        return Together(
            Outcome(total, succeeds=False, band=word, zero=True, second=again + modifier), die
        )
    succeeds = bool(total >= TARGET)
    word = band_of(total - TARGET) if bands else SUCCESS if succeeds else FAILURE
    return Together(Outcome(total, succeeds, word), die)
