"""Samples, drawn from solved odds or run one by one."""

from collections import Counter
from fractions import Fraction

import pytest

from kitchentable.dice import (
    BadInput,
    Die,
    NotANumber,
    SeededSource,
    Tally,
    exploding,
    mechanic,
    odds,
    roll,
    sample,
    start_over,
)
from kitchentable.dice.quick import QuickDice
from tests.dice.test_properties import fits

ODD = Die("odd", (1, 1, 5, "odd"))


@mechanic
def everything(dice, n):
    pool = dice.pool(n, 4, label="pool").drop_lowest()
    face = dice.die(ODD, label="odd")
    drawn = dice.draw({"a": 2, "b": 1}, label="table")
    best = dice.total(2, of=(exploding, 4), keep_highest=1)
    worst = dice.total(3, 4, keep_lowest=1)
    if best == 1 or worst == 4:
        return start_over()
    hits = dice.count(2, of=exploding, at_least=5) + dice.count(2, 6, hit=lambda f: f == 6)
    dice.mark("kept", "for the test")
    return pool.total() + hits, face, drawn, min(best, 9)


@mechanic
def too_wide(dice):
    return tuple(dice.die(10) for _ in range(6))


@pytest.mark.slow
def test_dice_without_a_trace_are_the_same_dice():
    n = 3000
    quick = QuickDice(SeededSource(3))
    run = Counter(everything(quick, 3) for _ in range(n))
    assert fits(run, odds(everything, 3), n)
    source = SeededSource(4)
    thrown = Counter(roll(everything, 3, source=source).outcome for _ in range(n))
    assert fits(thrown, odds(everything, 3), n)


def test_few_runs_are_run_and_many_are_drawn():
    class Counting:
        def __init__(self):
            self.asked = 0
            self.inner = SeededSource(1)

        def below(self, n):
            self.asked += 1
            return self.inner.below(n)

    source = Counting()
    sample(exploding, 6, n=100, source=source)
    assert source.asked >= 100
    source = Counting()
    assert sample(exploding, 6, n=250_000, source=source).n == 250_000
    assert source.asked == 1


def test_what_cannot_be_solved_is_run():
    tally = sample(too_wide, n=1500, source=SeededSource(9))
    assert sum(tally.counts.values()) == 1500


def test_a_tally():
    tally = sample(exploding, 6, n=60_000, source=SeededSource(2))
    assert tally[6] == 0
    assert tally.items()[0] == (1, tally[1])
    assert tally.share(1) == Fraction(tally[1], 60_000)
    # The mean of 60,000 dice with a variance of 10.64 lies this far off once in a million times.
    assert abs(tally.mean() - Fraction(21, 5)) < Fraction(7, 100)
    assert list(tally) == sorted(tally.counts)
    assert str(tally).startswith("1 ")
    words = sample(mechanic(lambda dice: "word"), n=3, source=SeededSource(2))
    with pytest.raises(NotANumber):
        words.mean()


def test_the_same_seed_gives_the_same_tally():
    assert sample(exploding, 6, n=5000, source=SeededSource(2)) == sample(
        exploding, 6, n=5000, source=SeededSource(2)
    )


@pytest.mark.parametrize("n", [0, -3, 2.5, "x"])
def test_a_sample_has_runs(n):
    with pytest.raises(BadInput, match="whole number of at least 1"):
        sample(exploding, 6, n=n)


def test_floats_have_an_exact_mean_and_words_and_infinity_have_none():
    assert Tally({0.5: 3, 2: 1}, 4).mean() == Fraction(7, 8)
    for outcome in ("hit", float("inf"), float("nan")):
        with pytest.raises(NotANumber):
            Tally({outcome: 1}, 1).mean()


@pytest.mark.parametrize("n", [0, -1, 2.0, True, "3"])
def test_a_number_of_runs_that_is_none_is_refused(n):
    with pytest.raises(BadInput, match="number of runs"):
        sample("1d6", n=n)
