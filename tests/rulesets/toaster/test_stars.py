"""The d10* with nines, zeros and called fours."""

from fractions import Fraction

import pytest

from kitchentable.dice import LeftoverFaces, load, odds
from kitchentable.rulesets.toaster.mechanics.stars import D10_STAR, NO_LIMIT, Extended, star
from kitchentable.rulesets.toaster.mechanics.tasks import (
    FAILURE,
    FUMBLE,
    SUCCESS,
    Outcome,
    band_of,
    task,
)

rule = pytest.mark.rule


@rule("toaster.1.dice-d10star")
def test_ten_faces_and_the_zero_is_nothing():
    plain = odds(star, 0)
    assert dict(plain.items()) == dict.fromkeys(range(10), Fraction(1, 10))
    assert plain.mean() == Fraction(9, 2)
    assert load(star, faces=[0]).outcome == 0
    assert D10_STAR.sides == 10


@rule("toaster.3.nines-switch", "toaster.3.nines-limit")
@pytest.mark.parametrize(
    ("nines", "faces", "value"),
    [
        (0, [9], 9),
        (1, [9, 6], 15),
        (1, [9, 9], 18),
        (2, [9, 9, 5], 23),
        (NO_LIMIT, [9, 9, 5], 23),
        (NO_LIMIT, [9, 9, 9, 2], 29),
        (1, [9, 0], 9),
    ],
)
def test_nines_are_thrown_again_as_often_as_the_limit_says(nines, faces, value):
    assert load(star, nines, faces=faces).outcome == value
    with pytest.raises(LeftoverFaces):
        load(star, nines, faces=[*faces, 1])


@rule("toaster.3.nines-limit")
def test_the_chances_of_nines_are_exact():
    once = odds(star, 1)
    chances = [Fraction(1, 10)] * 9 + [Fraction(1, 100)] * 10
    assert dict(once.items()) == dict(enumerate(chances))
    endless = odds(star, NO_LIMIT)
    assert endless.exact
    assert (endless.mean(), endless.at_least(27)) == (5, Fraction(1, 1000))
    assert endless[31] == Fraction(1, 10_000)


@rule("toaster.3.zeros-switch")
def test_a_zero_fails_whatever_the_total():
    zeros = Extended(zeros=True)
    assert load(task, 14, zeros, faces=[0, 5]).outcome == Outcome(14, False, FAILURE, True, 19)
    assert load(task, 14, faces=[0]).outcome == Outcome(14, True, SUCCESS)
    assert not load(task, 1, Extended(1, zeros=True), faces=[9, 0]).outcome.zero


@rule("toaster.3.zeros-fumble-check")
@pytest.mark.parametrize(
    ("rank", "faces", "band"),
    [(6, [0, 5], FAILURE), (6, [0, 3], FUMBLE), (12, [0, 0], FUMBLE)],
)
def test_the_second_roll_after_a_zero_tells_a_fumble(rank, faces, band):
    came = load(task, rank, Extended(zeros=True), faces=faces).outcome
    assert (came.succeeds, came.band) == (False, band)


@rule("toaster.3.call4-switch", "toaster.3.call4-no-extremes")
@pytest.mark.parametrize(("rank", "succeeds"), [(6, True), (5, False)])
def test_a_called_four_throws_no_die(rank, succeeds):
    extreme = Extended(NO_LIMIT, zeros=True)
    assert load(task, rank, extreme, True, faces=[]).outcome.succeeds is succeeds
    assert odds(task, rank, extreme, True).chance(lambda one: one.succeeds) == succeeds


@rule("toaster.3.vo-bands")
def test_the_bands_by_distance_have_no_gap():
    words = {
        "fumble": (4,),
        "failure": (5, 8),
        "marginal": (9, 10, 11),
        "success": (12, 15),
        "critical": (16, 28),
    }
    for word, totals in words.items():
        assert [band_of(total - 10) for total in totals] == [word] * len(totals)


@rule("toaster.3.vo-zero-precedence")
@pytest.mark.parametrize(
    ("rank", "faces", "total"), [(9, [0, 5], 9), (2, [0, 8], 2)], ids=["near", "far"]
)
def test_after_a_zero_the_distance_does_not_count(rank, faces, total):
    came = load(task, rank, Extended(zeros=True), False, True, faces=faces).outcome
    assert (came.band, came.total) == (FAILURE, total)


@rule("toaster.3.percentages")
@pytest.mark.parametrize(
    ("rank", "modifier", "chance"),
    [(6, 0, 60), (6, 2, 80), (6, -3, 30), (11, 0, 100), (2, -4, 0)],
)
def test_ten_per_cent_for_each_rank(rank, modifier, chance):
    assert odds(task, rank + modifier).chance(lambda one: one.succeeds) == Fraction(chance, 100)


@rule("toaster.3.nines-hard-tasks", "toaster.3.roll-anyway-zeros")
def test_printed_chances_with_extreme_results():
    hard = odds(task, 4 - 6, Extended(1))
    assert hard.chance(lambda one: one.succeeds) == Fraction(7, 100)
    sure = odds(task, 8 + 2, Extended(zeros=True))
    assert sure.chance(lambda one: one.succeeds) == Fraction(9, 10)
    assert sure.chance(lambda one: one.fumble) == Fraction(1, 100)
