"""Conversion of many whole weights over one total to fractions in lowest terms."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import gcd
from typing import Any

from kitchentable.dice.solving.sums import new_table

# Usual numbers of sides have only small prime factors, and so have the totals.
PRIMES = 2 * 3 * 5 * 7 * 11 * 13
# With fewer bits, a plain gcd is as fast.
LONG = 400
FEW = 24


def _coprime(numerator: int, denominator: int) -> Fraction:
    """The fraction of two numbers without a common factor, which is not checked."""
    fraction = object.__new__(Fraction)
    # The check and the reduction in the constructor would take most of the time.
    fraction._numerator = numerator  # type: ignore[attr-defined]
    fraction._denominator = denominator  # type: ignore[attr-defined]
    return fraction


def shares(weights: Mapping[Any, int], total: int) -> dict[Any, Fraction]:
    """The probability of each outcome with a positive weight.

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


def add_up(chances: Iterable[Fraction]) -> Fraction:
    """The sum of fractions, fast if many have the same denominator.

    >>> add_up([Fraction(1, 6), Fraction(1, 3), Fraction(1, 6)])
    Fraction(2, 3)
    """
    tops = new_table()
    for chance in chances:
        tops[chance.denominator] += chance.numerator
    return sum((Fraction(top, bottom) for bottom, top in tops.items()), Fraction(0))


def _lowest(total: int, weight: int) -> Fraction:
    common = gcd(weight, total)
    return _coprime(weight // common, total // common)


def _reducing(total: int) -> Callable[[int], Fraction]:
    """The function that turns a weight into a fraction over this total.

    If all primes of the total are small, the common factor is the gcd with a short divisor of the
    total, unless the weight has one of the primes to at least the power in this divisor.
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
