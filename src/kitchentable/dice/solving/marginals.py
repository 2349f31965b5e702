"""The conditional distribution of one summand, given answers about the sum.

After ``a > b``, a question about ``a`` alone needs the marginal distribution of ``a``. To get it
from the joint distribution, every pair would be listed. Instead each weight of ``a`` is a sum over
``b``, and all these sums together are one convolution. Pairs are listed only if a question needs
them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate

from kitchentable.dice.solving.lines import Finite, Line, Terms
from kitchentable.dice.solving.sums import convolve, scaled

#: Two numbers with at most this many values are convolved immediately.
FEW = 32
#: Values in rising order, and their whole weights.
Values = tuple[Sequence[int], Sequence[int]]


def factor_of(part: Terms, form: Terms) -> int | None:
    """The whole number by which `form` must be multiplied to give `part`, or None.

    >>> factor_of(((0, 4), (1, -2)), ((0, 2), (1, -1))), factor_of(((0, 1),), ((0, 2),))
    (2, None)
    """
    if part == form:
        return 1
    if len(part) != len(form):
        return None
    factor, rest = divmod(part[0][1], form[0][1])
    if rest or any(
        name != other or have != factor * base
        for (name, have), (other, base) in zip(part, form, strict=True)
    ):
        return None
    return factor


def own_line(group: Finite, part: Terms) -> tuple[Line, int] | None:
    """The group's line and the factor that gives the form, if the line determines the form."""
    if isinstance(group, Line):
        factor = factor_of(part, group.form)
        if factor is not None:
            return group, factor
    return None


def own_spread(group: Finite, part: Terms) -> Values | None:
    """The distribution of a linear form, if the group's line determines the form."""
    own = own_line(group, part)
    return scaled((own[0].values, own[0].weights), own[1]) if own is not None else None


def marginal(group: Finite, part: Terms) -> Values | None:
    """The marginal distribution of one summand of a group's line.

    Returns None if the form is not a summand of the line, so that joint rows are needed.
    """
    if not isinstance(group, Line) or not group.parts:
        return None
    summands = [_within(group.form, one) for one in group.parts]
    factors = [factor_of(part, form) if form else None for form in summands]
    at = next((at for at, factor in enumerate(factors) if factor is not None), None)
    if at is None:
        return None
    rest: Values = ([0], [1])
    for place, (one, form) in enumerate(zip(group.parts, summands, strict=True)):
        if place != at and form:
            rest = convolve(rest, _spread(one, form))
    values, weights = _spread(group.parts[at], summands[at])
    # The weight of v is the weight of the rest at all kept sums minus v.
    often = count_ways(group.kept, rest, values)
    left = [(v, w * ways) for v, w, ways in zip(values, weights, often, strict=True) if ways]
    return scaled(([v for v, _ in left], [w for _, w in left]), factors[at] or 1)


def count_ways(kept: Sequence[int], rest: Values, values: Sequence[int]) -> Sequence[int]:
    """For each value, the weight of the rest that gives a kept sum with this value.

    >>> list(count_ways([5, 6], ([1, 2, 3], [1, 10, 100]), [2, 4, 9]))
    [100, 11, 0]
    """
    first, last = kept[0], kept[-1]
    if not isinstance(kept, range) and last - first + 1 != len(kept):
        table = dict(zip(*convolve((kept, [1] * len(kept)), scaled(rest, -1)), strict=True))
        return [table.get(value, 0) for value in values]
    below = [0, *accumulate(rest[1])]
    others = rest[0]
    start, span = others[0], others[-1] - others[0] + 1
    if span == len(others):
        tops = [min(max(last - start - value + 1, 0), span) for value in values]
        lows = [min(max(first - start - value, 0), span) for value in values]
    else:
        tops = [bisect_right(others, last - value) for value in values]
        lows = [bisect_left(others, first - value) for value in values]
    return [below[top] - below[low] for top, low in zip(tops, lows, strict=True)]


class Sums(Line):
    """The sums of two independent numbers within bounds, convolved only on demand.

    The probability that one number reaches the other needs only sums of ranges.
    """

    __slots__ = ("_added", "_bounds", "_ones", "_others")

    def __init__(
        self,
        form: Terms,
        parts: tuple[Finite, ...],
        ones: Values,
        others: Values,
        *,
        bounds: tuple[int, int],
        mass: int,
    ) -> None:
        self.form = form
        self.names = tuple([name for group in parts for name in group.names])
        self.mass = mass
        self.parts = parts
        self._rows = None
        self._ones = ones
        self._others = others
        self._bounds = bounds
        self._added: Values | None = None

    def _values(self) -> Values:
        if self._added is None:
            values, weights = convolve(self._ones, self._others)
            start = bisect_left(values, self._bounds[0])
            stop = bisect_right(values, self._bounds[1])
            self._added = values[start:stop], weights[start:stop]
        return self._added

    @property
    def values(self) -> Sequence[int]:  # type: ignore[override]
        """The sums in rising order."""
        return self._values()[0]

    @property
    def weights(self) -> Sequence[int]:  # type: ignore[override]
        """The weights of the sums."""
        return self._values()[1]

    @property
    def kept(self) -> Sequence[int]:
        """All numbers within the bounds."""
        return range(self._bounds[0], self._bounds[1] + 1)

    def at_least(self, bound: int) -> tuple[Line | None, Line | None]:
        """The part from a bound up, and the part below it."""
        first, last = self._bounds
        if bound <= first or bound > last:
            return (self, None) if bound <= first else (None, self)
        ways = count_ways(range(bound, last + 1), self._others, self._ones[0])
        above = sum([weight * way for weight, way in zip(self._ones[1], ways, strict=True)])
        return self._between((bound, last), above), self._between(
            (first, bound - 1), self.mass - above
        )

    def equal(self, value: int) -> tuple[Line | None, Line | None]:
        """The part at a value, and the rest; at a bound no convolution is needed."""
        first, last = self._bounds
        if not first <= value <= last:
            return None, self
        if value == last:
            return self.at_least(value)
        if value == first:
            above, at = self.at_least(value + 1)
            return at, above
        return super().equal(value)

    def _between(self, bounds: tuple[int, int], mass: int) -> Line | None:
        if not mass:
            return None
        return Sums(self.form, self.parts, self._ones, self._others, bounds=bounds, mass=mass)


def add_up(form: Terms, parts: Sequence[Finite], spreads: Sequence[Values]) -> Line:
    """The line of a linear form over independent groups, from its distribution in each."""
    if len(spreads) == 2 and min(len(values) for values, _ in spreads) > FEW:
        ones, others = spreads
        bounds = ones[0][0] + others[0][0], ones[0][-1] + others[0][-1]
        mass = sum(ones[1]) * sum(others[1])
        return Sums(form, tuple(parts), ones, others, bounds=bounds, mass=mass)
    nothing: Values = ([0], [1])
    values, weights = reduce(convolve, spreads, nothing)
    names = tuple([name for group in parts for name in group.names])
    return Line(form, values, weights, sum(weights), tuple(parts), names)


def _within(form: Terms, group: Finite) -> Terms:
    """The terms of a linear form that belong to a group."""
    return tuple(term for term in form if term[0] in group.names)


def _spread(group: Finite, form: Terms) -> Values:
    return own_spread(group, form) or marginal(group, form) or group.rows().spread(form)
