"""Figures of a solution: its listing, its cumulative chances and its moments."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from time import thread_time
from typing import Any, TypeAlias

from kitchentable.dice.chance import Chance
from kitchentable.dice.errors import NotANumber, TooSlow
from kitchentable.dice.outcomes import as_number, is_finite
from kitchentable.dice.solving.deadline import checked_by
from kitchentable.dice.solving.kinds import is_whole
from kitchentable.dice.solving.phase import PhaseLaw
from kitchentable.dice.solving.solution import Solution
from kitchentable.dice.solving.sums import new_table

#: Outcomes with whole weights, and their total; the rest of the total is unresolved.
Rows: TypeAlias = tuple[dict[Any, int], int]
# The listing of an infinite distribution leaves out a tail below this.
FAINT = Fraction(1, 2**72)
# Chances with very long fractions are rounded down to this many binary places.
PLACES = 96
#: The most seconds of processor time for the listing of an infinite distribution.
LISTING = 20.0
#: The mean and the mean square of numbers.
Moments: TypeAlias = tuple[Chance, Chance]


@dataclass(frozen=True, slots=True)
class Unproven:
    """The reason why the mean square is unknown, and the mean if it is known."""

    why: str
    mean: Chance | None = None


def list_rows(solution: Solution) -> Rows:
    """The listed outcomes of a solution, with whole weights over a total. Errors: TooSlow."""
    law, weights = solution.law, solution.weights
    if not all(weights.values()):
        weights = {outcome: weight for outcome, weight in weights.items() if weight}
    if law is None:
        return weights, solution.total
    deadline = thread_time() + LISTING

    def check(needed: float) -> None:
        if thread_time() + needed > deadline:
            raise TooSlow(
                f"Listing the outcomes takes longer than {LISTING:g} seconds. Ask about single "
                f"numbers, as in at_least(12), or use sample."
            )

    with checked_by(check):
        if isinstance(law, PhaseLaw) or law.too_long(FAINT):  # a chain is always listed rounded
            found, total = law.rounded(PLACES, FAINT), 1 << PLACES
        else:
            values, parts, total = law.weights(law.low, law.depth(FAINT))
            found = dict(zip(values, parts, strict=True))
    both = lcm(total, solution.total)
    rows = new_table()
    rows |= {outcome: weight * (both // solution.total) for outcome, weight in weights.items()}
    for value, weight in found.items():
        # A number may equal another outcome, as 1 does True.
        rows[value] += weight * (both // total)
    return rows, both


def chance_of(solution: Solution, outcome: Any) -> Fraction:
    """The known chance of one outcome."""
    law, weights = solution.law, solution.weights
    if law is None or not is_whole(outcome):
        return Fraction(weights.get(outcome, 0), solution.total)
    known = law.chance(int(outcome))
    return known + Fraction(weights[outcome], solution.total) if outcome in weights else known


def below(solution: Solution, value: Any) -> Fraction:
    """The known chance of less than a value."""
    weights, bound = solution.weights.items(), as_number(value)
    low = Fraction(sum(w for o, w in weights if as_number(o) < bound), solution.total)
    law = solution.law
    if law is not None and is_finite(bound):
        low += law.below(ceil(bound))
    elif law is not None and bound > 0:
        low += law.mass
    return low


def exact_number(outcome: Any) -> int | Fraction:
    """A number without rounding; a float is a fraction. Errors: NotANumber.

    >>> exact_number(1.5)
    Fraction(3, 2)
    """
    number = as_number(outcome)
    if isinstance(number, int | Fraction):
        return number
    if is_finite(number):
        return Fraction(number)
    raise NotANumber(f"An outcome is {number}, so there is no mean. Use chance(...) or a median.")


def moments_of(solution: Solution) -> tuple[Fraction, Fraction]:
    """The mean and the mean square of the known part of a solution. Errors: NotANumber."""
    total = solution.total
    numbers = [(exact_number(outcome), weight) for outcome, weight in solution.weights.items()]
    mean = Fraction(sum(number * weight for number, weight in numbers), total)
    square = Fraction(sum(number**2 * weight for number, weight in numbers), total)
    if solution.law is not None:
        _, first, second = solution.law.moments()
        mean, square = mean + first, square + second
    return mean, square
