"""Walks, waiting times and branching: problems with known answers, each beside its formula."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from kitchentable.dice import mechanic, odds
from kitchentable.dice.errors import TooDeep, Unresolved
from kitchentable.dice.solving import chain

HALF = Fraction(1, 2)
OPEN = Fraction(1, 10**15)


def holds(chance, truth):
    """Whether an interval, or a fraction, allows a chance."""
    if isinstance(chance, Fraction):
        return chance == truth
    return chance.low <= truth <= chance.high


# -- gambler's ruin ------------------------------------------------------------------------------


@mechanic
def ruin(dice, have, goal, win):
    """Stakes of 1, won with faces up to `win` of a d10, until all or nothing is left."""
    if have in (0, goal):
        return have == goal
    return ruin(dice, have + (1 if dice.die(10) <= win else -1), goal, win)


@mechanic
def broke(dice, have, win):
    """The same against a bank of endless wealth."""
    if have == 0:
        return "broke"
    return broke(dice, have + (1 if dice.die(10) <= win else -1), win)


@pytest.mark.parametrize(("have", "goal"), [(1, 2), (3, 10), (50, 100), (1, 200)])
@pytest.mark.parametrize("win", [3, 5, 6])
def test_ruin_between_two_barriers(have, goal, win):
    odd = Fraction(10 - win, win)
    wins = Fraction(have, goal) if odd == 1 else (1 - odd**have) / (1 - odd**goal)
    assert odds(ruin, have, goal, win)[True] == wins
    assert odds(ruin, have, goal, win).exact


def test_ruin_by_an_endless_bank_in_an_unfair_game_is_certain():
    chance = odds(broke, 3, 4)["broke"]
    assert holds(chance, 1)
    assert odds(broke, 3, 4).unresolved < OPEN


@pytest.mark.slow
@pytest.mark.parametrize(("win", "truth"), [(6, Fraction(2, 3) ** 3), (5, Fraction(1))])
def test_ruin_by_an_endless_bank_that_stays_open_is_bounded(win, truth, monkeypatch):
    monkeypatch.setattr(chain, "FARTHEST", 2_000)
    broke.forget()
    assert holds(odds(broke, 3, win, bounds=True)["broke"], truth)


def test_ruin_by_an_endless_bank_that_stays_open_is_refused_unless_bounds_will_do(monkeypatch):
    monkeypatch.setattr(chain, "FARTHEST", 2_000)
    broke.forget()
    with pytest.raises(TooDeep, match=r"broke\(3, 6\) leave .* unresolved.* bounds=True"):
        odds(broke, 3, 6)


# -- walks ---------------------------------------------------------------------------------------


@mechanic
def around(dice, n, at=None):
    """Steps that a walk on a circle of n places takes until it is back."""
    if at == 0:
        return 0
    return 1 + around(dice, n, ((at or 0) + (1 if dice.die(2) == 1 else -1)) % n)


@mechanic
def last_of(dice, n, left, right, at):
    """The place of a circle that is visited last, when from -left to right all were visited."""
    left, right = max(left, -at), max(right, at)
    if left + right == n - 2:
        return right + 1
    return last_of(dice, n, left, right, at + (1 if dice.die(2) == 1 else -1))


@mechanic
def along(dice, n, at):
    """Steps from one place of a path to its end, the other end throwing back."""
    if at == n:
        return 0
    if at == 0:
        return 1 + along(dice, n, 1)
    return 1 + along(dice, n, at + (1 if dice.die(2) == 1 else -1))


@mechanic
def urn(dice, n, left):
    """Ehrenfest: steps until an urn is empty, when one ball of n changes urns each time."""
    if left == 0:
        return 0
    return 1 + urn(dice, n, left + (-1 if dice.die(n) <= left else 1))


@pytest.mark.parametrize("n", [3, 8, 40])
def test_a_walk_on_a_circle_returns_after_n_steps_on_average(n):
    assert odds(around, n).mean() == n


def test_every_other_place_of_a_circle_is_equally_likely_to_be_last():
    distribution = odds(last_of, 9, 0, 0, 0)
    assert dict(distribution.items()) == dict.fromkeys(range(1, 9), Fraction(1, 8))


@pytest.mark.parametrize("n", [1, 2, 20, 45])
def test_a_walk_along_a_path_takes_the_square_of_its_length(n):
    assert odds(along, n, 0).mean() == n * n
    assert odds(along, n, n // 2).mean() == n * n - (n // 2) ** 2


def test_a_walk_returns_after_hundreds_of_steps():
    """The chance of a first return after 2k steps on the line is C(2k, k) / ((2k - 1) 2^2k)."""
    distribution = odds(around, 302)
    for k in (1, 5, 150):
        assert distribution[2 * k] == Fraction(comb(2 * k, k), (2 * k - 1) * 4**k)
    # After 302 steps it may have gone round, to the left or to the right.
    assert distribution[302] == Fraction(comb(302, 151), 301 * 4**151) + 2 * HALF**302


@pytest.mark.parametrize("n", [2, 5, 10])
def test_the_urn_of_ehrenfest_empties_in_the_mean_time_of_a_birth_and_death_chain(n):
    up = [Fraction(1)]
    for k in range(1, n):
        up.append((n + k * up[-1]) / (n - k))
    assert odds(urn, n, n).mean() == sum(up)
    assert odds(urn, n, 1).mean() == up[-1] == 2**n - 1


@mechanic
def towers(dice, piles):
    """Moves of one coin from one pile to another, until one of three piles is gone."""
    if 0 in piles:
        return 0
    a, b = divmod(dice.die(6) - 1, 2)
    moved = list(piles)
    moved[a] -= 1
    moved[(a + b + 1) % 3] += 1
    return 1 + towers(dice, tuple(moved))


@mechanic
def three_players(dice, purses):
    """Rounds in which one of three wins a coin of each other one, until one of them is ruined."""
    if 0 in purses:
        return 0
    winner = dice.die(3) - 1
    return 1 + three_players(
        dice, tuple(one + 2 if at == winner else one - 1 for at, one in enumerate(purses))
    )


@pytest.mark.parametrize("piles", [(1, 1, 1), (2, 3, 4), (5, 5, 5)])
def test_three_piles_last_as_long_as_engel_says(piles):
    a, b, c = piles
    assert odds(towers, piles).mean() == Fraction(3 * a * b * c, a + b + c)
    assert odds(three_players, piles).mean() == Fraction(a * b * c, a + b + c - 2)


# -- waiting -------------------------------------------------------------------------------------


@mechanic
def collect(dice, n, missing):
    """Draws until every one of n coupons was drawn."""
    return 1 + collect(dice, n, missing - (dice.die(n) <= missing)) if missing else 0


def overlap(text, wanted):
    """The length of the longest end of a text that begins what is waited for."""
    return next(k for k in range(len(wanted), -1, -1) if text.endswith(wanted[:k]))


@mechanic
def wait(dice, pattern, seen=0):
    """Throws of a coin until a pattern shows."""
    if seen == len(pattern):
        return 0
    return 1 + wait(dice, pattern, overlap(pattern[:seen] + "HT"[dice.die(2) - 1], pattern))


@mechanic
def penney(dice, first, second, text=""):
    """Which of two patterns shows first."""
    if text.endswith((first, second)):
        return first if text.endswith(first) else second
    text = (text + "HT"[dice.die(2) - 1])[-max(len(first), len(second)) :]
    return penney(dice, first, second, text)


def conway(a, b):
    """Conway's leading number, doubled: 2^k for each end of a of length k that begins b."""
    return sum(2**k for k in range(1, len(b) + 1) if a.endswith(b[:k]))


