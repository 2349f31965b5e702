"""The immutable tree of a dice expression and its canonical spelling.

The tree has no text positions, so two texts for the same roll give equal, hashable trees. ``str``
of a node is its canonical spelling, which parses to an equal node.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

Amount: TypeAlias = int | Fraction
Comparator: TypeAlias = Literal[">=", "<=", "="]
Sign: TypeAlias = Comparator | Literal["!=", "<", ">", "even", "odd"]
KeepWord: TypeAlias = Literal["kh", "kl", "dh", "dl"]
Plus: TypeAlias = Literal["+", "-"]
Times: TypeAlias = Literal["*", "/"]
Terms: TypeAlias = "tuple[tuple[Plus, Node], ...]"
Factors: TypeAlias = "tuple[tuple[Times, Node], ...]"

COMPARE: Mapping[Sign, Callable[[Any, Any], bool]] = MappingProxyType(
    {
        ">=": operator.ge,
        "<=": operator.le,
        "=": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        ">": operator.gt,
        "even": lambda number, _: number % 2 == 0,
        "odd": lambda number, _: number % 2 == 1,
    }
)
"""The comparison of each sign; only other programs have the last five."""

_TAILS: Mapping[Sign, str] = MappingProxyType({">=": " or more", "<=": " or less", "=": ""})

AGAIN_AT_MOST = (3, 4)
"""The largest share of faces that throw a die again; expected throws then stay below 4."""

FUDGE: Literal["F"] = "F"
"""The sides of a Fudge die, which shows -1, 0 or +1 with equal chance."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on values: ``>=5``, ``<=2`` or ``=6``; in other programs also even or odd."""

    comparator: Sign
    value: Amount = 0

    def holds(self, number: Amount) -> bool:
        """Whether a value fulfils the condition.

        >>> Condition(">=", 5).holds(6), Condition("=", 6).holds(5), Condition("odd").holds(5)
        (True, False, True)
        """
        return COMPARE[self.comparator](number, self.value)

    def holds_too_often(self, faces: Sequence[int]) -> bool:
        """Whether a die must not be thrown again on these of its faces."""
        most, of = AGAIN_AT_MOST
        return sum(map(self.holds, faces)) * of > most * len(faces)

    def in_words(self) -> str:
        """The faces in a sentence.

        >>> Condition(">=", 5).in_words(), Condition("=", -1).in_words()
        ('5 or more', '-1')
        """
        return f"{self.value}{_TAILS[self.comparator]}"

    def __str__(self) -> str:
        return f"{self.comparator}{self.value}"


@dataclass(frozen=True, slots=True)
class Reroll:
    """The faces to reroll: once (``ro1``) or for ever (``rr1``)."""

    forever: bool
    condition: Condition

    def __str__(self) -> str:
        word = "rr" if self.forever else "ro"
        if self.condition.comparator == "=" and self.condition.value >= 0:
            return f"{word}{self.condition.value}"
        return f"{word}{self.condition}"


@dataclass(frozen=True, slots=True)
class Keep:
    """The results that count: ``kh3`` keeps the highest 3, ``dl1`` drops the lowest."""

    word: KeepWord
    count: int

    def __str__(self) -> str:
        return f"{self.word}{self.count}"


@dataclass(frozen=True, slots=True)
class Middle:
    """The numbers of highest and of lowest results to drop, both at least 1."""

    highest: int
    lowest: int

    def __str__(self) -> str:
        return f"dh{self.highest}dl{self.lowest}"


Select: TypeAlias = Keep | Middle | Condition

Sides: TypeAlias = int | Literal["F"] | tuple[int, ...]
"""A number of sides, the Fudge die, or a list of faces, the smallest first."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, 0 or more."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice of one kind with all modifiers: reroll, explode, min and max, keep or hits.

    ``explode`` has the faces that add another die; ``select`` keeps some dice, or counts the dice
    that fulfil a condition. A die counts at least ``least`` and at most ``most``; rerolls and
    explosions depend only on the face.
    """

    count: int
    sides: Sides
    reroll: Reroll | None = None
    explode: Condition | None = None
    select: Select | None = None
    least: int | None = None
    most: int | None = None

    @property
    def lowest(self) -> int:
        """The smallest face: 1, or -1 on a Fudge die."""
        return self.faces[0]

    @property
    def highest(self) -> int:
        """The largest face."""
        return self.faces[-1]

    @property
    def faces(self) -> Sequence[int]:
        """Every face, smallest first."""
        if isinstance(self.sides, tuple):
            return self.sides
        return range(-1, 2) if self.sides == FUDGE else range(1, int(self.sides) + 1)

    @property
    def resting(self) -> list[int]:
        """The faces on which a die can end, without those that are rerolled for ever."""
        if self.reroll is None or not self.reroll.forever:
            return list(self.faces)
        return [face for face in self.faces if not self.reroll.condition.holds(face)]

    @property
    def is_plain(self) -> bool:
        """Whether each die counts as its face, before keeping and counting."""
        changed = (self.reroll, self.explode, self.least, self.most)
        return changed == (None, None, None, None)

    @property
    def one(self) -> Dice:
        """A single die of this kind, before keeping and counting."""
        return replace(self, count=1, select=None)

    def worth(self, face: int) -> int:
        """The value of a face, within the limits.

        >>> Dice(1, 20, least=10).worth(3)
        10
        """
        if self.least is not None:
            face = max(face, self.least)
        return face if self.most is None else min(face, self.most)

    @property
    def name(self) -> str:
        """The kind of die: ``d6``, ``dF``, ``d{1,1,2}``."""
        if isinstance(self.sides, tuple):
            return "d{" + ",".join(map(str, self.sides)) + "}"
        return f"d{self.sides}"

    def __str__(self) -> str:
        words = [f"{self.count}{self.name}"]
        if self.reroll is not None:
            words.append(str(self.reroll))
        if self.explode is not None:
            words.append(self._explosion(self.explode))
        if self.least is not None:
            words.append(f"min{self.least}")
        if self.most is not None:
            words.append(f"max{self.most}")
        return "".join(words) + _selected(self.select)

    def _explosion(self, on: Condition) -> str:
        if on == Condition(">=", self.highest):
            return "!"
        return f"!{on.value}" if on.comparator == "=" and on.value >= 0 else f"!{on}"


