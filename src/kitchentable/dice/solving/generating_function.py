"""Distributions of infinite support with rational generating functions.

The generating function of an exploding die satisfies G = A + B·G, where A collects the faces that
end the throw, and B the face that is thrown again. So G is the fraction A / (1 - B). Sums of such
dice are products of such fractions. The coefficients satisfy a linear recurrence. Mass, mean and
variance follow from the fraction at 1.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import accumulate, repeat
from math import gcd, isqrt

from kitchentable.dice.errors import TooManyPaths
from kitchentable.dice.solving.deadline import check_time

Poly = list[int]
# Values, their whole weights, the total, and the probability of the tail.
Cut = tuple[list[int], list[int], int, Fraction]
MOST_CUTS = 64
# A list is rounded down if its last fractions have more bits than LONG, and stops at MOST_LISTED.
LONG = 16_000
MOST_LISTED = 20_000
# Extra binary places, so that the error seldom lowers a rounded weight by one.
SPARE = 8
# The time is checked once in CHECKED + 1 coefficients.
CHECKED = 63
# The largest size of all coefficients and their sums together, in bits (a gigabyte).
MOST_BITS = 8e9


def add(a: Sequence[int], b: Sequence[int]) -> Poly:
    """The sum of two polynomials, lowest coefficient first."""
    if len(a) < len(b):
        a, b = b, a
    out = list(a)
    for at, coefficient in enumerate(b):
        out[at] += coefficient
    return trim(out)


def multiply(a: Sequence[int], b: Sequence[int]) -> Poly:
    """The product of two polynomials, lowest coefficient first."""
    if not a or not b:
        return []
    check_time()
    out = [0] * (len(a) + len(b) - 1)
    few, many = (a, b) if len(a) <= len(b) else (b, a)
    for at, x in enumerate(few):
        if x:
            if not ~at & CHECKED:
                check_time()
            for to, y in enumerate(many, start=at):
                if y:
                    out[to] += x * y
    return out


def trim(a: Poly) -> Poly:
    """Remove zero coefficients at the top, in place."""
    while a and not a[-1]:
        a.pop()
    return a


def _at_one(a: Sequence[int]) -> tuple[int, int, int]:
    """A polynomial and its first two derivatives at 1."""
    first = sum(k * c for k, c in enumerate(a))
    second = sum(k * (k - 1) * c for k, c in enumerate(a))
    return sum(a), first, second


def _without_root_at_one(a: Sequence[int]) -> Poly:
    """The quotient by x - 1 of a polynomial with coefficients that sum to 0."""
    out: Poly = []
    carry = 0
    for coefficient in reversed(a[1:]):
        carry += coefficient
        out.append(carry)
    return out[::-1]


class GeneratingFunction:
    """A measure on the whole numbers from `low` up: x**low · over / (whole · under).

    The fraction is expanded at 0. `whole` is separate to keep the numbers in the recurrence small.
    The mass may be less than 1, because a law may be the numeric part of a larger distribution.
    """

    __slots__ = (
        "_below",
        "_cuts",
        "_pulls",
        "_scaled",
        "_steps",
        "_stride",
        "low",
        "over",
        "under",
        "whole",
    )

    def __init__(self, low: int, over: Sequence[int], under: Sequence[int], whole: int = 1) -> None:
        top, bottom = trim(list(over)), trim(list(under))
        while bottom and sum(bottom) == 0 and sum(top) == 0 and top:
            top, bottom = _without_root_at_one(top), _without_root_at_one(bottom)
        content = gcd(*bottom) if bottom[0] > 0 else -gcd(*bottom)
        common = gcd(content * whole, *top)
        skip = next((at for at, c in enumerate(top) if c), 0)
        self.low = low + skip
        self.over: Poly = [c // common for c in top[skip:]]
        self.under: Poly = [c // content for c in bottom]
        self.whole = content * whole // common
        if self.whole < 0:
            self.whole, self.over = -self.whole, [-c for c in self.over]
        self._steps = [(at, c) for at, c in enumerate(self.under) if at and c]
        self._stride = gcd(*(at for at, _ in self._steps)) or 1
        self._pulls: list[tuple[int, int]] = []
        self._scaled: list[int] = []
        self._below: list[int] = [0]
        self._cuts: dict[tuple[int, Fraction], Cut] = {}

    def _extend(self, count: int) -> None:
        """Compute the first `count` coefficients.

        The k-th is ``_scaled[k]`` over the first coefficient of `under` to the power
        k // stride + 1, since the recurrence only reaches back by multiples of the stride.
        """
        scaled, below, first = self._scaled, self._below, self.under[0]
        stride = self._stride
        if len(scaled) >= count:
            return
        if count * (count // stride + 1) * first.bit_length() > MOST_BITS:
            raise TooManyPaths(
                f"Exact chances of values as far apart as {self.low} and {self.low + count - 1} "
                f"take too much memory. Ask about smaller numbers, or use sample."
            )
        if not self._pulls:
            self._pulls = [*self._pulled()]
        for k in range(len(scaled), count):
            if not ~k & CHECKED:
                check_time()
            value = self.over[k] * first ** (k // stride) if k < len(self.over) else 0
            for step, pull in self._pulls:
                if step > k:
                    break
                value -= pull * scaled[k - step]
            scaled.append(value)
            carried = below[-1] if k % stride else below[-1] * first
            below.append(carried + value)

    def _pulled(self) -> Iterator[tuple[int, int]]:
        """The steps of the recurrence for scaled coefficients."""
        for at, c in self._steps:
            check_time()
            yield at, c * self.under[0] ** (at // self._stride - 1)

    def _power(self, k: int) -> int:
        """The denominator of the k-th coefficient, and of the sum of the coefficients up to it."""
        return int(self.under[0] ** (k // self._stride + 1))

    def chance(self, value: int) -> Fraction:
        """The probability of one value."""
        k = value - self.low
        if k < 0:
            return Fraction(0)
        self._extend(k + 1)
        return Fraction(self._scaled[k], self._power(k) * self.whole)

    def below(self, value: int) -> Fraction:
        """The probability of all values smaller than `value`."""
        k = value - self.low
        if k <= 0:
            return Fraction(0)
        self._extend(k)
        return Fraction(self._below[k], self._power(k - 1) * self.whole)

    @property
    def mass(self) -> Fraction:
        """The total probability."""
        return Fraction(sum(self.over), sum(self.under) * self.whole)

    def moments(self) -> tuple[Fraction, Fraction, Fraction]:
        """The mass, the first moment and the second moment, none divided by the mass."""
        n0, n1, n2 = (Fraction(n, self.whole) for n in _at_one(self.over))
        d0, d1, d2 = _at_one(self.under)
        mass = n0 / d0
        first = (n1 - mass * d1) / d0
        factorial = (n2 - 2 * first * d1 - mass * d2) / d0
        mean = first + self.low * mass
        square = factorial + first + 2 * self.low * first + self.low**2 * mass
        return mass, mean, square

    def weights(self, start: int, stop: int) -> tuple[list[int], list[int], int]:
        """The values from `start` to `stop` - 1, their whole weights and the common denominator."""
        top = stop - self.low
        if top <= 0:
            return [], [], 1
        self._extend(top)
        first, stride = self.under[0], self._stride
        most = (top - 1) // stride
        powers = [first**missing for missing in range(most + 1)]
        values, weights = [], []
        for k in range(max(0, start - self.low), top):
            if self._scaled[k]:
                values.append(self.low + k)
                weights.append(self._scaled[k] * powers[most - k // stride])
        total = first ** (most + 1) * self.whole
        common = gcd(total, *weights)
        return values, [weight // common for weight in weights], total // common

    def depth(self, left: Fraction) -> int:
        """The smallest bound, in steps of the recurrence, with a tail below `left`."""
        return deque(self._bounds(left), maxlen=1).pop()

    def _bounds(self, left: Fraction) -> Iterator[int]:
        """Rising bounds, in steps of the recurrence, up to the first with a tail below `left`."""
        step = max(8, len(self.under))
        value, mass = self.low + step, self.mass
        yield value
        while mass - self.below(value) >= left:
            value += step
            yield value

    def too_long(self, left: Fraction) -> bool:
        """Whether the fractions up to ``depth(left)`` are so long that their list takes seconds."""
        bits, most = self.under[0].bit_length() - 1, LONG * self._stride
        return bits * len(self.over) > most or any(
            bits * (value - self.low) > most for value in self._bounds(left)
        )

    def rounded(self, places: int, left: Fraction) -> dict[int, int]:
        """Weights over 2**places, at most the probabilities, until less than `left` is missing.

        Every step of the recurrence rounds. A bound of the accumulated error is subtracted, and as
        many extra binary places are used as the bound has.
        """
        # A first guess of the length from mean and standard deviation, doubled if it is too short.
        mass, first, square = self.moments()
        mean = first / mass
        count = 64 + int(abs(mean - self.low)) + 45 * isqrt(int(abs(square / mass - mean**2)))
        while True:
            found = self._rounded(places, count)
            missing = mass - Fraction(sum(found.values()), 1 << places)
            if missing < left or count > MOST_LISTED:
                return found
            count *= 2

    def _rounded(self, places: int, count: int) -> dict[int, int]:
        # The error of a step affects later steps, multiplied by the coefficients of first / under.
        # With `guard` places, their absolute values add up to at least half of the true sum.
        guard = (2 * count).bit_length()
        ripples = self._expanded([self.under[0]], 1, guard, count)
        errors = [-(-total >> guard - 2) for total in accumulate(map(abs, ripples))]
        more = errors[-1].bit_length() + SPARE
        found = self._expanded(self.over, self.whole, places + more, count)
        below = ((one - error >> more) for one, error in zip(found, errors, strict=True))
        return {self.low + k: weight for k, weight in enumerate(below) if weight > 0}

    def _expanded(self, over: Sequence[int], whole: int, places: int, count: int) -> list[int]:
        """The first coefficients of over / (whole · under) in units of 2**-places.

        Each step rounds down by less than two units, an error that later steps inherit.
        """
        first, *rest = self.under
        steps = [(at, -c) for at, c in enumerate(rest, 1) if c]
        found: list[int] = []
        for k in range(count):
            if not ~k & CHECKED:
                check_time()
            weight = (over[k] << places) // whole if k < len(over) else 0
            weight += sum(c * found[k - at] for at, c in steps if at <= k)
            found.append(weight // first)
        return found

    def cut(self, start: int, left: Fraction) -> Cut:
        """The values from `start` up to a tail below `left`: values, weights, total, tail.

        Cuts are cached, because the same dice are often cut at the same places.
        """
        known = self._cuts.get((start, left))
        if known is None:
            if len(self._cuts) >= MOST_CUTS:
                self._cuts.clear()
            stop = max(start, self.depth(left))
            known = *self.weights(start, stop), self.mass - self.below(stop)
            self._cuts[start, left] = known
        return known

    def __add__(self, other: "GeneratingFunction") -> "GeneratingFunction":
        """The sum of two measures."""
        low = min(self.low, other.low)
        mine = [0] * (self.low - low) + self.over
        theirs = [0] * (other.low - low) + other.over
        mine = [c * other.whole for c in mine]
        theirs = [c * self.whole for c in theirs]
        whole = self.whole * other.whole
        if self.under == other.under:
            return GeneratingFunction(low, add(mine, theirs), self.under, whole)
        over = add(multiply(mine, other.under), multiply(theirs, self.under))
        return GeneratingFunction(low, over, multiply(self.under, other.under), whole)

    def __radd__(self, nothing: int) -> "GeneratingFunction":
        """The measure itself, because sum() starts at 0."""
        return self if nothing == 0 else NotImplemented

    def __sub__(self, other: "GeneratingFunction | int") -> "GeneratingFunction":
        """The difference of two measures; `other` may be 0."""
        if isinstance(other, int):
            return self if other == 0 else NotImplemented
        return self + other.scaled(Fraction(-1))

    def __mul__(self, other: "GeneratingFunction") -> "GeneratingFunction":
        """The law of the sum of two independent numbers."""
        over, under = multiply(self.over, other.over), multiply(self.under, other.under)
        return GeneratingFunction(self.low + other.low, over, under, self.whole * other.whole)

    def scaled(self, factor: Fraction) -> "GeneratingFunction":
        """The measure times a factor."""
        over = [c * factor.numerator for c in self.over]
        return GeneratingFunction(self.low, over, self.under, self.whole * factor.denominator)

    def __truediv__(self, other: "GeneratingFunction") -> "GeneratingFunction":
        """The quotient of two generating functions; the divisor does not vanish at 0."""
        over = [c * other.whole for c in multiply(self.over, other.under)]
        under = multiply(self.under, other.over)
        return GeneratingFunction(self.low - other.low, over, under, self.whole)

    def power(self, n: int) -> "GeneratingFunction":
        """The law of the sum of n independent throws."""
        over, under = (reduce(multiply, repeat(one, n), [1]) for one in (self.over, self.under))
        return GeneratingFunction(n * self.low, over, under, self.whole**n)

    def moved(self, by: int) -> "GeneratingFunction":
        """The law of the number plus a constant."""
        return GeneratingFunction(self.low + by, self.over, self.under, self.whole)

    def stretched(self, factor: int) -> "GeneratingFunction":
        """The law of the number times a factor, 1 or more.

        >>> polynomial({1: 1, 2: 3}, 4).stretched(5).chance(10)
        Fraction(3, 4)
        """
        over, under = ([0] * ((len(one) - 1) * factor + 1) for one in (self.over, self.under))
        over[::factor], under[::factor] = self.over, self.under
        return GeneratingFunction(factor * self.low, over, under, self.whole)

    def as_law(self) -> "GeneratingFunction":
        """The law itself."""
        return self

    @property
    def finite(self) -> bool:
        """Whether the support is finite."""
        return len(self.under) == 1


def polynomial(table: dict[int, int], total: int) -> GeneratingFunction:
    """The law of finitely many values with whole weights over a total."""
    if not table:
        return GeneratingFunction(0, [], [1])
    low = min(table)
    over = [0] * (max(table) - low + 1)
    for value, weight in table.items():
        over[value - low] = weight
    return GeneratingFunction(low, over, [1], total)
