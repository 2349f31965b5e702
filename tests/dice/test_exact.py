"""Odds known from closed forms, books and counting."""

import itertools
from collections import Counter
from enum import Enum
from fractions import Fraction
from math import comb

import pytest

from kitchentable.dice import Die, exploding, load, mechanic, odds, told

F = Fraction


class Special(Enum):
    FLUB = "flub"
    KICK = "kick"


D10_PLUS = Die("d10+", (*range(1, 11), Special.FLUB, Special.KICK))


@mechanic
def star(dice, n, modifier=0):
    return dice.total(n, of=exploding) + modifier


@mechanic
def star_reaches(dice, n, target, modifier=0):
    return dice.total(n, of=exploding) + modifier >= target


@mechanic
def star_contest(dice, ours, theirs):
    a, b = dice.total(ours, of=exploding), dice.total(theirs, of=exploding)
    if a == b:
        return star_contest(dice, ours, theirs)
    return a > b


@mechanic
def toast_contest(dice, ours, theirs):
    a, b = dice.die(D10_PLUS), dice.die(D10_PLUS)
    if a == b and isinstance(a, Special):
        return toast_contest(dice, ours, theirs)
    if a is Special.KICK or b is Special.FLUB:
        return True
    if a is Special.FLUB or b is Special.KICK:
        return False
    if a + ours == b + theirs:
        return toast_contest(dice, ours, theirs)
    return a + ours > b + theirs


@mechanic
def total(dice, n, sides=6):
    return dice.total(n, sides)


@mechanic
def keep(dice, n, sides, highest):
    return dice.total(n, sides, keep_highest=highest)


@mechanic
def keep_low(dice, n, sides, lowest):
    return dice.total(n, sides, keep_lowest=lowest)


@mechanic
def mixed_pool(dice, keep):
    return dice.pool(2, 6).total() + dice.pool(3, 8).highest(keep).total() - dice.die(4)


