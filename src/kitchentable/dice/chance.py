"""Chances: exact fractions, or intervals between two fractions."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from kitchentable.dice.errors import Unresolved

#: An interval at most this wide can be converted to float.
NARROW = Fraction(1, 10**15)


@dataclass(frozen=True, slots=True)
class Interval:
    """A chance or another figure, proven to lie from `low` to `high`.

    An interval converts to float only if it is at most 10**-15 wide.

    >>> print(Interval(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**19)))
    0.33333333 (exact to 18 digits)
    >>> float(Interval(Fraction(1, 4), Fraction(3, 4)))
    Traceback (most recent call last):
    ...
    kitchentable.dice.errors.Unresolved: Only bounds are known, between 0.25 and 0.75. Use .low \
and .high instead of a float.
    """

    low: Fraction
    high: Fraction

    @property
    def middle(self) -> Fraction:
        """The midpoint."""
        return (self.low + self.high) / 2

    @property
    def digits(self) -> int:
        """The number of decimal digits on which both ends agree, at most 99."""
        gap = self.high - self.low
        digits = 0
        while digits < 99 and gap * 10 ** (digits + 1) < 1:
            digits += 1
        return digits

    def __float__(self) -> float:
        if self.high - self.low > NARROW:
            raise Unresolved(
                f"Only bounds are known, {self}. Use .low and .high instead of a float."
            )
        return float(self.middle)

    def __repr__(self) -> str:
        return f"<Interval {self}>"

    def __contains__(self, chance: Fraction) -> bool:
        return self.low <= chance <= self.high

    def __str__(self) -> str:
        if not self.digits:
            return f"between {float(self.low):.3g} and {float(self.high):.3g}"
        return f"{float(self.middle):.{min(self.digits, 8)}f} (exact to {self.digits} digits)"


Chance: TypeAlias = Fraction | Interval


def floor(chance: Chance) -> Fraction:
    """The lower bound of a chance."""
    return chance.low if isinstance(chance, Interval) else chance


def ceiling(chance: Chance) -> Fraction:
    """The upper bound of a chance."""
    return chance.high if isinstance(chance, Interval) else chance


def between(low: Fraction, unresolved: Fraction) -> Chance:
    """The chance from `low` to `low` plus the unresolved rest."""
    return Interval(low, low + unresolved) if unresolved else low


def in_percent(chance: Fraction, near: Fraction = Fraction(1, 100)) -> str:
    """A chance in whole percent, or in tenths if it is within `near` of 0 or 1.

    Only chances of exactly 0 and 1 are written as 0 % and 100 %.

    >>> [in_percent(Fraction(*one)) for one in ((11, 12), (1, 300), (1, 5000), (0, 1), (1, 1))]
    ['92 %', '0.3 %', 'under 0.1 %', '0 %', '100 %']
    >>> in_percent(Fraction(215, 216)), in_percent(Fraction(49, 50), Fraction(1, 20))
    ('99.5 %', '98.0 %')
    """
    if chance in {0, 1} or near <= chance <= 1 - near:
        return f"{round(chance * 100)} %"
    if chance < Fraction(1, 1000):
        return "under 0.1 %"
    return "over 99.9 %" if chance > Fraction(999, 1000) else f"{float(chance * 100):.1f} %"
