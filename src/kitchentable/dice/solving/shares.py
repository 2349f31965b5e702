"""Many whole weights over one total as fractions in lowest terms."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import gcd
from typing import Any

# Dice have sides whose prime factors are small, and so have totals of many dice.
PRIMES = 2 * 3 * 5 * 7 * 11 * 13
# Below so many bits one common divisor is found as fast.
LONG = 400
FEW = 24


def _coprime(numerator: int, denominator: int) -> Fraction:
    """A fraction of parts without a common factor, as `Fraction` makes its own results."""
    fraction = object.__new__(Fraction)
    # Asking the class to check and reduce them once more would take most of the time.
    fraction._numerator = numerator  # type: ignore[attr-defined]
    fraction._denominator = denominator  # type: ignore[attr-defined]
    return fraction


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


def _lowest(total: int, weight: int) -> Fraction:
    common = gcd(weight, total)
    return _coprime(weight // common, total // common)


def _reducing(total: int) -> Callable[[int], Fraction]:
    """What makes a fraction over this total of a weight.

    Where the total's primes are small, the common factor is that with a short divisor of the total,
    unless the weight holds one of the primes as often as that divisor does.
    """
    primes = gcd(total, PRIMES)
    if total.bit_length() < LONG or pow(primes, total.bit_length(), total):
        return partial(_lowest, total)
    short = gcd(total, primes**FEW)
    safe = short // primes
    below: dict[int, int] = {}

    def reduced(weight: int) -> Fraction:
        common = gcd(weight % short, short)
        if safe % common:
            return _lowest(total, weight)
        if common not in below:
            below[common] = total // common
        return _coprime(weight // common, below[common])

    return reduced
