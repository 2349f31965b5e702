"""How many dice a line may throw, so that no event grows beyond what pages can bear."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from kitchentable.campaign.errors import CannotBe
from kitchentable.dice.die import MOST_DICE
from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Expression,
    Group,
    Labelled,
    Product,
    Root,
    Sum,
    Target,
)

#: Bytes of a label that weigh as much in an event as a die does.
_LABEL = 100


def check_dice(thrown: Iterable[Expression]) -> None:
    """Refuse to throw more dice with one line than an event keeps. Errors: CannotBe.

    >>> from kitchentable.dice.notation.parse import parse
    >>> check_dice([parse("900d6"), parse("200d6")])
    Traceback (most recent call last):
    ...
    kitchentable.campaign.errors.CannotBe: A line throws at most 1,000 dice in all, those that ...
    """
    count = sum((expected_dice(one.root) for one in thrown), Fraction(0))
    if count > MOST_DICE:
        raise CannotBe(
            f"A line throws at most {MOST_DICE:,} dice in all, those that are thrown again "
            f"counted twice, and long labels; this would be about {round(count):,}. "
            "Throw them in several lines.",
            code="dice/too-many-in-a-line",
        )


def expected_dice(node: Root, label: str = "") -> Fraction:
    """How many dice fall on average, as much room as they take: those thrown again count twice,
    for what is said of them, and a long label counts as further ones.

    >>> from kitchentable.dice.notation.parse import parse
    >>> expected_dice(parse("4d6!+2d8rr<=2").root)
    Fraction(134, 15)
    """
    match node:
        case Dice():
            weight = 1 + Fraction(len(label.encode()) // _LABEL)
            return node.count * (2 * _falls(node) - 1) * weight
        case Labelled(inner, name):
            return expected_dice(inner, name)
        case Group(items, _):
            return sum((expected_dice(one, label) for one in items), Fraction(0))
        case Sum(terms):
            return sum((expected_dice(one, label) for _, one in terms), Fraction(0))
        case Product(first, rest):
            parts = [first, *(one for _, one in rest)]
            return sum((expected_dice(one, label) for one in parts), Fraction(0))
        case Target(left, _, right):
            return expected_dice(left, label) + expected_dice(right, label)
    return Fraction(0)


def _falls(dice: Dice) -> Fraction:
    """How often one of these dice falls, with its rerolls and explosions."""
    falls = Fraction(1)
    if dice.reroll is not None:
        again = _share(dice, dice.reroll.condition)
        falls *= 1 / (1 - again) if dice.reroll.forever else 1 + again
    if dice.explode is not None:
        falls *= 1 / (1 - _share(dice, dice.explode))
    return falls


def _share(dice: Dice, condition: Condition) -> Fraction:
    return Fraction(sum(map(condition.holds, dice.faces)), len(dice.faces))
