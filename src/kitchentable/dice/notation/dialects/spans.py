"""Bounds of foreign expressions, and whether their values are whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.notation.bounds import bounds as house_bounds
from kitchentable.dice.notation.bounds import over, sum_bounds, times
from kitchentable.dice.notation.dialects.bags import (
    Bag,
    chosen,
    is_ranked,
    limited,
    points,
    scale_of,
)
from kitchentable.dice.notation.dialects.checking import faces_of
from kitchentable.dice.notation.dialects.maths import OPERATIONS, SAME_KIND, WHOLE, YES_OR_NO
from kitchentable.dice.notation.dialects.nodes import (
    Apply,
    Choose,
    Exact,
    Explode,
    Limit,
    Many,
    More,
    Named,
    Pool,
    Source,
    Term,
    Total,
    parts_of,
)

Span: TypeAlias = tuple[float | Fraction, float | Fraction]

_UNBOUNDED = frozenset(["neg", "max", "min"])
_MONOTONE = _UNBOUNDED | {"*", "floor", "ceil", "trunc", "round", "round up", "hundredths"}
_ANY: Span = (-math.inf, math.inf)


def is_whole(node: Term) -> bool:
    """Whether a value is always a whole number.

    >>> is_whole(Apply("/", (Exact(6), Exact(2)))), is_whole(Exact(6))
    (False, True)
    """
    match node:
        case Exact(value):
            return isinstance(value, int)
        case Apply(name, _) if name in WHOLE:
            return True
        case Apply("**", (_, exponent)) if span(exponent)[0] < 0:
            return False
        case Apply(name, _) if name != "**" and name not in SAME_KIND:
            return False
        case Many():
            return True
        case Pool() if scale_of(node) != 1 or node.score is not None:
            return node.score is not None
    return all(map(is_whole, parts_of(node)))


def span(node: Term) -> Span:
    """The least and the greatest value, possibly wider than the true range.

    >>> span(Total((("+", Exact(3)), ("-", Pool(((2, 6),))))))
    (-9, 1)
    """
    match node:
        case Exact(value):
            return value, value
        case Named(inner, _) | Apply("()", (inner,)):
            return span(inner)
        case Total(terms):
            return sum_bounds([(sign, span(one)) for sign, one in terms])
        case Apply(name, args):
            return _of_apply(name, [span(one) for one in args])
        case Many(count, sides):
            fewest, most = span(count)
            return _corners("*", [(max(0, fewest), max(0, most)), _of_source(sides)])
        case Pool():
            return _of_pool(node)
        case _:
            return house_bounds(node)


def _of_apply(name: str, args: list[Span]) -> Span:
    low, high = args[0]
    if name in YES_OR_NO:
        return 0, 1
    divides = name in ("/", "//", "/0") and (args[1][0] > 0 or args[1][1] < 0)
    if name in _MONOTONE or divides:
        return _corners(name, args)
    if name in ("**", "**0") and low >= 0:
        return 0, math.inf
    if name == "abs":
        return max(0, low, -high), max(-low, high)
    if name in ("%", "%0") and args[1][0] > 0 and low >= 0:
        return 0, args[1][1]
    return _ANY


def _corners(name: str, args: list[Span]) -> Span:
    """The extremes of an operation that has its extremes at those of its values."""
    found = [_at(name, values) for values in product(*args)]
    return min(found), max(found)


def _at(name: str, values: Sequence[Any]) -> Any:
    if name == "*":
        return times(*values)
    if name not in _UNBOUNDED and any(map(math.isinf, values)):
        return over(*values) if len(values) == 2 else values[0]
    return OPERATIONS[name](*values)


def _of_source(source: Source) -> Span:
    if isinstance(source, AnyDie):
        faces = faces_of(source)
        return faces[0], faces[-1]
    return span(source)


def _of_pool(pool: Pool) -> Span:
    ranked = [step for step in pool.steps if is_ranked(step)]
    match pool.sources:
        case ((count, int() | Die() as source),) if len(ranked) == len(pool.steps):
            kept: Bag = (0,) * count
            for step in ranked:
                kept = chosen(step, kept)
            worth = [len(kept) * points(pool.score, face) for face in faces_of(source)]
            return min(worth), max(worth)
    return _of_any_pool(pool)


def _of_any_pool(pool: Pool) -> Span:
    grows = any(isinstance(step, Explode) for step in pool.steps)
    if pool.score is not None:
        points = [0, *(one for _, one in pool.score.rules)]
        count: float = math.inf if grows else pool.count
        return times(count, min(points)), times(count, max(points))
    low: float | Fraction = 0
    high: float | Fraction = 0
    chooses = any(isinstance(step, Choose) for step in pool.steps)
    least: Any
    most: Any
    for count, source in pool.sources:
        least, most = _of_source(source)
        for step in pool.steps:
            if isinstance(step, Limit):
                least = limited(step, least)
                most = limited(step, most)
            elif isinstance(step, Explode):
                least -= step.less
        if chooses:
            least, most = min(least, 0), max(most, 0)
        number: float = count + 1 if any(isinstance(s, More) for s in pool.steps) else count
        low += min(times(count, least), times(number, least))
        high += max(times(count, most), times(number, most))
    if grows:
        high = math.inf if high > 0 else high
        low = -math.inf if low < 0 else low
    return low, high


def constant(term: Term) -> int | None:
    """The value of a part without dice, cut to a whole number; None for a part with dice.

    >>> constant(Total((("+", Exact(4)), ("-", Exact(1)))))
    3
    """
    low, high = span(term)
    return None if low < high or _throws(term) else int(low)


def _throws(term: Term) -> bool:
    return isinstance(term, Pool | Many) or any(map(_throws, parts_of(term)))
