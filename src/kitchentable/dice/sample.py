"""Many runs of a mechanic, counted."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from types import MappingProxyType
from typing import Any

from kitchentable.dice import show
from kitchentable.dice.distribution import Distribution, in_order
from kitchentable.dice.errors import BadInput, NotANumber, TooDeep, TooManyPaths
from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.quick import QuickDice
from kitchentable.dice.solving.solver import Solver
from kitchentable.dice.source import Source, SystemEntropy

# Fewer runs than this are not worth solving the mechanic first.
WORTH_SOLVING = 1_000
SMALL_BUDGET = 20_000
MANY_OUTCOMES = 100_000
# The chance that one of the runs would have met what is unresolved stays below this.
UNSEEN = Fraction(1, 10**9)
CHUNK = 100_000


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each outcome came out in n runs.

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
        """Outcomes and how often they came out, in order."""
        return [(outcome, self.counts[outcome]) for outcome in self]

    def share(self, outcome: Any) -> Fraction:
        """The share of the runs with this outcome."""
        return Fraction(self[outcome], self.n)

    def mean(self) -> Fraction:
        """The mean of the numbers that came out."""
        if any(not isinstance(outcome, int | Fraction) for outcome in self.counts):
            raise NotANumber("Only numbers have a mean; ask for share(outcome) instead.")
        return Fraction(sum(outcome * count for outcome, count in self.counts.items()), self.n)

    def __str__(self) -> str:
        return show.text([(o, self.share(o)) for o in self], Fraction(0))


def sample(
    mechanic: Mechanic[..., Any],
    /,
    *args: Any,
    n: int = 10_000,
    source: Source | None = None,
    **kwargs: Any,
) -> Tally:
    """Run a mechanic n times and count the outcomes.

    Where the mechanic is solved, or many runs make it worth solving, outcomes are drawn from the
    solved distribution; the tally is distributed the same either way.

    >>> from kitchentable.dice import SeededSource, mechanic
    >>> @mechanic
    ... def coin(dice) -> str:
    ...     return "heads" if dice.die(2) == 1 else "tails"
    >>> sample(coin, n=5000, source=SeededSource(1)).n
    5000
    """
    if n < 1:
        raise BadInput(f"A sample has at least one run, not {n}.")
    source = SystemEntropy() if source is None else source
    solved = _solved(mechanic, args, kwargs) if n >= WORTH_SOLVING else None
    if solved is not None and solved.unresolved * n < UNSEEN and len(solved) <= MANY_OUTCOMES:
        counts = _drawn(solved, n, source)
    else:
        dice = QuickDice(source)
        counts = Counter(mechanic(dice, *args, **kwargs) for _ in range(n))
    return Tally(MappingProxyType(dict(counts)), n)


def _solved(
    mechanic: Mechanic[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Distribution | None:
    try:
        return Distribution(Solver(SMALL_BUDGET).solve(mechanic, args, kwargs))
    except (TooManyPaths, TooDeep):
        # Running it needs neither few paths nor shallow ones.
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
