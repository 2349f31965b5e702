"""Sums by long integers, against sums one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice.solving import sums
from kitchentable.dice.solving.generating_function import GeneratingFunction, polynomial

SPREADS = st.dictionaries(st.integers(-9, 9), st.integers(1, 40), min_size=1, max_size=5).map(
    lambda table: (sorted(table), [table[value] for value in sorted(table)])
)
FAR_APART = st.dictionaries(
    st.integers(-(10**6), 10**6), st.integers(1, 9), min_size=1, max_size=4
).map(lambda table: (sorted(table), [table[value] for value in sorted(table)]))


def listed(spread):
    values, weights = spread
    assert list(values) == sorted(set(values))
    assert all(weight > 0 for weight in weights)
    return dict(zip(values, weights, strict=True))


def slowly(one, n, keep=slice(None)):
    found = Counter()
    for throw in product(zip(*one, strict=True), repeat=n):
        weight = 1
        for _, part in throw:
            weight *= part
        found[sum(sorted((value for value, _ in throw), reverse=True)[keep])] += weight
    return dict(found)


@given(SPREADS | FAR_APART, SPREADS | FAR_APART)
def test_two_numbers_added(a, b):
    found = Counter()
    for (x, v), (y, w) in product(zip(*a, strict=True), zip(*b, strict=True)):
        found[x + y] += v * w
    assert listed(sums.convolve(a, b)) == dict(found)


@given(SPREADS | FAR_APART, st.integers(0, 4))
def test_n_throws_added(one, n):
    assert listed(sums.n_fold(one, n)) == slowly(one, n)


@given(st.integers(1, 9), st.integers(-5, 5), st.integers(1, 3), st.integers(0, 14))
def test_equal_faces_added(sides, low, weight, n):
    one = (range(low, low + sides), [weight] * sides)
    step = ([0], [1])
    for _ in range(n):
        step = sums.convolve(step, one)
    assert listed(sums.n_fold(one, n)) == listed(step)


@given(SPREADS, st.integers(1, 4), st.integers(0, 5))
def test_highest_and_lowest_kept(one, n, keep):
    assert listed(sums.n_fold_highest(one, n, keep)) == slowly(one, n, slice(0, keep))
    lowest = slice(max(0, n - keep), None)
    assert listed(sums.n_fold_lowest(one, n, keep)) == slowly(one, n, lowest)


@given(st.integers(0, 12), st.integers(0, 5), st.integers(0, 5))
def test_hits(n, hit, miss):
    if hit + miss:
        values, weights = sums.hits(n, hit, miss)
        assert sum(weights) == (hit + miss) ** n
        assert sum(v * w for v, w in zip(values, weights, strict=True)) == n * hit * (
            hit + miss
        ) ** max(0, n - 1)


LAWS = st.tuples(
    st.integers(-4, 4),
    st.lists(st.integers(0, 5), min_size=1, max_size=4).filter(any),
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
)


def law_of(given_law):
    """A law that starts somewhere, with outcomes `over` and numbers `again` that are added."""
    low, over, again = given_law
    whole = sum(over) + sum(again)
    return GeneratingFunction(low, over, [whole, *(-weight for weight in again)])


@given(LAWS)
def test_a_law_is_its_recurrence(given_law):
    low, over, again = given_law
    law = law_of(given_law)
    whole = sum(over) + sum(again)
    chances = []
    for k in range(12):
        chance = Fraction(over[k], whole) if k < len(over) else Fraction(0)
        for step, weight in enumerate(again, start=1):
            if step <= k:
                chance += chances[k - step] * Fraction(weight, whole)
        chances.append(chance)
        assert law.chance(low + k) == chance
        assert law.below(low + k + 1) == sum(chances)
    assert law.mass == 1
    values, weights, total = law.weights(low, low + 12)
    assert {v: Fraction(w, total) for v, w in zip(values, weights, strict=True)} == {
        low + k: chance for k, chance in enumerate(chances) if chance
    }


@pytest.mark.slow
@given(LAWS, st.integers(60, 100))
def test_a_law_rounded_down(given_law, places):
    law = law_of(given_law)
    weights = law.rounded(places, Fraction(1, 2**40))
    for value, weight in weights.items():
        assert 0 <= law.chance(value) - Fraction(weight, 2**places) < Fraction(1, 2 ** (places - 2))
    assert 1 - Fraction(sum(weights.values()), 2**places) < Fraction(1, 2**40)


@given(LAWS, LAWS)
def test_laws_add_and_multiply_like_their_chances(first, second):
    a, b = law_of(first), law_of(second)
    both, either = a * b, a + b
    for value in range(-8, 12):
        chance = sum(a.chance(v) * b.chance(value - v) for v in range(-4, value + 5))
        assert both.chance(value) == chance
        assert either.chance(value) == a.chance(value) + b.chance(value)
    assert both.moments()[1] == a.moments()[1] + b.moments()[1]
    squares = a.moments()[2] + 2 * a.moments()[1] * b.moments()[1] + b.moments()[2]
    assert both.moments()[2] == squares


def test_moments_of_a_finite_law():
    law = polynomial({-1: 1, 4: 3}, 4)
    assert law.finite
    assert law.moments() == (1, Fraction(11, 4), Fraction(49, 4))
    assert law.depth(Fraction(1, 100)) > 4
