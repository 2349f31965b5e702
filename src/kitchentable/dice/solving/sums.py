"""Sums of independent whole numbers, by multiplication of long integers.

A distribution is a pair of lists: values in rising order and their positive whole weights. Its
generating polynomial is evaluated at a power of two so large that no coefficient overflows into the
next (Kronecker substitution). A convolution is then one product of integers, which is fast in
Python.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate, repeat
from math import comb, log2
from operator import mul, sub
from typing import Any

from kitchentable.dice.errors import TooManyPaths
from kitchentable.dice.solving.deadline import check_time

# Sparse supports with at most this many pairs are convolved pair by pair.
MOST_PAIRS = 1_500_000
# From this many equal dice on, a recurrence is faster than multiplication.
MANY = 6
# Packed numbers of fewer bits are multiplied in one step.
LONG_ENOUGH = 20_000
# The bits of a digit of Python's integers, the number of digits from which Python uses Karatsuba's
# method, the exponent of this method, and the approximate number of digit products in a second.
DIGIT, CUTOFF, EXPONENT, A_SECOND = 30, 70, log2(3) - 1, 8e8
#: The largest size of all weights of a distribution together, in bits (two gigabytes).
MOST_BITS = 1.6e10

#: Makes a table of weights, empty or a copy, with a default weight of 0.
new_table: Callable[..., dict[Any, Any]] = partial(defaultdict, int)

Values = Sequence[int]
Weights = Sequence[int]
Spread = tuple[Values, Weights]


def byte_width(bound: int) -> int:
    return (bound.bit_length() + 7) // 8 or 1


def pack(values: Values, weights: Weights, width: int) -> int:
    low = values[0]
    if _is_whole(values):
        return int.from_bytes(b"".join([w.to_bytes(width, "little") for w in weights]), "little")
    raw = bytearray((values[-1] - low + 1) * width)
    for value, weight in zip(values, weights, strict=True):
        at = (value - low) * width
        raw[at : at + width] = weight.to_bytes(width, "little")
    return int.from_bytes(raw, "little")


def unpack(packed: int, low: int, width: int) -> Spread:
    size = (packed.bit_length() + 7) // 8
    count = -(-size // width)
    raw = packed.to_bytes(count * width, "little")
    read = int.from_bytes
    weights = [read(raw[at : at + width], "little") for at in range(0, count * width, width)]
    if 0 in weights:
        return (
            [low + at for at, weight in enumerate(weights) if weight],
            [weight for weight in weights if weight],
        )
    return range(low, low + count), weights


def _is_whole(values: Values) -> bool:
    return values[-1] - values[0] + 1 == len(values)


def _sparse(values: Values) -> bool:
    return values[-1] - values[0] > 64 + 16 * len(values)


def in_order(table: Mapping[int, int]) -> Spread:
    """A table of values and weights as a distribution.

    >>> in_order({3: 1, 1: 2})
    ([1, 3], [2, 1])
    """
    values = sorted(table)
    return values, [table[value] for value in values]


def convolve(a: Spread, b: Spread) -> Spread:
    """The distribution of the sum of two independent numbers.

    >>> convolve(([1, 2], [1, 1]), ([1, 2], [1, 1]))
    (range(2, 5), [1, 2, 1])
    """
    (av, aw), (bv, bw) = a, b
    if len(av) == 1:
        return [av[0] + value for value in bv], [aw[0] * weight for weight in bw]
    if len(bv) == 1:
        return [bv[0] + value for value in av], [bw[0] * weight for weight in aw]
    if _sparse(av) or _sparse(bv):
        return _by_table(a, b)
    if len(av) < len(bv):
        (av, aw), (bv, bw) = b, a
    if _is_whole(av) and _is_whole(bv) and min(bw) == max(bw):
        up_to, wide = [*accumulate(aw)], len(bw)
        upper, lower = [*up_to, *repeat(up_to[-1], wide - 1)], [*repeat(0, wide), *up_to[:-1]]
        weights = [bw[0] * (to - before) for to, before in zip(upper, lower, strict=True)]
        return range(av[0] + bv[0], av[-1] + bv[-1] + 1), weights
    width = byte_width(sum(aw) * sum(bw))
    parts = [(weight, 8 * width * (value - bv[0])) for value, weight in zip(bv, bw, strict=True)]
    product = _times(pack(av, aw, width), pack(bv, bw, width), parts)
    return unpack(product, av[0] + bv[0], width)


def _check_size(pairs: int, bits: int = 0) -> None:
    """Check that a sum needs limited work and memory. Errors: TooManyPaths."""
    if pairs > MOST_PAIRS or bits > MOST_BITS:
        raise TooManyPaths(
            "A sum of dice has too many possible values to be solved. Throw fewer or smaller "
            "dice, ask about each sum separately (at least 12?), or use sample."
        )


def _by_table(a: Spread, b: Spread) -> Spread:
    _check_size(len(a[0]) * len(b[0]))
    table = new_table()
    for x, wx in zip(*a, strict=True):
        for y, wy in zip(*b, strict=True):
            table[x + y] += wx * wy
    return in_order(table)


def scaled(one: Spread, factor: int) -> Spread:
    """The values times a factor other than 0, still in rising order."""
    values, weights = one
    if factor == 1:
        return one
    if factor > 0:
        return [factor * value for value in values], weights
    return [factor * value for value in reversed(values)], weights[::-1]


def n_fold(one: Spread, n: int) -> Spread:
    """The distribution of the sum of n independent throws.

    >>> n_fold((range(1, 7), [1] * 6), 2)[1]
    [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    """
    values, weights = one
    if n == 0:
        return [0], [1]
    if n == 1:
        return one
    if n >= MANY and isinstance(values, range) and len(set(weights)) == 1:
        return _uniform(len(values), values[0], weights[0], n)
    if _sparse(values):
        half = n_fold(one, n // 2)
        whole = convolve(half, half)
        return convolve(whole, one) if n % 2 else whole
    width = byte_width(sum(weights) ** n)
    packed = pack(values, weights, width)
    bits = n * packed.bit_length()
    check_time(_work(bits, bits // 2) / A_SECOND)
    return unpack(packed**n, n * values[0], width)


def _uniform(sides: int, low: int, weight: int, n: int) -> Spread:
    """The sum of n dice with consecutive faces of equal weight.

    The generating function ((1 - x**s) / (1 - x))**n satisfies a differential equation, which gives
    each coefficient from three earlier ones. The second half mirrors the first.
    """
    top = n * (sides - 1)
    _check_size(0, n * sides.bit_length() * top)
    half = [1]
    for k in range(1, top // 2 + 1):
        if not k % 1024:
            check_time()
        value = (k - 1 + n) * half[k - 1]
        if k >= sides:
            value += (k - sides - n * sides) * half[k - sides]
            if k > sides:
                value += (n * (sides - 1) - k + sides + 1) * half[k - sides - 1]
        half.append(value // k)
    whole = half + half[-1 if top % 2 else -2 :: -1]
    if weight != 1:
        factor = weight**n
        whole = [factor * one for one in whole]
    return range(n * low, n * low + top + 1), whole


def n_fold_highest(one: Spread, n: int, keep: int) -> Spread:
    """The distribution of the sum of the `keep` highest of n independent throws.

    Sums over the value t of the lowest die kept and the number j of dice above t: the other n - j
    dice are at most t, and at least keep - j of them show t.

    >>> values, weights = n_fold_highest((range(1, 7), [1] * 6), 4, 3)
    >>> values[0], values[-1], weights[-1], sum(weights)
    (3, 18, 21, 1296)
    """
    if keep >= n:
        return n_fold(one, n)
    if keep <= 0:
        return [0], [sum(one[1]) ** n]
    values, weights = one
    if keep == 1:
        up_to = [reach**n for reach in accumulate(weights)]
        return values, list(map(sub, up_to, [0, *up_to]))
    low, width = values[0], byte_width(sum(weights) ** n)
    bits = 8 * width
    _check_size(0, bits * keep * (values[-1] - low + 1))
    result = above = 0
    below = sum(weights)
    seen: list[tuple[int, int]] = []
    choose = [_ways_at(n - j, keep - j) for j in range(keep)]
    for value, weight in zip(reversed(values), reversed(weights), strict=True):
        below -= weight
        place = (value - low) * bits
        check_time()
        at, under, upto = powers(weight, n), powers(below, n), below + weight
        power = 1
        for j in range(keep):
            rest = n - j
            ways = upto**rest
            if below:
                first, row = choose[j]
                some = 0
                for i, choices in enumerate(row, first):
                    some += choices * at[i] * under[rest - i]
                ways = some if first else ways - some
            result += (power * (comb(n, j) * ways)) << (place * (keep - j))
            if not above or j == keep - 1:
                break
            power = _times(power, above, seen)
        above += weight << place
        seen.append((weight, place))
    return unpack(result, keep * low, width)


def _ways_at(n: int, least: int) -> tuple[int, list[int]]:
    """The first i, and C(n, i) for all i from `least`, or below `least` if these are fewer."""
    check_time()
    some = range(least) if least <= n // 2 else range(least, n + 1)
    return some.start, [comb(n, i) for i in some]


def powers(
    base: Any, most: int, multiply: Callable[[Any, Any], Any] = mul, one: Any = 1
) -> list[Any]:
    """The powers of a base from 0 to `most`."""
    return list(accumulate(repeat(base, most), multiply, initial=one))


def _work(long: int, short: int) -> float:
    """The approximate number of digit products for a product of numbers of these bit lengths."""
    digits = short / DIGIT
    each = digits if digits < CUTOFF else CUTOFF * (digits / CUTOFF) ** EXPONENT
    return long / DIGIT * each


def _times(long: int, packed: int, parts: Sequence[tuple[int, int]]) -> int:
    """The product of a long and a packed number, part by part if that is less work.

    The packed number is the sum of its `parts` (weights and their places). Errors: TooSlow.
    """
    bits = long.bit_length()
    if bits < LONG_ENOUGH:
        return long * packed
    whole = _work(bits, packed.bit_length())
    apart = bits / DIGIT * sum([2 + weight.bit_length() / DIGIT for weight, _ in parts])
    check_time(min(whole, apart) / A_SECOND)
    if whole < apart:
        return long * packed
    return sum([(long * weight if weight != 1 else long) << place for weight, place in parts])


def n_fold_lowest(one: Spread, n: int, keep: int) -> Spread:
    """The distribution of the sum of the `keep` lowest of n independent throws."""
    return scaled(n_fold_highest(scaled(one, -1), n, keep), -1)


def hits(n: int, hit: int, miss: int) -> Spread:
    """The binomial distribution of hits among n throws with weights `hit` and `miss`."""
    rows = [(k, comb(n, k) * hit**k * miss ** (n - k)) for k in range(n + 1)]
    return [k for k, weight in rows if weight], [weight for _, weight in rows if weight]
