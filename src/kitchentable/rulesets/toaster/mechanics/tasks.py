"""Unopposed actions: rolls against 10, zeros, outcomes by margin, and work together."""

from __future__ import annotations

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, PLAIN, Extended, Words, star

#: The target of an unopposed action (toaster.3.unopposed-target).
TARGET = 10

FUMBLE, FAILURE, MARGINAL, SUCCESS, CRITICAL = (
    "fumble",
    "failure",
    "marginal",
    "success",
    "critical",
)

#: The outcomes from worst to best (toaster.3.vo-bands).
BANDS = (FUMBLE, FAILURE, MARGINAL, SUCCESS, CRITICAL)


def band_of(margin: int) -> str:
    """The outcome by the margin of a total over its target (toaster.3.vo-bands).

    >>> [band_of(total - 10) for total in (4, 5, 8, 9, 11, 12, 15, 16)]
    ['fumble', 'failure', 'failure', 'marginal', 'marginal', 'success', 'success', 'critical']
    """
    if margin < -1:
        return FUMBLE if margin <= -6 else FAILURE
    if margin <= 1:
        return MARGINAL
    return CRITICAL if margin >= 6 else SUCCESS


@record
class Outcome(Ordered):
    """The result of an action: total, success in the plain test, outcome word.

    `band` is "success" or "failure" without variable outcomes, otherwise one of `BANDS`; a zero can
    also fumble. `zero` means that a 0 failed, `second` is the total of the roll after it.

    >>> print(Outcome(12, True, "success"), "/", Outcome(9, False, "fumble", True, 8))
    success with 12 / fumble with 9, then 8
    """

    total: int
    succeeds: bool
    band: str
    zero: bool = False
    second: int | None = None

    @property
    def fumble(self) -> bool:
        """Whether the outcome is a fumble."""
        return self.band == FUMBLE

    def order(self) -> tuple[int, int, int]:
        return BANDS.index(self.band), self.total, self.second or 0

    def __str__(self) -> str:
        then = f", then {self.second}" if self.second is not None else ""
        return f"{self.band} with {self.total}{then}"


@mechanic
def task(
    dice: Dice,
    modifier: int,
    ext: Extended = PLAIN,
    called: bool = False,
    bands: bool = False,
    target: int = TARGET,
    label: str = "roll",
) -> Outcome:
    """An unopposed action: d10* and modifier against 10.

    toaster.3.unopposed-order, toaster.3.unopposed-target. `bands` are variable outcomes
    (toaster.3.vo-switch), which do not change the plain test (toaster.3.vo-plain-test). After a
    zero only the second roll decides (toaster.3.vo-zero-precedence).

    >>> from kitchentable.dice import odds
    >>> odds(task, 6).chance(lambda one: one.succeeds)
    Fraction(3, 5)
    """
    return tried(dice, modifier, ext, called, bands, target, label)


def tried(
    dice: Dice,
    modifier: int,
    ext: Extended,
    called: bool,
    bands: bool,
    target: int = TARGET,
    label: str = "roll",
) -> Outcome:
    """An unopposed action as part of another mechanic, with a hidden total.

    A called 4 is neither 0 nor 9, and a nine followed by a 0 is 9, not a zero
    (toaster.3.call4-switch, toaster.3.call4-no-extremes). After a zero the action fails, whatever
    its total (toaster.3.zeros-switch); another 0 or a second total below the target, with the same
    rank and modifiers, makes it a fumble (toaster.3.zeros-fumble-check).

    >>> from kitchentable.dice import LoadedDice
    >>> print(tried(LoadedDice([0, 5]), 9, Extended(zeros=True), called=False, bands=False))
    failure with 9, then 14
    >>> print(tried(LoadedDice([]), 6, PLAIN, called=True, bands=False))
    success with 10
    """
    shown = CALLED if called else star(dice, ext.nines, label)
    if ext.zeros and not called and shown == 0:
        dice.mark("kept", "a zero fails; a second roll decides about a fumble")
        again = star(dice, ext.nines, label)
        saved = again != 0 and again + modifier >= target
        return failed(modifier, again + modifier, fumble=not saved)
    return outcome_of(shown + modifier, target, bands=bands)


def outcome_of(total: int, target: int = TARGET, *, bands: bool = False) -> Outcome:
    """The outcome of a final total, without dice.

    >>> print(outcome_of(11), "/", outcome_of(11, bands=True))
    success with 11 / marginal with 11
    """
    succeeds = bool(total >= target)
    if bands:
        return Outcome(total, succeeds, band_of(total - target))
    return Outcome(total, succeeds, SUCCESS if succeeds else FAILURE)


def failed(total: int, second: int | None, *, fumble: bool) -> Outcome:
    """The outcome after a zero: a failure whatever the total, or a fumble."""
    word = FUMBLE if fumble else FAILURE
    return Outcome(total, succeeds=False, band=word, zero=True, second=second)


# ---------------------------------------------------------------- one task by several people


@mechanic
def used_star(dice: Dice, who: Words, nines: int, worst: bool) -> int:
    """The die that counts among several people's: the best or the worst.

    `who` are the labels of the dice. Each die has its own nines (toaster.3.collab-best,
    toaster.3.collab-too-many-cooks, toaster.3.collab-extended).
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
    who: Words,
    modifier: int,
    ext: Extended = PLAIN,
    worst: bool = False,
    bands: bool = False,
) -> Outcome:
    """Work together: everybody rolls, and one die is added to the best rank.

    The highest die counts if they help each other, the lowest if they hinder each other. Only the
    counting die can fail with a zero; then everybody rolls again. `modifier` is the best rank with
    its modifiers.

    >>> from kitchentable.dice import load, odds
    >>> load(together, ("a", "b", "c"), 6, faces=[2, 8, 5]).outcome.total
    14
    >>> odds(together, ("a", "b"), 4).chance(lambda one: one.succeeds)
    Fraction(16, 25)
    """
    die = used_star(dice, who, ext.nines, worst)
    if ext.zeros and die == 0:
        again = used_star(dice, who, ext.nines, worst)
        saved = again != 0 and again + modifier >= TARGET
        return failed(modifier, again + modifier, fumble=not saved)
    return outcome_of(die + modifier, bands=bands)
