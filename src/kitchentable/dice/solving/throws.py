"""Totals and hits of many equal throws, as choice points."""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from kitchentable.dice.errors import NotANumber
from kitchentable.dice.solving import sums
from kitchentable.dice.solving.kept import keep_endless, keep_of_different
from kitchentable.dice.solving.solution import Spread


def adding(one: Spread, n: int, highest: int | None = None, lowest: int | None = None) -> Spread:
    """The total of n throws, or of only the highest or lowest among them."""
    _check_numbers(one)
    keep = highest if highest is not None else lowest
    if one.law is not None:
        if keep is None or keep >= n:
            return Spread([], [], [], 1, one.law.power(n), 1 - one.law.mass**n)
        law = None if one.lost else keep_endless(one.law, n, keep, highest=highest is not None)
        if law is not None:
            return Spread([], [], [], 1, law, 1 - law.mass)
        one = one.without_end()
    if not one.values:
        return Spread([], [], [], 1, None, 1)
    pair = (one.values, one.weights)
    if keep is None:
        values, weights = sums.n_fold(pair, n)
    elif highest is not None:
        values, weights = sums.n_fold_highest(pair, n, keep)
    else:
        values, weights = sums.n_fold_lowest(pair, n, keep)
    total = one.total**n
    return Spread(values, weights, [], total, None, total - sum(weights))


def mixing(ones: Sequence[Spread], highest: int | None, lowest: int | None) -> Spread:
    """The total of the highest or the lowest of several different throws."""
    for one in ones:
        _check_numbers(one)
    ones = [one.without_end() for one in ones]
    if not all(one.values for one in ones):
        return Spread([], [], [], 1, None, 1)
    keep = highest if highest is not None else lowest or 0
    pairs = [(one.values, one.weights) for one in ones]
    total = prod([one.total for one in ones])
    if keep <= 0:
        mass = prod([one.mass for one in ones])
        return Spread([0], [mass], [], total, None, total - mass)
    values, weights = keep_of_different(pairs, keep, highest=highest is not None)
    return Spread(values, weights, [], total, None, total - sum(weights))


def _check_numbers(one: Spread) -> None:
    """Refuse to add throws with outcomes other than whole numbers. Errors: NotANumber."""
    if one.others:
        raise NotANumber(
            f"{one.others[0][0]!r} is not a whole number and cannot be added to a total."
        )


def hit_faces(one: Spread, hit: Callable[[Any], bool]) -> tuple[Any, ...]:
    """The faces that hit."""
    faces = [*one.values, *(face for face, _ in one.others)]
    return tuple([face for face in faces if hit(face)])


def weigh(one: Spread, faces: tuple[Any, ...]) -> tuple[int, int]:
    """The weight of a throw that shows one of the faces, and that of any other throw."""
    weights = {**dict(zip(one.values, one.weights, strict=True)), **dict(one.others)}
    yes = sum(weights[face] for face in faces)
    return yes, sum(weights.values()) - yes


def hitting(one: Spread, n: int, faces: tuple[Any, ...]) -> Spread:
    """The number of throws among n that show one of the faces."""
    return _hits(n, *weigh(one, faces), one.total)


def reaching(one: Spread, n: int, least: Any) -> Spread:
    """The number of throws among n that reach a number, for infinite supports."""
    law = one.law
    if law is None:
        return hitting(one, n, hit_faces(one, lambda face: type(face) is int and face >= least))
    below = law.below(least)
    total = one.total * law.mass.denominator * below.denominator
    other = sum(weight for _, weight in one.others) * (total // one.total)
    return _hits(n, int((law.mass - below) * total), int(below * total) + other, total)


def _hits(n: int, yes: int, no: int, total: int) -> Spread:
    values, weights = sums.hits(n, yes, no)
    whole: int = total**n
    return Spread(values, weights, [], whole, None, whole - sum(weights))