@pytest.mark.parametrize("n", [1, 2, 6, 12])
def test_coupons_are_collected_as_inclusion_and_exclusion_say(n):
    distribution = odds(collect, n, n)
    assert distribution.mean() == n * sum(Fraction(1, k) for k in range(1, n + 1))
    by = [
        sum((-1) ** j * comb(n, j) * Fraction(n - j, n) ** draws for j in range(n + 1))
        for draws in range(1, 40)
    ]
    for draws in (n, n + 1, n + 9, 30):
        assert distribution[draws] == by[draws - 1] - (by[draws - 2] if draws > 1 else 0)


@pytest.mark.parametrize(("pattern", "mean"), [("H", 2), ("HH", 6), ("HT", 4), ("HTHT", 20)])
def test_patterns_take_as_long_as_their_overlaps_say(pattern, mean):
    assert odds(wait, pattern).mean() == conway(pattern, pattern) == mean


def test_every_pattern_of_four_throws_takes_as_long_as_its_overlaps_say():
    for pattern in map("".join, product("HT", repeat=4)):
        assert odds(wait, pattern).mean() == conway(pattern, pattern)


def test_penneys_game_is_won_at_the_odds_of_conway():
    assert odds(penney, "THH", "HHH")["THH"] == Fraction(7, 8)
    assert odds(penney, "THH", "HHT")["THH"] == Fraction(3, 4)
    for a, b in [("HHT", "HTT"), ("HTH", "TTH"), ("HTHT", "THTT"), ("TTHH", "HTHT")]:
        for_a, for_b = conway(b, b) - conway(b, a), conway(a, a) - conway(a, b)
        assert odds(penney, a, b)[a] == Fraction(for_a, for_a + for_b)


