"""Discrete phase-type distributions: sums collected by a chain until absorption.

Every step of the chain may add a number (Neuts, 1975, for steps of 1). Probabilities of single
values are computed step by step as fractions; mass, mean and variance from three linear systems.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm

from kitchentable.dice.solving.circles import solve_equations
from kitchentable.dice.solving.deadline import check_time
from kitchentable.dice.solving.generating_function import GeneratingFunction, polynomial
from kitchentable.dice.solving.sums import convolve, in_order, new_table

Steps = Mapping[int, Mapping[int, Fraction]]
#: Rounded weights are over 2**PLACES.
PLACES = 128
FAINT = Fraction(1, 2**72)
#: The largest number of values for which a chain is followed step by step.
MOST_WORK = 2_000_000
LITTLE_WORK = 20_000


@dataclass(frozen=True, slots=True)
class State:
    """A state: step probabilities by the number added, absorption probabilities by value."""

    steps: Steps
    ends: Mapping[int, Fraction]


#: The steps of a state (target, number added, weight) and its ends (value, weight).
WholeState = tuple[list[tuple[int, int, int]], list[tuple[int, int]]]


def _in_weights(states: Sequence[State], total: int) -> list[WholeState]:
    """States with whole weights over a total, rounded down."""
    return [
        (
            [
                (to, add, int(chance * total))
                for to, parts in state.steps.items()
                for add, chance in parts.items()
            ],
            [(value, int(chance * total)) for value, chance in state.ends.items()],
        )
        for state in states
    ]


@dataclass
class PhaseLaw:
    """The distribution of the sum at absorption; every step adds 1 or more.

    Every probability is multiplied by `share`, and `shift` is added to every value.
    """

    states: Sequence[State]
    start: int
    share: Fraction = Fraction(1)
    shift: int = 0
    _values: dict[int, Fraction] = field(default_factory=new_table, repr=False)
    _masses: dict[int, dict[int, int]] = field(
        default_factory=lambda: defaultdict(new_table), repr=False
    )
    _known: int = 0

    def scaled(self, factor: Fraction) -> "PhaseLaw":
        """The measure times a factor."""
        return PhaseLaw(self.states, self.start, self.share * factor, self.shift)

    def moved(self, by: int) -> "PhaseLaw":
        """The law of the number plus a constant."""
        return PhaseLaw(self.states, self.start, self.share, self.shift + by)

    @cached_property
    def low(self) -> int:
        """A lower bound of the support."""
        return self.shift + min((v for state in self.states for v in state.ends), default=0)

    @cached_property
    def _whole(self) -> tuple[int, list[WholeState]]:
        """The states with whole weights over one denominator."""
        below = lcm(
            *(
                c.denominator
                for s in self.states
                for parts in s.steps.values()
                for c in parts.values()
            ),
            *(c.denominator for s in self.states for c in s.ends.values()),
        )
        return below, _in_weights(self.states, below)

    def _extend(self, sums: int) -> None:
        """Follow the chain for all sums below `sums`; weights at sum n are over below**n."""
        below, states = self._whole
        masses, values = self._masses, self._values
        if not self._known and not masses:
            masses[0] = {self.start: 1}
        for at in range(self._known, sums):
            here = masses.pop(at, {})
            over = below ** (at + 1)
            ended = new_table()
            for state, mass in here.items():
                steps, ends = states[state]
                for to, add, weight in steps:
                    masses[at + add][to] += mass * weight * below ** (add - 1)
                for value, weight in ends:
                    ended[at + value] += mass * weight
            for value, weight in ended.items():
                values[value] += Fraction(weight, over)
        self._known = max(self._known, sums)

    def chance(self, value: int) -> Fraction:
        """The probability of one value."""
        at = value - self.low
        if at < 0:
            return Fraction(0)
        self._extend(at + 1)
        return self.share * self._values.get(value - self.shift, Fraction(0))

    def below(self, value: int) -> Fraction:
        """The probability of all values smaller than `value`."""
        at = value - self.low
        if at <= 0:
            return Fraction(0)
        self._extend(at)
        known = (c for v, c in self._values.items() if v + self.shift < value)
        return self.share * sum(known, Fraction(0))

    def moments(self) -> tuple[Fraction, Fraction, Fraction]:
        """The mass, the first moment and the second moment, none divided by the mass."""
        mass, first, second = (self.share * one for one in self._moments)
        shift = self.shift
        return mass, first + shift * mass, second + 2 * shift * first + shift**2 * mass

    @property
    def mass(self) -> Fraction:
        """The total probability."""
        return self.share * self._moments[0]

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction, Fraction]:
        steps = {
            at: {to: sum(parts.values(), Fraction(0)) for to, parts in state.steps.items()}
            for at, state in enumerate(self.states)
        }
        found: list[dict[int, Fraction]] = []
        for power in range(3):
            own: dict[int, Fraction] = {}
            for at, state in enumerate(self.states):
                one = sum((value**power * c for value, c in state.ends.items()), Fraction(0))
                for to, parts in state.steps.items():
                    for add, chance in parts.items():
                        if power == 1:
                            one += chance * add * found[0][to]
                        elif power == 2:
                            one += chance * (add**2 * found[0][to] + 2 * add * found[1][to])
                own[at] = one
            found.append(solve_equations(steps, own))
        mass, first, second = (one[self.start] for one in found)
        return mass, first, second

    def rounded(self, places: int, left: Fraction) -> dict[int, int]:
        """Weights over 2**places, at most the probabilities, until less than `left` is missing."""
        found = run_out(self.states, self.start, left / max(self.share, left))
        share = self.share * (1 << places) / (1 << PLACES)
        return {
            value + self.shift: part
            for value, weight in sorted(found.items())
            if (part := int(share * weight))
        }

    def as_law(self) -> GeneratingFunction:
        """The law cut to a finite support, with a tail below 2**-72."""
        places = PLACES
        return polynomial(self.rounded(places, FAINT), 1 << places)


def run_out(
    states: Sequence[State], start: int, left: Fraction = FAINT, most: int = MOST_WORK
) -> dict[int, int]:
    """The weights of sums at absorption, over 2**128, until less than `left` is not absorbed.

    Weights are rounded down. Steps may add negative numbers. After `most` steps the rest stays
    unresolved.
    """
    one = 1 << PLACES
    whole = _in_weights(states, one)
    # The expected visits to each state, by the sum so far.
    visits = [new_table() for _ in states]
    going: dict[int, dict[int, int]] = {start: {0: one}}
    enough = int(left * one)
    work = 0
    while going and sum(sum(sums.values()) for sums in going.values()) > enough:
        check_time()
        after: dict[int, dict[int, int]] = defaultdict(new_table)
        for state, sums in going.items():
            seen = visits[state]
            for extra, mass in sums.items():
                seen[extra] += mass
            for to, add, chance in whole[state][0]:
                cell = after[to]
                for extra, mass in sums.items():
                    part = mass * chance >> PLACES
                    if part:
                        cell[extra + add] += part
            work += len(sums) * (1 + len(whole[state][0]))
        going = after
        if work > most:
            break
    found = new_table()
    for seen, (_, all_ends) in zip(visits, whole, strict=True):
        ends = {value: part for value, part in all_ends if part}
        if seen and ends:
            for value, mass in zip(*convolve(in_order(seen), in_order(ends)), strict=True):
                if part := mass >> PLACES:
                    found[value] += part
    return found
