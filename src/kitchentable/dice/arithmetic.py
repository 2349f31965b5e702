"""Arithmetic of independent distributions.

Sums of infinite distributions stay infinite and exact. Other operations on infinite distributions
use the listed outcomes only, and the unlisted rest stays unresolved.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from math import lcm
from operator import add, mul, sub
from typing import Any

from kitchentable.dice.chance import Chance, between, ceiling, floor
from kitchentable.dice.errors import BadInput, Unresolved
from kitchentable.dice.figures import Moments, Rows, below, chance_of
from kitchentable.dice.outcomes import as_number
from kitchentable.dice.solving.generating_function import GeneratingFunction, polynomial
from kitchentable.dice.solving.kinds import is_whole
from kitchentable.dice.solving.solution import Solution, of_law
from kitchentable.dice.solving.sums import new_table


def combine(
    operation: Callable[[Any, Any], Any], one: Solution, other: Solution, rows: tuple[Rows, Rows]
) -> Solution:
    """The distribution of an operation on two independent numbers; `rows` are their listings."""
    if one.law is not None or other.law is not None:
        law = _law_of(operation, one, other)
        if law is not None:
            return of_law(law, either_never(one, other))
    (left, whole), (right, other_whole) = rows
    ours = [(as_number(outcome), weight) for outcome, weight in left.items()]
    theirs = [(as_number(outcome), weight) for outcome, weight in right.items()]
    found = new_table()
    for a, weight in ours:
        for b, other_weight in theirs:
            try:
                value = operation(a, b)
            except ZeroDivisionError as error:
                raise BadInput("The divisor can be 0, so the quotient is undefined.") from error
            found[value] += weight * other_weight
    return Solution(found, whole * other_whole, never=either_never(one, other))


def either_never(one: Solution, other: Solution) -> Fraction:
    """The chance that one of two independent throws or both never end."""
    return 1 - (1 - one.never) * (1 - other.never)


def _law_of(
    operation: Callable[[Any, Any], Any], one: Solution, other: Solution
) -> GeneratingFunction | None:
    """The law of a sum, a difference or a multiple; None if it has none."""
    mine, number = one.as_law(), _certain(other)
    if mine is None:
        return None
    if operation is add:
        theirs = other.as_law()
        return mine * theirs if theirs is not None else None
    if number is None:
        return _law_of(mul, other, one) if operation is mul and _certain(one) is not None else None
    if operation is sub:
        return mine.moved(-number)
    if operation is not mul or number < 0:
        return None
    if number:
        return mine.stretched(number)
    known = 1 - one.unresolved - one.never
    return polynomial({0: known.numerator}, known.denominator)


def _certain(solution: Solution) -> int | None:
    """The only possible outcome, if it equals a whole number; None otherwise."""
    (only, *more) = solution.weights or {None: 0}
    alone = solution.law is None and not more and solution.weights.get(only) == solution.total
    return int(only) if alone and is_whole(only) else None


def combine_moments(
    operation: Callable[[Any, Any], Any], one: Moments, other: Moments
) -> Moments | None:
    """Mean and mean square of a sum, difference or product of independent numbers."""
    (a, a2), (b, b2) = one, other
    if operation is mul:
        return _times(a, b), _times(a2, b2)
    if operation is sub:
        b = _times(b, Fraction(-1))
    elif operation is not add:
        return None
    return _plus(a, b), _plus(_plus(a2, b2), _times(Fraction(2), _times(a, b)))


def _plus(one: Chance, other: Chance) -> Chance:
    """The sum of two figures, each exact or an interval."""
    low = floor(one) + floor(other)
    return between(low, ceiling(one) + ceiling(other) - low)


def _times(one: Chance, other: Chance) -> Chance:
    """The product of two figures, each exact or an interval."""
    ends = [a * b for a in (floor(one), ceiling(one)) for b in (floor(other), ceiling(other))]
    return between(min(ends), max(ends) - min(ends))


def compare(rows: Rows, other: Solution, other_rows: Rows) -> tuple[Fraction, Fraction]:
    """The chances that a listed number exceeds an independent one, and that it equals it."""
    weights, total = rows
    higher = same = Fraction(0)
    if other.law is not None:
        for outcome, weight in weights.items():
            higher += weight * below(other, as_number(outcome))
            same += weight * chance_of(other, outcome)
        return higher / total, same / total
    theirs, whole = other_rows
    order = sorted(theirs, key=as_number)
    sums = [0, *accumulate(theirs[value] for value in order)]
    won = sum(weight * sums[bisect_left(order, as_number(o))] for o, weight in weights.items())
    tied = sum(weight * theirs.get(outcome, 0) for outcome, weight in weights.items())
    return Fraction(won, total * whole), Fraction(tied, total * whole)


def mix(parts: Iterable[tuple[Solution, int]]) -> Solution:
    """The mixture of several distributions with whole weights."""
    parts = list(parts)
    if any(type(weight) is not int or weight < 0 for _, weight in parts):
        raise BadInput("The weights of a mixture must be whole numbers of at least 0.")
    shares = sum(weight for _, weight in parts)
    if not shares:
        raise BadInput("A mixture needs at least one weight above 0.")
    total = lcm(*(solution.total for solution, _ in parts))
    weights = new_table()
    laws: list[GeneratingFunction] = []
    endless = any(solution.law is not None for solution, _ in parts)
    for solution, share in parts:
        factor = share * (total // solution.total)
        numbers = new_table()
        for outcome, weight in solution.weights.items():
            # A law, if present, holds all whole numbers.
            into = numbers if endless and type(outcome) is int else weights
            into[outcome] += weight * factor
        if numbers:
            laws.append(polynomial(numbers, total * shares))
        if solution.law is not None:
            laws.append(solution.law.as_law().scaled(Fraction(share, shares)))
    law = reduce(add, laws) if laws else None
    never = sum((solution.never * share for solution, share in parts), Fraction(0)) / shares
    return Solution(weights, total * shares, law, never=never)


def given(rows: Rows, unresolved: Fraction, condition: Callable[[Any], bool]) -> Solution:
    """The conditional distribution, given that a condition holds for the outcome.

    An unresolved outcome might meet the condition, so it stays unresolved. A throw that never ends
    does not meet it.
    """
    weights, total = rows
    kept = {outcome: weight for outcome, weight in weights.items() if condition(outcome)}
    known = sum(kept.values())
    if not known and unresolved:
        raise Unresolved("No known outcome meets the condition, and the rest is unresolved.")
    if not known:
        raise BadInput("No outcome meets the condition, so there is no conditional distribution.")
    left = unresolved * total
    scale = left.denominator
    return Solution(
        {outcome: weight * scale for outcome, weight in kept.items()},
        known * scale + left.numerator,
    )
