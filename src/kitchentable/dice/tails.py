"""Bounds on the moments of infinite distributions without a closed form.

`{1d8!,1d6!}kh1` is solved until the unresolved probability is tiny, but the unresolved values are
unbounded. No value exceeds the sum of all dice of the throw, which has a closed form. So the rest
adds at most as much to the mean as the highest values of this sum with the same total probability.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import inf
from operator import mul

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
from kitchentable.dice.solving.generating_function import GeneratingFunction, polynomial
from kitchentable.dice.solving.solution import Solution


def bound_moments(solution: Solution, expression: Expression) -> Moments | None:
    """Proven bounds for the mean and the mean square of an expression, or None.

    `solution` is the partial solution of the expression.
    """
    law = dominate(expression.root)
    if law is None:
        return None
    first, second = bound_tail(law, solution.unresolved)
    mean, square = moments_of(solution)
    return between(mean - first, 2 * first), between(square, second)


def bound_tail(law: GeneratingFunction, share: Fraction) -> tuple[Fraction, Fraction]:
    """The most that a probability of `share` adds to the first two moments of a law.

    The values of the law must not be negative. For any number v, the share adds at most v per unit
    of probability, plus the excess over v of the whole law.
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


def dominate(node: Root) -> GeneratingFunction | None:
    """The law of a number that is at least the expression's absolute value.

    This law is of the sum of all dice in the expression; None if a part has no closed form.
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


def _together(parts: tuple[Node, ...]) -> GeneratingFunction | None:
    laws = [law for law in map(dominate, parts) if law is not None]
    return reduce(mul, laws) if len(laws) == len(parts) else None
