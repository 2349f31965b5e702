"""Initiative: a plain d10 (1 to 10) for each character, and more dice for ties."""

from __future__ import annotations

from collections import Counter

from kitchentable.dice import Dice, Die, mechanic
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.mechanics.stars import Numbers, Words, star

#: The only die without a star in the book: the face 0 counts as ten (toaster.1.dice-d10,
#: toaster.4.initiative-roll).
D10 = Die("d10", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0))


@record
class Initiative(Ordered):
    """An initiative number, with the dice that broke ties."""

    number: int
    breaks: Numbers = ()

    def order(self) -> tuple[int, Numbers]:
        return self.number, self.breaks

    def __str__(self) -> str:
        return str(self.number)


@mechanic
def initiative(dice: Dice, bonus: int, label: str = "initiative") -> Initiative:
    """A character's initiative: d10 and Coordination; a 0 counts as ten.

    >>> from kitchentable.dice import load
    >>> load(initiative, 7, faces=[3]).outcome.number, load(initiative, 7, faces=[0]).outcome
    (10, Initiative(number=17, breaks=()))
    """
    return Initiative(_d10(dice, label) + bonus)


def _d10(dice: Dice, label: str) -> int:
    shown: int = dice.die(D10, label=label)
    return 10 if shown == 0 else shown


@mechanic
def initiative_of_all(
    dice: Dice, everyone: tuple[tuple[str, int, int], ...]
) -> tuple[Initiative, ...]:
    """Initiative for all; each has a name, a modifier, and Coordination as tiebreaker.

    Full ties roll again until they differ (toaster.4.initiative-ties).

    >>> from kitchentable.dice import load
    >>> two = load(initiative_of_all, (("a", 5, 5), ("b", 5, 5)), faces=[4, 4, 9, 2]).outcome
    >>> [(one.number, one.breaks) for one in two]
    [(9, (9,)), (9, (2,))]
    """
    numbers = [_d10(dice, name) + bonus for name, bonus, _ in everyone]
    standing = [(number, one[2]) for number, one in zip(numbers, everyone, strict=True)]
    names = tuple(name for name, _, _ in everyone)
    breaks = _broken(dice, names, standing)
    return tuple(Initiative(number, each) for number, each in zip(numbers, breaks, strict=True))


@mechanic
def initiative_tie(dice: Dice, names: Words) -> tuple[Numbers, ...]:
    """Roll for fully tied characters until no two are equal."""
    return tuple(_broken(dice, names, [(0, 0)] * len(names)))


def _broken(dice: Dice, names: Words, standing: list[tuple[int, int]]) -> list[Numbers]:
    breaks: list[Numbers] = [()] * len(names)
    while True:
        places = [*zip(standing, breaks, strict=True)]
        counted = Counter(places)
        equal = [place for place, key in enumerate(places) if counted[key] > 1]
        if not equal:
            return breaks
        for place in equal:
            breaks[place] = (*breaks[place], _d10(dice, names[place]))


@mechanic
def coordination(
    dice: Dice, one: int, other: int, nines: int = 0, first: str = "first", second: str = "second"
) -> tuple[int, int]:
    """Opposed Coordination rolls for the quicker character; ties roll again.

    toaster.4.initiative-cut-in.

    >>> from kitchentable.dice import load
    >>> load(coordination, 7, 5, faces=[3, 6]).outcome
    (10, 11)
    """
    mine, theirs = star(dice, nines, first) + one, star(dice, nines, second) + other
    if mine == theirs:
        return coordination(dice, one, other, nines, first, second)
    return mine, theirs
