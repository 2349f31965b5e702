"""A second, naive solver: every physical die, face by face, without sharing or shortcuts.

It knows no symbolic numbers, no sums, no multisets and no equations; it only runs the mechanic with
every sequence of faces. Mechanics that can go on for ever are followed for a number of dice; what
is longer counts as left over.
"""

from collections import Counter
from fractions import Fraction
from math import prod

from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.recorder import TraceRecorder


class TooLong(KitchenTableError):
    code = "test/too-long"


def brute(mechanic, *args, most=9, **kwargs):
    """Outcome to chance, and the chance of all that takes more than `most` dice."""
    # How often an outcome came of one of this many equally likely runs of dice.
    came: Counter = Counter()
    prefix = []
    while True:
        used = []

        def feed(die, _, used=used):
            at = len(used)
            if at == most:
                raise TooLong("enough")
            if at == len(prefix):
                prefix.append(1)
            used.append(die.sides)
            return prefix[at]

        try:
            outcome = mechanic(TraceRecorder(feed), *args, **kwargs)
        except TooLong:
            outcome = TooLong
        came[outcome, prod(used)] += 1
        while prefix and prefix[-1] == used[len(prefix) - 1]:
            prefix.pop()
        if not prefix:
            break
        prefix[-1] += 1
    found: dict = {}
    for (outcome, runs), count in came.items():
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(count, runs)
    return found, found.pop(TooLong, Fraction(0))


def agrees(distribution, found, left=Fraction(0)):
    """Whether a solved distribution is what the oracle found, as far as either knows."""
    assert sum(distribution.values(), Fraction(0)) + distribution.unresolved == 1
    for outcome, chance in found.items():
        low = distribution[outcome]
        low, high = (low, low) if isinstance(low, Fraction) else (low.low, low.high)
        assert chance <= high, (outcome, chance, high)
        assert low <= chance + left, (outcome, chance, low, left)
    if not left:
        assert set(distribution) <= set(found)
    return True
