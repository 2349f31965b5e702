"""Samples: many runs of a mechanic, counted."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from types import MappingProxyType
from typing import Any

from kitchentable.dice import show
from kitchentable.dice.distribution import Distribution
from kitchentable.dice.errors import BadInput, NotANumber, NotSolved
from kitchentable.dice.figures import exact_number
from kitchentable.dice.mechanic import AnyMechanic, Args, Kwargs
from kitchentable.dice.outcomes import in_order
from kitchentable.dice.quick import QuickDice
from kitchentable.dice.solved import solve
from kitchentable.dice.source import Source

# For fewer runs than this, solving is not worthwhile.
WORTH_SOLVING = 1_000
# The limits of solving in paths and seconds; beyond them, the mechanic is run instead.
SMALL_BUDGET = 20_000
SHORT = 1.0
MANY_OUTCOMES = 100_000
# The largest chance that any of the runs meets an unresolved outcome.
UNSEEN = Fraction(1, 10**9)
CHUNK = 100_000


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of outcomes in n runs.

    >>> tally = Tally({"hit": 3, "miss": 1}, 4)
    >>> tally["hit"], tally.share("hit")
    (3, Fraction(3, 4))
    """

    counts: Mapping[Any, int]
    n: int

    def __getitem__(self, outcome: Any) -> int:
        return self.counts.get(outcome, 0)

    def __iter__(self) -> Iterator[Any]:
        return iter(in_order(self.counts))

    def items(self) -> list[tuple[Any, int]]:
        """Outcomes and their counts, in order."""
        return [(outcome, self.counts[outcome]) for outcome in self]

    def share(self, outcome: Any) -> Fraction:
        """The share of the runs with this outcome."""
        return Fraction(self[outcome], self.n)

    def mean(self) -> Fraction:
        """The mean of the outcomes. Errors: NotANumber."""
        if any(not isinstance(outcome, int | Fraction | float) for outcome in self.counts):
            raise NotANumber("Only numbers have a mean. Use share(outcome) instead.")
        total = sum(exact_number(outcome) * count for outcome, count in self.counts.items())
        return Fraction(total, self.n)

    def __str__(self) -> str:
        return show.text([(o, self.share(o)) for o in self], Fraction(0))

    def _repr_html_(self) -> str:
        shares = [(outcome, self.share(outcome)) for outcome in self]
        return show.html(shares, Fraction(0), summary=f"{self.n} throws")

    def __repr__(self) -> str:
        return f"<Tally of {self.n} throws: {show.outcomes(list(self))}>"


def run_many(
    mechanic: AnyMechanic,
    args: Args,
    kwargs: Kwargs,
    n: int,
    source: Source,
) -> Tally:
    """Run a mechanic n times, or draw from its exact distribution if that is faster."""
    if type(n) is not int or n < 1:
        raise BadInput(f"The number of runs must be a whole number of at least 1, not {n!r}.")
    solved = _solved(mechanic, args, kwargs) if n >= WORTH_SOLVING else None
    if solved is not None and solved.unresolved * n < UNSEEN and len(solved) <= MANY_OUTCOMES:
        counts = _drawn(solved, n, source)
    else:
        dice = QuickDice(source)
        counts = Counter(mechanic(dice, *args, **kwargs) for _ in range(n))
    return Tally(MappingProxyType(dict(counts)), n)


def _solved(mechanic: AnyMechanic, args: Args, kwargs: Kwargs) -> Distribution | None:
    try:
        return solve(mechanic, args, kwargs, SMALL_BUDGET, SHORT)
    except NotSolved:
        # The mechanic can still be run.
        return None


def _drawn(solved: Distribution, n: int, source: Source) -> Counter[Any]:
    outcomes = solved.keys()
    sums = list(accumulate(solved.values()))
    bounds = [float(part) for part in sums]
    draw = random.Random(source.below(1 << 256)).choices
    counts: Counter[Any] = Counter()
    for start in range(0, n, CHUNK):
        counts.update(draw(outcomes, cum_weights=bounds, k=min(CHUNK, n - start)))
    return counts
