"""Parts of an expression that only other programs' notation can ask for.

A :class:`Pool` is the one general idea: dice (or throws) that go through steps in order, and then
count. What the house's notation can say as well is lowered to the house's own tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from kitchentable.dice.die import Die
from kitchentable.dice.notation.tree import Node, Root

Amount: TypeAlias = int | Fraction
Sign: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "even", "odd"]


@dataclass(frozen=True, slots=True)
class Test:
    """Which values are meant, such as those of 5 or more, or the even ones."""

    sign: Sign
    value: Amount = 0

    def holds(self, number: Amount) -> bool:
        """Say whether a value is one of those meant.

        >>> Test("!=", 5).holds(6), Test("odd").holds(4)
        (True, False)
        """
        match self.sign:
            case "=":
                return number == self.value
            case "!=":
                return number != self.value
            case "<":
                return number < self.value
            case "<=":
                return number <= self.value
            case ">":
                return number > self.value
            case ">=":
                return number >= self.value
            case "even":
                return number % 2 == 0
            case "odd":
                return number % 2 == 1


@dataclass(frozen=True, slots=True)
class Rank:
    """The highest (``h``) or the lowest (``l``) so many dice."""

    end: Literal["h", "l"]
    count: int


Which: TypeAlias = tuple[Test | Rank, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """Keep the dice meant, or drop them."""

    which: Which
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Together:
    """Choices that all look at the same dice: those that any of them leaves out are out."""

    choices: tuple[Choose, ...]


@dataclass(frozen=True, slots=True)
class Again:
    """Throw the dice meant again: once, or until none of them is meant any more."""

    which: Which
    forever: bool = False


@dataclass(frozen=True, slots=True)
class Limit:
    """Raise dice to a least value, and lower them to a greatest one."""

    least: Amount | None = None
    most: Amount | None = None


@dataclass(frozen=True, slots=True)
class Explode:
    """Each die meant adds another, which may explode in its turn, at most `times` in a row.

    `compound` adds the extra dice to the value of their first; `less` is taken from each of them.
    """

    which: Which
    compound: bool = False
    less: int = 0
    times: int | None = None


@dataclass(frozen=True, slots=True)
class More:
    """Throw one more die if any of the dice is meant."""

    which: Which


@dataclass(frozen=True, slots=True)
class Unique:
    """Throw a die again while an earlier one shows the same, among the values meant."""

    which: Which = ()
    once: bool = False


Step: TypeAlias = Choose | Together | Again | Limit | Explode | More | Unique


@dataclass(frozen=True, slots=True)
class Score:
    """What a die counts: the points of the first test that holds, and nothing without one."""

    rules: tuple[tuple[Test, int], ...]

    def points(self, number: Amount) -> int:
        """The points for a value.

        >>> Score(((Test(">=", 5), 1), (Test("=", 1), -1))).points(1)
        -1
        """
        for test, points in self.rules:
            if test.holds(number):
                return points
        return 0


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice or throws, so many of each source, that go through steps and are then added up.

    >>> Pool(((4, 6),), (Choose((Rank("h", 3),)),)).count
    4
    """

    sources: tuple[tuple[int, Source], ...]
    steps: tuple[Step, ...] = ()
    score: Score | None = None

    @property
    def count(self) -> int:
        """How many dice are thrown at first."""
        return sum(count for count, _ in self.sources)


@dataclass(frozen=True, slots=True)
class Exact:
    """A number, whole or with decimals."""

    value: Amount


@dataclass(frozen=True, slots=True)
class Total:
    """Terms that are added and subtracted."""

    terms: tuple[tuple[Literal["+", "-"], Term], ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation or function on values: ``"/"``, ``"floor"``, ``">="``.

    The name ``"()"`` stands for a bracket around its one argument.
    """

    name: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A part with a label."""

    node: Term
    label: str


@dataclass(frozen=True, slots=True)
class Many:
    """Dice of which the number, or the number of sides, is thrown or worked out first."""

    count: Term
    sides: Term | Die


Foreign: TypeAlias = Pool | Exact | Total | Apply | Named | Many
Term: TypeAlias = Node | Foreign
Source: TypeAlias = int | Die | Term

FOREIGN = (Pool, Exact, Total, Apply, Named, Many)


@dataclass(frozen=True, slots=True)
class ForeignExpression:
    """A whole expression that the house's notation cannot spell, and the note behind it."""

    root: Foreign
    comment: str = ""


AnyRoot: TypeAlias = Root | Foreign
