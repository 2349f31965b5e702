"""What is known of covered numbers on one path: distributions that answers cut down.

A *line* is the distribution of one whole number: a die, or a sum of dice that a question was asked
about. When a later question does not fit the line (``a > b`` was asked, now ``a`` alone), the line
falls back to *rows*, the joint values of its parts that agree with every answer so far.

Weights are absolute: after a question the line keeps the weights that agree with the answer, and
the path's own weight is multiplied by their sum.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Union

from kitchentable.dice.errors import TooManyPaths
from kitchentable.dice.solving.law import Law

Terms = tuple[tuple[int, int], ...]
Amount = int | Fraction
Group = Union["Line", "LawLine", "Rows"]
Finite = Union["Line", "Rows"]

MOST_ROWS = 60_000
# Where an endless distribution must be cut, less than this is left undecided.
LEFT = Fraction(1, 2**72)


class Line:
    """The weights of one whole number, `form` of the covered numbers, values rising."""

    __slots__ = ("charged", "form", "mass", "parts", "total", "values", "weights")

    def __init__(
        self,
        form: Terms,
        values: Sequence[int],
        weights: Sequence[int],
        total: int,
        *,
        mass: int,
        charged: bool,
        parts: tuple[Finite, ...] = (),
    ) -> None:
        self.form = form
        self.values = values
        self.weights = weights
        self.total = total
        self.mass = mass
        self.charged = charged
        self.parts = parts

    def _slice(self, start: int, stop: int) -> "Line | None":
        if start >= stop:
            return None
        weights = self.weights[start:stop]
        return Line(
            self.form,
            self.values[start:stop],
            weights,
            self.total,
            mass=sum(weights),
            charged=True,
            parts=self.parts,
        )

    def at(self, index: int) -> "Line":
        """The part at one of its values."""
        return Line(
            self.form,
            self.values[index : index + 1],
            self.weights[index : index + 1],
            self.total,
            mass=self.weights[index],
            charged=True,
            parts=self.parts,
        )

    def at_least(self, bound: int) -> tuple["Line | None", "Line | None"]:
        """The part from a bound up, and the part below it."""
        at = bisect_left(self.values, bound)
        return self._slice(at, len(self.values)), self._slice(0, at)

    def equal(self, value: int) -> tuple["Line | None", "Line | None"]:
        """The part at a value, and the rest."""
        at = bisect_left(self.values, value)
        if at == len(self.values) or self.values[at] != value:
            return None, self._slice(0, len(self.values))
        values = [*self.values[:at], *self.values[at + 1 :]]
        weights = [*self.weights[:at], *self.weights[at + 1 :]]
        rest = None
        if values:
            rest = Line(
                self.form,
                values,
                weights,
                self.total,
                mass=self.mass - self.weights[at],
                charged=True,
                parts=self.parts,
            )
        return self._slice(at, at + 1), rest

    def rows(self) -> "Rows":
        """The joint values of the parts that agree with this line."""
        if not self.parts:
            own = zip(self.values, self.weights, strict=True)
            return Rows((self.form[0][0],), [((value,), weight) for value, weight in own])
        inner = [part.rows() for part in self.parts]
        count = 1
        for one in inner:
            count *= len(one.table)
        if count > MOST_ROWS:
            raise TooManyPaths("Too many combinations of dice are asked about together.")
        names = tuple(name for one in inner for name in one.names)
        kept = set(self.values)
        place = {name: at for at, name in enumerate(names)}
        steps = [(place[name], factor) for name, factor in self.form]
        table = []
        for chosen in product(*(one.table for one in inner)):
            values = tuple(value for row, _ in chosen for value in row)
            if sum(factor * values[at] for at, factor in steps) in kept:
                weight = 1
                for _, one_weight in chosen:
                    weight *= one_weight
                table.append((values, weight))
        return Rows(names, table)


class LawLine:
    """An endless distribution of one covered number, between bounds and without some values."""

    __slots__ = ("charged", "form", "law", "mass", "start", "stop", "without")

    def __init__(
        self,
        form: Terms,
        law: Law,
        start: int,
        stop: int | None,
        without: frozenset[int],
        *,
        charged: bool,
    ) -> None:
        self.form = form
        self.law = law
        self.start = start
        self.stop = stop
        self.without = without
        self.charged = charged
        above = law.mass if stop is None else law.below(stop)
        gone = sum((law.chance(value) for value in without), Fraction(0))
        self.mass = above - law.below(start) - gone

    def _between(self, start: int, stop: int | None) -> "LawLine | None":
        without = frozenset(
            value for value in self.without if value >= start and (stop is None or value < stop)
        )
        part = LawLine(self.form, self.law, start, stop, without, charged=True)
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
        rest = LawLine(
            self.form, self.law, self.start, self.stop, self.without | {value}, charged=True
        )
        return self._between(value, value + 1), rest if rest.mass else None

    def cut(self) -> tuple[Line, Fraction]:
        """The line of finitely many values, and the chance that lies beyond them."""
        stop, lost = self.stop, Fraction(0)
        if stop is None:
            stop = max(self.start, self.law.depth(LEFT))
            lost = self.law.mass - self.law.below(stop)
        values, weights, total = self.law.weights(self.start, stop)
        if self.without:
            kept = [at for at, value in enumerate(values) if value not in self.without]
            values, weights = [values[at] for at in kept], [weights[at] for at in kept]
        line = Line(self.form, values, weights, total, mass=sum(weights), charged=False)
        return line, lost

    def restricted(self) -> Law:
        """The law of exactly these values; only where they have no end."""
        law = self.law
        gone = {value: -law.chance(value) for value in self.without}
        for value in range(law.low, self.start):
            gone[value] = -law.chance(value)
        for value, chance in gone.items():
            law = law.plus(Law(value, [chance.numerator], [chance.denominator]))
        return law


class Rows:
    """Joint values of several covered numbers with their weights."""

    __slots__ = ("charged", "mass", "names", "table")

    def __init__(self, names: tuple[int, ...], table: list[tuple[tuple[int, ...], int]]) -> None:
        self.names = names
        self.table = table
        self.mass = sum(weight for _, weight in table)
        self.charged = True

    def rows(self) -> "Rows":
        """Itself."""
        return self

    def _of(self, terms: Terms) -> Callable[[tuple[int, ...]], int]:
        place = {name: at for at, name in enumerate(self.names)}
        steps = [(place[name], factor) for name, factor in terms]
        if len(steps) == 1:
            ((at, factor),) = steps
            return lambda row: factor * row[at]
        return lambda row: sum(factor * row[at] for at, factor in steps)

    def spread(self, terms: Terms) -> tuple[list[int], list[int]]:
        """The distribution of a form of the joint values."""
        value_of = self._of(terms)
        table: dict[int, int] = {}
        for row, weight in self.table:
            value = value_of(row)
            table[value] = table.get(value, 0) + weight
        values = sorted(table)
        return values, [table[value] for value in values]

    def divided(
        self, terms: Terms, agrees: Callable[[int], bool]
    ) -> tuple["Rows | None", "Rows | None"]:
        """The rows whose form agrees, and the others."""
        value_of = self._of(terms)
        yes, no = [], []
        for entry in self.table:
            (yes if agrees(value_of(entry[0])) else no).append(entry)
        return (
            Rows(self.names, yes) if yes else None,
            Rows(self.names, no) if no else None,
        )


def divide(amount: Amount, mass: Amount) -> Amount:
    """A path's weight without the factor that a line contributed to it."""
    if type(amount) is int and type(mass) is int:
        return amount // mass
    return Fraction(amount) / mass


def fresh_law_line(form: Terms, law: Law) -> LawLine:
    """An endless number that nothing was asked about."""
    return LawLine(form, law, law.low, None, frozenset(), charged=False)


Groups = Mapping[int, Group]
