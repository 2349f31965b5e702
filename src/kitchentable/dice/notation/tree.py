"""What was asked for: the frozen tree of a dice expression and its canonical spelling.

The tree holds no chance and no text positions, so two texts that ask for the same throw give
equal, hashable trees. ``str`` of any node is its canonical spelling, which parses back to the
same node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Comparator: TypeAlias = Literal[">=", "<=", "="]
KeepWord: TypeAlias = Literal["kh", "kl", "dh", "dl"]

FUDGE: Literal["F"] = "F"
"""The sides of a Fudge die, which shows -1, 0 or +1 with equal chance."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Which faces are meant: ``>=5``, ``<=2`` or ``=6``."""

    comparator: Comparator
    value: int

    def holds(self, number: int) -> bool:
        """Say whether a face is one of those meant.

        >>> Condition(">=", 5).holds(6), Condition("=", 6).holds(5)
        (True, False)
        """
        if self.comparator == ">=":
            return number >= self.value
        if self.comparator == "<=":
            return number <= self.value
        return number == self.value

    def __str__(self) -> str:
        return f"{self.comparator}{self.value}"


@dataclass(frozen=True, slots=True)
class Reroll:
    """Which faces are thrown again: once (``ro1``) or for ever (``rr1``)."""

    forever: bool
    condition: Condition

    def __str__(self) -> str:
        word = "rr" if self.forever else "ro"
        if self.condition.comparator == "=" and self.condition.value >= 0:
            return f"{word}{self.condition.value}"
        return f"{word}{self.condition}"


@dataclass(frozen=True, slots=True)
class Keep:
    """How many of the results count: ``kh3`` keeps the highest 3, ``dl1`` drops the lowest."""

    word: KeepWord
    count: int

    def kept(self, number: int) -> tuple[bool, int]:
        """Restate for ``number`` results: (the highest ones are kept?, how many are kept).

        >>> Keep("dl", 1).kept(4)
        (True, 3)
        """
        count = self.count if self.word in ("kh", "kl") else number - self.count
        return self.word in ("kh", "dl"), count

    def __str__(self) -> str:
        return f"{self.word}{self.count}"


Select: TypeAlias = Keep | Condition


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, 0 or more."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice of one kind, with what is done to them in this order: reroll, explode, keep or hits.

    ``explode`` holds the faces that add another die; ``select`` keeps some dice, or counts those
    that show the faces of a condition.
    """

    count: int
    sides: int | Literal["F"]
    reroll: Reroll | None = None
    explode: Condition | None = None
    select: Select | None = None

    @property
    def lowest(self) -> int:
        """The smallest face: 1, or -1 on a Fudge die."""
        return -1 if self.sides == FUDGE else 1

    @property
    def highest(self) -> int:
        """The largest face."""
        return 1 if self.sides == FUDGE else int(self.sides)

    @property
    def faces(self) -> range:
        """Every face, smallest first."""
        return range(self.lowest, self.highest + 1)

    def __str__(self) -> str:
        words = [f"{self.count}d{self.sides}"]
        if self.reroll is not None:
            words.append(str(self.reroll))
        if self.explode is not None:
            on_highest = self.explode == Condition(">=", self.highest)
            words.append("!" if on_highest else f"!{self.explode}")
        return "".join(words) + _selected(self.select)


@dataclass(frozen=True, slots=True)
class Group:
    """Several throws of which some are kept, or hits are counted: ``{1d8!,1d6!}kh1``."""

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
    """Multiplied and divided from left to right; each division rounds down at once."""

    first: Node
    rest: tuple[tuple[Literal["*", "/"], Node], ...]

    def __str__(self) -> str:
        words = [_in_brackets(self.first, (Sum, Product))]
        for sign, node in self.rest:
            words.append(sign + _in_brackets(node, (Sum, Product)))
        return "".join(words)


@dataclass(frozen=True, slots=True)
class Sum:
    """Added and subtracted from left to right; a single term is one with a minus before it."""

    terms: tuple[tuple[Literal["+", "-"], Node], ...]

    def __str__(self) -> str:
        text = "".join(sign + _in_brackets(node, (Sum,)) for sign, node in self.terms)
        return text.removeprefix("+")


@dataclass(frozen=True, slots=True)
class Target:
    """A question about a whole total: ``(2d6!)>=12`` is true or false."""

    left: Node
    comparator: Literal[">=", "<="]
    right: Node

    def __str__(self) -> str:
        return f"({self.left}){self.comparator}{self.right}"


Node: TypeAlias = Number | Dice | Group | Labelled | Product | Sum
Root: TypeAlias = Node | Target


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole dice expression: what is thrown, and the note after ``#``.

    ``str`` gives the canonical spelling; equal spellings mean equal values.
    """

    root: Root
    comment: str = ""

    def __str__(self) -> str:
        return f"{self.root} # {self.comment}" if self.comment else str(self.root)


def _in_brackets(node: Node, kinds: tuple[type, ...]) -> str:
    return f"({node})" if isinstance(node, kinds) else str(node)


def _selected(select: Select | None) -> str:
    if isinstance(select, Condition):
        return f" hits{select}"
    return "" if select is None else str(select)
