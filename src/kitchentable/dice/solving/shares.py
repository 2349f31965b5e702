"""Many whole weights over one total as fractions in lowest terms."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import gcd
from typing import Any

# Dice have sides whose prime factors are small, and so have totals of many dice.
PRIMES = 2 * 3 * 5 * 7 * 11 * 13
# Below so many bits the standard library's own reduction is as fast.
LONG = 400
FEW = 24

# A fraction whose parts are known to have no common factor: the name of it in newer Pythons, and
# the older way. Reducing once more would take most of the time.
_coprime = getattr(Fraction, "_from_coprime_ints", None) or partial(Fraction, _normalize=False)


def shares(weights: Mapping[Any, int], total: int) -> dict[Any, Fraction]:
    """The chance of each outcome that has one.

    >>> shares({"hit": 2, "miss": 4, "never": 0}, 6)
    {'hit': Fraction(1, 3), 'miss': Fraction(2, 3)}
    """
    reduced = _reducing(total)
    known: dict[int, Fraction] = {}
    found: dict[Any, Fraction] = {}
    for outcome, weight in weights.items():
        if weight:
            chance = known.get(weight)
            if chance is None:
                chance = known[weight] = reduced(weight)
            found[outcome] = chance
    return found


def _reducing(total: int) -> Any:
    """What makes a fraction over this total of a weight.

    Where the total's primes are small, the common factor is that with a short divisor of the total,
    unless the weight holds one of the primes as often as that divisor does.
    """
    primes = gcd(total, PRIMES)
    if total.bit_length() < LONG or pow(primes, total.bit_length(), total):
        return lambda weight: Fraction(weight, total)
    short = gcd(total, primes**FEW)
    safe = short // primes
    below: dict[int, int] = {}

    def reduced(weight: int) -> Fraction:
        common = gcd(weight % short, short)
        if safe % common:
            return Fraction(weight, total)
        if common not in below:
            below[common] = total // common
        fraction: Fraction = _coprime(weight // common, below[common])
        return fraction

    return reduced
