"""Fights in bulk: nothing lost, nothing doubled, and the shares that the solved fight says."""

import random
from fractions import Fraction
from math import comb

import pytest

from kitchentable.dice import BadInput, SeededSource
from kitchentable.fights import Bout, run_bulk, solve_bout
from kitchentable.fights.bulk import FEW, binomial, multinomial
from tests.fights.test_exact import Duel, blow, crowd, fallen

# One false alarm in a million for one number: so many standard errors.
ALARM = 5


def apart(seen: int, n: int, p: Fraction) -> float:
    return abs(seen - n * p) / float(n * p * (1 - p)) ** 0.5


@pytest.mark.parametrize("n", [1, 1_000, 10**9])
def test_bulk_agrees_with_the_solved_fight(n):
    bout = Bout(Duel(3, 2), blow, fallen)
    exact, toll = solve_bout(bout), run_bulk(bout, n, SeededSource(n))
    assert toll.undecided == 0
    assert sum(toll.wins.values()) == n == sum(toll.time.values())
    for side, chance in exact.wins.items():
        assert apart(toll.wins.get(side, 0), n, chance) < ALARM
    for state, chance in exact.last.items():
        assert apart(toll.last.get(state, 0), n, chance) < ALARM
    if n > 1:
        assert abs(toll.mean_time() - exact.time) < Fraction(20, int(n**0.5))
        ours = exact.mean(lambda duel: duel.ours)
        assert abs(toll.mean(lambda duel: duel.ours) - ours) < Fraction(20, int(n**0.5))


def test_a_thousand_million_fights_meet_no_more_states_than_a_thousand():
    bout = Bout(Duel(3, 2), blow, fallen)
    few, many = run_bulk(bout, 10**3, SeededSource(1)), run_bulk(bout, 10**9, SeededSource(1))
    assert set(few.last) <= set(many.last) == set(solve_bout(bout).last)


def test_what_takes_too_long_is_put_down_as_undecided():
    toll = run_bulk(Bout(Duel(9, 9), blow, fallen), 1_000, SeededSource(3), longest=12)
    assert toll.undecided > 0
    assert sum(toll.last.values()) + toll.undecided == 1_000


def test_a_step_that_cannot_be_solved_is_thrown():
    toll = run_bulk(Bout(0, crowd, lambda state: "over" if state else ""), 500, SeededSource(4))
    assert toll.wins == {"over": 500}
    assert len(toll.last) == 500


def test_no_fights_are_refused():
    with pytest.raises(BadInput, match="not 0"):
        run_bulk(Bout(Duel(1, 1), blow, fallen), 0)


@pytest.mark.parametrize("n", [3, FEW, 40, 1_001])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.93])
def test_the_binomial_draw_is_one(n, p):
    """Chi-square over the values with enough weight, at one false alarm in a million."""
    chance, trials = random.Random(n), 4_000
    counts = [0] * (n + 1)
    for _ in range(trials):
        counts[binomial(n, p, chance)] += 1
    expected = [trials * comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    big = [k for k in range(n + 1) if expected[k] >= 10]
    rest = trials - sum(expected[k] for k in big)
    square = sum((counts[k] - expected[k]) ** 2 / expected[k] for k in big)
    if rest >= 10:
        square += (trials - sum(counts[k] for k in big) - rest) ** 2 / rest
    freedom = len(big)
    assert square < freedom + 5 * (2 * freedom) ** 0.5 + 25


def test_a_multinomial_draw_gives_every_trial_away():
    ways = [("a", Fraction(1, 6)), ("b", Fraction(1, 3)), ("c", Fraction(1, 2))]
    drawn = dict(multinomial(10**12, ways, random.Random(5)))
    assert sum(drawn.values()) == 10**12
    for way, share in ways:
        assert apart(drawn[way], 10**12, share) < ALARM
    assert multinomial(7, [("all", Fraction(1))], random.Random(5)) == [("all", 7)]
