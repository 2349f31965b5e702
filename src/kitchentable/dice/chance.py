"""Chances: exact fractions, or two fractions that the chance lies between."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Interval:
    """A chance of which only this is proven: it is at least `low` and at most `high`.

    >>> print(Interval(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**19)))
    0.33333333 (exact to 18 digits)
    >>> float(Interval(Fraction(1, 4), Fraction(3, 4)))
    0.5
    """

    low: Fraction
    high: Fraction

    @property
    def digits(self) -> int:
        """How many digits after the point both ends agree on, at most 99."""
        gap = self.high - self.low
        digits = 0
        while digits < 99 and gap * 10 ** (digits + 1) < 1:
            digits += 1
        return digits

    def __float__(self) -> float:
        return float((self.low + self.high) / 2)

    def __contains__(self, chance: Fraction) -> bool:
        return self.low <= chance <= self.high

    def __str__(self) -> str:
        if not self.digits:
            return f"between {float(self.low):.3g} and {float(self.high):.3g}"
        return f"{float(self):.{min(self.digits, 8)}f} (exact to {self.digits} digits)"


Chance: TypeAlias = Fraction | Interval


def between(low: Fraction, unresolved: Fraction) -> Chance:
    """The chance that is at least `low`, with so much more left open."""
    return Interval(low, low + unresolved) if unresolved else low
