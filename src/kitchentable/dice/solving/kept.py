"""Sums of the highest or lowest throws, for infinite supports and for different dice."""

from collections.abc import Sequence
from math import comb

from kitchentable.dice.solving.deadline import check_time
from kitchentable.dice.solving.generating_function import GeneratingFunction, Poly, add, multiply
from kitchentable.dice.solving.kept_of_many import keep_highest_of_many
from kitchentable.dice.solving.sums import (
    Spread,
    byte_width,
    n_fold_highest,
    n_fold_lowest,
    new_table,
    powers,
    scaled,
    unpack,
)

#: The largest degree of an exact law of the highest dice, which takes some tenths of a second.
LONG = 2_000


def keep_endless(
    law: GeneratingFunction, n: int, keep: int, *, highest: bool
) -> GeneratingFunction | None:
    """The law of the sum of the highest or lowest of n dice that explode on one face.

    A throw ends at one of the numbers A, or adds s and is thrown again, where s is at least the
    largest difference in A. So every exploded die is above every other die. Let e of n dice
    explode. Either all kept dice are among them, which is the same problem for e dice, each s
    higher; or some kept dice do not explode. This is a triangular system of laws; only the case
    that all dice explode refers to itself.

    Returns None if the law has another shape. For the highest of many dice, less than 2**-72 is
    left out.

    >>> d6 = GeneratingFunction(1, [1, 1, 1, 1, 1], [6, 0, 0, 0, 0, 0, -1])
    >>> best = keep_endless(d6, 2, 1, highest=True)
    >>> best.chance(5), best.chance(7) == d6.chance(7) * (d6.below(7) + d6.below(8))
    (Fraction(1, 4), True)
    """
    step = len(law.under) - 1
    if not 0 < keep < n or not _explodes_upward(law):
        return None
    if highest and step * keep * (n - keep + 1) > LONG:
        return keep_highest_of_many(law, n, keep)
    whole, again, stays = law.under[0] * law.whole, -law.under[-1] * law.whole, sum(law.over)
    ends = [(value, weight) for value, weight in enumerate(law.over) if weight]
    once: Spread = [value for value, _ in ends], [weight for _, weight in ends]
    choose = n_fold_highest if highest else n_fold_lowest
    stayed = powers(law.over, n, multiply, [1])
    factors = powers([whole, *[0] * (step - 1), -again], keep, multiply, [1])
    first = keep if highest else n - keep + 1
    heads: dict[int, Poly] = {}
    divisors: dict[int, Poly] = {}
    for m in range(first, n + 1):
        # The law of the kept dice among m is the head over the divisors up to m (and over one more
        # power of `factor` for each die that may explode while others are kept).
        wanted = keep if highest else keep - n + m
        head: Poly = []
        for e in range(first if highest else m - wanted + 1):
            ways = comb(m, e) * again**e
            if highest:
                kept = multiply(
                    factors[keep - 1 - e], _as_polynomial(choose(once, m - e, keep - e))
                )
                head = add(head, _shifted(multiply(stayed[e], kept), step * e, ways))
            else:
                head = add(head, _shifted(_as_polynomial(choose(once, m - e, wanted)), 0, ways))
        for e in range(first, m):
            ways = comb(m, e) * again**e
            if highest:
                part = _shifted(heads[e], step * keep, ways * stays ** (m - e))
            else:
                part = _shifted(multiply(stayed[m - e], heads[e]), step * (keep - n + e), ways)
            head = add(multiply(head, divisors[e]), part)
        heads[m] = head
        divisors[m] = [whole**m, *[0] * (step * wanted - 1), -(again**m)]
    under: Poly = factors[keep - 1] if highest else [1]
    for one in divisors.values():
        under = multiply(under, one)
    return GeneratingFunction(law.low * keep, heads[n], under)


def _explodes_upward(law: GeneratingFunction) -> bool:
    """Whether an exploding throw is always above every throw that does not explode."""
    step = len(law.under) - 1
    return (
        step > 0
        and not any(law.under[1:-1])
        and law.under[-1] < 0
        and min(law.over) >= 0
        and len(law.over) - 1 <= step
        and law.mass == 1
    )


def _as_polynomial(spread: Spread) -> Poly:
    values, weights = spread
    out = [0] * (values[-1] + 1)
    for value, weight in zip(values, weights, strict=True):
        out[value] = weight
    return out


def _shifted(poly: Poly, by: int, factor: int) -> Poly:
    return [*[0] * by, *(factor * one for one in poly)]


def keep_of_different(ones: Sequence[Spread], keep: int, *, highest: bool) -> Spread:
    """The sum of the highest or lowest of several different throws.

    Sums over the value t of the last die kept. Throw by throw, only the numbers of throws above t
    (fewer than `keep`) and at t are followed, with the sum of the throws above t.

    >>> values, weights = keep_of_different([([1, 2], [1, 1]), ([1, 3], [1, 1])], 1, highest=True)
    >>> list(zip(values, weights))
    [(1, 1), (2, 1), (3, 2)]
    """
    if not highest:
        turned = [scaled(one, -1) for one in ones]
        return scaled(keep_of_different(turned, keep, highest=True), -1)
    low = min(values[0] for values, _ in ones)
    whole = 1
    for _, weights in ones:
        whole *= sum(weights)
    width = byte_width(whole)
    bits = 8 * width
    tables = [dict(zip(*one, strict=True)) for one in ones]
    above = [0] * len(ones)
    below = [sum(weights) for _, weights in ones]
    result = 0
    for t in sorted({value for table in tables for value in table}, reverse=True):
        check_time()
        at = [table.get(t, 0) for table in tables]
        below = [rest - here for rest, here in zip(below, at, strict=True)]
        ways = _ways(above, at, below, keep)
        place = (t - low) * bits
        for (j, e), weight in ways.items():
            if j + e == keep:
                result += weight << place * e
        above = [up + (here << place) for up, here in zip(above, at, strict=True)]
    return unpack(result, keep * low, width)


def _ways(
    above: Sequence[int], at: Sequence[int], below: Sequence[int], keep: int
) -> dict[tuple[int, int], int]:
    """The weights of j throws above a value and e equal to it, with j + e at most `keep`."""
    beside, seen = 1, []
    for up, here, down in zip(above, at, below, strict=True):
        if up or here:
            seen.append((up, here, down))
        else:
            beside *= down
    ways = {(0, 0): beside}
    for up, here, down in seen:
        grown = new_table()
        for (j, e), weight in ways.items():
            if down:
                grown[j, e] += weight * down
            if here:
                grown[j, e + (j + e < keep)] += weight * here
            if up and j + 1 < keep:
                grown[j + 1, e - (j + e == keep)] += weight * up
        ways = grown
    return ways