@dataclass(frozen=True, slots=True)
class Handful:
    """Dice with their number given by another part: ``(2d4)d6``.

    ``dice`` is their kind, with a count of 1. If fewer dice are thrown than should be kept, all
    are kept.
    """

    count: Node
    dice: Dice

    def __str__(self) -> str:
        return f"({self.count}){str(self.dice).removeprefix('1')}"


@dataclass(frozen=True, slots=True)
class Group:
    """Several throws of which some are kept, or counted as hits: ``{1d8!,1d6!}kh1``."""

    items: tuple[Node, ...]
    select: Select

    def __str__(self) -> str:
        return "{" + ",".join(map(str, self.items)) + "}" + _selected(self.select)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A part with a name: ``2d6[fire]``."""

    node: Node
    label: str

    def __str__(self) -> str:
        return f"{_in_brackets(self.node, (Sum, Product))}[{self.label}]"


@dataclass(frozen=True, slots=True)
class Product:
    """Factors multiplied and divided from left to right; each division rounds down at once."""

    first: Node
    rest: Factors

    def __str__(self) -> str:
        words = [_in_brackets(self.first, (Sum, Product))]
        for sign, node in self.rest:
            words.append(sign + _in_brackets(node, (Sum, Product)))
        return "".join(words)


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms added and subtracted from left to right; a single term is negative."""

    terms: Terms

    def __str__(self) -> str:
        text = "".join(sign + _in_brackets(node, (Sum,)) for sign, node in self.terms)
        return text.removeprefix("+")


@dataclass(frozen=True, slots=True)
class Target:
    """A comparison of the whole total: ``(2d6!)>=12`` is true or false."""

    left: Node
    comparator: Comparator
    right: Node

    def met(self, left: int, right: int) -> bool:
        """Whether two totals fulfil the comparison.

        >>> Target(Number(2), "=", Number(2)).met(3, 3)
        True
        """
        return COMPARE[self.comparator](left, right)

    def __str__(self) -> str:
        return f"({self.left}){self.comparator}{self.right}"


Node: TypeAlias = Number | Dice | Handful | Group | Labelled | Product | Sum
Root: TypeAlias = Node | Target


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole dice expression: the roll, and the note after ``#``.

    ``str`` gives the canonical spelling; expressions with the same spelling are equal.
    """

    root: Root
    comment: str = ""

    def __str__(self) -> str:
        return f"{self.root} # {self.comment}" if self.comment else str(self.root)


def all_dice(root: Root) -> Iterator[Dice]:
    """All dice of an expression, in the order of throwing.

    >>> [str(dice) for dice in all_dice(Sum((("+", Dice(2, 6)), ("-", Dice(1, 4)))))]
    ['2d6', '1d4']
    """
    if isinstance(root, Dice):
        yield root
    for part in parts_of(root):
        yield from all_dice(part)


def parts_of(root: Root) -> Sequence[Node]:
    """The direct parts of an expression, in the order of throwing.

    >>> [str(part) for part in parts_of(Handful(Dice(2, 4), Dice(1, 6)))]
    ['2d4', '1d6']
    """
    match root:
        case Number() | Dice():
            return ()
        case Handful(count, dice):
            return count, dice
        case Labelled(node, _):
            return (node,)
        case Group(items, _):
            return items
        case Product(first, rest):
            return first, *(node for _, node in rest)
        case Sum(terms):
            return tuple(node for _, node in terms)
        case Target(left, _, right):
            return left, right


def each_dice(node: Node, change: Callable[[Dice], Dice]) -> Node:
    """A copy of a part with all its dice changed, except those of a :class:`Handful`.

    >>> str(each_dice(Sum((("+", Dice(2, 6)), ("+", Number(1)))), lambda dice: Dice(1, 4)))
    '1d4+1'
    """
    match node:
        case Dice():
            return change(node)
        case Labelled(inner, label):
            return Labelled(each_dice(inner, change), label)
        case Group(items, select):
            return Group(tuple(each_dice(item, change) for item in items), select)
        case Product(first, rest):
            factors = tuple((sign, each_dice(factor, change)) for sign, factor in rest)
            return Product(each_dice(first, change), factors)
        case Sum(terms):
            return Sum(tuple((sign, each_dice(term, change)) for sign, term in terms))
        case Number() | Handful():
            return node


def _in_brackets(node: Node, kinds: tuple[type, ...]) -> str:
    return f"({node})" if isinstance(node, kinds) else str(node)


def _selected(select: Select | None) -> str:
    if isinstance(select, Condition):
        return f" hits{select}"
    return "" if select is None else str(select)
