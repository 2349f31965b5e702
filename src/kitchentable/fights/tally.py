"""Many fights drawn together from the ends of a solved fight."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from kitchentable.fights.laws import Healths
from kitchentable.fights.plans import Ends

K = TypeVar("K", bound=Hashable)

#: Fewer trials than this are drawn one by one.
FEW = 24


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of n fights by final healths and number of rounds.

    `undecided` is the number of fights stopped before an end; it is included in n. `tolls` has the
    mean toll of each kind per fight.
    """

    n: int
    ends: Mapping[tuple[Healths, int], int]
    undecided: int
    tolls: tuple[float, ...] = ()


def draw_tally(ends: Ends, n: int, seed: int) -> Tally:
    """Draw n fights from the ends of a solved fight by round.

    Fights with more rounds than the solution has separately are undecided.
    """
    cells: list[tuple[tuple[Healths, int] | None, float]] = [
        ((healths, number), float(amount))
        for healths, row in ends.last.items()
        for number, amount in enumerate(row[:-1])
        if amount
    ]
    cells.append((None, sum(float(row[-1]) for row in ends.last.values())))
    drawn = Counter(dict(multinomial(n, cells, random.Random(seed))))
    undecided = drawn.pop(None, 0)
    ended = {key: many for key, many in drawn.items() if key is not None}
    return Tally(n, ended, undecided, ends.tolls)


def multinomial(
    n: int, ways: Iterable[tuple[K, float | Fraction]], chance: random.Random
) -> list[tuple[K, int]]:
    """Draw from a multinomial distribution: the number of n trials for each way, without zeros.

    >>> halves = [("heads", Fraction(1, 2)), ("tails", Fraction(1, 2))]
    >>> sum(many for _, many in multinomial(1001, halves, random.Random(1)))
    1001
    """
    # Likely ways come first, so that the rest is never a difference of nearly equal numbers.
    ordered: list[tuple[K, Any]] = sorted(ways, key=lambda one: one[1])
    rests: list[Any] = []
    for _, share in ordered:
        rests.append(share + (rests[-1] if rests else 0))
    found = []
    for (way, share), rest in zip(reversed(ordered), reversed(rests), strict=True):
        if not n:
            break
        many = n if share >= rest else binomial(n, float(share / rest), chance)
        if many:
            found.append((way, many))
        n -= many
    return found


def binomial(n: int, p: float, chance: random.Random) -> int:
    """Draw from a binomial distribution: the number of successes in n trials with chance p.

    Order statistics halve n in each step (Relles 1972): the median of n uniform numbers has a beta
    distribution, and only the trials on one side of the median stay undecided.

    >>> binomial(10**12, 1.0, random.Random(1))
    1000000000000
    """
    found = 0
    while n >= FEW:
        middle = (n + 1) // 2
        height = chance.betavariate(middle, n + 1 - middle)
        if height <= p:
            found += middle
            n -= middle
            p = min(1.0, (p - height) / (1.0 - height)) if height < 1.0 else 1.0
        else:
            n = middle - 1
            p = min(1.0, p / height)
    return found + sum(chance.random() < p for _ in range(n))
