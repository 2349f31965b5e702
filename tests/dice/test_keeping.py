"""The highest and the lowest of endless and of different dice."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice import (
    BadDie,
    Die,
    NotANumber,
    exploding,
    load,
    mechanic,
    odds,
    sample,
)
from kitchentable.dice.solving.generating_function import GeneratingFunction
from kitchentable.dice.solving.kept import keep_endless, keep_of_different
from kitchentable.dice.solving.kept_of_many import FAINT, keep_highest_of_many
from tests.dice.oracle import agrees, brute
from tests.dice.test_sums import FAR_APART, SPREADS, listed


@mechanic
def kept(dice, n, of, high, low):
    return dice.total(n, of, keep_highest=high, keep_lowest=low)


@mechanic
def mixed(dice, parts, high, low):
    return dice.mixed(parts, keep_highest=high, keep_lowest=low)


@mechanic
def lopsided(dice):
    """Ends at 0, 1 or 4, or adds 5."""
    face = dice.die(Die("lopsided", (0, 1, 1, 4, 5)))
    return 5 + lopsided(dice) if face == 5 else face


def single(law, deepest):
    """The chances of one throw, listed."""
    return [(value, law.chance(value)) for value in range(law.low, deepest) if law.chance(value)]


@pytest.mark.parametrize("highest", [True, False])
@pytest.mark.parametrize(("n", "keep"), [(2, 1), (3, 1), (3, 2), (4, 3), (4, 1)])
@pytest.mark.parametrize(
    "law",
    [
        GeneratingFunction(1, [1, 1, 1, 1, 1], [6, 0, 0, 0, 0, 0, -1]),
        GeneratingFunction(0, [1, 2, 0, 0, 1], [5, 0, 0, 0, 0, -1]),
        GeneratingFunction(-3, [1], [4, -3]),
    ],
    ids=["d6", "lopsided", "coin"],
)
def test_the_law_of_what_is_kept_is_that_of_every_throw_listed(law, n, keep, highest):
    """Every chance up to a bound that no throw beyond the listed ones can reach."""
    bound = law.low + 13
    left = law.mass - law.below(bound)
    throws = [*single(law, bound), (10**6, left)]
    found = Counter()
    for throw in combinations_with_replacement(sorted(throws, reverse=highest), n):
        values = [value for value, _ in throw]
        orders = factorial(n) // prod(map(factorial, Counter(values).values()))
        found[sum(values[:keep])] += orders * prod(part for _, part in throw)
    whole = keep_endless(law, n, keep, highest=highest)
    # A sum below this holds no throw beyond the bound.
    for total in range(law.low * keep, bound + law.low * (keep - 1)):
        assert whole.chance(total) == found[total]
    assert whole.mass == 1


@pytest.mark.slow
@pytest.mark.parametrize(("high", "low"), [(1, None), (2, None), (None, 1), (None, 2)])
@pytest.mark.parametrize("of", [lopsided, (exploding, 3), (exploding, 4, 3)], ids=str)
def test_endless_dice_kept(of, high, low):
    assert agrees(odds(kept, 3, of, high, low), *brute(kept, 3, of, high, low, most=6))


def test_endless_dice_kept_have_exact_means():
    best = odds(kept, 2, (exploding, 6), 1, None)
    worst = odds(kept, 2, (exploding, 6), None, 1)
    assert best.exact
    assert best.mean() + worst.mean() == 2 * Fraction(21, 5)
    all_but_one = odds(kept, 8, (exploding, 10), 4, None), odds(kept, 8, (exploding, 10), None, 4)
    assert sum(one.mean() for one in all_but_one) == 8 * odds(exploding, 10).mean()
    assert odds("{1d6!,1d6!}kh1").mean() == best.mean()


@given(st.lists(SPREADS | FAR_APART, min_size=1, max_size=4), st.integers(1, 4), st.booleans())
def test_what_is_kept_of_different_throws(ones, keep, highest):
    keep = min(keep, len(ones))
    found = Counter()
    for throw in product(*(zip(*one, strict=True) for one in ones)):
        weight = 1
        for _, part in throw:
            weight *= part
        values = sorted((value for value, _ in throw), reverse=highest)
        found[sum(values[:keep])] += weight
    if max(values[-1] for values, _ in ones) - min(values[0] for values, _ in ones) < 1000:
        assert listed(keep_of_different(ones, keep, highest=highest)) == dict(found)


@pytest.mark.parametrize("high", [None, 0, 1, 2, 5])
@pytest.mark.parametrize("low", [None, 0, 1, 2, 5])
def test_different_dice(high, low):
    parts = (4, Die("odd", (-1, 3, 3)), (exploding, 3), lopsided, 4)
    if high is not None and low is not None:
        with pytest.raises(BadDie, match="not both"):
            odds(mixed, parts, high, low)
        with pytest.raises(BadDie, match="not both"):
            load(mixed, parts, high, low, faces=[])
        return
    assert agrees(odds(mixed, parts, high, low), *brute(mixed, parts, high, low, most=6))
    assert sum(sample(mixed, parts, high, low, n=10).counts.values()) == 10


def test_different_dice_when_thrown():
    roll = load(mixed, (12, 10, 8, 6), 2, None, faces=[3, 10, 8, 2])
    assert roll.outcome == 18
    assert [throw.fate for throw in roll.trace.throws] == ["dropped", "kept", "kept", "dropped"]
    assert load(mixed, (), 2, None, faces=[]).outcome == odds(mixed, (), 2, None).mode() == 0


def test_words_are_not_kept():
    with pytest.raises(NotANumber, match="'hit' is not a whole number"):
        odds(mixed, (Die("word", ("hit", "miss")), 6), 1, None)


def test_different_dice_typed():
    assert odds("{1d12,1d10,1d8,1d6}kh2") == odds(mixed, (12, 10, 8, 6), 2, None)
    assert odds("{1d4,2d6,1d8+1}kl2")[3] == Fraction(1, 4) * (1 - Fraction(35, 36) * Fraction(7, 8))


@pytest.mark.parametrize(("n", "keep"), [(2, 1), (5, 2), (9, 8), (12, 6), (20, 10)])
@pytest.mark.parametrize(
    "law",
    [
        GeneratingFunction(1, [1, 1, 1, 1, 1], [6, 0, 0, 0, 0, 0, -1]),
        GeneratingFunction(0, [1, 2, 0, 0, 1], [5, 0, 0, 0, 0, -1]),
        GeneratingFunction(-3, [1], [4, -3]),
    ],
    ids=["d6", "lopsided", "coin"],
)
def test_of_many_dice_all_but_a_faint_rest_is_the_exact_law(law, n, keep):
    exact = keep_endless(law, n, keep, highest=True)
    found = keep_highest_of_many(law, n, keep)
    assert 0 < 1 - found.mass < FAINT
    differences = [exact.chance(v) - found.chance(v) for v in range(exact.low, exact.low + 60)]
    assert all(0 <= one < FAINT for one in differences)


@pytest.mark.slow
def test_a_hundred_exploding_dice_of_which_half_are_kept():
    found = odds(kept, 100, (exploding, 6), 50, None)
    all_ones = Fraction(1, 6**100)
    assert found.solution.law.chance(50) == all_ones
    assert found.solution.law.chance(51) == 100 * all_ones
    assert found.solution.law.chance(52) == (4950 + 100) * all_ones
    assert 0 < found.solution.unresolved < FAINT
    assert found.median() == 317


@pytest.mark.slow
def test_the_mean_of_many_kept_dice_in_notation_is_bounded():
    found = odds("{" + ",".join(["1d6!"] * 60) + "}kh40")
    mean = found.mean()
    assert mean.high - mean.low < Fraction(1, 10**15)
