"""Very many fights at once: not fight by fight, but so many fights for each state."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Generic, TypeVar

from kitchentable import dice
from kitchentable.fights.bout import Bout, S, Steps
from kitchentable.fights.errors import TooManyStates

K = TypeVar("K", bound=Hashable)

#: Below so few fights in a state a step is thrown for each, unless it has been solved already.
WORTH_SOLVING = 200
#: A fight that has not ended after so many steps is put down as undecided.
LONGEST = 10_000
#: Fewer trials than this are thrown one by one.
FEW = 24


@dataclass(frozen=True, slots=True)
class Toll(Generic[S]):
    """How many of n fights ended in which state, and how long they took.

    `undecided` counts the fights that were broken off after the longest time allowed; together
    with those that ended they are always n. `time` counts fights by their steps that count.
    """

    bout: Bout[S]
    n: int
    last: Mapping[S, int]
    time: Mapping[int, int]
    undecided: int

    @property
    def wins(self) -> dict[str, int]:
        """How many fights each side won."""
        return dict(self.by(self.bout.over))

    def by(self, what: Callable[[S], K]) -> Counter[K]:
        """The fights counted by what their last state comes to."""
        counted: Counter[K] = Counter()
        for state, fights in self.last.items():
            counted[what(state)] += fights
        return counted

    def share(self, winner: str) -> Fraction:
        """The share of all fights that this side won."""
        return Fraction(self.wins.get(winner, 0), self.n)

    def mean(self, what: Callable[[S], int]) -> Fraction:
        """The mean of a number of the last state, over the fights that ended."""
        ended = self.n - self.undecided
        total = sum(what(state) * fights for state, fights in self.last.items())
        return Fraction(total, ended) if ended else Fraction(0)

    def mean_time(self) -> Fraction:
        """The mean number of steps that count, over the fights that ended."""
        ended = self.n - self.undecided
        total = sum(time * fights for time, fights in self.time.items())
        return Fraction(total, ended) if ended else Fraction(0)


def run_bulk(
    bout: Bout[S],
    n: int,
    source: dice.Source | None = None,
    longest: int = LONGEST,
    paths: int = 0,
) -> Toll[S]:
    """So many fights to the end, in the time of a few: fights that stand alike go on together.

    Of the fights in one state, each way that the solved step can go gets its share by a multinomial
    draw; a step that cannot be solved, or that few fights stand before, is thrown. A thousand
    million fights cost little more than a thousand. Errors: BadInput for less than one fight.

    >>> from kitchentable.dice import SeededSource, mechanic
    >>> @mechanic
    ... def toss(dice, lead: int) -> int:
    ...     return lead + (1 if dice.die(3) > 1 else -1)
    >>> race = Bout(0, toss, lambda lead: {2: "we", -2: "they"}.get(lead, ""))
    >>> toll = run_bulk(race, 10**9, SeededSource(1))
    >>> sum(toll.wins.values()), abs(toll.share("we") - Fraction(4, 5)) < Fraction(1, 10_000)
    (1000000000, True)
    """
    if n < 1:
        raise dice.BadInput(f"At least one fight is fought, not {n}.")
    source = dice.SystemEntropy() if source is None else source
    chance = random.Random(source.below(1 << 256))
    steps = _Splitting(bout, source, chance, paths)
    last: Counter[S] = Counter()
    times: Counter[int] = Counter()
    standing: dict[tuple[S, int], int] = {(bout.start, 0): n}
    for _ in range(longest):
        if not standing:
            break
        after_it: dict[tuple[S, int], int] = {}
        for (state, time), fights in standing.items():
            if bout.over(state):
                last[state] += fights
                times[time] += fights
                continue
            spent = time + 1 if bout.counts(state) else time
            for after, many in steps.split(state, fights):
                after_it[after, spent] = after_it.get((after, spent), 0) + many
        standing = after_it
    return Toll(
        bout,
        n,
        MappingProxyType(dict(last)),
        MappingProxyType(dict(sorted(times.items()))),
        sum(standing.values()),
    )


class _Splitting(Generic[S]):
    """Fights in one state, sent where a step leads."""

    __slots__ = ("_bout", "_chance", "_source", "_steps", "_unsolved")

    def __init__(
        self, bout: Bout[S], source: dice.Source, chance: random.Random, paths: int
    ) -> None:
        self._bout = bout
        self._source = source
        self._chance = chance
        self._steps = Steps(bout, paths)
        self._unsolved: set[S] = set()

    def split(self, state: S, fights: int) -> Sequence[tuple[S, int]]:
        """How many fights go which way from a state; the numbers add up to `fights`."""
        ways = self._ways(state, fights)
        if ways is None:
            thrown = dice.sample(self._bout.turn, state, n=fights, source=self._source)
            return thrown.items()
        return multinomial(fights, ways, self._chance)

    def _ways(self, state: S, fights: int) -> Sequence[tuple[S, Fraction]] | None:
        if state in self._unsolved:
            return None
        if fights < WORTH_SOLVING and not self._steps.knows(state):
            return None
        try:
            return self._steps.after(state)
        except (TooManyStates, dice.Unresolved):
            # Thrown fight by fight it still goes on.
            self._unsolved.add(state)
            return None


def multinomial(
    n: int, ways: Sequence[tuple[K, Fraction]], chance: random.Random
) -> list[tuple[K, int]]:
    """How many of n trials go each way; ways that none goes are left out.

    >>> halves = [("heads", Fraction(1, 2)), ("tails", Fraction(1, 2))]
    >>> sum(many for _, many in multinomial(1001, halves, random.Random(1)))
    1001
    """
    found = []
    left, mass = n, Fraction(1)
    for way, share in ways:
        many = left if share >= mass else binomial(left, float(share / mass), chance)
        if many:
            found.append((way, many))
        left, mass = left - many, mass - share
        if not left:
            break
    return found


def binomial(n: int, p: float, chance: random.Random) -> int:
    """How many of n trials succeed, each with chance p.

    Halved by order statistics (Relles 1972): the middle one of n uniform numbers is drawn from its
    beta distribution, and the question goes on among those on its one side.

    >>> binomial(10**12, 1.0, random.Random(1))
    1000000000000
    """
    found = 0
    while n >= FEW:
        middle = (n + 1) // 2
        height = chance.betavariate(middle, n + 1 - middle)
        if height <= p:
            found += middle
            n -= middle
            p = min(1.0, (p - height) / (1.0 - height)) if height < 1.0 else 1.0
        else:
            n = middle - 1
            p = min(1.0, p / height)
    return found + sum(chance.random() < p for _ in range(n))
