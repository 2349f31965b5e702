"""Amounts by round: the chance of reaching a state in the first round, the second, and so on.

A row has the amounts before the first round, in each round up to the last separate one, and in all
later rounds together. Rows can be added and multiplied by a chance like single amounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import add
from typing import Any

from kitchentable.fights.arrays import find_numpy


class Row(tuple[Any, ...]):
    """A row of fractions, or of floats without numpy.

    >>> Row((1, 2)) + Row((3, 4)) * 2
    (7, 10)
    """

    __slots__ = ()

    def __add__(self, other: Any) -> Row:
        return Row(map(add, self, other)) if other else self

    __radd__ = __add__

    def __mul__(self, chance: Any) -> Row:
        return Row([amount * chance for amount in self])

    __rmul__ = __mul__


def make_row(rounds: int, begun: int, amount: Any, *, many: bool) -> Any:
    """A row with one amount, in the round `begun`; 0 is before the first.

    For `many` rows of floats this is a numpy array, if numpy is installed.
    """
    amounts = [0 * amount] * (rounds + 2)
    amounts[begun] = amount
    numpy = find_numpy() if many and not isinstance(amount, Fraction) else None
    return Row(amounts) if numpy is None else numpy.array(amounts)


def close_row(arrived: Sequence[Any], stay: Any, leaves: Any) -> tuple[Any, Any]:
    """The amounts of new rounds: from arrivals in the round before, and from unchanged rounds.

    `stay` is the chance that a round changes nothing, `leaves` the chance that it does; dividing by
    `leaves` closes the later rounds, which are kept as one amount. Where `leaves` is None the fight
    stops after the last round, and the second row has the amount that is stopped.
    """
    before = add_rows(arrived)
    *each, last, later = before if isinstance(before, Row) else before.tolist()
    begun = [0 * last]
    for amount in each:
        begun.append(amount + begun[-1] * stay)
    make = Row if isinstance(before, Row) else find_numpy().array
    still = last + begun[-1] * stay
    if leaves is None:
        none = 0 * last
        return make([*begun, none]), make([*[none] * len(each), still, none])
    return make([*begun, (still + later) / leaves]), None


def add_rows(rows: Sequence[Any]) -> Any:
    """The sum of rows."""
    total = rows[0]
    for row in rows[1:]:
        total = total + row
    return total


def list_row(row: Any) -> tuple[Any, ...]:
    """The amounts of a row as plain numbers."""
    return tuple(row) if isinstance(row, Row) else tuple(row.tolist())
