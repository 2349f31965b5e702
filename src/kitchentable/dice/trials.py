"""Independent trials with unequal chances: the number of successes, and the lengths of runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

Number = TypeVar("Number", Fraction, float)


def successes(chances: Sequence[Number]) -> list[Number]:
    """The distribution of the number of successes, Poisson's binomial distribution.

    The list has the chances of 0 to n successes, exact with fractions. It takes n(n + 1)/2 steps
    for n trials.

    >>> from fractions import Fraction
    >>> successes([Fraction(1, 2), Fraction(1, 3)])
    [Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)]
    """
    if not chances:
        return []
    found = [1 - chances[0], chances[0]]
    for chance in chances[1:]:
        fail = 1 - chance
        before = [share * chance for share in found]
        found = [share * fail for share in found]
        found.append(before.pop())
        for count, share in enumerate(before, 1):
            found[count] += share
    return found


def run_of(chances: Sequence[Number], length: int) -> Number:
    """The chance that at least `length` (1 or more) trials in a row succeed somewhere.

    >>> from fractions import Fraction
    >>> run_of([Fraction(1, 2)] * 4, 3)
    Fraction(3, 16)
    """
    none = chances[0] - chances[0]
    # The chance of no such run yet, by the length of the current run.
    ends: list[Number] = [none + 1] + [none] * (length - 1)
    for chance in chances:
        failed = sum(ends, none) * (1 - chance)
        ends = [share * chance for share in ends[:-1]]
        ends.insert(0, failed)
    return 1 - sum(ends, none)


def longest_run(outcomes: Sequence[bool], of: bool) -> int:
    """The length of the longest run of one of the two outcomes.

    >>> longest_run([True, True, False, True], of=True)
    2
    """
    longest = run = 0
    for outcome in outcomes:
        run = run + 1 if outcome is of else 0
        longest = max(longest, run)
    return longest
