"""The sum of the highest of very many exploding dice, except for a negligible rest.

The exact law (:func:`.kept.keep_endless`) has a factor for every number of dice that may all
explode, and takes tens of seconds for a hundred dice. But explosions of as many dice as are kept
are rare, and repeated ones even rarer. Cases with a total probability below 2**-72 are left out.
The rest is a fraction over a power of one short polynomial.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb, lcm

from kitchentable.dice.solving.generating_function import GeneratingFunction, Poly, add, multiply
from kitchentable.dice.solving.sums import convolve, in_order, n_fold_highest

#: The largest total probability that may be left out.
FAINT = Fraction(1, 2**72)

Table = Mapping[int, int]


def keep_highest_of_many(law: GeneratingFunction, n: int, keep: int) -> GeneratingFunction:
    """The law of the sum of the highest of n exploding dice, less than 2**-72 left out.

    The dice are those of :func:`.kept.keep_endless`. If e of m dice explode and e is less than
    `keep`, all e dice are kept with the best of the others. If more dice explode, this is the same
    problem for these e dice, each one step higher.

    >>> d6 = GeneratingFunction(1, [1, 1, 1, 1, 1], [6, 0, 0, 0, 0, 0, -1])
    >>> best = keep_highest_of_many(d6, 2, 1)
    >>> best.chance(5), best.chance(7) == d6.chance(7) * (d6.below(7) + d6.below(8))
    (Fraction(1, 4), True)
    >>> 0 < 1 - best.mass < FAINT
    True
    """
    step = len(law.under) - 1
    whole, again = law.under[0] * law.whole, -law.under[-1] * law.whole
    once = in_order({value: weight for value, weight in enumerate(law.over) if weight})

    @cache
    def best(of: int, kept: int) -> Table:
        return dict(zip(*n_fold_highest(once, of, kept), strict=True))

    # For each number of exploded kept dice: the sums of the other kept dice, with probabilities.
    found: list[dict[int, Fraction]] = [defaultdict(Fraction) for _ in range(keep)]
    for (m, levels), chance in _levels(Fraction(again, whole), n, keep).items():
        for e in range(keep):
            ways = chance * comb(m, e) * Fraction(again**e, whole**m)
            if ways * sum(law.over) ** (m - e) < _cutoff(n):
                continue
            cell, moved = found[e], step * (e + keep * levels)
            for value, weight in best(m - e, keep - e).items():
                at = moved + value
                cell[at] += ways * weight
    below = lcm(*(one.denominator for cell in found for one in cell.values()))
    # An exploded die has the law `over` / `factor`; e exploded dice have its power e.
    factor = [whole, *[0] * (step - 1), -again]
    head: Poly = []
    under: Poly = [1]
    exploded: Table = {0: 1}
    for e, cell in enumerate(found):
        if e:
            head, under = multiply(head, factor), multiply(under, factor)
            exploded = dict(zip(*convolve(in_order(exploded), once), strict=True))
        if cell:
            whole_cell = {at: int(one * below) for at, one in cell.items()}
            sums = dict(zip(*convolve(in_order(whole_cell), in_order(exploded)), strict=True))
            head = add(head, [sums.get(at, 0) for at in range(max(sums) + 1)])
    return GeneratingFunction(law.low * keep, head, under, below)


def _cutoff(n: int) -> Fraction:
    return FAINT / (8 * n**2)


def _levels(explodes: Fraction, n: int, keep: int) -> dict[tuple[int, int], Fraction]:
    """The probability that m dice have all exploded this many times and are thrown again."""
    found: dict[tuple[int, int], Fraction] = {}
    open_ = {(n, 0): Fraction(1)}
    while open_:
        after: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (m, levels), chance in open_.items():
            found[m, levels] = chance
            for e in range(keep, m + 1):
                part = chance * comb(m, e) * explodes**e * (1 - explodes) ** (m - e)
                if part >= _cutoff(n):
                    after[e, levels + 1] += part
        open_ = after
    return found
