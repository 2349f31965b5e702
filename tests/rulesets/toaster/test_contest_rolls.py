"""The mechanics of opposed rolls, rivals, do-overs and joint tasks."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from kitchentable.dice import load, odds, told
from kitchentable.rulesets.toaster.mechanics.contests import (
    BEHIND,
    DRAW,
    NOBODY,
    TIE,
    WON,
    Second,
    Side,
    contest,
    do_over,
    parallel,
)
from kitchentable.rulesets.toaster.mechanics.stars import NO_LIMIT, PLAIN, Extended, star
from kitchentable.rulesets.toaster.mechanics.tasks import together

rule = pytest.mark.rule
WINNER = told(do_over, lambda one: one.winner)
F = Fraction
ZEROS = Extended(zeros=True)


def two(first, second, **more):
    return (Side(first, "first"), Side(second, "second", **more))


def many(*modifiers):
    return tuple(Side(one, f"side {at}") for at, one in enumerate(modifiers))


def chances(mechanic, sides, *more):
    won = told(mechanic, lambda one: one.standing if one.winner is None else one.winner)
    return odds(won, sides, *more)


@rule("toaster.3.opposed-rolls", "toaster.3.opposed-highest")
def test_equal_ranks_win_9_tie_2_and_lose_9_in_20():
    even = chances(contest, two(6, 6))
    assert (even[0], even["tie"], even[1]) == (F(9, 20), F(1, 10), F(9, 20))
    for ahead, wins in {1: 55, 2: 64, 3: 72, 4: 79, 5: 85, 6: 90}.items():
        assert chances(contest, two(3 + ahead, 3))[0] == F(wins, 100)
        assert chances(contest, two(3, 3 + ahead))[0] == 1 - F(wins, 100) - F(10 - ahead, 100)


@rule("toaster.3.opposed-highest", "toaster.3.opposed-rolls")
def test_the_higher_total_wins_and_need_not_reach_10():
    assert load(contest, two(3, 2), faces=[2, 1]).outcome.winner == 0
    came = load(contest, two(6, 5 - 1), faces=[3, 5]).outcome
    assert (came.standing, came.totals, came.ahead) == (TIE, (9, 9), (0, 1))


@rule("toaster.3.opposed-multi")
@pytest.mark.parametrize(
    ("faces", "standing", "ahead"), [([5, 8, 7], WON, (1,)), ([8, 8, 5], TIE, (0, 1))]
)
def test_of_many_the_single_highest_wins(faces, standing, ahead):
    came = load(contest, many(4, 4, 4), faces=faces).outcome
    assert (came.standing, came.ahead) == (standing, ahead)


def judged(totals, zeros, bands, target):
    """Who has won and how it stands, place by place as the book words it, without the contest."""
    left = [at for at, zero in enumerate(zeros) if not zero and totals[at] >= (target or 0)]
    top = max((totals[at] for at in left), default=0)
    best = [at for at in left if totals[at] == top]
    near = [at for at in left if bands and not target and totals[at] == top - 1]
    if not left:
        return NOBODY, None, NOBODY, ()
    standing = DRAW if near else TIE if len(best) > 1 else WON
    first = WON if standing == WON and best == [0] else TIE if 0 in (*best, *near) else BEHIND
    return standing, best[0] if standing == WON else None, first, (*best, *near)


@pytest.mark.slow
@rule("toaster.3.opposed-multi", "toaster.3.parallel-contest", "toaster.3.marginal-opposed")
@pytest.mark.parametrize("roll", [contest, parallel], ids=lambda roll: roll.name)
@pytest.mark.parametrize("bands", [False, True])
@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("modifiers", [(4, 5), (5, 4, 6), (3, 3, 3)])
def test_a_contest_tells_what_all_its_throws_come_to(modifiers, zeros, bands, roll):
    """Every throw one by one, beside the odds of each reading of the same roll."""
    ext, sides = Extended(zeros=zeros), many(*modifiers)
    readings = {
        "standing": lambda one: one.standing,
        "winner": lambda one: one.winner,
        "fares": lambda one: one.fares,
    }
    found = {name: Counter() for name in readings}
    for shown in product(range(10), repeat=len(sides)):
        seconds = [5] * (shown.count(0) if zeros else 0)
        one = load(roll, sides, ext, bands, faces=[*shown, *seconds]).outcome
        told_of = judged(one.totals, one.zeros, bands, one.target)
        assert (one.standing, one.winner, one.fares, one.ahead) == told_of
        for name, by in readings.items():
            found[name][by(one)] += 1
    for name, by in readings.items():
        shares = {one: F(count, 10 ** len(sides)) for one, count in found[name].items()}
        assert dict(odds(told(roll, by), sides, ext, bands).items()) == shares


@rule("toaster.3.opposed-multi", "toaster.3.nines-limit")
@pytest.mark.parametrize("zeros", [False, True])
def test_how_one_of_six_fares_agrees_with_the_highest_of_the_others(zeros):
    """The chance to win is that of a total above five others, total by total."""
    ext = Extended(NO_LIMIT, zeros)
    stars = odds(star, NO_LIMIT)
    won = F(0)
    for shown, chance in stars.items():
        if shown or not zeros:
            # Who throws a 0 is under it too, as a total or as a failure.
            won += chance * prod(1 - stars.at_least(shown + 6 - one) for one in (5, 4, 3, 2, 1))
    solved = odds(told(contest, lambda one: one.fares), many(6, 5, 4, 3, 2, 1), ext)
    assert abs(solved[WON].low - won) < F(1, 10**18)
    assert solved.unresolved < 2**-60


@rule("toaster.3.parallel-contest")
@pytest.mark.parametrize(
    ("faces", "standing", "winner"),
    [
        ([5, 8], WON, 1),
        ([5, 4], NOBODY, None),
        ([6, 9], WON, 1),
        ([7, 7], TIE, None),
    ],
)
def test_rivals_each_need_10(faces, standing, winner):
    came = load(parallel, two(4, 4), faces=faces).outcome
    assert (came.standing, came.winner) == (standing, winner)


@rule("toaster.3.parallel-contest", "toaster.3.zeros-switch")
def test_a_rival_who_throws_a_zero_fails_however_high_the_total():
    came = load(parallel, two(12, 4), ZEROS, faces=[0, 6, 1]).outcome
    assert (came.winner, came.zeros, came.bands[0]) == (1, (True, False), "failure")
    assert load(parallel, two(4, 4), ZEROS, faces=[0, 3, 2]).outcome.bands[0] == "fumble"


@rule("toaster.3.zeros-opposed")
def test_zeros_in_an_opposed_roll():
    came = load(contest, two(9, 3), ZEROS, faces=[0, 4, 2]).outcome
    assert (came.winner, came.totals, came.seconds) == (1, (9, 7), (Second(11), Second()))
    assert came.bands == ("failure", "")
    assert load(contest, two(9, 3), ZEROS, faces=[0, 9, 3]).outcome.bands[0] == "fumble"
    both = load(contest, two(5, 5), ZEROS, faces=[0, 0, 6, 0]).outcome
    assert (both.standing, both.bands) == (NOBODY, ("failure", "fumble"))
    assert chances(contest, two(6, 6), ZEROS)[NOBODY] == F(1, 100)


@rule("toaster.3.zeros-fumble-check")
def test_the_second_roll_is_made_with_the_same_rank_against_the_other_total():
    faces = [0, 5, 2]
    assert load(contest, two(9, 6), ZEROS, faces=faces).outcome.bands[0] == "fumble"
    assert load(contest, two(9, 5), ZEROS, faces=faces).outcome.bands[0] == "failure"


@rule("toaster.3.vo-opposed-mirror", "toaster.3.critical-once")
@pytest.mark.parametrize(
    ("faces", "bands"),
    [([9, 3], ("critical", "fumble")), ([8, 3], ("success", "failure"))],
)
def test_ones_critical_is_the_others_fumble(faces, bands):
    came = load(contest, two(5, 5), PLAIN, True, faces=faces).outcome
    assert (came.winner, came.bands) == (0, bands)


@rule("toaster.3.marginal-opposed")
def test_a_lead_of_one_is_a_draw_under_variable_outcomes():
    close = load(contest, two(5, 5), PLAIN, True, faces=[6, 5]).outcome
    assert (close.standing, close.ahead, close.bands) == (DRAW, (0, 1), ("marginal",) * 2)
    assert load(contest, two(5, 5), faces=[6, 5]).outcome.winner == 0
    even = chances(contest, two(6, 6), PLAIN, True)
    assert (even[0], even["tie"] + even["draw"]) == (F(36, 100), F(28, 100))


@rule("toaster.3.tiebreak-doover")
def test_a_do_over_ends_with_a_victor():
    came = load(do_over, two(5, 5), faces=[4, 4, 3, 3, 6, 2]).outcome
    assert (came.winner, came.totals) == (0, (11, 7))
    assert odds(WINNER, two(6, 6))[0] == F(1, 2)
    assert odds(WINNER, two(6, 5))[0] == F(55, 91)
    assert odds(WINNER, two(6, 6), Extended(1, zeros=True)).exact


@rule("toaster.3.nines-limit")
def test_two_endless_totals_are_known_to_more_digits_than_anybody_reads():
    even = chances(contest, two(6, 6), Extended(NO_LIMIT))
    assert even.unresolved < F(1, 10**18)
    assert even[TIE].low < F(1, 11) < even[TIE].high


@rule("toaster.3.collab-best", "toaster.3.collab-too-many-cooks")
def test_the_best_or_the_worst_die_counts():
    who = ("a", "b", "c")
    assert load(together, who, 6, faces=[2, 8, 5]).outcome.total == 14
    crowd = load(together, who, 6, PLAIN, True, faces=[2, 8, 5])
    assert (crowd.outcome.total, crowd.outcome.succeeds) == (8, False)
    assert [throw.fate for throw in crowd.trace.throws] == ["kept", "dropped", "dropped"]
    succeeds = told(together, lambda one: one.succeeds)
    assert odds(succeeds, who, 6)[True] == 1 - F(4, 10) ** 3
    assert odds(succeeds, who, 6, PLAIN, True)[True] == F(6, 10) ** 3


@rule("toaster.3.collab-extended")
def test_only_the_die_that_counts_can_fail_by_a_zero():
    pair = ("a", "b")
    assert load(together, pair, 6, ZEROS, faces=[0, 6]).outcome.succeeds
    worst = load(together, pair, 6, ZEROS, True, faces=[0, 6, 5, 7]).outcome
    assert (worst.succeeds, worst.zero, worst.second, worst.band) == (False, True, 11, "failure")
    nine = load(together, pair, 3, Extended(1), faces=[9, 4, 9, 1]).outcome
    assert nine.total == 16
