"""The solution of a mechanic: its distribution, and the probability that it never ends."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from kitchentable.dice.solving.generating_function import GeneratingFunction, polynomial
from kitchentable.dice.solving.kinds import are_mixed, find_kind, find_mixed
from kitchentable.dice.solving.lines import Amount, fresh_law_line
from kitchentable.dice.solving.phase import PhaseLaw
from kitchentable.dice.solving.shapes import Filled, Words, divide_by_words
from kitchentable.dice.solving.sums import new_table

NONE = Fraction(0)


class Solution:
    """Outcomes with whole weights over `total`, an optional infinite law, and the rest.

    A law, if present, holds all whole numbers, and `weights` only the other outcomes. `never` is
    the exact probability of not terminating; the rest of 1 is unresolved. A solution is `inexact`
    if it depends on guesses or leaves out calls. `depth` is the nesting depth of the needed
    results. `raw` are the weights before outcomes are built from templates (:mod:`.shapes`).
    """

    __slots__ = (
        *("_by_words", "_spread", "_weights"),
        *("clash", "depth", "inexact", "law", "mixed", "never", "raw", "total"),
    )

    def __init__(
        self,
        weights: dict[Any, int],
        total: int,
        law: GeneratingFunction | PhaseLaw | None = None,
        *,
        never: Fraction = NONE,
        inexact: bool = False,
    ) -> None:
        self.raw = weights
        self.total = total
        self.law = law
        self.never = never
        self.inexact = inexact
        # Two equal outcomes of different types; and two such outcomes with one common weight.
        self.mixed: tuple[Any, Any] | None = None
        self.clash: tuple[Any, Any] | None = None
        self.depth = 0
        self._weights: dict[Any, int] | None = None
        self._spread: Spread | None = None
        self._by_words: Spread | None = None

    @property
    def weights(self) -> dict[Any, int]:
        """The outcomes with their weights."""
        if self._weights is None:
            self._weights = self.raw
            if any(type(one) is Filled for one in self.raw):
                self._weights = self._fill_templates()
        return self._weights

    def _fill_templates(self) -> dict[Any, int]:
        found = new_table()
        firsts: dict[Any, Any] = {}
        for one, weight in self.raw.items():
            outcome = one.words.fill(one.number) if type(one) is Filled else one
            self.clash = self.clash or find_mixed(firsts, [outcome])
            found[outcome] += weight
        return found

    @property
    def unresolved(self) -> Fraction:
        """The probability of neither a known outcome nor a proven endless run."""
        known = sum(self.raw.values())
        left = NONE if known == self.total else Fraction(self.total - known, self.total)
        if self.never:
            left -= self.never
        return left if self.law is None else left - self.law.mass

    def spread(self) -> "Spread":
        """The solution as one choice point."""
        if self._spread is None:
            law = self.law
            self._spread = spread_of(
                self.weights.items(),
                self.total,
                law.as_law() if law is not None else None,
                self.never,
            )
        return self._spread

    def by_words(self) -> "Spread":
        """The solution as one choice point, with templates for outcomes other than numbers."""
        if self._by_words is None:
            others = [
                (one, weight) for one, weight in self.raw.items() if weight and type(one) is not int
            ]
            if not others:
                self._by_words = self.spread()
                return self._by_words
            numbers = {one: weight for one, weight in self.raw.items() if type(one) is int}
            some = Solution(numbers, self.total, self.law, never=self.never).spread()
            lost = some.lost - sum(weight for _, weight in others)
            alone, shaped = divide_by_words(others)
            self._by_words = Spread(
                some.values, some.weights, alone, self.total, some.law, lost, some.never, shaped
            )
        return self._by_words

    def as_law(self) -> GeneratingFunction | None:
        """The whole solution as a law; None unless all outcomes are whole numbers."""
        if any(type(outcome) is not int for outcome in self.raw):
            return None
        if self.law is None:
            return polynomial(self.weights, self.total)
        law = self.law.as_law()
        return law + polynomial(self.weights, self.total) if self.weights else law


@dataclass(slots=True, eq=False)
class Spread:
    """The distribution of a choice point: weighted whole numbers and weighted other values.

    `mass` is the weight of all numbers. `shaped` holds other values that differ only in a number:
    template, numbers and weights.
    """

    values: Any
    weights: Any
    others: list[tuple[Any, int]]
    total: int
    law: GeneratingFunction | None = None
    lost: Amount = 0
    never: Amount = 0
    shaped: Sequence[tuple[Words, Sequence[int], Sequence[int]]] = ()
    mass: int = field(init=False)

    def __post_init__(self) -> None:
        self.mass = sum(self.weights)

    def without_end(self) -> "Spread":
        """The choice point with its infinite law truncated and the tail unresolved."""
        if self.law is None:
            return self
        line, below, _ = fresh_law_line(((0, 1),), self.law).cut()
        others = [(outcome, weight * below) for outcome, weight in self.others]
        weights = [weight * self.total for weight in line.weights]
        total = self.total * below
        never = self.never * below
        lost = total - sum(weights) - sum(weight for _, weight in others) - never
        return Spread(line.values, weights, others, total, None, lost, never)

    def listed(self) -> "Spread":
        """The choice point with its numbers listed among the other values."""
        one = self.without_end()
        rows = [*one.others, *zip(one.values, one.weights, strict=True)]
        return Spread([], [], rows, one.total, None, one.lost, one.never)


def of_law(law: GeneratingFunction, never: Fraction = NONE) -> Solution:
    """The solution of a mechanic with whole numbers as outcomes, from their law."""
    if not law.finite:
        return Solution({}, 1, law, never=never)
    weights = {law.low + at: weight for at, weight in enumerate(law.over) if weight}
    return Solution(weights, law.whole, never=never)


def spread_of(
    rows: Iterable[tuple[Hashable, int]],
    total: int,
    law: GeneratingFunction | None = None,
    never: Fraction = NONE,
) -> Spread:
    """The choice point of outcomes with weights; the rest is unresolved or never ends."""
    numbers = new_table()
    others: dict[Any, tuple[Any, int]] = {}
    for outcome, weight in rows:
        if not weight:
            continue
        if type(outcome) is int:
            numbers[outcome] += weight
        elif outcome not in others:
            others[outcome] = outcome, weight
        else:
            first = others[outcome][0]
            # Equal outcomes of different types are kept apart.
            key = (find_kind(outcome), outcome) if are_mixed(first, outcome) else first
            same, before = others.get(key, (outcome, 0))
            others[key] = same, before + weight
    values = sorted(numbers)
    weights = [numbers[value] for value in values]
    listed = list(others.values())
    lost: Amount = total - sum(weights) - sum([weight for _, weight in listed])
    if law is not None:
        lost -= total * law.mass
    gone: Amount = total * never if never else 0
    return Spread(values, weights, listed, total, law, lost - gone, gone)


def whole(parts: Sequence[Mapping[int, dict[Any, Amount]]]) -> tuple[list[dict[Any, int]], int]:
    """Tables of weights over several totals, converted to whole weights over one total.

    >>> whole([{2: {"hit": 1}}, {3: {"miss": 1}}])
    ([{'hit': 3}, {'miss': 2}], 6)
    """
    totals = set().union(*parts)
    if len(totals) == 1:
        (total,) = totals
        tables = [part.get(total, {}) for part in parts]
    else:
        total = lcm(*totals)
        tables = [_over(total, part) for part in parts]
    for table in tables:
        if Fraction in map(type, table.values()):
            break
    else:
        return tables, total  # type: ignore[return-value]
    below = lcm(*(weight.denominator for table in tables for weight in table.values()))
    tables = [{o: int(weight * below) for o, weight in table.items()} for table in tables]
    return tables, total * below  # type: ignore[return-value]


def _over(total: int, part: Mapping[int, dict[Any, Amount]]) -> dict[Any, Amount]:
    sums = new_table()
    for one, weights in part.items():
        factor = total // one
        for outcome, weight in weights.items():
            sums[outcome] += factor * weight
    return dict(sums)
