"""Bounds on the mean of endless dice whose odds have no closed form, from dice that have one.

The odds of `{1d8!,1d6!}kh1` are worked out until the chance of the rest is faint, and how high
that rest reaches is not known. But no throw comes to more than all its dice together, and their
sum has a closed form. What the rest adds to the mean is at most what the highest throws of that
sum add, as many of them as the rest is likely.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import inf

from kitchentable.dice.chance import between
from kitchentable.dice.figures import Moments, moments_of
from kitchentable.dice.notation.bounds import bounds
from kitchentable.dice.notation.play import notation
from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Expression,
    Group,
    Labelled,
    Node,
    Root,
    Sum,
    Target,
)
from kitchentable.dice.solved import odds
from kitchentable.dice.solving.law import Law, polynomial
from kitchentable.dice.solving.solution import Solution


def bound_moments(solution: Solution, expression: Expression) -> Moments | None:
    """The mean and the mean square of an expression within proven bounds; None where none is found.

    `solution` is what is known of the expression's odds.
    """
    law = dominate(expression.root)
    if law is None:
        return None
    first, second = bound_tail(law, solution.unresolved)
    mean, square = moments_of(solution)
    return between(mean - first, 2 * first), between(square, second)


def bound_tail(law: Law, share: Fraction) -> tuple[Fraction, Fraction]:
    """What a share of all throws adds at most to the mean and to the mean square of a law.

    The law is one of numbers that are never negative. For any number v, the values of a share
    are at most v in each of its throws, and what all throws exceed v by.
    """
    bound = max(law.depth(share), law.low)
    values, weights, total = law.weights(law.low, bound)
    mass, first, second = law.moments()
    least = mass - Fraction(sum(weights), total)
    parts = list(zip(values, weights, strict=True))
    above = first - Fraction(sum(value * weight for value, weight in parts), total)
    squares = second - Fraction(sum(value * value * weight for value, weight in parts), total)
    return (
        bound * share + above - bound * least,
        bound**2 * share + squares - bound**2 * least,
    )


def dominate(node: Root) -> Law | None:
    """The law of a number that is no less than a part, however its dice fall.

    It is the sum of all that the part throws, of which each has a closed form; None where one of
    them has none.
    """
    if isinstance(node, Target):
        return None
    low, high = bounds(node)
    if max(abs(low), abs(high)) < inf:
        return polynomial({int(max(abs(low), abs(high))): 1}, 1)
    match node:
        case Dice():
            if node.lowest < 0:
                return None
            every = Dice(node.count, node.sides, node.reroll, node.explode)
            counts = isinstance(node.select, Condition)
            solution = odds(notation, Expression(node if counts else every)).solution
            return None if solution.unresolved else solution.as_law()
        case Labelled(inner, _):
            return dominate(inner)
        case Group(items, _):
            return _together(items)
        case Sum(terms):
            return _together(tuple([term for _, term in terms]))
    return None


def _together(parts: tuple[Node, ...]) -> Law | None:
    laws = [law for law in map(dominate, parts) if law is not None]
    return reduce(Law.times, laws) if len(laws) == len(parts) else None
