"""Are the stream's dice fair? Statistics with a proven false-alarm rate.

A test of chance can cry wolf. Here a fair stream does so in less than one run of a thousand
millions, all tests of this file together (:data:`FALSE_ALARMS`), by bounds that hold for every
number of dice, not only in the limit:

- Counts of faces, or of pairs of faces, over k equally likely cells: with n observations and
  D = n KL(observed || uniform), half the G statistic of the likelihood-ratio chi-square test,
  P(D >= d) <= exp(-d) (e d / (k - 1))**(k - 1) for d > k - 1
  (R. Agrawal, Finite-sample concentration of the multinomial in relative entropy, IEEE
  Transactions on Information Theory 66, 2020, theorem 1.2).
- Serial correlation: the mean of n products of centred faces, of pairs that share no die and so
  are independent, each product within +-b:
  P(|mean| >= t) <= 2 exp(-n t**2 / (2 b**2)) (W. Hoeffding, 1963, theorem 2).

Each of the tests may use an equal share of the rate, so that the sum bounds the whole.
"""

import math
import random
import secrets
from collections import Counter

import pytest

from kitchentable.dice.stream import Contribution, SessionStream

FALSE_ALARMS = 1e-9
SIDES = (6, 10, 12, 20, 100)
THROWS, DICE = 5_000, 8
CHECKS = 5
"""Checks of each die: its faces, its first die, two kinds of pairs, and serial correlation."""
SHARE = FALSE_ALARMS / (len(SIDES) * CHECKS)


def alarm_of_counts(values, cells):
    """The natural logarithm of the chance that fair cells are this uneven; 0 if usual."""
    counts = Counter(values)
    n = counts.total()
    surprise = sum(seen * math.log(seen * cells / n) for seen in counts.values())
    free = cells - 1
    if surprise <= free:
        return 0.0
    return min(0.0, -surprise + free * math.log(math.e * surprise / free))


def alarm_of_correlation(pairs, sides):
    """The same for the mean product of two centred faces."""
    middle = (sides - 1) / 2
    products = [(one - middle) * (other - middle) for one, other in pairs]
    mean = sum(products) / len(products)
    return min(0.0, math.log(2) - len(products) * mean**2 / (2 * middle**4))


def alarms(table, sides):
    """The five checks of a table of throws: logarithms of their bounds, by name."""
    flat = [face for throw in table for face in throw]
    beside = [(throw[at], throw[at + 1]) for throw in table for at in range(0, DICE - 1, 2)]
    onward = [
        (before[at], after[at])
        for before, after in zip(table[::2], table[1::2], strict=True)
        for at in range(DICE)
    ]
    return {
        "faces": alarm_of_counts(flat, sides),
        "first die": alarm_of_counts([throw[0] for throw in table], sides),
        "pairs in a throw": alarm_of_counts(beside, sides**2),
        "pairs of throws": alarm_of_counts(onward, sides**2),
        "correlation": alarm_of_correlation(beside, sides),
    }


def thrown(seed, sides):
    """Faces from 0 on of many throws of one session."""
    stream = SessionStream(seed, (Contribution("Ada", "tea"), Contribution("Ben", "rain", 100)))
    sources = (stream.throw(number) for number in range(1, THROWS + 1))
    return [[source.below(sides) for _ in range(DICE)] for source in sources]


@pytest.mark.slow
@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("seed", [bytes(range(32)), None], ids=["fixed seed", "fresh seed"])
def test_faces_pairs_and_correlation_are_those_of_fair_dice(seed, sides):
    seed = secrets.token_bytes(32) if seed is None else seed
    found = alarms(thrown(seed, sides), sides)
    assert len(found) == CHECKS
    rung = {name: math.exp(log) for name, log in found.items() if log < math.log(SHARE)}
    assert not rung, f"seed {seed.hex()}: fair dice do this at most with chance {rung}"


def unfair(next_face):
    chance = random.Random(2)
    table = []
    for _ in range(THROWS):
        throw = []
        for _ in range(DICE):
            throw.append(next_face(chance, throw, table))
        table.append(throw)
    return table


def folded_byte(chance, throw, table):
    """The classic mistake: a random byte by remainder."""
    return chance.randrange(256) % 100


def heavy_six(chance, throw, table):
    """A d6 that shows its six with 19 % instead of 16.7 %."""
    return 5 if chance.random() < 0.028 else chance.randrange(6)


def sticky(chance, throw, table):
    """A d6 of which one in thirteen copies the die beside it."""
    return throw[-1] if throw and chance.random() < 1 / 13 else chance.randrange(6)


def echoing(chance, throw, table):
    """A d6 of which one in twenty repeats the same die of the throw before."""
    return table[-1][len(throw)] if table and chance.random() < 1 / 20 else chance.randrange(6)


def heavy_start(chance, throw, table):
    """A d6 that is loaded only when it is the first of its throw."""
    return 5 if not throw and chance.random() < 0.1 else chance.randrange(6)


@pytest.mark.parametrize(
    ("next_face", "sides", "check"),
    [
        (folded_byte, 100, "faces"),
        (heavy_six, 6, "faces"),
        (sticky, 6, "pairs in a throw"),
        (echoing, 6, "pairs of throws"),
        (heavy_start, 6, "first die"),
    ],
)
def test_unfair_dice_ring_the_same_bells(next_face, sides, check):
    assert alarms(unfair(next_face), sides)[check] < math.log(SHARE)


def test_correlated_dice_ring_the_bell():
    def leaning(chance, throw, table):
        """A d100 biased to the half of the die beside it."""
        face = chance.randrange(100)
        if throw and (face < 50) != (throw[-1] < 50) and chance.random() < 0.4:
            return 99 - face
        return face

    assert alarms(unfair(leaning), 100)["correlation"] < math.log(SHARE)


def test_the_bound_is_above_the_exact_tail():
    """With 4 throws of a coin, all tails or heads: chance 1/8; the bound must not be less."""
    assert math.exp(alarm_of_counts([0, 0, 0, 0], 2)) >= 1 / 8
    assert math.exp(alarm_of_counts([0] * 20, 2)) >= 2**-19
