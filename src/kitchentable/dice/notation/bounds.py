"""How small and how large a total can get; so that no roll divides by zero or runs away."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Group,
    Keep,
    Labelled,
    Node,
    Number,
    Product,
    Sum,
)

Bound: TypeAlias = int | float
"""A whole number, or plus or minus infinity where dice explode without end."""

Bounds: TypeAlias = tuple[Bound, Bound]


def bounds(node: Node) -> Bounds:
    """The least and the greatest total; every result lies between them.

    The bounds may be wider than what can really be thrown: each use of dice is taken on its own.

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
        case Group(items, select):
            return _of_group([bounds(item) for item in items], select)
        case Labelled(inner, _):
            return bounds(inner)
        case Product(first, rest):
            found = bounds(first)
            for operation, factor in rest:
                found = _combine(times if operation == "*" else _over, found, bounds(factor))
            return found
        case Sum(terms):
            low: Bound = 0
            high: Bound = 0
            for sign, term in terms:
                least, most = bounds(term)
                low, high = (
                    (low + least, high + most) if sign == "+" else (low - most, high - least)
                )
            return low, high


def one_die(dice: Dice) -> Bounds:
    """The least and the greatest total of one of these dice with its rerolls and explosions."""
    faces = list(dice.faces)
    if dice.reroll is not None and dice.reroll.forever:
        faces = [face for face in faces if not dice.reroll.condition.holds(face)]
    if dice.explode is None:
        return faces[0], faces[-1]
    again = [face for face in faces if dice.explode.holds(face)]
    final = [face for face in faces if not dice.explode.holds(face)]
    low = -math.inf if again and again[0] < 0 else final[0]
    high = math.inf if again and again[-1] > 0 else final[-1]
    return low, high


def _of_dice(dice: Dice) -> Bounds:
    if isinstance(dice.select, Condition):
        return 0, dice.count if dice.explode is None else math.inf
    low, high = one_die(dice)
    count = dice.count if dice.select is None else dice.select.kept(dice.count)[1]
    return times(count, low), times(count, high)


def _of_group(found: list[Bounds], select: Keep | Condition) -> Bounds:
    if isinstance(select, Condition):
        return 0, len(found)
    highest, count = select.kept(len(found))
    lows = sorted((low for low, _ in found), reverse=highest)
    highs = sorted((high for _, high in found), reverse=highest)
    return sum(lows[:count]), sum(highs[:count])


def _combine(operation: Callable[[Bound, Bound], Bound], left: Bounds, right: Bounds) -> Bounds:
    corners = [operation(a, b) for a in left for b in right]
    return min(corners), max(corners)


def times(left: Bound, right: Bound) -> Bound:
    """Multiply bounds, where nothing times endless is nothing."""
    return 0 if left == 0 or right == 0 else left * right


def _over(left: Bound, right: Bound) -> Bound:
    # Between finite corners the quotient is monotone, so its floor is too. An endless divisor
    # brings the quotient towards 0 from either side, which the floor turns into 0 or -1.
    if math.isinf(right):
        return 0 if (left >= 0) == (right > 0) else -1
    if math.isinf(left):
        return left if right > 0 else -left
    return left // right
