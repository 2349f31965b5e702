"""A fight solved exactly: all its states, as an absorbing chain."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Generic, TypeVar

from kitchentable.fights.bout import Bout, S, Steps, reachable
from kitchentable.fights.flow import visits

K = TypeVar("K", bound=Hashable)

#: More states than this are not solved unless asked for: it would take longer than a breath.
MOST_STATES = 20_000


@dataclass(frozen=True, slots=True)
class Ending(Generic[S]):
    """How a fight ends, exactly.

    `wins` gives each winner's chance; the chances add up to 1. `last` gives the chance of each
    state that the fight can end in; `time` is the mean number of steps that count. `states` is how
    many ways the fight can stand.
    """

    bout: Bout[S]
    wins: MappingProxyType[str, Fraction]
    last: MappingProxyType[S, Fraction]
    time: Fraction
    states: int
    steps: Steps[S]

    def by(self, what: Callable[[S], K]) -> dict[K, Fraction]:
        """The chances of what a last state comes to: whose wounds, who is left standing."""
        shares: dict[K, Fraction] = {}
        for state, chance in self.last.items():
            key = what(state)
            shares[key] = shares.get(key, Fraction(0)) + chance
        return shares

    def mean(self, what: Callable[[S], int]) -> Fraction:
        """The mean of a number of the last state: what a fight costs."""
        return sum((what(state) * chance for state, chance in self.last.items()), Fraction(0))

    def over_by(self, time: int) -> Fraction:
        """The exact chance that the fight is over after so many steps that count."""
        done = Fraction(0)
        flowing: dict[S, Fraction] = {self.bout.start: Fraction(1)}
        for _ in range(time):
            done_now, flowing = self._one_more(flowing)
            done += done_now
        return done + sum(
            (amount for state, amount in flowing.items() if self.bout.over(state)), Fraction(0)
        )

    def _one_more(self, flowing: dict[S, Fraction]) -> tuple[Fraction, dict[S, Fraction]]:
        """One step that counts, and those after it until the next one would count."""
        done = Fraction(0)
        waiting: dict[S, Fraction] = {}
        moving = dict(flowing)
        first = True
        while moving:
            after_it: dict[S, Fraction] = {}
            for state, amount in moving.items():
                if self.bout.over(state):
                    done += amount
                elif not first and self.bout.counts(state):
                    waiting[state] = waiting.get(state, Fraction(0)) + amount
                else:
                    for after, chance in self.steps.after(state):
                        after_it[after] = after_it.get(after, Fraction(0)) + amount * chance
            moving, first = after_it, False
        return done, waiting


def solve_bout(bout: Bout[S], most: int = MOST_STATES, paths: int = 0) -> Ending[S]:
    """Who wins a fight, how long it takes and how it stands at its end, as exact fractions.

    Errors: TooManyStates, NeverEnds, and those of the solver.

    >>> from kitchentable.dice import mechanic
    >>> @mechanic
    ... def toss(dice, lead: int) -> int:
    ...     return lead + (1 if dice.die(3) > 1 else -1)
    >>> race = solve_bout(Bout(0, toss, lambda lead: {2: "we", -2: "they"}.get(lead, "")))
    >>> race.wins["we"], race.time
    (Fraction(4, 5), Fraction(18, 5))
    """
    steps = Steps(bout, paths)
    states = reachable(bout, steps, most)
    flowing = visits(bout.start, states, steps.after)
    last = {state: flowing[state] for state in states if bout.over(state)}
    wins: dict[str, Fraction] = {}
    for state, chance in last.items():
        winner = bout.over(state)
        wins[winner] = wins.get(winner, Fraction(0)) + chance
    time = sum(
        (flowing[one] for one in states if not bout.over(one) and bout.counts(one)), Fraction(0)
    )
    return Ending(bout, MappingProxyType(wins), MappingProxyType(last), time, len(states), steps)
