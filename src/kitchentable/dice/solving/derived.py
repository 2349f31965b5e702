"""Products of symbolic numbers, and hits among a symbolic number of dice.

The new number joins the joint distribution of the numbers from which it is computed, so that later
answers about any of these numbers agree. If the joint distribution would be too large, the numbers
are read instead.
"""

from collections.abc import Callable, Sequence
from math import comb, prod
from typing import Any

from kitchentable.dice.die import MOST_DICE
from kitchentable.dice.solving.lines import MOST_ROWS, Finite, LawLine, Rows, Terms, joined
from kitchentable.dice.solving.marginals import own_spread
from kitchentable.dice.solving.queries import Situation
from kitchentable.dice.solving.solution import Spread
from kitchentable.dice.solving.sums import in_order, new_table
from kitchentable.dice.solving.throws import weigh
from kitchentable.dice.solving.walk import Walk

Table = list[tuple[tuple[int, ...], int]]
# A linear form of symbolic numbers, and a constant.
Part = tuple[Terms, int]


class Products(Rows):
    """The joint rows of two independent numbers and their product, listed on first use."""

    __slots__ = ("_a", "_all", "_b", "_parts")

    def __init__(self, names: tuple[int, ...], parts: Sequence[Finite], a: Part, b: Part) -> None:
        self.names = names
        self.mass = parts[0].mass * parts[1].mass
        self._parts = parts
        self._a = a
        self._b = b
        self._all: Table | None = None

    @property
    def size(self) -> int:
        """The number of rows."""
        return self._parts[0].size * self._parts[1].size

    @property
    def table(self) -> Table:  # type: ignore[override]
        """The joint values with their weights."""
        if self._all is None:
            known = joined([part.rows() for part in self._parts])
            self._all = _with_product(known, self._a, self._b)
        return self._all

    def spread(self, terms: Terms) -> tuple[Sequence[int], Sequence[int]]:
        """The distribution of a linear form; the product alone needs no list of rows."""
        if terms != ((self.names[-1], 1),):
            return super().spread(terms)
        found = new_table()
        first, second = (
            own_spread(part, form) or part.rows().spread(form)
            for part, (form, _) in zip(self._parts, (self._a, self._b), strict=True)
        )
        rows = [(y + self._b[1], weight) for y, weight in zip(*second, strict=True)]
        for x, weight in zip(*first, strict=True):
            here = x + self._a[1]
            for y, ways in rows:
                found[here * y] += weight * ways
        return in_order(found)


def product(walk: Walk, a: Part, b: Part) -> Terms | None:
    """The product of two numbers as a new number; None if they must be read."""

    def rows(situation: Situation) -> tuple[Rows, int] | None:
        one, two = (_groups(situation, (number,)) for number in (a, b))
        if one is None or two is None or prod([g.size for g in (*one, *two)]) > MOST_ROWS:
            return None
        name = len(walk.script)
        if len(one) == len(two) == 1 and one[0] is not two[0]:
            parts = (*one, *two)
            for group in parts:
                situation.release(group)
            names = (*one[0].names, *two[0].names, name)
            return Products(names, parts, a, b), 1
        known = _joined(situation, (a, b))
        if known is None:
            return None
        return Rows((*known.names, name), _with_product(known, a, b)), 1

    return _derive(walk, ("product", *a, *b), rows)


def hits_of(walk: Walk, n: Part, one: Spread, faces: tuple[Any, ...]) -> Terms | None:
    """The hits among a symbolic number of dice as a new number; None if n must be read."""
    yes, no = weigh(one, faces)

    def rows(situation: Situation) -> tuple[Rows, int] | None:
        known = _joined(situation, (n,))
        if known is None:
            return None
        dice = [value + n[1] for value in known.values(n[0])]
        most = max(dice)
        if min(dice) < 0 or most > MOST_DICE or sum(dice) + len(dice) > MOST_ROWS:
            return None
        table = {
            count: [
                (k, comb(count, k) * yes**k * no ** (count - k) * one.total ** (most - count))
                for k in range(0 if no else count, count + 1 if yes else 1)
            ]
            for count in set(dice)
        }
        names = (*known.names, len(walk.script))
        hits = [table[count] for count in dice]
        return Rows(names, _with_number(known.table, hits)), one.total**most

    return None if one.lost else _derive(walk, ("hits of", *n, yes, no), rows)


def _derive(
    walk: Walk, request: Any, rows: Callable[[Situation], tuple[Rows, int] | None]
) -> Terms | None:
    """The new number, from the script or as a new step; None if numbers must be read."""
    if walk.pos < len(walk.script):
        if walk.script[walk.pos].request != request:
            return None
        walk.pos += 1
        return walk.script[walk.pos - 1].value  # type: ignore[no-any-return]
    situation = Situation(walk)
    made = rows(situation)
    if made is None:
        return None
    whole, total = made
    groups = {**situation.groups, **dict.fromkeys(whole.names, whole)}
    option = ((len(walk.script), 1),), situation.weight * whole.mass, groups
    return walk.branch(request, [option], situation.total * total)  # type: ignore[no-any-return]


def _groups(situation: Situation, numbers: Sequence[Part]) -> list[Finite] | None:
    """The groups that contain the given numbers; None if one has infinite support."""
    found: dict[int, Finite] = {}
    for terms, _ in numbers:
        for name, _ in terms:
            group = situation.group(name)
            if isinstance(group, LawLine):
                return None
            found[id(group)] = group
    return list(found.values())


def _joined(situation: Situation, numbers: Sequence[Part]) -> Rows | None:
    """The joint rows of numbers, divided out of the path's weight; None if there are too many."""
    groups = _groups(situation, numbers)
    if groups is None or prod([group.size for group in groups]) > MOST_ROWS:
        return None
    for group in groups:
        situation.release(group)
    return joined([group.rows() for group in groups])


def _with_product(known: Rows, a: Part, b: Part) -> Table:
    """The rows, each with the product of two numbers added as a column."""
    values = zip(known.values(a[0]), known.values(b[0]), strict=True)
    return _with_number(known.table, [[((x + a[1]) * (y + b[1]), 1)] for x, y in values])


def _with_number(known: Table, values: Sequence[Sequence[tuple[int, int]]]) -> Table:
    """The rows, each with one more number as a column."""
    return [
        ((*row, value), weight * ways)
        for (row, weight), some in zip(known, values, strict=True)
        for value, ways in some
    ]
