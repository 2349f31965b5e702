"""Sums and runs of independent trials, against plain enumeration."""

from fractions import Fraction
from itertools import groupby, product
from math import prod

from kitchentable.dice.trials import longest_run, run_of, successes

CHANCES = [Fraction(1, 2), Fraction(1, 3), Fraction(0), Fraction(5, 7), Fraction(1), Fraction(1, 9)]


def test_successes_and_runs_are_those_of_all_sequences():
    count, runs = [Fraction(0)] * 7, [Fraction(0)] * 8
    for each in product((True, False), repeat=6):
        chance = prod(p if fell else 1 - p for p, fell in zip(CHANCES, each, strict=True))
        longest = max((len([*run]) for fell, run in groupby(each) if fell), default=0)
        assert longest_run(each, of=True) == longest
        count[sum(each)] += chance
        for length in range(1, longest + 1):
            runs[length] += chance
    assert successes(CHANCES) == count
    assert [run_of(CHANCES, length) for length in range(1, 8)] == runs[1:]
