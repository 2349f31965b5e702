"""Bounds of totals, to exclude division by zero and unlimited numbers of dice."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Group,
    Handful,
    Keep,
    Labelled,
    Middle,
    Node,
    Number,
    Product,
    Select,
    Sum,
    Times,
)

Bound: TypeAlias = int | float
"""A whole number, or plus or minus infinity for exploding dice."""

Bounds: TypeAlias = tuple[Bound, Bound]


def bounds(node: Node) -> Bounds:
    """The least and the greatest total.

    The bounds may be wider than the true range, because parts are treated as independent.

    >>> from kitchentable.dice.notation.parse import parse
    >>> bounds(parse("4d6kh3-1d4").root)
    (-1, 17)
    >>> bounds(parse("2d6!").root)
    (2, inf)
    """
    match node:
        case Number(value):
            return value, value
        case Dice():
            return _of_dice(node)
        case Handful(count, dice):
            least, most = bounds(count)
            fewest, all_ = (_of_dice(replace(dice, count=int(n))) for n in (least, most))
            return min(fewest[0], all_[0]), max(fewest[1], all_[1])
        case Group(items, select):
            return _of_group([bounds(item) for item in items], select)
        case Labelled(inner, _):
            return bounds(inner)
        case Product(first, rest):
            found = bounds(first)
            for operation, factor in rest:
                found = product_bounds(found, operation, bounds(factor))
            return found
        case Sum(terms):
            return sum_bounds([(sign, bounds(term)) for sign, term in terms])


def one_die(dice: Dice) -> Bounds:
    """The least and the greatest total of one of these dice, with rerolls and explosions."""
    faces = dice.resting
    if dice.explode is None:
        return dice.worth(faces[0]), dice.worth(faces[-1])
    again = [dice.worth(face) for face in faces if dice.explode.holds(face)]
    final = [dice.worth(face) for face in faces if not dice.explode.holds(face)]
    low = -math.inf if again and again[0] < 0 else final[0]
    high = math.inf if again and again[-1] > 0 else final[-1]
    return low, high


def _of_dice(dice: Dice) -> Bounds:
    if isinstance(dice.select, Condition):
        return 0, dice.count if dice.explode is None else math.inf
    low, high = one_die(dice)
    first, stop = kept(dice.select, dice.count)
    return times(stop - first, low), times(stop - first, high)


def kept(select: Keep | Middle | None, number: int) -> tuple[int, int]:
    """The range of results that count, in descending order: start and stop.

    >>> kept(Keep("kl", 3), 4), kept(Middle(1, 1), 4), kept(Keep("kh", 3), 2)
    ((1, 4), (1, 3), (0, 2))
    """
    if select is None:
        return 0, number
    if isinstance(select, Middle):
        first = min(select.highest, number)
        return first, max(first, number - select.lowest)
    count = select.count if select.word in ("kh", "kl") else number - select.count
    count = max(0, min(count, number))
    return (0, count) if select.word in ("kh", "dl") else (number - count, number)


def _of_group(found: list[Bounds], select: Select) -> Bounds:
    if isinstance(select, Condition):
        return 0, len(found)
    first, stop = kept(select, len(found))
    lows = sorted((low for low, _ in found), reverse=True)
    highs = sorted((high for _, high in found), reverse=True)
    return sum(lows[first:stop]), sum(highs[first:stop])


def product_bounds(left: Bounds, sign: Times, right: Bounds) -> Bounds:
    """The least and the greatest product, or quotient, of two parts.

    >>> product_bounds((-2, 3), "*", (1, 4))
    (-8, 12)
    """
    operation = times if sign == "*" else over
    corners = [operation(a, b) for a in left for b in right]
    return min(corners), max(corners)


def sum_bounds(terms: Iterable[tuple[str, tuple[Any, Any]]]) -> tuple[Any, Any]:
    """The least and the greatest sum of parts, each added or subtracted."""
    low = high = 0
    for sign, (least, most) in terms:
        low, high = (low + least, high + most) if sign == "+" else (low - most, high - least)
    return low, high


def times(left: Any, right: Any) -> Any:
    """The product of two bounds; 0 times infinity is 0."""
    return 0 if left == 0 or right == 0 else left * right


def over(left: Any, right: Any) -> Any:
    """The quotient of two bounds, rounded down."""
    # With an infinite divisor the quotient tends to 0 from one side, so its floor is 0 or -1.
    if math.isinf(right):
        return 0 if (left >= 0) == (right > 0) else -1
    if math.isinf(left):
        return left if right > 0 else -left
    return left // right
