"""Dice expressions in words, for screen readers and button captions."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from kitchentable.dice.notation.tree import (
    FUDGE,
    Condition,
    Dice,
    Expression,
    Group,
    Handful,
    Labelled,
    Middle,
    Node,
    Number,
    Product,
    Root,
    Select,
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
    """Spell a roll as a phrase, without signs that screen readers skip.

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
    question = {">=": "at least", "<=": "at most", "=": "exactly"}[root.comparator]
    return f"{_node(root.left)}: {question} {_node(root.right)}"


def _node(node: Node) -> str:
    match node:
        case Number(value):
            return str(value)
        case Dice():
            return _dice(node)
        case Handful(count, dice):
            of = _dice(dice).removeprefix("1 ")
            return f"as many {of} as bracket {_node(count)} end bracket"
        case Labelled(inner, label):
            return f"{_bracketed(inner, (Sum, Product))} for {label}"
        case Group(items, select):
            listed = "; ".join(map(_node, items))
            return f"of the group {listed}; end of group, {_select(select)}"
        case Product(first, rest):
            return _row([("", first), *rest], (Sum, Product))
        case Sum(terms):
            return _row(terms, (Sum,)).removeprefix("plus ")


def _row(parts: Sequence[tuple[str, Node]], nested: tuple[type, ...]) -> str:
    """Parts with signs in words; a comma follows all parts except plain dice and numbers."""
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
    name = "fudge dice" if dice.sides == FUDGE else dice.name
    if isinstance(dice.sides, tuple):
        name = f"dice with the faces {', '.join(map(str, dice.sides))}".replace("-", "minus ")
    words = [f"{dice.count} {name}"]
    if dice.reroll is not None:
        faces = _faces(dice.reroll.condition)
        how = "until none is left" if dice.reroll.forever else "once"
        words.append(f"rerolling {faces} {how}")
    if dice.explode is not None:
        on_highest = dice.explode == Condition(">=", dice.highest)
        words.append("exploding" if on_highest else f"exploding on {_faces(dice.explode)}")
    if dice.least is not None:
        words.append(f"each counting {dice.least} or more")
    if dice.most is not None:
        words.append(f"each counting {dice.most} or less")
    if dice.select is not None:
        words.append(_select(dice.select))
    return " ".join(words)


def _select(select: Select) -> str:
    if isinstance(select, Condition):
        return f"counting hits of {_faces(select)}"
    if isinstance(select, Middle):
        return f"dropping the highest {select.highest} and the lowest {select.lowest}"
    return f"{_KEEP[select.word]} {select.count}"


def _faces(condition: Condition) -> str:
    return condition.in_words().replace("-", "minus ")
