"""The line of a roll card that shows the calculation of an outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.notation.dialects.maths import in_decimals
from kitchentable.dice.notation.dialects.nodes import (
    Apply,
    Choose,
    Exact,
    Many,
    Named,
    Pool,
    Term,
    Together,
    Total,
)
from kitchentable.dice.notation.dialects.play import foreign_part, many
from kitchentable.dice.notation.dialects.reading import AnyExpression
from kitchentable.dice.notation.play import handful, part
from kitchentable.dice.notation.tree import (
    Amount,
    Condition,
    Dice,
    Group,
    Handful,
    Keep,
    Labelled,
    Number,
    Product,
    Sum,
    Target,
)
from kitchentable.dice.roller import LoadedDice
from kitchentable.dice.trace import DROPPED, THROWN_AGAIN

T = TypeVar("T")
Piece: TypeAlias = int | str
"""A number of dice, in the order of throwing, or the text between dice."""

_SIGNS = MappingProxyType({"*": "×", "//": "/", ">=": "≥", "<=": "≤", "=": "exactly"})
#: Infix operations of other programs, and functions shown only by their result.
_BETWEEN = MappingProxyType(
    {
        **{name: name for name in ("%", "!=", "<", ">", "and", "or")},
        **_SIGNS,
        "/": "÷",
        "/0": "/",
        "%0": "%",
        "**": "^",
        "**0": "^",
    }
)
_ROUNDED = frozenset({"trunc", "hundredths"})
_COMPOSED = (Sum, Product, Total, Apply)


def tally(expression: AnyExpression, faces: Sequence[int]) -> tuple[Piece, ...]:
    """The calculation of a roll as pieces of a line: ``4d6kh3+2`` as 4 dice, +, 2.

    ``faces`` are the physical faces of the dice, in the order of throwing. Adjacent dice are added,
    except dropped and rerolled ones. The number after → is the result of the part before it, if
    that is not the sum of the dice: hits, limits, groups in braces, functions of other programs.
    A / rounds down, a ÷ keeps the fraction.

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


def with_dice(line: Iterable[Piece], dice: Sequence[T]) -> Iterator[str | Sequence[T]]:
    """Replace the numbers of dice in a line by the dice.

    >>> list(with_dice((2, "+", "3"), ["4", "6"]))
    [['4', '6'], '+', '3']
    """
    for piece in line:
        if isinstance(piece, int):
            yield dice[:piece]
            dice = dice[piece:]
        else:
            yield piece


