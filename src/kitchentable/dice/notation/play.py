"""The mechanic that evaluates a dice expression."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.mechanic import Dice as DiceInHand
from kitchentable.dice.mechanic import mechanic, start_over
from kitchentable.dice.notation.bounds import kept
from kitchentable.dice.notation.tree import (
    FUDGE,
    Condition,
    Dice,
    Expression,
    Factors,
    Group,
    Handful,
    Keep,
    Labelled,
    Middle,
    Node,
    Number,
    Product,
    Select,
    Sum,
    Target,
    Terms,
)
from kitchentable.dice.trace import COUNTED, EXPLODED, KEPT, THROWN_AGAIN

T = TypeVar("T")

#: Products with more divisions than this are not split recursively.
_MOST_DIVISIONS = 4
_ELSEWHERE = "another throw of the group counts instead"

FUDGE_DIE = Die("dF", (-1, 0, 1))


@mechanic
def notation(dice: DiceInHand, expression: Expression) -> int | bool:
    """Evaluate an expression: a total, or with a target (``(2d6)>=7``) true or false.

    >>> from kitchentable.dice import load
    >>> from kitchentable.dice.notation.parse import parse
    >>> load(notation, parse("4d6kh3+2"), faces=[1, 5, 6, 3]).outcome
    16
    """
    root = expression.root
    if isinstance(root, Target):
        return root.met(part(dice, root.left, ""), part(dice, root.right, ""))
    return _value(dice, root, "")


@mechanic
def part(dice: DiceInHand, node: Node, label: str) -> int:
    """Evaluate a part as a mechanic of its own, so that equal parts are solved once."""
    value = _value(dice, node, label)
    if not isinstance(node, Number | Dice):
        no_reroll(dice)
    return value


@mechanic
def no_reroll(dice: DiceInHand) -> int:
    """Do nothing; called last by a mechanic that calls itself for its parts.

    Without this call, the trace would treat the last die as rerolled or exploded.
    """
    return 0


@mechanic
def one_die(dice: DiceInHand, kind: Dice, label: str) -> int:
    """One die with its rerolls and explosions: the sum of its values."""
    face = _settled(dice, kind, label)
    if face is None:
        return start_over()
    value = kind.worth(face)
    why = "" if value == face else f"counts as {value}"
    if kind.explode is None or not kind.explode.holds(face):
        if why:
            dice.mark(KEPT, why)
        return value
    exploded = f"{_faces(kind, kind.explode)} explodes: another die is thrown and added"
    dice.mark(EXPLODED, f"{exploded}; {why}" if why else exploded)
    return value + one_die(dice, kind, label)


@mechanic
def hits_of_one_die(dice: DiceInHand, kind: Dice, hits: Condition, label: str) -> int:
    """The number of hits of one die, including the dice added by explosions."""
    face = _settled(dice, kind, label)
    if face is None:
        return start_over()
    hit = int(hits.holds(kind.worth(face)))
    if kind.explode is None or not kind.explode.holds(face):
        if hit:
            dice.mark(COUNTED, "it hits")
        return hit
    exploded = f"{_faces(kind, kind.explode)} explodes: another die is thrown"
    dice.mark(COUNTED if hit else EXPLODED, exploded)
    return hit + hits_of_one_die(dice, kind, hits, label)


def _settled(dice: DiceInHand, kind: Dice, label: str) -> int | None:
    """The face of a die after its reroll; None if the die must start over."""
    die = die_of(kind)
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
        case Handful(count, of):
            return handful(dice, of, part(dice, count, label), label)
        case Group(items, select):
            return _choose(dice, items, select, label)
        case Product(first, rest):
            return _multiply(dice, first, rest, label)
        case Sum(terms):
            return _add(dice, terms, label)


def _branch(dice: DiceInHand, node: Node, label: str) -> int:
    """The value of an operand; a composed operand is a mechanic of its own."""
    if isinstance(node, Number | Dice):
        return _value(dice, node, label)
    return part(dice, node, label)


def halves(items: tuple[T, ...]) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """The first and the second half of a row.

    >>> halves((1, 2, 3))
    ((1,), (2, 3))
    """
    middle = len(items) // 2
    return items[:middle], items[middle:]


def split_product(rest: Factors) -> tuple[Factors, Node | None, Factors] | None:
    """Split a product at its last divisor: the factors before, the divisor, the factors after.

    Without a division it is split in the middle. A product of two parts is not split, nor one with
    so many divisions that it would nest too deep: None.

    >>> from kitchentable.dice.notation.parse import parse
    >>> before, divisor, behind = split_product(parse("8/d4/d6*2*3").root.rest)
    >>> len(before), str(divisor), len(behind)
    (1, '1d6', 2)
    """
    divisions = [at for at, (sign, _) in enumerate(rest) if sign == "/"]
    if len(rest) < 2 or len(divisions) > _MOST_DIVISIONS:
        return None
    if not divisions:
        before, behind = halves(rest)
        return before, None, behind
    last = divisions[-1]
    return rest[:last], rest[last][1], rest[last + 1 :]


def _multiply(dice: DiceInHand, first: Node, rest: Factors, label: str) -> int:
    """Multiply and divide from left to right, by halves so that equal products are solved once."""
    split = split_product(rest)
    if split is None:
        value = _branch(dice, first, label)
        for sign, factor in rest:
            by = _branch(dice, factor, label)
            value = value * by if sign == "*" else value // by
        return value
    before, divisor, behind = split
    value = _branch(dice, Product(first, before) if before else first, label)
    if divisor is not None:
        value //= _branch(dice, divisor, label)
    if not behind:
        return value
    (_, second), *others = behind
    return value * _branch(dice, Product(second, tuple(others)) if others else second, label)


def _add(dice: DiceInHand, terms: Terms, label: str) -> int:
    """Add terms by halves, so that the solver convolves two distributions at a time."""
    if len(terms) == 1:
        sign, node = terms[0]
        value = _branch(dice, node, label)
        return value if sign == "+" else -value
    return sum(
        _add(dice, half, label) if len(half) == 1 else part(dice, Sum(half), label)
        for half in halves(terms)
    )


@mechanic
def handful(dice: DiceInHand, kind: Dice, number: int, label: str) -> int:
    """Throw dice of one kind, with a number that was thrown before."""
    return _throw(dice, replace(kind, count=number), label)


def _throw(dice: DiceInHand, node: Dice, label: str) -> int:
    die = die_of(node)
    plain = node.is_plain
    if isinstance(node.select, Condition):
        if plain:
            return dice.count(node.count, die, hit=node.select.holds, label=label)
        return dice.total(node.count, (hits_of_one_die, node.one, node.select, label))
    if isinstance(node.select, Middle):
        if plain:
            pool = dice.pool(node.count, die, label=label).drop_highest(node.select.highest)
            rest: int = pool.drop_lowest(node.select.lowest).total()
            return rest
        return middle_of_dice(dice, node, node.select, label)
    highest, lowest = _kept(node.select, node.count)
    if plain:
        return dice.total(node.count, die, keep_highest=highest, keep_lowest=lowest, label=label)
    of = (one_die, node.one, label)
    return dice.total(node.count, of, keep_highest=highest, keep_lowest=lowest)


@mechanic
def middle_of_dice(dice: DiceInHand, node: Dice, select: Middle, label: str) -> int:
    """The sum of the dice between the highest and the lowest, for dice with modifiers."""
    return _chosen(dice, [one_die(dice, node.one, label) for _ in range(node.count)], select)


def _choose(dice: DiceInHand, items: tuple[Node, ...], select: Select, label: str) -> int:
    """Keep some throws of a group, or count those that hit."""
    if isinstance(select, Condition):
        return hits_in_group(dice, items, select, label)
    if isinstance(select, Middle):
        return _chosen(dice, [part(dice, item, label) for item in items], select)
    highest, lowest = _kept(select, len(items))
    if all(item == items[0] for item in items):
        of = (part, items[0], label)
        return dice.total(len(items), of, keep_highest=highest, keep_lowest=lowest)
    if highest == 1 or lowest == 1:
        return best_of_group(dice, items, highest == 1, label)
    parts = [(part, item, label) for item in items]
    return dice.mixed(parts, keep_highest=highest, keep_lowest=lowest)


def _chosen(dice: DiceInHand, values: list[int], select: Middle) -> int:
    """The sum of the results that count; all other dice are dropped."""
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    first, stop = kept(select, len(values))
    dice.drop([*order[:first], *order[stop:]], _ELSEWHERE)
    return sum(values[one] for one in order[first:stop])


@mechanic
def hits_in_group(dice: DiceInHand, items: tuple[Node, ...], hits: Condition, label: str) -> int:
    """The number of hits in a group, counted by halves so that the solver can convolve."""
    if len(items) == 1:
        return int(hits.holds(part(dice, items[0], label)))
    total = sum(hits_in_group(dice, half, hits, label) for half in halves(items))
    no_reroll(dice)
    return total


@mechanic
def best_of_group(dice: DiceInHand, items: tuple[Node, ...], highest: bool, label: str) -> int:
    """The highest or lowest throw of a group, found by halves as in :func:`hits_in_group`."""
    if len(items) == 1:
        return part(dice, items[0], label)
    left, right = (best_of_group(dice, half, highest, label) for half in halves(items))
    is_left = left >= right if highest else left <= right
    dice.drop([1 if is_left else 0], _ELSEWHERE)
    no_reroll(dice)
    return left if is_left else right


def _kept(keep: Keep | None, number: int) -> tuple[int | None, int | None]:
    """The numbers of results to keep, as (highest, lowest); one or both are None."""
    if keep is None:
        return None, None
    first, stop = kept(keep, number)
    return (stop, None) if first == 0 else (None, stop - first)


def die_of(kind: Dice) -> AnyDie:
    """The die that is thrown.

    >>> die_of(Dice(2, 6))
    6
    """
    if isinstance(kind.sides, tuple):
        return Die(kind.name, kind.sides)
    return FUDGE_DIE if kind.sides == FUDGE else int(kind.sides)


def _faces(kind: Dice, condition: Condition) -> str:
    if condition in (Condition(">=", kind.highest), Condition("<=", kind.lowest)):
        return str(condition.value)
    return condition.in_words()
