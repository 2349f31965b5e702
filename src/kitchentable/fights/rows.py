"""Amounts by round: the chance of reaching a state in the first round, the second, and so on.

A row has the amounts before the first round, in each separate round, and in all later rounds
together. Rows can be added, and multiplied by a chance, like single amounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Any


class Row(tuple[Any, ...]):
    """A row of amounts.

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


def make_row(rounds: int, begun: int, amount: Any) -> Row:
    """Make a row with one amount, in the round `begun`; 0 is before the first round."""
    amounts = [0 * amount] * (rounds + 2)
    amounts[begun] = amount
    return Row(amounts)


def close_row(arrived: Sequence[Any], stay: Any, leaves: Any) -> tuple[Row, Row | None]:
    """The amounts of new rounds: from arrivals in the previous round, and from unchanged rounds.

    `stay` is the chance that a round changes nothing, `leaves` the chance of a change. Division by
    `leaves` closes the later rounds, which are one amount. If `leaves` is None, the fight is
    stopped after the last round, and the second row has the stopped amount.
    """
    *each, last, later = arrived
    begun = [0 * last]
    for amount in each:
        begun.append(amount + begun[-1] * stay)
    still = last + begun[-1] * stay
    if leaves is None:
        none = 0 * last
        return Row([*begun, none]), Row([*[none] * len(each), still, none])
    return Row([*begun, (still + later) / leaves]), None


def add_rows(rows: Sequence[Any]) -> Any:
    """The sum of rows."""
    total = rows[0]
    for row in rows[1:]:
        total = total + row
    return total
