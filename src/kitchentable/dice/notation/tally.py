"""How an outcome comes from its dice: the line of a card, with every summand in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from kitchentable.dice.hands import LoadedDice
from kitchentable.dice.notation.play import handful, part
from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Expression,
    Group,
    Handful,
    Labelled,
    Node,
    Number,
    Product,
    Sum,
    Target,
)

Piece: TypeAlias = int | str
"""So many dice, in the order of throwing, or a sign, a number or a bracket between them."""

_SIGNS = MappingProxyType({"*": "×", ">=": "≥", "<=": "≤", "=": "exactly"})


def tally(expression: Expression, faces: Sequence[int]) -> tuple[Piece, ...]:
    """The dice and everything between them, as one line to read: ``4d6kh3+2`` as 4 dice, +, 2.

    ``faces`` are the physical faces of the dice, in the order of throwing. Dice side by side are
    added, those that were dropped or thrown again left out. A number behind → is what stands before
    it comes to, where that is no sum of the dice: hits, limits, and groups in braces.

    >>> from kitchentable.dice.notation.parse import parse
    >>> tally(parse("4d6kh3+2"), [2, 4, 2, 1])
    (4, '+', '2')
    >>> tally(parse("3*(2d6! hits>=5)-1"), [6, 1, 5])
    ('3', '×', '(', 3, '→', '2 hits', ')', '-', '1')
    """
    reader = _Reader(tuple(faces))
    root = expression.root
    if not isinstance(root, Target):
        return tuple(reader.line(root))
    left = reader.compared(root.left)
    return (*left, _SIGNS.get(root.comparator, root.comparator), *reader.compared(root.right))


@dataclass(slots=True)
class _Reader:
    """One walk over an expression beside the faces that its dice showed."""

    faces: tuple[int, ...]

    def compared(self, node: Node) -> list[Piece]:
        """One side of a target, with its total where that is not plain to see."""
        before = self.faces
        pieces = self.line(node)
        if isinstance(node, Number):
            return pieces
        return [*pieces, "=", str(part(LoadedDice(before), node, ""))]

    def line(self, node: Node) -> list[Piece]:
        """The pieces of a part, whose dice are taken off the faces."""
        match node:
            case Number(value):
                return [str(value)]
            case Labelled(inner, label):
                pieces = self.line(inner)
                if isinstance(inner, Sum | Product):
                    pieces = ["(", *pieces, ")"]
                return [*pieces, f"[{label}]"]
            case Dice():
                return self.dice(node)
            case Handful():
                return self.handful(node)
            case Group():
                return self.group(node)
            case Product(first, rest):
                pieces = self.bracketed(first, (Sum, Product))
                for sign, factor in rest:
                    pieces += [_SIGNS.get(sign, sign), *self.bracketed(factor, (Sum, Product))]
                return pieces
            case Sum(terms):
                pieces = []
                for way, term in terms:
                    if pieces or way == "-":
                        pieces.append(way)
                    # Behind a plus, dice side by side are added as they lie.
                    alone = way == "+" and not isinstance(term, Sum)
                    pieces += self.line(term) if alone else self.bracketed(term, (Sum,))
                return pieces

    def bracketed(self, node: Node, kinds: tuple[type, ...]) -> list[Piece]:
        """The pieces of a part beside a sign, in brackets where it is more than one thing."""
        pieces = self.line(node)
        things = sum(piece if isinstance(piece, int) else 1 for piece in pieces)
        whole = not isinstance(node, Sum | Product | Labelled)
        if isinstance(node, kinds) or (whole and things > 1):
            return ["(", *pieces, ")"]
        return pieces

    def dice(self, node: Dice) -> list[Piece]:
        """Dice, and what they come to where their faces are not simply added."""
        hand = LoadedDice(self.faces)
        value = part(hand, node, "")
        return self.thrown(hand, node, value)

    def thrown(self, hand: LoadedDice, node: Dice, value: int) -> list[Piece]:
        """Dice that were thrown with a hand of their own."""
        number = len(hand.trace.throws)
        self.faces = self.faces[number:]
        limited = node.least is not None or node.most is not None
        if number == 0:
            return ["0"]
        if isinstance(node.select, Condition):
            return [number, "→", f"{value} hit{'' if value == 1 else 's'}"]
        return [number, "→", str(value)] if limited else [number]

    def handful(self, node: Handful) -> list[Piece]:
        """The dice that say how many, then those."""
        count = part(LoadedDice(self.faces), node.count, "")
        before = self.line(node.count)
        hand = LoadedDice(self.faces)
        value = handful(hand, node.dice, count, "")
        dice = f"{count} dice" if count != 1 else "1 die"
        return ["[", *before, "→", dice, "]", *self.thrown(hand, node.dice, value)]

    def group(self, node: Group) -> list[Piece]:
        """Every throw of a group, and what the group comes to."""
        value = part(LoadedDice(self.faces), node, "")
        pieces: list[Piece] = []
        for item in node.items:
            pieces += [",", *self.line(item)] if pieces else self.line(item)
        hits = isinstance(node.select, Condition)
        word = f" hit{'' if value == 1 else 's'}" if hits else ""
        return ["{", *pieces, "}", "→", f"{value}{word}"]
