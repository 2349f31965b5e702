"""The exact distribution of a mechanic's outcomes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from operator import add, floordiv, mul, sub
from typing import Any, NamedTuple

from kitchentable.dice import arithmetic, show
from kitchentable.dice.answers import Answers, Cumulative
from kitchentable.dice.chance import Chance, between, floor
from kitchentable.dice.columns import Columns
from kitchentable.dice.errors import BadInput, NotANumber, Unresolved
from kitchentable.dice.figures import Moments
from kitchentable.dice.outcomes import are_numbers, in_order
from kitchentable.dice.solving.solution import Solution
from kitchentable.dice.solving.sums import new_table


class Comparison(NamedTuple):
    """The chances that a throw is higher than, equal to or lower than another.

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


class Distribution(Answers):
    """The exact chance of each outcome, and the unresolved rest; together they are 1.

    A distribution with infinite support (exploding dice) lists its likely outcomes and counts the
    rest as `unresolved`; its mean, its cumulative chances and its chances of single values are
    still exact. Very long fractions are rounded down in the list, and the difference is counted as
    `unresolved`. If the solver leaves a rest open, chances are :class:`Interval` objects instead of
    fractions.

    Distributions can be added, multiplied and compared, with numbers and with each other, as
    independent throws. A comparison gives the chances of True and False; `==` asks whether two
    distributions are equal.

    >>> from kitchentable.dice import odds
    >>> (odds("2d6") + odds("1d8") * 2 - 3).mean()
    Fraction(13, 1)
    >>> (odds("3d6") > odds("2d8"))[True]
    Fraction(451, 768)
    """

    __slots__ = ()

    def worded(self, word: Callable[[Any], str]) -> Distribution:
        """The same distribution, with a word for each outcome in keys and tables.

        >>> parity = Distribution.of({1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 4)})
        >>> parity = parity.worded(lambda number: "odd" if number % 2 else "even")
        >>> parity["odd"], parity[3]
        (Fraction(3, 4), Fraction(1, 4))
        """
        return Distribution(self.solution, word)

    def resolved(self) -> Distribution:
        """The conditional distribution, given that the outcome is resolved. Errors: Unresolved."""
        known = 1 - self.unresolved
        if not known:
            raise Unresolved("No outcome is resolved.")
        return self.of({outcome: chance / known for outcome, chance in self.items()})

    def map(self, function: Callable[[Any], Hashable]) -> Distribution:
        """The distribution of a function of the outcome."""
        weights, total = self.weights()
        rows = new_table()
        for outcome, weight in weights.items():
            new = function(outcome)
            rows[new] += weight
        return Distribution(Solution(rows, total, never=self.never))

    def given(self, condition: Callable[[Any], bool]) -> Distribution:
        """The conditional distribution, given that a condition holds for the outcome.

        >>> from kitchentable.dice import odds
        >>> odds("2d6").given(lambda total: total >= 10)[12]
        Fraction(1, 6)
        """
        return Distribution(
            arithmetic.given(self.weights(), self.unresolved - self.never, condition), self._word
        )

    def mix(self, *others: Distribution, weights: Sequence[int] | None = None) -> Distribution:
        """The mixture of several distributions, equally likely or with whole weights.

        >>> from kitchentable.dice import odds
        >>> odds("1d6").mix(odds("1d8"), weights=(2, 1)).mean()
        Fraction(23, 6)
        """
        every = (self, *map(_as_distribution, others))
        shares = tuple(1 for _ in every) if weights is None else tuple(weights)
        if len(shares) != len(every):
            raise BadInput(
                f"{len(every)} distributions need one weight each, not {len(shares)} weights."
            )
        parts = [(one.solution, share) for one, share in zip(every, shares, strict=True)]
        return Distribution(arithmetic.mix(parts))

    @staticmethod
    def of(chances: Mapping[Any, Fraction]) -> Distribution:
        """The distribution with these chances; the rest of 1 is unresolved. Errors: BadInput.

        >>> Distribution.of({"heads": Fraction(1, 2), "tails": Fraction(1, 4)}).unresolved
        Fraction(1, 4)
        """
        given: Mapping[Any, Any] = chances
        for outcome, chance in given.items():
            if not isinstance(chance, int | Fraction) or chance < 0:
                raise BadInput(
                    f"The chance of {outcome!r} must be a fraction of at least 0, such as "
                    f"Fraction(1, 2), not {chance!r}."
                )
        together = sum(chances.values(), Fraction(0))
        if together > 1:
            raise BadInput(f"Chances add up to at most 1, not to {together}.")
        total = lcm(*(chance.denominator for chance in chances.values()))
        weights = {outcome: int(chance * total) for outcome, chance in chances.items() if chance}
        return Distribution(Solution(weights, total))

    def compare(self, other: Distribution) -> Comparison:
        """The chances of being higher than, equal to and lower than an independent throw."""
        if self.solution.law is not None and other.solution.law is None:
            lower, same, higher = other.compare(self)
            return Comparison(higher, same, lower)
        above, equal = arithmetic.compare(self.weights(), other.solution, other.weights())
        known = (1 - self.unresolved) * (1 - other.solution.unresolved)
        rest = known - above - equal
        open_ = 1 - known - arithmetic.either_never(self.solution, other.solution)
        return Comparison(*(between(chance, open_) for chance in (above, equal, rest)))

    def _compared(self, other: object, wanted: str) -> Distribution:
        """The distribution of a comparison (`wanted`) with a number or an independent throw."""
        rows = {True: Fraction(0), False: Fraction(0)}
        for how, chance in self.compare(_as_distribution(other))._asdict().items():
            rows[how in wanted] += floor(chance)
        return Distribution.of(rows)

    def __lt__(self, other: object) -> Distribution:
        return self._compared(other, "lower")

    def __le__(self, other: object) -> Distribution:
        return self._compared(other, "lower, same")

    def __gt__(self, other: object) -> Distribution:
        return self._compared(other, "higher")

    def __ge__(self, other: object) -> Distribution:
        return self._compared(other, "higher, same")

    def __bool__(self) -> bool:
        raise BadInput(
            "A distribution is neither true nor false. Ask for a chance, such as "
            "(odds >= 10)[True], or compare two chances."
        )

    def _combined(self, operation: Callable[[Any, Any], Any], other: object) -> Distribution:
        second = _as_distribution(other)
        both = self.weights(), second.weights()
        solution = arithmetic.combine(operation, self.solution, second.solution, both)
        return Distribution(solution, None, partial(self._figures, operation, second))

    def _figures(self, operation: Callable[[Any, Any], Any], other: Distribution) -> Moments | None:
        """The moments of a combination without a closed form, from the moments of its parts."""
        one, second = self.known_moments(), other.known_moments()
        if one is None or second is None:
            return None
        return arithmetic.combine_moments(operation, one, second)

    def __add__(self, other: object) -> Distribution:
        return self._combined(add, other)

    __radd__ = __add__

    def __sub__(self, other: object) -> Distribution:
        return self._combined(sub, other)

    def __rsub__(self, other: object) -> Distribution:
        return -self + other

    def __mul__(self, other: object) -> Distribution:
        return self._combined(mul, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> Distribution:
        return self._combined(floordiv, other)

    def __neg__(self) -> Distribution:
        return self * -1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self._open == other._open and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(self.items())

    def _rest(self) -> str:
        if not self.exact:
            return "unresolved"
        return "never ends" if self.never else "even higher"

    def __str__(self) -> str:
        return show.text(self.told(), self.unresolved, self._rest())

    def __repr__(self) -> str:
        return f"<Distribution of {show.outcomes([outcome for outcome, _ in self.told()])}>"

    def _repr_html_(self) -> str:
        return show.html(self.told(), self.unresolved, self._rest(), "; ".join(self.summary()))

    def rows(self) -> list[dict[str, Any]]:
        """A record for each outcome, as for pandas.DataFrame.

        Numbers have the chances of that number or more, and of that number or less.

        >>> from kitchentable.dice import odds
        >>> odds("1d2").rows()[1] == {
        ...     "outcome": 2, "chance": Fraction(1, 2), "at least": Fraction(1, 2), "at most": 1}
        True
        """
        return self._columns().rows()

    def csv(self) -> str:
        """The rows as comma-separated values, with decimal numbers.

        >>> from kitchentable.dice import odds
        >>> print(odds("1d2").csv(), end="")
        outcome,chance,at least,at most
        1,0.5,1.0,0.5
        2,0.5,0.5,1.0
        """
        return self._columns().csv()

    def _columns(self) -> Columns:
        columns: dict[str, Mapping[Any, Chance]] = {"chance": self.column()}
        if self._word is None and are_numbers(self):
            columns |= {"at least": self.at_least(), "at most": self.at_most()}
        return Columns(columns)

    def plot(
        self,
        *others: Distribution,
        cumulative: Cumulative = "",
        names: Sequence[str] = (),
        title: str = "",
    ) -> Any:
        """A chart of this distribution and others in one figure (needs the `plot` extra).

        `cumulative="at least"` draws the chance of each number or more, `"at most"` of each number
        or less; `names` are the labels of the legend.
        """
        every = (self, *map(_as_distribution, others))
        if names and len(names) != len(every):
            raise BadInput(
                f"{len(every)} distributions need one name each, not {len(names)} names."
            )
        return show.chart([one.column(cumulative) for one in every], cumulative, names, title)


def side_by_side(named: Mapping[str, Distribution], cumulative: Cumulative = "") -> Columns:
    """Distributions by name as columns, cumulative if wanted."""
    columns = {name: dict(one.column(cumulative)) for name, one in named.items()}
    if cumulative:
        # Outside its own support, a cumulative column is 100 % or 0 %.
        values = in_order({value for column in columns.values() for value in column})
        for name, one in named.items():
            ask = one.at_least if cumulative == "at least" else one.at_most
            columns[name] = {v: columns[name][v] if v in columns[name] else ask(v) for v in values}
    return Columns(columns)


def _as_distribution(value: object) -> Distribution:
    if isinstance(value, Distribution):
        return value
    if isinstance(value, float):
        raise NotANumber(f"Write {value} as a fraction, such as Fraction(1, 2): odds are exact.")
    if isinstance(value, int | Fraction):
        return Distribution(Solution({value: 1}, 1))
    raise NotANumber(f"Odds can be combined with numbers and other odds, not with {value!r}.")
