"""Odds of notation are solved within the time for a text, or refused; the dice are thrown."""

from collections import Counter
from fractions import Fraction
from itertools import product
from time import process_time

import pytest

from kitchentable.dice import SeededSource, odds, roll, sample
from kitchentable.dice.errors import TooSlow
from kitchentable.dice.notation import NotationError
from tests.slowness import slowness


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "2d6!+3",
        "40d6!",
        "10d100!",
        "100d6",
        "1000d6",
        "100d6+100d8-20d20",
        "1d6!*1d8",
        "10d6!-4d10!+20d20+5",
        "1d100*1d100*2",
        "20d10kh5",
        "100d6kh50",
        "1000d10 hits>=8",
        "1d10000",
        "300d6ro1",
        "{4d6kh3,4d6kh3,4d6kh3,4d6kh3,4d6kh3,4d6kh3}dl1",
        "{1d8!,1d6!}kh1",
        "(5d6!)>=(4d8kl2)",
        "-{1d100,1d100+5}kl1*3/2[wind]",
        "{100d6,100d8,100d10}kh1",
        "{20d6!,20d8!}kh1",
        "{5d100,6d100,7d100,8d100}kl1",
        "d6*d6*d6*d6*d6*d6",
        "100d1000kh1",
        "10d6dh1dl1",
        "(2d6)d6",
        "20d20min10kh5",
        "100d6!",
        "1000d10! hits>=8",
        "(1000d4!)>=3",
        "{1000d4!,1}kh1",
        "3d20!>=11-(100d20ro18)/2",
        "{500d6,500d8}kh1",
        "{300d6,300d8,300d10}kl1",
        "1000d10000kh1",
        "100d20kh50",
        "d6*d6*d6*d6*d6*d6*d6*d6*d6*d6*d6*d6",
    ],
)
def test_what_people_play_has_odds(text):
    assert odds(text).solution.unresolved < 10**-15


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "1000d10000",
        "2*(1000d4!)",
        "5d10000kh2",
        "100d100kh50",
        "1000d10ro1[fire]",
        "{10d1000,10d1000,10d1000}kh2",
        "1d10000*1d10000",
        "1d6!*1d6!*1d6!",
        "(10d10)d10!",
        "50d6dh5dl5",
        "10d6ro1dh1dl1",
        "{9d6,9d8,9d10}dh1dl1",
    ],
)
def test_what_takes_too_long_is_refused_in_time_but_can_be_thrown(text):
    before = process_time()
    with pytest.raises(NotationError, match="too much work to compute") as refused:
        odds(text, within=0.3)
    assert process_time() - before < 1 * slowness()
    assert refused.value.code == "notation/odds-too-large"
    assert roll(text, source=SeededSource(3)).trace.throws


def test_a_text_that_was_refused_is_solved_when_it_has_more_time():
    with pytest.raises(NotationError) as refused:
        odds("101d20kh50", within=0.001)
    assert isinstance(refused.value.__cause__, TooSlow)
    assert odds("101d20kh50")[50] == Fraction(1, 20**101)


@pytest.mark.slow
def test_a_sample_of_dice_without_odds_is_thrown():
    before = process_time()
    assert sample("5d10000kh2", n=1_000, source=SeededSource(3)).n == 1_000
    assert process_time() - before < 3 * slowness()


def test_what_would_explode_and_is_always_thrown_again_costs_nothing():
    """The number 2 explodes, and never stays: a coin that shows its one."""
    assert dict(odds("1d2rr2!").items()) == {1: 1}
    assert dict(odds("2d6rr6!").items()) == dict(odds("2d5").items())


@pytest.mark.slow
@pytest.mark.parametrize("text", ["d6*d6*d6*d6*d6*d6", "100d1000kh1", "20d6dh4dl4", "9*d20/d6*d8"])
def test_what_is_rated_cheap_is_worked_out_in_a_moment(text):
    before = process_time()
    assert sum(chance for _, chance in odds(text).items()) == 1
    assert process_time() - before < 2 * slowness()


def test_equal_factors_are_the_same_product_in_any_order():
    solved = odds("d6*d6*d6")
    by_hand = Counter(a * b * c for a, b, c in product(range(1, 7), repeat=3))
    assert dict(solved.items()) == {total: Fraction(n, 216) for total, n in by_hand.items()}
