"""The read methods of a distribution: outcomes, chances, moments and quantiles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from typing import Any, Literal, overload

from kitchentable.dice import show
from kitchentable.dice.chance import NARROW, Chance, Interval, between, ceiling, floor
from kitchentable.dice.errors import BadInput, NoSuchOutcome, Unresolved
from kitchentable.dice.figures import (
    Moments,
    Rows,
    Unproven,
    below,
    chance_of,
    list_rows,
    moments_of,
)
from kitchentable.dice.outcomes import are_numbers, as_number, could_be, in_order, no_such, word
from kitchentable.dice.solving.shares import add_up, shares
from kitchentable.dice.solving.solution import Solution

#: The cumulative chances that a table or a chart shows; "" for each outcome by itself.
Cumulative = Literal["", "at least", "at most"]


class Answers:
    """A solved distribution as a mapping from outcomes to exact chances."""

    __slots__ = (
        "_chances",
        "_items",
        "_moments",
        "_open",
        "_rows",
        "_word",
        "solution",
    )

    def __init__(
        self,
        solution: Solution,
        word: Callable[[Any], str] | None = None,
        moments: Moments | Callable[[], Moments | Unproven | None] | None = None,
    ) -> None:
        self.solution = solution
        self._open = solution.unresolved
        self._chances: dict[Any, Chance] = {}
        self._items: tuple[tuple[Any, Fraction], ...] | None = None
        self._rows: Rows | None = None
        self._word = word
        self._moments: Moments | Unproven | Callable[[], Moments | Unproven | None] | None = moments

    def weights(self) -> Rows:
        """The listed outcomes, with whole weights over a total."""
        if self._rows is None:
            self._rows = list_rows(self.solution)
        return self._rows

    @property
    def unresolved(self) -> Fraction:
        """The total chance of unlisted outcomes."""
        weights, total = self.weights()
        return Fraction(total - sum(weights.values()), total)

    @property
    def never(self) -> Fraction:
        """The chance that the roll never ends.

        >>> from kitchentable.dice import mechanic, odds
        >>> @mechanic
        ... def stuck(dice):
        ...     return "out" if dice.die(6) == 6 else for_ever(dice)
        >>> @mechanic
        ... def for_ever(dice):
        ...     return for_ever(dice)
        >>> odds(stuck)["out"], odds(stuck).never
        (Fraction(1, 6), Fraction(5, 6))
        """
        return self.solution.never

    @property
    def exact(self) -> bool:
        """Whether at most the unlisted tail of an infinite distribution is unresolved."""
        return not self._open

    def items(self) -> tuple[tuple[Any, Fraction], ...]:
        """Outcomes and chances: rising numbers, then other outcomes in their own order."""
        if self._items is None:
            weights, total = self.weights()
            chances = shares(weights, total)
            self._items = tuple([(outcome, chances[outcome]) for outcome in in_order(chances)])
        return self._items

    def told(self) -> tuple[tuple[Any, Fraction], ...]:
        """Outcomes and chances for display: chances of outcomes with the same word are added up."""
        if self._word is None:
            return self.items()
        rows: dict[Any, Fraction] = defaultdict(Fraction)
        for outcome, chance in self.items():
            told = self._word(outcome)
            rows[told] += chance
        return tuple(rows.items())

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
        return chance_of(self.solution, outcome)

    def __getitem__(self, outcome: Hashable) -> Chance:
        """The chance of an outcome, or of all outcomes with a word.

        A number, a truth value or a member of an enumeration outside the support has a chance of 0.
        Errors: NoSuchOutcome, a KeyError, for a key that cannot be an outcome.
        """
        chance: Chance | None = self._chances.get(outcome)
        if chance is None:
            known = self._known(outcome) or self._of_word(outcome)
            chance = self._chances[outcome] = between(known, self._open)
        return chance

    def get(self, outcome: Hashable, default: Any = Fraction(0)) -> Any:
        """The chance of an outcome; the default, 0, for a key that cannot be an outcome.

        >>> from kitchentable.dice import odds
        >>> print(odds("2d6").get("a kick"))
        0
        """
        try:
            return self[outcome]
        except NoSuchOutcome:
            return default

    def _of_word(self, key: Any) -> Fraction:
        if type(key) is str:
            found = [chance for outcome, chance in self.told() if word(outcome) == key]
            if found:
                return add_up(found)
        if could_be(key, self.keys()):
            return Fraction(0)
        raise no_such(key, [outcome for outcome, _ in self.told()])

    def chance(self, wanted: Callable[[Any], bool]) -> Chance:
        """The chance of all outcomes for which `wanted` holds."""
        low = add_up(chance for outcome, chance in self.items() if wanted(outcome))
        return between(low, self.unresolved)

    def less_than(self, value: int | Fraction) -> Chance:
        """The chance of less than a value, exact for infinite distributions too."""
        return between(below(self.solution, value), self._open)

    @overload
    def at_least(self, value: int | Fraction) -> Chance: ...

    @overload
    def at_least(self) -> dict[Any, Chance]: ...

    def at_least(self, value: int | Fraction | None = None) -> Chance | dict[Any, Chance]:
        """The chance of a value or more, exact for infinite distributions too.

        Without a value: the chance of each outcome or more.

        >>> from kitchentable.dice import odds
        >>> odds("1d4").at_least(3), list(odds("1d4").at_least().items())[:2]
        (Fraction(1, 2), [(1, Fraction(1, 1)), (2, Fraction(3, 4))])
        """
        if value is None:
            return self._each("at least")
        return between(self._whole() - below(self.solution, value), self._open)

    @overload
    def at_most(self, value: int | Fraction) -> Chance: ...

    @overload
    def at_most(self) -> dict[Any, Chance]: ...

    def at_most(self, value: int | Fraction | None = None) -> Chance | dict[Any, Chance]:
        """The chance of a value or less; without a value, of each outcome or less."""
        if value is None:
            return self._each("at most")
        return between(below(self.solution, value) + chance_of(self.solution, value), self._open)

    def _each(self, side: str) -> dict[Any, Chance]:
        """The cumulative chances from above or below, in the order of the outcomes."""
        for outcome in self:
            as_number(outcome)
        weights, total = self.weights()
        sums = [Fraction(w, total) for w in accumulate((weights[o] for o in self), initial=0)]
        known = [self._whole() - one for one in sums[:-1]] if side == "at least" else sums[1:]
        return {o: between(one, self._open) for o, one in zip(self, known, strict=True)}

    def between(self, low: int | Fraction, high: int | Fraction) -> Chance:
        """The chance of a value from `low` to `high`, both included.

        >>> from kitchentable.dice import odds
        >>> odds("2d6").between(6, 8)
        Fraction(4, 9)
        """
        known = (
            below(self.solution, high) + chance_of(self.solution, high) - below(self.solution, low)
            if as_number(low) <= as_number(high)
            else 0
        )
        return between(Fraction(known), self._open)

    def more_than(self, value: int | Fraction) -> Chance:
        """The chance of more than a value."""
        known = self._whole() - below(self.solution, value) - chance_of(self.solution, value)
        return between(known, self._open)

    def mean(self) -> Chance:
        """The exact mean of numbers; for some infinite distributions, a proven interval."""
        found = self._stated()
        if isinstance(found, Unproven) and found.mean is not None:
            return found.mean
        return self.moments()[0]

    def variance(self) -> Chance:
        """The exact variance of numbers; for some infinite distributions, a proven interval."""
        mean, square = self.moments()
        if isinstance(mean, Fraction) and isinstance(square, Fraction):
            return square - mean * mean
        ends = [floor(mean) ** 2, ceiling(mean) ** 2]
        least = max(floor(square) - max(ends), Fraction(0))
        return Interval(least, ceiling(square) - min(ends))

    def deviation(self) -> float:
        """The standard deviation, the square root of the variance.

        >>> from kitchentable.dice import odds
        >>> round(odds("2d6").deviation(), 4)
        2.4152
        """
        return sqrt(float(self.variance()))

    def _whole(self) -> Fraction:
        """The total chance of all known outcomes."""
        return 1 - self._open - self.solution.never

    def moments(self) -> Moments:
        """The mean and the mean square of numbers. Errors: Unresolved."""
        found = self._stated()
        if isinstance(found, tuple):
            return found
        if self.never:
            raise Unresolved(
                f"There is no mean: with a chance of {float(self.never):.2g} the roll never ends. "
                "Use resolved() to leave that out."
            )
        what = "mean" if found is None or found.mean is None else "variance"
        why = "could lie anywhere" if found is None else found.why
        raise Unresolved(
            f"The {what} is unknown: a chance of {float(self._open):.2g} is unresolved and {why}. "
            "Use resolved() to leave it out."
        )

    def known_moments(self) -> Moments | None:
        """The mean and the mean square of numbers; None if they are not proven."""
        found = self._stated()
        return found if isinstance(found, tuple) else None

    def _stated(self) -> Moments | Unproven | None:
        if not (self._open or self.never or isinstance(self._moments, tuple)):
            self._moments = moments_of(self.solution)
        elif callable(self._moments):
            self._moments = self._moments()
        return self._moments

    def quantile(self, share: Fraction | float) -> Any:
        """The smallest number with at least this share of all throws at or below it."""
        if not 0 <= share <= 1:
            raise BadInput(f"A share must be between 0 and 1, not {share}.")
        weights, total = self.weights()
        wanted, open_ = Fraction(share) * total, self._open * total
        reached = 0
        for outcome in self:
            as_number(outcome)
            before, reached = reached, reached + weights[outcome]
            if reached >= wanted:
                if before + open_ >= wanted and before < wanted and open_:
                    break
                return outcome
        raise Unresolved(f"The quantile for a share of {share} is unresolved.")

    def median(self) -> Any:
        """The smallest number with at least half of all throws at or below it."""
        return self.quantile(Fraction(1, 2))

    def mode(self) -> Any:
        """The most likely outcome, or the first in order of several."""
        if not self.items():
            raise Unresolved("No outcome is resolved.")
        return max(self.items(), key=lambda item: item[1])[0]

    def summary(self) -> tuple[str, ...]:
        """Mean, deviation and median in words; empty if outcomes are not numbers.

        >>> from kitchentable.dice import odds
        >>> odds("2d6").summary()
        ('mean 7', 'deviation 2.415', 'median 7')
        """
        if self._open > NARROW or not are_numbers(self) or self.known_moments() is None:
            return ()
        mean, spread = show.number(self.mean()), sqrt(floor(self.variance()))
        try:
            middle: tuple[str, ...] = (f"median {self.median()}",)
        except Unresolved:
            # The unresolved chance, however small, decides the median.
            middle = ()
        return (f"mean {mean}", f"deviation {spread:.4g}", *middle)

    def column(self, cumulative: Cumulative = "") -> Mapping[Any, Chance]:
        """The chances by outcome for a table, cumulative if requested.

        They are intervals if more than 10**-15 is unresolved.
        """
        if cumulative not in {"", "at least", "at most"}:
            raise BadInput(f'cumulative is "at least" or "at most", not {cumulative!r}.')
        if cumulative:
            return self._each(cumulative)
        rest = self._open if self._open > NARROW else Fraction(0)
        return {outcome: between(chance, rest) for outcome, chance in self.told()}
