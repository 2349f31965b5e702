"""The pure rolls of harm: the mortality check, how long somebody holds out, weeks of healing."""

from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.dice import load, odds
from kitchentable.rulesets.toaster.mechanics.healing import (
    Fate,
    fate_of,
    mortality,
    stun_after,
    survives,
    weeks_until_healed,
    wounds_after,
)
from kitchentable.rulesets.toaster.mechanics.stars import Extended

rule = pytest.mark.rule


def check(physique, wounds, face, **more):
    return load(mortality, physique - max(0, wounds - 5), faces=[face], **more).outcome


@rule("toaster.4.mortality-roll", "toaster.4.mortality-success", "toaster.4.mortality-fail")
@pytest.mark.parametrize(
    ("physique", "wounds", "face", "fate"),
    [
        (6, 5, 4, Fate("holds", 1, 10)),
        (7, 7, 5, Fate("holds", 1, 10)),
        (6, 7, 5, Fate("dies", 9, 9)),
        (6, 5, 8, Fate("holds", 5, 14)),
        (4, 5, 2, Fate("dies", 6, 6)),
        (3, 9, 1, Fate("dead", 0, 0)),
        (12, 5, 0, Fate("dead", 0, 12)),
    ],
)
def test_the_check_takes_physique_less_the_wounds_over_five(physique, wounds, face, fate):
    assert check(physique, wounds, face) == fate


@rule("toaster.4.mortality-fail")
def test_by_option_the_bare_die_counts_the_rounds():
    assert fate_of(2, 4, by_die=True) == Fate("dies", 2, 6)
    assert fate_of(1, -1, by_die=True) == Fate("dies", 1, 0)


@rule("toaster.4.mortality-zero")
def test_a_zero_kills_whatever_is_added_and_a_nine_with_a_zero_does_not():
    assert odds(mortality, 30).chance(lambda one: one.word == "dead") == Fraction(1, 10)
    assert load(mortality, 6, 1, faces=[9, 0]).outcome == Fate("holds", 6, 15)


@rule("toaster.4.mortality-success")
def test_without_help_they_hold_out_so_long_five_wounds_physique_six():
    alive = {rounds: odds(survives, 6, rounds)[True] for rounds in (0, 5, 10, 20)}
    assert alive[0] == Fraction(9, 10)
    assert alive[5] == Fraction(838949, 10**6)
    assert [round(float(alive[n]), 2) for n in (5, 10, 20)] == [0.84, 0.43, 0.11]
    assert alive[10] == Fraction(42976575399, 10**11)
    assert alive[20] == Fraction(110427507360063990799, 10**21)


@rule("toaster.4.mortality-success")
def test_the_recursion_by_hand():
    """f(n) from the table of one die: dead on 0, dying on 1 to 3, holding 1 to 6 rounds."""
    f = {}
    for n in range(21):
        dies = sum(total > n for total in (7, 8, 9))
        holds = sum(1 if held > n else f[n - held] for held in range(1, 7))
        f[n] = Fraction(dies + holds) / 10
    assert [odds(survives, 6, n)[True] for n in (1, 10, 20)] == [f[1], f[10], f[20]]


@pytest.mark.slow
@rule("toaster.4.mortality-success")
def test_even_the_strongest_do_not_hold_out_for_ever():
    alive = {rounds: odds(survives, 10, rounds)[True] for rounds in range(10, 151, 10)}
    assert (round(float(alive[20]), 2), round(float(alive[150]), 2)) == (0.66, 0.07)


@rule("toaster.4.heal-week")
@pytest.mark.parametrize("physique", range(11))
def test_weekly_healing_is_a_tenth_for_each_point_over_the_wounds(physique):
    for wounds in range(1, 5):
        told = kt.game("toaster").odds("healing", physique=physique, wounds=wounds)
        share = told.chance(lambda one: one.succeeds)
        assert share == Fraction(min(10, max(0, physique - wounds)), 10)


@rule("toaster.4.heal-week", "toaster.4.heal-week-example")
def test_four_wounds_physique_eight():
    assert load(wounds_after, 8, 4, 1, faces=[6]).outcome == 3
    assert load(wounds_after, 8, 4, 1, faces=[5]).outcome == 4
    assert load(wounds_after, 8, 4, 2, faces=[6, 5]).outcome == 2


@rule("toaster.4.heal-week-fumble")
def test_a_fumble_adds_a_wound_with_zeros_or_bands_and_never_with_plain_dice():
    zeros = Extended(zeros=True)
    assert load(wounds_after, 8, 4, 1, 0, False, zeros, faces=[0, 5]).outcome == 5
    assert load(wounds_after, 8, 4, 1, 0, False, zeros, faces=[0, 6]).outcome == 4
    assert load(wounds_after, 6, 2, 1, 0, False, bands=True, faces=[0]).outcome == 3
    assert odds(wounds_after, 4, 3, 1).chance(lambda left: left > 3) == 0
    assert odds(wounds_after, 5, 4, 3, 0, False, zeros).chance(lambda left: left > 5) == 0


@rule("toaster.4.heal-first-aid-once", "toaster.4.heal-first-aid-example")
def test_first_aid_helps_one_roll():
    assert load(wounds_after, 5, 2, 1, 4, faces=[3]).outcome == 1
    assert load(wounds_after, 5, 2, 2, 4, faces=[3, 5]).outcome == 1
    assert load(wounds_after, 5, 2, 2, 4, faces=[3, 6]).outcome == 0


@rule("toaster.4.heal-long-term")
def test_long_term_care_helps_until_a_roll_fails():
    assert load(wounds_after, 5, 4, 4, 3, True, faces=[6, 5, 4, 3]).outcome == 0
    assert load(wounds_after, 5, 4, 4, 3, True, faces=[6, 5, 3, 7]).outcome == 1
    assert load(wounds_after, 5, 4, 4, 3, True, faces=[6, 5, 3, 6]).outcome == 2


@rule("toaster.4.heal-week")
def test_how_many_weeks_it_takes():
    assert odds(weeks_until_healed, 6, 1)[3] == Fraction(1, 8)
    assert odds(weeks_until_healed, 8, 3).mean() == Fraction(10, 5) + Fraction(10, 6) + Fraction(
        10, 7
    )
    assert odds(weeks_until_healed, 3, 3)[-1] == 1
    assert odds(weeks_until_healed, 3, 3, 1)[-1] == 0
    assert odds(wounds_after, 6, 2, 2)[0] == odds(weeks_until_healed, 6, 2).at_most(2)


@rule("toaster.4.heal-stun", "toaster.4.heal-stun-period", "toaster.4.heal-stun-rate")
def test_stun_passes_with_every_full_ten_minutes():
    assert [stun_after(25, 6, m) for m in (0, 9, 10, 19, 20, 40, 50)] == [25, 25, 19, 19, 13, 1, 0]
    assert stun_after(5, 0, 30) == 2
    assert (stun_after(9, 5, 10, 50), stun_after(9, 1, 10, 50), stun_after(9, 5, 10, 200)) == (
        7,
        8,
        0,
    )