@mechanic
def longest_run(dice, left, now=0, best=0):
    """The longest run of heads in this many throws."""
    if not left:
        return best
    now = now + 1 if dice.die(2) == 1 else 0
    return longest_run(dice, left - 1, now, max(best, now))


def test_longest_runs_are_counted_by_recursion():
    distribution = odds(longest_run, 20)
    for k in (1, 3, 4, 7, 20):
        without = [1]
        for n in range(1, 21):
            without.append(2**n if n < k else sum(without[n - k : n]))
        assert distribution.at_least(k) == 1 - Fraction(without[20], 2**20)


# -- branching and doubling ----------------------------------------------------------------------


@mechanic
def progeny(dice, parents, fertile):
    """How many were ever born, when each has two children with faces up to `fertile` of a d4."""
    if not parents:
        return 0
    return 1 + progeny(dice, parents + (1 if dice.die(4) <= fertile else -1), fertile)


@mechanic
def family(dice, fertile):
    """The same, from the progeny of each child."""
    if dice.die(4) > fertile:
        return 1
    return 1 + family(dice, fertile) + family(dice, fertile)


@mechanic
def dies(dice, fertile):
    """Whether a family dies out."""
    if dice.die(4) <= fertile:
        dies(dice, fertile)
        dies(dice, fertile)
    return "dead"


def test_a_family_that_shrinks_has_the_progeny_of_catalan():
    for distribution in (odds(progeny, 1, 1), odds(family, 1)):
        assert distribution.unresolved < OPEN
        for k in range(12):
            catalan = comb(2 * k, k) // (k + 1)
            truth = catalan * Fraction(1, 4) ** k * Fraction(3, 4) ** (k + 1)
            assert holds(distribution[2 * k + 1], truth)
            assert holds(distribution[2 * k], 0)


def test_a_family_that_grows_dies_out_with_the_smaller_root():
    distribution = odds(dies, 3, bounds=True)
    assert holds(distribution["dead"], Fraction(1, 3))
    assert distribution.never <= Fraction(2, 3)
    assert distribution.unresolved - distribution.never < OPEN


def test_a_family_that_stays_the_same_is_bounded():
    distribution = odds(dies, 2, bounds=True)
    assert holds(distribution["dead"], 1)
    with pytest.raises(TooDeep):
        odds(dies, 2)


@mechanic
def pot(dice, ducats=1):
    """St Petersburg: the pot is doubled with each head."""
    return pot(dice, 2 * ducats) if dice.die(2) == 1 else ducats


@mechanic
def doubled_pot(dice):
    """The same, doubled on the way back."""
    return 2 * doubled_pot(dice) if dice.die(2) == 1 else 1


@pytest.mark.parametrize("game", [pot, doubled_pot])
def test_the_pot_of_st_petersburg_has_chances_and_no_mean(game):
    distribution = odds(game)
    assert distribution.unresolved < OPEN
    for k in range(20):
        assert holds(distribution[2**k], HALF ** (k + 1))
    with pytest.raises(Unresolved):
        distribution.mean()
