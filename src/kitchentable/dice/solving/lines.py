"""The conditional distributions of symbolic numbers, given the answers on one path.

A *line* is the distribution of one linear form: a die, or a sum of dice that was compared. If a
later question needs more than the line (first ``a > b``, then ``a`` alone), the line is expanded to
*rows*, the joint values of its parts that agree with every answer so far.

Weights are absolute: a line keeps the weights that agree with the answers, and the sum of these
weights is a factor of the path's weight.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import NoReturn, Union

from kitchentable.dice.errors import TooManyPaths
from kitchentable.dice.solving.generating_function import GeneratingFunction
from kitchentable.dice.solving.keys import Key, NeedsWhole
from kitchentable.dice.solving.sums import in_order, new_table

Terms = tuple[tuple[int, int], ...]
Amount = int | Fraction
Group = Union["Line", "LawLine", "Rows"]
Finite = Union["Line", "Rows"]

MOST_ROWS = 60_000
# The largest tail that may be cut off an infinite support.
LEFT = Fraction(1, 2**72)


class Line:
    """The weights of `form`, a linear form of symbolic numbers, by rising values."""

    __slots__ = ("_rows", "form", "mass", "names", "parts", "values", "weights")

    def __init__(
        self,
        form: Terms,
        values: Sequence[int],
        weights: Sequence[int],
        mass: int,
        parts: tuple[Finite, ...] = (),
        names: tuple[int, ...] = (),
    ) -> None:
        self.form = form
        self.names = names or (form[0][0],)
        self.values = values
        self.weights = weights
        self.mass = mass
        self.parts = parts
        self._rows: Rows | None = None

    def _part(self, values: Sequence[int], weights: Sequence[int], mass: int) -> "Line":
        """The line restricted to these values."""
        return Line(self.form, values, weights, mass, self.parts, self.names)

    def at(self, index: int) -> "Line":
        """The part at the value with this index."""
        weight = self.weights[index]
        return self._part([self.values[index]], [weight], weight)

    def at_least(self, bound: int) -> tuple["Line | None", "Line | None"]:
        """The part from a bound up, and the part below it."""
        values, weights = self.values, self.weights
        at = bisect_left(values, bound)
        if at in {0, len(values)}:
            whole = self._part(values, weights, self.mass)
            return (None, whole) if at else (whole, None)
        above = sum(weights[at:])
        return (
            self._part(values[at:], weights[at:], above),
            self._part(values[:at], weights[:at], self.mass - above),
        )

    def equal(self, value: int) -> tuple["Line | None", "Line | None"]:
        """The part at a value, and the rest."""
        values, weights = self.values, self.weights
        at = bisect_left(values, value)
        if at == len(values) or values[at] != value:
            return None, self._part(values, weights, self.mass)
        if len(values) == 1:
            return self.at(at), None
        others, left = _without(values, at), _without(weights, at)
        return self.at(at), self._part(others, left, self.mass - weights[at])

    @property
    def size(self) -> int:
        """An upper bound for the number of rows, without listing them."""
        if self._rows is not None:
            return len(self._rows.table)
        return prod([part.size for part in self.parts]) if self.parts else len(self.values)

    @property
    def kept(self) -> Sequence[int]:
        """The values that the answers allow, a superset of the support."""
        return self.values

    def rows(self) -> "Rows":
        """The joint values of the parts that agree with this line."""
        if self._rows is None:
            if self.parts:
                whole = joined([part.rows() for part in self.parts])
                kept = self.kept if isinstance(self.kept, range) else set(self.kept)
                found = zip(whole.table, whole.values(self.form), strict=True)
                self._rows = Rows(whole.names, [row for row, value in found if value in kept])
            else:
                own = zip(self.values, self.weights, strict=True)
                name = self.form[0][0]
                self._rows = Rows((name,), [((value,), weight) for value, weight in own])
        return self._rows


def _without(items: Sequence[int], at: int) -> Sequence[int]:
    before, after = items[:at], items[at + 1 :]
    return [*before, *after] if before and after else before or after


class LawLine:
    """An infinite distribution of one symbolic number, within bounds and without some values."""

    __slots__ = ("form", "law", "mass", "names", "start", "stop", "without")

    def __init__(
        self,
        form: Terms,
        law: GeneratingFunction,
        start: int,
        stop: int | None,
        without: frozenset[int],
    ) -> None:
        self.form = form
        self.names = (form[0][0],)
        self.law = law
        self.start = start
        self.stop = stop
        self.without = without
        above = law.mass if stop is None else law.below(stop)
        gone = sum((law.chance(value) for value in without), Fraction(0))
        self.mass = above - law.below(start) - gone

    def _between(self, start: int, stop: int | None) -> "LawLine | None":
        without = frozenset(
            value for value in self.without if value >= start and (stop is None or value < stop)
        )
        part = LawLine(self.form, self.law, start, stop, without)
        return part if part.mass else None

    def at_least(self, bound: int) -> tuple["LawLine | None", "LawLine | None"]:
        """The part from a bound up, and the part below it."""
        if self.stop is not None and bound >= self.stop:
            return None, self._between(self.start, self.stop)
        if bound <= self.start:
            return self._between(self.start, self.stop), None
        return self._between(bound, self.stop), self._between(self.start, bound)

    def equal(self, value: int) -> tuple["LawLine | None", "LawLine | None"]:
        """The part at a value, and the rest."""
        inside = value >= self.start and (self.stop is None or value < self.stop)
        if not inside or value in self.without or not self.law.chance(value):
            return None, self._between(self.start, self.stop)
        rest = LawLine(self.form, self.law, self.start, self.stop, self.without | {value})
        return self._between(value, value + 1), rest if rest.mass else None

    def cut(self) -> tuple[Line, int, Fraction]:
        """The line of finitely many values, the total of its weights and the tail's probability."""
        if self.stop is None:
            values, weights, total, lost = self.law.cut(self.start, LEFT)
        else:
            values, weights, total = self.law.weights(self.start, self.stop)
            lost = Fraction(0)
        if self.without:
            kept = [at for at, value in enumerate(values) if value not in self.without]
            values, weights = [values[at] for at in kept], [weights[at] for at in kept]
        return Line(self.form, values, weights, sum(weights)), total, lost

    def restricted(self) -> GeneratingFunction:
        """The law of exactly these values, if there is no upper bound."""
        law = self.law
        gone = {value: -law.chance(value) for value in self.without}
        for value in range(law.low, self.start):
            gone[value] = -law.chance(value)
        for value, chance in gone.items():
            law += GeneratingFunction(value, [chance.numerator], [chance.denominator])
        return law


