"""A dice expression as a mechanic: thrown, solved, sampled, loaded and replayed like any other."""

from __future__ import annotations

from typing import Literal, TypeAlias

from kitchentable.dice.die import Die
from kitchentable.dice.mechanic import Dice as DiceInHand
from kitchentable.dice.mechanic import mechanic, start_over
from kitchentable.dice.notation.tree import (
    FUDGE,
    Condition,
    Dice,
    Expression,
    Group,
    Keep,
    Labelled,
    Node,
    Number,
    Product,
    Sum,
    Target,
)
from kitchentable.dice.trace import EXPLODED, THROWN_AGAIN

Terms: TypeAlias = tuple[tuple[Literal["+", "-"], Node], ...]

_ELSEWHERE = "another throw of the group counts instead"

FUDGE_DIE = Die("dF", (-1, 0, 1))


@mechanic
def notation(dice: DiceInHand, expression: Expression) -> int | bool:
    """What a player typed: a total, or whether the target was reached.

    The outcome is a whole number; with a target (``(2d6)>=7``) it is true or false.

    >>> from kitchentable.dice import load
    >>> from kitchentable.dice.notation.parse import parse
    >>> load(notation, parse("4d6kh3+2"), faces=[1, 5, 6, 3]).outcome
    16
    """
    root = expression.root
    if isinstance(root, Target):
        left, right = part(dice, root.left, ""), part(dice, root.right, "")
        return left >= right if root.comparator == ">=" else left <= right
    return _value(dice, root, "")


@mechanic
def part(dice: DiceInHand, node: Node, label: str) -> int:
    """One part of an expression on its own, so that equal parts are solved once."""
    return _value(dice, node, label)


@mechanic
def one_die(dice: DiceInHand, kind: Dice, label: str) -> int:
    """One die with its rerolls and explosions: the sum of what counts of it."""
    face = _settled(dice, kind, label)
    if face is None:
        return start_over()
    if kind.explode is None or not kind.explode.holds(face):
        return face
    dice.mark(EXPLODED, f"{_faces(kind, kind.explode)} explodes: another die is thrown and added")
    return face + one_die(dice, kind, label)


@mechanic
def hits_of_one_die(dice: DiceInHand, kind: Dice, hits: Condition, label: str) -> int:
    """How many hits one die brings, with those of the dice that it explodes into."""
    face = _settled(dice, kind, label)
    if face is None:
        return start_over()
    hit = int(hits.holds(face))
    if kind.explode is None or not kind.explode.holds(face):
        return hit
    dice.mark(EXPLODED, f"{_faces(kind, kind.explode)} explodes: another die is thrown")
    return hit + hits_of_one_die(dice, kind, hits, label)


def _settled(dice: DiceInHand, kind: Dice, label: str) -> int | None:
    """The face a die shows after a reroll; nothing when the die begins again."""
    die = _die_of(kind)
    face: int = dice.die(die, label=label)
    if kind.reroll is None or not kind.reroll.condition.holds(face):
        return face
    if kind.reroll.forever:
        return None
    dice.mark(THROWN_AGAIN, f"{_faces(kind, kind.reroll.condition)} is thrown again once")
    again: int = dice.die(die, label=label)
    return again


def _value(dice: DiceInHand, node: Node, label: str) -> int:
    match node:
        case Number(value):
            return value
        case Dice():
            return _throw(dice, node, label)
        case Labelled(inner, own):
            return _value(dice, inner, own)
        case Group(items, select):
            return _choose(dice, items, select, label)
        case Product(first, rest):
            value = _branch(dice, first, label)
            for sign, factor in rest:
                by = _branch(dice, factor, label)
                value = value * by if sign == "*" else value // by
            return value
        case Sum(terms):
            return _add(dice, terms, label)


def _branch(dice: DiceInHand, node: Node, label: str) -> int:
    """The value of a part beside others: as a choice point of its own where it is composed."""
    if isinstance(node, Number | Dice):
        return _value(dice, node, label)
    return part(dice, node, label)


def _add(dice: DiceInHand, terms: Terms, label: str) -> int:
    """Add terms in halves, so that the solver convolves instead of multiplying out paths."""
    if len(terms) == 1:
        sign, node = terms[0]
        value = _branch(dice, node, label)
        return value if sign == "+" else -value
    middle = len(terms) // 2
    halves = (terms[:middle], terms[middle:])
    return sum(
        _add(dice, half, label) if len(half) == 1 else part(dice, Sum(half), label)
        for half in halves
    )


def _throw(dice: DiceInHand, node: Dice, label: str) -> int:
    die = _die_of(node)
    plain = node.reroll is None and node.explode is None
    kind = Dice(1, node.sides, node.reroll, node.explode)
    if isinstance(node.select, Condition):
        if plain:
            return dice.count(node.count, die, hit=node.select.holds, label=label)
        return dice.total(node.count, (hits_of_one_die, kind, node.select, label))
    highest, lowest = _kept(node.select, node.count)
    if plain:
        return dice.total(node.count, die, keep_highest=highest, keep_lowest=lowest, label=label)
    of = (one_die, kind, label)
    return dice.total(node.count, of, keep_highest=highest, keep_lowest=lowest)


def _choose(dice: DiceInHand, items: tuple[Node, ...], select: Keep | Condition, label: str) -> int:
    """Keep some throws of a group, or count those that hit."""
    if isinstance(select, Condition):
        return hits_in_group(dice, items, select, label)
    highest, lowest = _kept(select, len(items))
    if all(item == items[0] for item in items):
        of = (part, items[0], label)
        return dice.total(len(items), of, keep_highest=highest, keep_lowest=lowest)
    if highest == 1 or lowest == 1:
        return best_of_group(dice, items, highest == 1, label)
    parts = [(part, item, label) for item in items]
    return dice.mixed(parts, keep_highest=highest, keep_lowest=lowest)


@mechanic
def hits_in_group(dice: DiceInHand, items: tuple[Node, ...], hits: Condition, label: str) -> int:
    """How many throws of a group hit, counted in halves so that the solver can convolve."""
    if len(items) == 1:
        return int(hits.holds(part(dice, items[0], label)))
    middle = len(items) // 2
    halves = (items[:middle], items[middle:])
    return sum(hits_in_group(dice, half, hits, label) for half in halves)


@mechanic
def best_of_group(dice: DiceInHand, items: tuple[Node, ...], highest: bool, label: str) -> int:
    """The highest or the lowest throw of a group, found in halves like :func:`hits_in_group`."""
    if len(items) == 1:
        return part(dice, items[0], label)
    middle = len(items) // 2
    left = best_of_group(dice, items[:middle], highest, label)
    right = best_of_group(dice, items[middle:], highest, label)
    is_left = left >= right if highest else left <= right
    dice.drop([1 if is_left else 0], _ELSEWHERE)
    return left if is_left else right


def _kept(keep: Keep | None, number: int) -> tuple[int | None, int | None]:
    """How many of ``number`` results count: (the highest, the lowest), one of them or neither."""
    if keep is None:
        return None, None
    best, count = keep.kept(number)
    return (count, None) if best else (None, count)


def _die_of(kind: Dice) -> int | Die:
    return FUDGE_DIE if kind.sides == FUDGE else int(kind.sides)


def _faces(kind: Dice, condition: Condition) -> str:
    if condition in (Condition(">=", kind.highest), Condition("<=", kind.lowest)):
        return str(condition.value)
    return (
        str(condition.value) + {">=": " or more", "<=": " or less", "=": ""}[condition.comparator]
    )
