"""Bounds of foreign expressions, and whether their values are whole."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeAlias

from kitchentable.dice.die import AnyDie
from kitchentable.dice.notation.bounds import bounds as house_bounds
from kitchentable.dice.notation.bounds import sum_bounds, times
from kitchentable.dice.notation.dialects.bags import limited, scale_of
from kitchentable.dice.notation.dialects.checking import faces_of
from kitchentable.dice.notation.dialects.maths import OPERATIONS, SAME_KIND, WHOLE
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
)

Span: TypeAlias = tuple[float | Fraction, float | Fraction]

_YES_OR_NO = frozenset(["=", "!=", "<", "<=", ">", ">=", "and", "or", "not"])
_ANY: Span = (-math.inf, math.inf)


def is_whole(node: Term) -> bool:
    """Whether a value is always a whole number.

    >>> is_whole(Apply("/", (Exact(6), Exact(2)))), is_whole(Exact(6))
    (False, True)
    """
    match node:
        case Exact(value):
            return isinstance(value, int)
        case Named(inner, _):
            return is_whole(inner)
        case Total(terms):
            return all(is_whole(one) for _, one in terms)
        case Apply(name, args):
            same = name in SAME_KIND or (name == "**" and span(args[1])[0] >= 0)
            return name in WHOLE or (same and all(map(is_whole, args)))
        case Pool():
            nodes = [one for _, one in node.sources if not isinstance(one, AnyDie)]
            return scale_of(node) == 1 and (
                node.score is not None or all(is_whole(one) for one in nodes)
            )
        case _:
            return True


def span(node: Term) -> Span:
    """The least and the greatest value, possibly wider than the true range.

    >>> span(Total((("+", Exact(3)), ("-", Pool(((2, 6),))))))
    (-9, 1)
    """
    match node:
        case Exact(value):
            return value, value
        case Named(inner, _) | Apply("()" | "plain", (inner,)):
            return span(inner)
        case Total(terms):
            return sum_bounds([(sign, span(one)) for sign, one in terms])
        case Apply(name, args):
            return _of_apply(name, [span(one) for one in args])
        case Many(count, sides):
            most = max(0, span(count)[1])
            faces = _of_source(sides)
            return min(0, times(most, faces[0])), max(0, times(most, faces[1]))
        case Pool():
            return _of_pool(node)
        case _:
            return house_bounds(node)


def _of_apply(name: str, args: list[Span]) -> Span:  # noqa: PLR0911 -- one answer for each operation
    if name in _YES_OR_NO:
        return 0, 1
    if name == "neg":
        return -args[0][1], -args[0][0]
    if name == "*":
        corners = [times(a, b) for a in args[0] for b in args[1]]
        return min(corners), max(corners)
    if name in ("max", "min"):
        pick = max if name == "max" else min
        lows, highs = [one[0] for one in args], [one[1] for one in args]
        return pick(lows), pick(highs)
    if name in ("floor", "ceil", "trunc", "round", "round up", "hundredths"):
        low, high = (one if math.isinf(one) else OPERATIONS[name](one) for one in args[0])
        return low, high
    if name in ("**", "**0") and args[0][0] >= 0:
        return 0, math.inf
    if name == "abs":
        low, high = args[0]
        if low >= 0:
            return low, high
        return (-high, -low) if high <= 0 else (0, max(-low, high))
    if name in ("/", "//", "/0") and (args[1][0] > 0 or args[1][1] < 0):
        corners = [times(a, _one_over(b)) for a in args[0] for b in args[1]]
        wider = 0 if name == "/" else 1
        return min(corners) - (0 if min(corners) >= 0 else wider), max(corners) + wider
    if name in ("%", "%0") and args[1][0] > 0 and args[0][0] >= 0:
        return 0, args[1][1]
    return _ANY


def _one_over(value: float | Fraction) -> float | Fraction:
    return 0 if math.isinf(value) else Fraction(1) / Fraction(value)


def _of_source(source: Source) -> Span:
    if isinstance(source, AnyDie):
        faces = faces_of(source)
        return faces[0], faces[-1]
    return span(source)


def _of_pool(pool: Pool) -> Span:
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


def constant(term: Term) -> int | Fraction | None:
    """The value of a part without dice; None for a part with dice.

    >>> constant(Total((("+", Exact(4)), ("-", Exact(1)))))
    3
    """
    match term:
        case Exact(value):
            return value
        case Apply("()", (inner,)):
            return constant(inner)
        case Total(terms):
            found: int | Fraction = 0
            for sign, one in terms:
                value_of = constant(one)
                if value_of is None:
                    return None
                found = found + value_of if sign == "+" else found - value_of
            return found
        case Apply("*" | "/" | "neg" | "//" as name, args):
            values = [constant(one) for one in args]
            # The reader refuses division by 0.
            return None if None in values else Fraction(OPERATIONS[name](*values))
        case _:
            return None
