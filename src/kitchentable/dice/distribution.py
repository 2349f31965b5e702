"""The exact distribution of a mechanic's outcomes."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from enum import EnumMeta
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from kitchentable.dice import show
from kitchentable.dice.chance import Chance, between
from kitchentable.dice.errors import BadInput, NotANumber, Unresolved
from kitchentable.dice.solving.law import Law
from kitchentable.dice.solving.shares import shares
from kitchentable.dice.solving.solution import Solution

# Of a distribution without an end, the outcomes are listed until less than this is left.
FAINT = Fraction(1, 2**72)
# Chances whose fractions would fill pages are listed rounded down to so many binary places.
PLACES = 96


class Comparison(NamedTuple):
    """How two distributions fare against each other when both are thrown.

    >>> from kitchentable.dice import mechanic, odds
    >>> @mechanic
    ... def one_die(dice, sides: int) -> int:
    ...     return dice.die(sides)
    >>> odds(one_die, 6).compare(odds(one_die, 4)).higher
    Fraction(7, 12)
    """

    higher: Chance
    same: Chance
    lower: Chance


class Distribution:
    """Each outcome with its exact chance, and what is unresolved; together they are always 1.

    A distribution without an end (exploding dice) lists the outcomes that matter and counts the
    rest as `unresolved`; asked for a mean, a bound or a single value, it still answers exactly.
    Where that list is so long that its fractions would fill pages, they are rounded down in it, and
    what that takes off is counted with the rest.
    Where something is truly unresolved, chances are an :class:`Interval` instead of a fraction.

    >>> from kitchentable.dice import mechanic, odds
    >>> @mechanic
    ... def attack(dice, skill: int) -> bool:
    ...     return dice.die(10) + skill >= 9
    >>> odds(attack, 3)[True]
    Fraction(1, 2)
    """

    __slots__ = (
        "_chances",
        "_items",
        "_law",
        "_open",
        "_rounded",
        "_total",
        "_unresolved",
        "_weights",
    )

    def __init__(self, solution: Solution) -> None:
        self._weights: dict[Any, int] = solution.weights
        self._total = solution.total
        self._law: Law | None = solution.law
        self._open = solution.unresolved
        self._chances: dict[Any, Chance] = {}
        self._items: tuple[tuple[Any, Fraction], ...] | None = None
        self._unresolved: Fraction | None = None if self._law is not None else self._open
        self._rounded: dict[int, Fraction] | None = None

    @property
    def unresolved(self) -> Fraction:
        """The chance that the listing leaves open, worked out when somebody asks."""
        if self._unresolved is None:
            self._unresolved = self._open + self._beyond(self._law)
        return self._unresolved

    def _beyond(self, law: Law | None) -> Fraction:
        """The chance of all that is not listed of a distribution without an end."""
        if law is None:
            return Fraction(0)
        if not law.too_long(FAINT):
            return law.mass - law.below(law.depth(FAINT))
        rows = law.rounded(PLACES, FAINT)
        self._rounded = {value: Fraction(one, 1 << PLACES) for value, one in rows.items()}
        return law.mass - sum(self._rounded.values(), Fraction(0))

    @property
    def exact(self) -> bool:
        """Whether nothing is unresolved but the listing of a distribution without an end."""
        return not self._open

    def items(self) -> tuple[tuple[Any, Fraction], ...]:
        """Outcomes and chances: numbers rising, then other outcomes in their own order."""
        if self._items is None:
            rows = shares(self._weights, self._total)
            if self.unresolved and self._rounded is not None:
                rows.update(self._rounded)
            elif self._law is not None:
                values, weights, total = self._law.weights(self._law.low, self._law.depth(FAINT))
                for value, weight in zip(values, weights, strict=True):
                    rows[value] = Fraction(weight, total)
            self._items = tuple([(outcome, rows[outcome]) for outcome in in_order(rows)])
        return self._items

    def __iter__(self) -> Iterator[Any]:
        return iter([outcome for outcome, _ in self.items()])

    def keys(self) -> list[Any]:
        """The outcomes in order."""
        return [outcome for outcome, _ in self.items()]

    def values(self) -> list[Fraction]:
        """The chances in the order of the outcomes."""
        return [chance for _, chance in self.items()]

    def __len__(self) -> int:
        return len(self.items())

    def __contains__(self, outcome: object) -> bool:
        return bool(self._known(outcome))

    def _known(self, outcome: Any) -> Fraction:
        if self._law is not None and type(outcome) is int:
            return self._law.chance(outcome)
        return Fraction(self._weights.get(outcome, 0), self._total)

    def __getitem__(self, outcome: Hashable) -> Chance:
        """The chance of one outcome; 0 for one that cannot come out."""
        chance: Chance | None = self._chances.get(outcome)
        if chance is None:
            chance = self._known(outcome)
            if self._open:
                chance = between(chance, self._open)
            self._chances[outcome] = chance
        return chance

    def chance(self, wanted: Callable[[Any], bool]) -> Chance:
        """The chance of all outcomes for which `wanted` holds."""
        low = sum((chance for outcome, chance in self.items() if wanted(outcome)), Fraction(0))
        return between(low, self.unresolved)

    def _below(self, value: Any) -> Fraction:
        """The known chance of less than a value."""
        low = Fraction(sum(w for o, w in self._weights.items() if _number(o) < value), self._total)
        if self._law is not None:
            low += self._law.below(-(-value // 1))
        return low

    def less_than(self, value: int | Fraction) -> Chance:
        """The chance of less than a value, exact also where the distribution has no end."""
        return between(self._below(value), self._open)

    def at_least(self, value: int | Fraction) -> Chance:
        """The chance of a value or more, exact also where the distribution has no end."""
        return between(1 - self._open - self._below(value), self._open)

    def at_most(self, value: int | Fraction) -> Chance:
        """The chance of a value or less."""
        return between(self._below(value) + _equal(self, value), self._open)

    def more_than(self, value: int | Fraction) -> Chance:
        """The chance of more than a value."""
        known = 1 - self._open - self._below(value) - _equal(self, value)
        return between(known, self._open)

    def _closed(self, what: str) -> None:
        if self._open:
            raise Unresolved(
                f"The {what} cannot be stated: a chance of {float(self._open):.2g} is unresolved "
                f"and could lie anywhere. resolved() leaves it aside."
            )

    def mean(self) -> Fraction:
        """The exact mean of a distribution of numbers."""
        return self._moments()[0]

    def variance(self) -> Fraction:
        """The exact variance of a distribution of numbers."""
        mean, square = self._moments()
        return square - mean * mean

    def _moments(self) -> tuple[Fraction, Fraction]:
        self._closed("mean")
        mean = Fraction(sum(_number(o) * w for o, w in self._weights.items()), self._total)
        square = Fraction(sum(_number(o) ** 2 * w for o, w in self._weights.items()), self._total)
        if self._law is not None:
            _, first, second = self._law.moments()
            mean, square = mean + first, square + second
        return mean, square

    def quantile(self, share: Fraction | float) -> Any:
        """The smallest number that at least this share of all throws does not exceed."""
        if not 0 <= share <= 1:
            raise BadInput(f"A share lies between 0 and 1, not at {share}.")
        reached = Fraction(0)
        for outcome, chance in self.items():
            _number(outcome)
            before, reached = reached, reached + chance
            if reached >= share:
                if before + self._open >= share and before < share and self._open:
                    break
                return outcome
        raise Unresolved(f"The value that a share of {share} does not exceed is not resolved.")

    def median(self) -> Any:
        """The smallest number that at least half of all throws do not exceed."""
        return self.quantile(Fraction(1, 2))

    def mode(self) -> Any:
        """The likeliest outcome; the first in order where several are equally likely."""
        if not self.items():
            raise Unresolved("Nothing is known of any outcome.")
        return max(self.items(), key=lambda item: item[1])[0]

    def resolved(self) -> "Distribution":
        """The distribution given that the outcome is one of those that are resolved."""
        scale = 1 / sum(self.values(), Fraction(0))
        return self.of({outcome: chance * scale for outcome, chance in self.items()})

    def map(self, function: Callable[[Any], Hashable]) -> "Distribution":
        """The distribution of a function of the outcome."""
        rows: dict[Any, Fraction] = {}
        for outcome, chance in self.items():
            new = function(outcome)
            rows[new] = rows.get(new, Fraction(0)) + chance
        return self.of(rows)

    @staticmethod
    def of(chances: Mapping[Any, Fraction]) -> "Distribution":
        """The distribution with these chances; what they leave of 1 is unresolved.

        >>> Distribution.of({"heads": Fraction(1, 2), "tails": Fraction(1, 4)}).unresolved
        Fraction(1, 4)
        """
        total = lcm(*(chance.denominator for chance in chances.values()))
        weights = {outcome: int(chance * total) for outcome, chance in chances.items() if chance}
        return Distribution(Solution(weights, total))

    def compare(self, other: "Distribution") -> Comparison:
        """How this distribution fares against another, both thrown independently."""
        higher = same = lower = Fraction(0)
        below = Fraction(0)
        mine = [(_number(outcome), chance) for outcome, chance in self.items()]
        theirs = [(_number(outcome), chance) for outcome, chance in other.items()]
        whole = sum((chance for _, chance in theirs), Fraction(0))
        at = 0
        for value, chance in mine:
            while at < len(theirs) and theirs[at][0] < value:
                below += theirs[at][1]
                at += 1
            equal = theirs[at][1] if at < len(theirs) and theirs[at][0] == value else Fraction(0)
            higher += chance * below
            same += chance * equal
            lower += chance * (whole - below - equal)
        left = 1 - higher - same - lower
        return Comparison(between(higher, left), between(same, left), between(lower, left))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self._open == other._open and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(self.items())

    def _rest(self) -> str:
        return "higher still, without end" if self.exact else "unresolved"

    def __str__(self) -> str:
        return show.text(self.items(), self.unresolved, self._rest())

    def __repr__(self) -> str:
        count = len(self)
        return f"<Distribution of {count} outcome{'s' if count != 1 else ''}>"

    def _repr_html_(self) -> str:
        return show.html(self.items(), self.unresolved, self._rest())

    def plot(self) -> Any:
        """A bar chart of the outcomes (needs the `plot` extra)."""
        return show.chart(self.items())


def _equal(one: Distribution, value: Any) -> Fraction:
    return one._known(int(value)) if value == value // 1 else Fraction(0)  # noqa: SLF001


def _number(outcome: Any) -> Any:
    if isinstance(outcome, int | Fraction | float):
        return outcome
    raise NotANumber(f"{outcome!r} is not a number; use chance(...) or [...] instead.")


def in_order(outcomes: Any) -> list[Any]:
    """Outcomes as a table lists them: numbers rising, then words in their own order.

    >>> in_order(["miss", 3, 1, "hit"])
    [1, 3, 'hit', 'miss']
    """
    if all(type(outcome) is int for outcome in outcomes):
        return sorted(outcomes)
    numbers = sorted(o for o in outcomes if isinstance(o, int | float | Fraction))
    others = [o for o in outcomes if not isinstance(o, int | float | Fraction)]
    first = type(others[0]) if others else None
    if isinstance(first, EnumMeta) and all(type(o) is first for o in others):
        return [*numbers, *(member for member in first if member in others)]
    try:
        return [*numbers, *sorted(others)]
    except TypeError:
        return [*numbers, *others]