@dataclass(slots=True)
class _Reader:
    """One pass over an expression and the faces of its dice."""

    faces: tuple[int, ...]

    def value(self, node: Term) -> Amount:
        """The result of a part, thrown with the next faces."""
        return foreign_part(LoadedDice(self.faces), node, "")

    def compared(self, node: Term) -> list[Piece]:
        """One side of a target, with its total if the line does not show it."""
        value = self.value(node)
        pieces = self.line(node)
        return pieces if isinstance(node, Number | Exact) else [*pieces, "=", _as_text(value)]

    def line(self, node: Term) -> list[Piece]:
        """The pieces of a part; its dice are removed from `faces`."""
        match node:
            case Number(value) | Exact(value):
                return [_as_text(value)]
            case Labelled(inner, label) | Named(inner, label):
                pieces = self.line(inner)
                if isinstance(inner, _COMPOSED):
                    pieces = ["(", *pieces, ")"]
                return [*pieces, f"[{label}]"]
            case Product(first, rest):
                pieces = self.bracketed(first, _COMPOSED)
                for sign, factor in rest:
                    pieces += [_SIGNS.get(sign, sign), *self.bracketed(factor, _COMPOSED)]
                return pieces
            case Sum(terms) | Total(terms):
                pieces = []
                for way, term in terms:
                    if pieces or way == "-":
                        pieces.append(way)
                    # After a plus, adjacent dice need no brackets.
                    alone = way == "+" and not isinstance(term, Sum | Total)
                    pieces += self.line(term) if alone else self.bracketed(term, (Sum, Total))
                return pieces
            case Apply():
                return self.applied(node)
            case _:
                return self.dice(node)

    def dice(self, node: Dice | Handful | Group | Many | Pool) -> list[Piece]:
        """Dice of any kind, with their result if it is not the sum of the faces."""
        match node:
            case Dice(reroll=None, explode=None, least=None, most=None, select=None | Keep()):
                # Without rerolls and a shown result, nothing has to be evaluated.
                self.faces = self.faces[node.count :]
                return [node.count]
            case Dice():
                hand = LoadedDice(self.faces)
                value = part(hand, node, "")
                return self.thrown(hand, node, value)
            case Handful():
                return self.handful(node)
            case Group():
                return self.group(node)
            case Many():
                return self.many(node)
            case Pool():
                return self.pool(node)

    def bracketed(self, node: Term, kinds: tuple[type, ...]) -> list[Piece]:
        """The pieces of an operand, in brackets if there are several."""
        pieces = self.line(node)
        things = sum(piece if isinstance(piece, int) else 1 for piece in pieces)
        whole = not isinstance(node, (*_COMPOSED, Labelled, Named))
        if isinstance(node, kinds) or (whole and things > 1):
            return ["(", *pieces, ")"]
        return pieces

    def thrown(self, hand: LoadedDice, node: Dice, value: int) -> list[Piece]:
        """The pieces of thrown dice."""
        if isinstance(node.select, Condition):
            return self.fallen(hand, value, _hits(value))
        limited = node.least is not None or node.most is not None
        return self.fallen(hand, value, str(value) if limited else "")

    def handful(self, node: Handful) -> list[Piece]:
        """The dice that give the number, then the dice themselves."""
        count = int(self.value(node.count))
        before = self.line(node.count)
        hand = LoadedDice(self.faces)
        value = handful(hand, node.dice, count, "")
        return ["[", *before, "→", _dice(count), "]", *self.thrown(hand, node.dice, value)]

    def group(self, node: Group) -> list[Piece]:
        """The throws of a group, and its result."""
        value = self.value(node)
        hits = isinstance(node.select, Condition)
        return ["{", *self.listed(node.items), "}", "→", _hits(value) if hits else _as_text(value)]

    def listed(self, nodes: Iterable[Term]) -> list[Piece]:
        """The pieces of several parts, with commas between them."""
        pieces: list[Piece] = []
        for node in nodes:
            pieces += [",", *self.line(node)] if pieces else self.line(node)
        return pieces

    # -- nodes of other dialects -------------------------------------------------------------------

    def applied(self, node: Apply) -> list[Piece]:
        """An operation or a function, with its result if the line does not show it."""
        name, args = node.name, node.args
        if name == "neg":
            return ["-", *self.bracketed(args[0], _COMPOSED)]
        if name in {"*", "/"}:
            left, right = (self.bracketed(arg, _COMPOSED) for arg in args)
            return [*left, _BETWEEN[name], *right]
        value = self.value(node)
        if name in _ROUNDED and value == self.value(args[0]):
            return self.line(args[0])
        if name not in _BETWEEN:
            word = [] if name in _ROUNDED else [name]
            return [*word, "(", *self.listed(args), ")", "→", _as_text(value)]
        left, right = (self.bracketed(arg, _COMPOSED) for arg in args)
        return ["(", *left, _BETWEEN[name], *right, ")", "→", _as_text(value)]

    def many(self, node: Many) -> list[Piece]:
        """The dice that give the number and the sides, then the dice themselves."""
        count = self.value(node.count)
        before: list[Piece] = [*self.line(node.count), "→", _dice(int(count))]
        of: Amount | Die
        if isinstance(node.sides, Die):
            of = node.sides
        else:
            of = self.value(node.sides)
            if not isinstance(node.sides, Number | Exact):
                before += [",", *self.line(node.sides), "→", f"d{_as_text(of)}"]
        hand = LoadedDice(self.faces)
        value = many(hand, count, of, "")
        return ["[", *before, "]", *self.fallen(hand, value)]

    def pool(self, node: Pool) -> list[Piece]:
        """Dice or throws with a chain of steps."""
        hand = LoadedDice(self.faces)
        value = foreign_part(hand, node, "")
        comes_to = _as_text(value) if node.score is None else _hits(value)
        if all(isinstance(source, AnyDie) for _, source in node.sources):
            return self.fallen(hand, value, comes_to if node.score is not None else "")
        if all(isinstance(step, Choose | Together) for step in node.steps):
            pieces = self.listed(
                Pool(((1, source),)) if isinstance(source, AnyDie) else source
                for count, source in node.sources
                for _ in range(count)
            )
        else:
            pieces = self.fallen(hand, value, comes_to)[:1]
        return ["{", *pieces, "}", "→", comes_to]

    def fallen(self, hand: LoadedDice, value: Amount, comes_to: str = "") -> list[Piece]:
        """Thrown dice, with their result if it is not the sum of the kept dice."""
        throws = hand.trace.throws
        self.faces = self.faces[len(throws) :]
        if not throws:
            return ["0"]
        counted = [one.face for one in throws if one.fate not in {DROPPED, THROWN_AGAIN}]
        if comes_to or value != sum(face for face in counted if isinstance(face, int)):
            return [len(throws), "→", comes_to or _as_text(value)]
        return [len(throws)]


def _as_text(value: Amount) -> str:
    return in_decimals(value) if isinstance(value, Fraction) else str(value)


def _dice(count: int) -> str:
    return f"{count} dice" if count != 1 else "1 die"


def _hits(value: Amount) -> str:
    return f"{value} hit{'' if value == 1 else 's'}"