class TestTwoExplodingSixes:
    def test_mean_and_variance(self):
        assert odds(star, 2).mean() == F(42, 5)
        assert odds(exploding).mean() == F(21, 5)
        assert odds(exploding).variance() == F(707, 25) - F(21, 5) ** 2
        assert odds(star, 2).variance() == 2 * odds(exploding).variance()

    @pytest.mark.parametrize(
        ("least", "chance"),
        [(8, F(17, 36)), (12, F(23, 108)), (15, F(43, 432)), (16, F(11, 144)), (2, F(1))],
    )
    def test_chances_to_reach(self, least, chance):
        assert odds(star_reaches, 2, least)[True] == chance
        assert odds(star_reaches, 2, least).unresolved == 0
        assert odds(star, 2).at_least(least) == chance
        assert odds(star, 2).more_than(least - 1) == chance
        assert odds(star, 2).less_than(least) == 1 - chance
        assert odds(star, 2).at_most(least - 1) == 1 - chance

    def test_a_modifier_only_moves_the_total(self):
        assert odds(star_reaches, 2, 12, 1)[True] == F(1, 4)
        assert odds(star_reaches, 2, 8, 1)[True] == F(7, 12)
        assert odds(star, 2, 3).at_least(15) == F(23, 108)
        assert odds(star, 2, 3).mean() == F(57, 5)

    def test_median_and_mode(self):
        assert odds(star, 2).median() == 7
        assert odds(star, 2).mode() == 6
        assert odds(star, 2)[6] == F(5, 36)

    def test_every_single_chance_however_far(self):
        # One die shows 6k + r (r from 1 to 5) with chance 6**-(k + 1); two dice by counting.
        def one(value):
            return F(1, 6 ** (value // 6 + 1)) if value > 0 and value % 6 else F(0)

        for value in (*range(2, 40), 300):
            chance = sum(one(a) * one(value - a) for a in range(1, value))
            assert odds(star, 2)[value] == chance

    def test_the_listing_ends_and_says_what_is_left(self):
        distribution = odds(star, 2)
        assert distribution.exact
        assert 0 < distribution.unresolved < F(1, 10**20)
        assert sum(distribution.values()) + distribution.unresolved == 1
        assert distribution.at_least(max(distribution) + 1) == distribution.unresolved


def test_three_exploding_dice_and_one_that_explodes_earlier():
    assert odds(star, 3).mean() == F(63, 5)
    # A d10 that explodes on 9 and 10: mean m = 5.5 + m / 5.
    assert odds(exploding, 10, 9).mean() == F(55, 8)


def test_a_contest_of_exploding_dice_leaves_almost_nothing_open():
    even = odds(star_contest, 2, 2)
    assert even[True].low == even[False].low
    assert F(1, 2) in even[True]
    assert 0 < even.unresolved < F(1, 10**18)
    assert str(even[True]) == "0.50000000 (exact to 21 digits)"
    uneven = odds(star_contest, 2, 1)
    one, two = odds(star, 1), odds(star, 2)
    higher = sum(two[v] * one.less_than(v) for v in range(2, 200))
    same = sum(two[v] * one[v] for v in range(2, 200))
    assert abs(uneven[True].low - higher / (1 - same)) < F(1, 10**18)


@pytest.mark.parametrize(("ours", "theirs"), [(0, 0), (3, 3), (5, 2), (0, 20)])
def test_toast_contests(ours, theirs):
    def rank(face, trait):
        return {11: -99, 12: 99}.get(face, face + trait)

    won = Counter()
    for a, b in itertools.product(range(1, 13), repeat=2):
        mine, other = rank(a, ours), rank(b, theirs)
        won[(mine > other) - (mine < other)] += 1
    assert odds(toast_contest, ours, theirs)[True] == F(won[1], won[1] + won[-1])
    assert odds(toast_contest, ours, theirs).unresolved == 0


def test_a_hundred_dice():
    distribution = odds(total, 100)
    assert distribution.mean() == 350
    assert distribution.variance() == 100 * F(35, 12)
    assert distribution[100] == distribution[600] == F(1, 6**100)
    assert distribution[350] == F(
        sum((-1) ** k * comb(100, k) * comb(250 - 6 * k + 99, 99) for k in range(42)), 6**100
    )
    assert sum(distribution.values()) == 1


def test_a_thousand_dice_of_any_size():
    distribution = odds(total, 30, 1000)
    assert distribution.mean() == 30 * F(1001, 2)
    assert distribution[31] == F(30, 1000**30)


def test_twenty_d10_keep_five():
    distribution = odds(keep, 20, 10, 5)
    below = F(sum(comb(20, k) * 9 ** (20 - k) for k in range(5)), 10**20)
    assert distribution[50] == 1 - below
    assert distribution[5] == F(1, 10**20)
    assert sum(distribution.values()) == 1


@pytest.mark.parametrize(("n", "sides", "kept"), [(4, 6, 3), (3, 4, 1), (5, 4, 2), (2, 6, 2)])
def test_keep_against_counting(n, sides, kept):
    high, low = Counter(), Counter()
    for faces in itertools.product(range(1, sides + 1), repeat=n):
        high[sum(sorted(faces)[n - kept :])] += 1
        low[sum(sorted(faces)[:kept])] += 1
    assert dict(odds(keep, n, sides, kept).items()) == {v: F(c, sides**n) for v, c in high.items()}
    assert dict(odds(keep_low, n, sides, kept).items()) == {
        v: F(c, sides**n) for v, c in low.items()
    }


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_pools_of_mixed_dice(kept):
    found = Counter()
    for a, b, *eights, d in itertools.product(*(range(1, s + 1) for s in (6, 6, 8, 8, 8, 4))):
        found[a + b + sum(sorted(eights)[3 - kept :]) - d] += 1
    whole = 36 * 8**3 * 4
    assert dict(odds(mixed_pool, kept).items()) == {v: F(c, whole) for v, c in found.items()}


def test_keeping_more_than_there_are_or_none():
    assert odds(keep, 2, 6, 5) == odds(total, 2)
    assert dict(odds(keep, 3, 6, 0).items()) == {0: F(1)}
    assert dict(odds(total, 0).items()) == {0: F(1)}


def test_what_is_told_of_a_roll_is_exact_where_its_whole_outcome_is_not():
    @mechanic
    def reach(dice, target):
        total = dice.total(2, of=exploding)
        return total, total >= target

    reached = told(reach, lambda outcome: outcome[1])
    assert not odds(reach, 12).exact
    assert odds(reached, 12)[True] == odds(star_reaches, 2, 12)[True] == F(23, 108)
    assert load(reached, 12, faces=[6, 5, 1]).outcome is True
