"""The limit of dice in one line, so that no event is too large for pages."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.throws import read_notation
from kitchentable.dice.die import MOST_DICE
from kitchentable.dice.notation.bounds import bounds
from kitchentable.dice.notation.dialects.bags import is_meant
from kitchentable.dice.notation.dialects.checking import faces_of
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Apply,
    Explode,
    Many,
    More,
    Named,
    Pool,
    Step,
    Total,
    Unique,
)
from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Group,
    Handful,
    Labelled,
    Product,
    Sum,
    Target,
)

#: The bytes of a label that count as one die in an event.
_LABEL = 100
_MANY = 100


def check_dice(texts: Iterable[str], dialect: str) -> None:
    """Refuse notations that throw more dice together than one event stores. Errors: CannotBe.

    >>> check_dice(["900d6", "200d6"], "house")
    Traceback (most recent call last):
    ...
    kitchentable.campaign.errors.CannotBe: One line can throw at most 1,000 dice; this one would ...
    """
    roots = (read_notation(text, dialect)[1].root for text in texts)
    count = sum(map(_expected_dice, roots), Fraction(0))
    if count > MOST_DICE:
        raise CannotBe(
            f"One line can throw at most {MOST_DICE:,} dice; this one would throw about "
            f"{round(count):,}. Rerolled dice count twice, and long labels count as dice. "
            "Throw them in several lines.",
            code="dice/too-many-in-a-line",
        )


def expected_dice(node: Any, label: str = "") -> Fraction:
    """The expected number of dice, weighted by their size in an event.

    Rerolled dice count twice, because their reason is stored, and long labels count as further
    dice.

    >>> from kitchentable.dice.notation.parse import parse
    >>> expected_dice(parse("4d6!+2d8rr<=2").root)
    Fraction(134, 15)
    """
    match node:
        case Dice():
            weight = 1 + Fraction(len(label.encode()) // _LABEL)
            return node.count * (2 * _falls(node) - 1) * weight
        case Labelled(inner, name) | Named(inner, name):
            return expected_dice(inner, name)
        case Handful(count, dice):
            most = int(min(bounds(count)[1], MOST_DICE))
            return expected_dice(count, label) + most * expected_dice(dice, label)
        case Many():
            # The number is itself a roll or a sum; assume that larger ones are mistakes.
            return _MANY + sum((expected_dice(one, label) for one in _parts(node)), Fraction(0))
        case Pool():
            return _of_pool(node, label)
    return sum((expected_dice(one, label) for one in _parts(node)), Fraction(0))


#: A line is counted before dice are requested and again with them.
_expected_dice = lru_cache(maxsize=256)(expected_dice)


def _parts(node: Any) -> Iterable[Any]:
    """The operands of a sum, a product or a function."""
    match node:
        case Group(items, _) | Apply(_, items):
            return items
        case Sum(terms) | Total(terms):
            return [one for _, one in terms]
        case Product(first, rest):
            return [first, *(one for _, one in rest)]
        case Target(left, _, right) | Many(left, right):
            return (left, right)
    return ()


def _of_pool(pool: Pool, label: str) -> Fraction:
    weight = 1 + Fraction(len(label.encode()) // _LABEL)
    first = sum(
        (count * (expected_dice(source, label) or weight) for count, source in pool.sources),
        Fraction(0),
    )
    return first * (2 * _falls_in(pool.steps, faces_of(pool.sources[0][1])) - 1)


def _falls_in(steps: Iterable[Step], faces: tuple[int, ...]) -> Fraction:
    """The expected throws of a die of a pool, with all rerolls of its steps."""
    falls = Fraction(1)
    for step in steps:
        if isinstance(step, Explode | Again):
            meant = sum(is_meant(step.which, face) for face in faces)
            again = Fraction(meant, len(faces)) if faces else Fraction(1, 2)
            forever = isinstance(step, Explode) or step.forever
            falls *= 1 / (1 - again) if forever and again < 1 else 1 + again
        elif isinstance(step, Unique | More):
            falls *= 2
    return falls


def _falls(dice: Dice) -> Fraction:
    """The expected throws of one of these dice, with rerolls and explosions."""
    falls = Fraction(1)
    if dice.reroll is not None:
        again = _share(dice, dice.reroll.condition)
        falls *= 1 / (1 - again) if dice.reroll.forever else 1 + again
    if dice.explode is not None:
        falls *= 1 / (1 - _share(dice, dice.explode))
    return falls


def _share(dice: Dice, condition: Condition) -> Fraction:
    return Fraction(sum(map(condition.holds, dice.faces)), len(dice.faces))
