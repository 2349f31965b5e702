"""Limits in seconds of the processor, for machines slower than the one they were measured on."""

from fractions import Fraction
from time import thread_time

#: Seconds that `_work` takes where the limits of tests were measured.
_MEASURED = 0.004


def _work() -> float:
    before = thread_time()
    total = Fraction(0)
    for number in range(1, 3000):
        total += Fraction(1, number % 50 + 1)
    return thread_time() - before


def slowness() -> float:
    """How many times slower this machine works at this moment; 1 for a faster one."""
    return max(1.0, min(_work() for _ in range(3)) / _MEASURED)
