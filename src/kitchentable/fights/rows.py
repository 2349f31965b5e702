"""Amounts told apart by round: how much of a fight comes here in its first round, its second ...

A row has the amounts before the first round, in each round up to the last that is told apart, and
in all later ones together. It is added to others and multiplied by a chance like a single amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import add
from typing import Any

from kitchentable.fights.arrays import find_numpy


class Row(tuple[Any, ...]):
    """A row without numpy, or of fractions.

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
    """A row with one amount, in the round that has begun; 0 for before the first.

    Where there will be `many` rows of floats, numpy makes it where it is installed.
    """
    amounts = [0 * amount] * (rounds + 2)
    amounts[begun] = amount
    numpy = find_numpy() if many and not isinstance(amount, Fraction) else None
    return Row(amounts) if numpy is None else numpy.array(amounts)


def close_row(arrived: Sequence[Any], stay: Any, leaves: Any) -> Any:
    """How many rounds begin: what arrived in the round before, and what that round left unchanged.

    `stay` is the chance that a round changes nothing, `leaves` the chance that it does; by that
    the later rounds, which are told together, are closed.
    """
    before = add_rows(arrived)
    *each, last, later = before if isinstance(before, Row) else before.tolist()
    begun = [0 * last]
    for amount in each:
        begun.append(amount + begun[-1] * stay)
    begun.append((last + begun[-1] * stay + later) / leaves)
    return Row(begun) if isinstance(before, Row) else find_numpy().array(begun)


def add_rows(rows: Sequence[Any]) -> Any:
    """The sum of rows."""
    total = rows[0]
    for row in rows[1:]:
        total = total + row
    return total


def list_row(row: Any) -> tuple[Any, ...]:
    """The amounts of a row as plain numbers."""
    return tuple(row) if isinstance(row, Row) else tuple(row.tolist())
