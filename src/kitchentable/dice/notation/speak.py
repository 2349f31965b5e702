"""A dice expression in words, for screen readers and for the sentence beside a button."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

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
    Root,
    Sum,
    Target,
)

_SIGN = MappingProxyType(
    {"": "", "+": "plus ", "-": "minus ", "*": "times ", "/": "divided, rounding down, by "}
)
_KEEP = MappingProxyType(
    {
        "kh": "keeping the highest",
        "kl": "keeping the lowest",
        "dh": "dropping the highest",
        "dl": "dropping the lowest",
    }
)


def speak(expression: Expression) -> str:
    """The roll as one spoken phrase, without signs that a screen reader would swallow.

    >>> from kitchentable.dice.notation.parse import parse
    >>> speak(parse("2d6!+3"))
    '2 d6 exploding, plus 3'
    >>> speak(parse("(4d6kh3-1)>=12 # a hero?"))
    '4 d6 keeping the highest 3, minus 1: at least 12; note: a hero?'
    """
    words = _root(expression.root)
    return f"{words}; note: {expression.comment}" if expression.comment else words


def _root(root: Root) -> str:
    if not isinstance(root, Target):
        return _node(root)
    question = "at least" if root.comparator == ">=" else "at most"
    return f"{_node(root.left)}: {question} {_node(root.right)}"


def _node(node: Node) -> str:
    match node:
        case Number(value):
            return str(value)
        case Dice():
            return _dice(node)
        case Labelled(inner, label):
            return f"{_bracketed(inner, (Sum, Product))} for {label}"
        case Group(items, select):
            listed = "; ".join(map(_node, items))
            return f"of the group {listed}; end of group, {_select(select)}"
        case Product(first, rest):
            return _row([("", first), *rest], (Sum, Product))
        case Sum(terms):
            (sign, first), *others = terms
            return _row([("-" if sign == "-" else "", first), *others], (Sum,))


def _row(parts: Sequence[tuple[str, Node]], nested: tuple[type, ...]) -> str:
    """Parts with their signs in words; a pause after each part that ends in words of its own."""
    words = ""
    for sign, node in parts:
        words += f"{_SIGN[sign]}{_bracketed(node, nested)}"
        words += " " if _is_bare(node) else ", "
    return words.rstrip(" ,")


def _is_bare(node: Node) -> bool:
    if isinstance(node, Dice):
        return node == Dice(node.count, node.sides)
    return isinstance(node, Number)


def _bracketed(node: Node, nested: tuple[type, ...]) -> str:
    return f"bracket {_node(node)} end bracket" if isinstance(node, nested) else _node(node)


def _dice(dice: Dice) -> str:
    name = "fudge dice" if dice.sides == FUDGE else f"d{dice.sides}"
    words = [f"{dice.count} {name}"]
    if dice.reroll is not None:
        faces = _faces(dice.reroll.condition)
        how = "until none is left" if dice.reroll.forever else "once"
        words.append(f"rerolling {faces} {how}")
    if dice.explode is not None:
        on_highest = dice.explode == Condition(">=", dice.highest)
        words.append("exploding" if on_highest else f"exploding on {_faces(dice.explode)}")
    if dice.select is not None:
        words.append(_select(dice.select))
    return " ".join(words)


def _select(select: Keep | Condition) -> str:
    if isinstance(select, Condition):
        return f"counting hits of {_faces(select)}"
    return f"{_KEEP[select.word]} {select.count}"


def _faces(condition: Condition) -> str:
    number = f"minus {-condition.value}" if condition.value < 0 else str(condition.value)
    return number + {">=": " or more", "<=": " or less", "=": ""}[condition.comparator]
