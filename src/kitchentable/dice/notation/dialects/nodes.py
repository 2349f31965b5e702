"""The nodes of foreign expressions that the house notation does not have.

The general form is a :class:`Pool`: dice (or throws), steps applied to them in order, and their sum
or score. Expressions that the house notation also has are converted to the house tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.notation import tree
from kitchentable.dice.notation.tree import Amount, Condition, Node, Plus, Root


@dataclass(frozen=True, slots=True)
class Rank:
    """The `count` highest (``h``) or lowest (``l``) dice."""

    end: Literal["h", "l"]
    count: int


Which: TypeAlias = tuple[Condition | Rank, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """Keep the dice that fulfil a condition, or drop them."""

    which: Which
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Together:
    """Several choices from the same dice: a die left out by one of them is out."""

    choices: tuple[Choose, ...]


@dataclass(frozen=True, slots=True)
class Again:
    """Throw the dice that fulfil a condition again: once, or until none fulfils it."""

    which: Which
    forever: bool = False


@dataclass(frozen=True, slots=True)
class Limit:
    """Raise dice to a least value, or lower them to a greatest value."""

    least: Amount | None = None
    most: Amount | None = None


@dataclass(frozen=True, slots=True)
class Explode:
    """Each die that fulfils a condition adds another, at most `times` in a row.

    `compound` adds the extra dice to the value of the first; `less` is subtracted from each extra
    die.
    """

    which: Which
    compound: bool = False
    less: int = 0
    times: int | None = None

    def goes_on(self, times: int) -> bool:
        """Whether a die may explode after this many explosions in a row."""
        return self.times is None or times < self.times

    def after(self, times: int) -> int:
        """The number of explosions in a row after one more; 1 if any number is allowed."""
        return 1 if self.times is None else times + 1


@dataclass(frozen=True, slots=True)
class More:
    """Throw one more die if any die fulfils a condition."""

    which: Which


@dataclass(frozen=True, slots=True)
class Unique:
    """Throw a die again while it equals an earlier one and fulfils a condition."""

    which: Which = ()
    once: bool = False


Step: TypeAlias = Choose | Together | Again | Limit | Explode | More | Unique
Steps: TypeAlias = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a die: those of the first test that holds, or 0."""

    rules: tuple[tuple[Condition, int], ...]

    def points(self, number: Amount) -> int:
        """The points for a value.

        >>> Score(((Condition(">=", 5), 1), (Condition("=", 1), -1))).points(1)
        -1
        """
        for test, points in self.rules:
            if test.holds(number):
                return points
        return 0


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice or throws from several sources, the steps applied to them, and their score.

    >>> Pool(((4, 6),), (Choose((Rank("h", 3),)),)).count
    4
    """

    sources: tuple[tuple[int, Source], ...]
    steps: Steps = ()
    score: Score | None = None

    @property
    def count(self) -> int:
        """The number of dice thrown at first."""
        return sum(count for count, _ in self.sources)

    def one(self, source: Source) -> Pool:
        """A single die or throw with the steps and the score of this pool."""
        return Pool(((1, source),), self.steps, self.score)


@dataclass(frozen=True, slots=True)
class Exact:
    """A number, whole or with decimals."""

    value: Amount


@dataclass(frozen=True, slots=True)
class Total:
    """Terms that are added and subtracted."""

    terms: ForeignTerms


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
    """Dice with a number or sides that are themselves thrown or calculated."""

    count: Term
    sides: Term | Die


ForeignTerms: TypeAlias = "tuple[tuple[Plus, Term], ...]"
Foreign: TypeAlias = Pool | Exact | Total | Apply | Named | Many
Term: TypeAlias = Node | Foreign
Source: TypeAlias = int | Die | Term

FOREIGN = (Pool, Exact, Total, Apply, Named, Many)


@dataclass(frozen=True, slots=True)
class ForeignExpression:
    """A whole expression with no house spelling, and the note after it."""

    root: Foreign
    comment: str = ""


AnyRoot: TypeAlias = Root | Foreign


def parts_of(term: Term) -> Sequence[Term]:
    """The direct parts of an expression, without dice of a fixed kind.

    >>> parts_of(Named(Exact(3), "bonus")), parts_of(Pool(((4, 6),)))
    ((Exact(value=3),), ())
    """
    match term:
        case Named(node, _):
            return (node,)
        case Total(terms):
            return tuple(one for _, one in terms)
        case Apply(_, args):
            return args
        case Many(count, sides):
            return (count,) if isinstance(sides, Die) else (count, sides)
        case Pool(sources):
            return tuple(one for _, one in sources if not isinstance(one, AnyDie))
        case Exact():
            return ()
    return tree.parts_of(term)


def nesting(term: Term) -> int:
    """The number of parts within parts, down to the deepest one.

    >>> nesting(Exact(3)), nesting(Apply("*", (Exact(3), Exact(2))))
    (0, 1)
    """
    return 1 + max(map(nesting, parts_of(term)), default=-1)
