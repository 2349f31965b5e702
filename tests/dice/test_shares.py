"""Fractions in lowest terms, against the standard library's own."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice.solving.shares import shares

PRIMES = st.sampled_from([2, 3, 5, 7, 17])
POWERS = st.lists(st.tuples(PRIMES, st.integers(0, 300)), max_size=4)


def product(powers):
    whole = 1
    for prime, times in powers:
        whole *= prime**times
    return whole


@given(POWERS, st.lists(st.tuples(st.integers(0, 10**6), POWERS), max_size=6))
def test_shares_are_reduced(total, weights):
    whole = product(total)
    given = {at: odd * product(powers) for at, (odd, powers) in enumerate(weights)}
    found = shares(given, whole)
    assert set(found) == {at for at, weight in given.items() if weight}
    for at, chance in found.items():
        right = Fraction(given[at], whole)
        assert (chance.numerator, chance.denominator) == (right.numerator, right.denominator)
        assert hash(chance) == hash(right)
