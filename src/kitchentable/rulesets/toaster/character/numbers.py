"""The one sum that is everywhere in Toaster: the average of two numbers."""

from __future__ import annotations


def average(first: int, second: int) -> int:
    """Half of both together, whatever is behind the decimal point dropped.

    toaster.1.average; dropping the decimals of a negative number takes it towards zero
    (toaster.1.average-negative, A-01).

    >>> average(5, 8), average(6, 9), average(0, 1), average(-1, 0), average(-3, 0)
    (6, 7, 0, 0, -1)
    """
    return halved(first + second)


def halved(total: int) -> int:
    """Half of a sum, truncated towards zero: of many kinds of armor, all are added first.

    >>> halved(5 + 4 + 5), halved(-3)
    (7, -1)
    """
    return total // 2 if total >= 0 else -(-total // 2)