class Rows:
    """The joint distribution of several symbolic numbers, as a table of weights."""

    __slots__ = ("mass", "names", "table")

    def __init__(self, names: tuple[int, ...], table: list[tuple[tuple[int, ...], int]]) -> None:
        self.names = names
        self.table = table
        self.mass = sum(weight for _, weight in table)

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.table)

    def rows(self) -> "Rows":
        """The rows themselves."""
        return self

    def values(self, terms: Terms) -> list[int]:
        """The value of a linear form in each row."""
        place = {name: at for at, name in enumerate(self.names)}
        if len(terms) == 1:
            at, one = place[terms[0][0]], terms[0][1]
            return [one * row[at] for row, _ in self.table]
        if len(terms) == 2:
            (first, one), (second, two) = terms
            at, to = place[first], place[second]
            return [one * row[at] + two * row[to] for row, _ in self.table]
        steps = [(place[name], factor) for name, factor in terms]
        return [sum([factor * row[at] for at, factor in steps]) for row, _ in self.table]

    def spread(self, terms: Terms) -> tuple[Sequence[int], Sequence[int]]:
        """The distribution of a linear form of the joint values."""
        table = new_table()
        for (_, weight), value in zip(self.table, self.values(terms), strict=True):
            table[value] += weight
        return in_order(table)

    def divided(
        self, terms: Terms, const: int, *, at_least: bool
    ) -> tuple["Rows | None", "Rows | None"]:
        """The rows in which a form plus a constant is at least 0 (or is 0), and the others."""
        yes: list[tuple[tuple[int, ...], int]] = []
        no: list[tuple[tuple[int, ...], int]] = []
        for row, value in zip(self.table, self.values(terms), strict=True):
            agrees = value + const >= 0 if at_least else value + const == 0
            (yes if agrees else no).append(row)
        return (
            Rows(self.names, yes) if yes else None,
            Rows(self.names, no) if no else None,
        )

    def pieces(self, terms: Terms) -> "list[tuple[int, Rows]]":
        """The rows grouped by the value of a linear form."""
        table: dict[int, list[tuple[tuple[int, ...], int]]] = defaultdict(list)
        for row, value in zip(self.table, self.values(terms), strict=True):
            table[value].append(row)
        return [(value, Rows(self.names, table[value])) for value in sorted(table)]

    def apart(self, name: int) -> "dict[int, Finite]":
        """A number with the same value in all rows, and the rows without it."""
        at = self.names.index(name)
        value = self.table[0][0][at]
        others = self.names[:at] + self.names[at + 1 :]
        rest = Rows(others, [(row[:at] + row[at + 1 :], weight) for row, weight in self.table])
        return {name: Line(((name, 1),), [value], [1], 1), **dict.fromkeys(others, rest)}


class HandedOver:
    """The mark of a number that now belongs to the call `key`."""

    __slots__ = ("key",)

    def __init__(self, key: Key) -> None:
        self.key = key

    def refuse(self) -> NoReturn:
        """Refuse a question about the number. Errors: NeedsWhole."""
        raise NeedsWhole(self.key)


def joined(parts: Sequence[Rows]) -> Rows:
    """The joint distribution of independent groups."""
    if len(parts) == 1:
        return parts[0]
    if prod([len(part.table) for part in parts]) > MOST_ROWS:
        raise TooManyPaths(
            "A question depends on too many combinations of dice. Throw dice that belong "
            "together with dice.total(...) or dice.pool(...)."
        )
    names = tuple(name for part in parts for name in part.names)
    table = parts[0].table
    for part in parts[1:]:
        table = [
            (row + other, weight * more) for row, weight in table for other, more in part.table
        ]
    return Rows(names, table)


def divide(amount: Amount, mass: Amount) -> Amount:
    """A path's weight without the factor of one line."""
    if type(amount) is int and type(mass) is int:
        return amount // mass
    return Fraction(amount) / mass


def fresh_law_line(form: Terms, law: GeneratingFunction) -> LawLine:
    """The line of an infinite distribution before any question."""
    return LawLine(form, law, law.low, None, frozenset())


Groups = Mapping[int, Group | HandedOver]
