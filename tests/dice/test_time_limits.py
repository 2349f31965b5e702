"""Long computations inside the solver keep to the time that was allowed."""

from random import Random
from time import thread_time

import pytest

from kitchentable.dice import figures, mechanic, odds, roll
from kitchentable.dice.errors import NotSolved, TooManyPaths, TooSlow
from kitchentable.dice.notation import NotationError
from kitchentable.dice.solving.sums import convolve, n_fold, n_fold_highest
from tests.slowness import slowness


@mechanic
def added(dice, n: int) -> int:
    return added(dice, n - 1) + dice.die(6) if n else 0


@mechanic
def doubled(dice, n: int) -> int:
    return doubled(dice, n - 1) + doubled(dice, n - 1) if n else dice.die(6)


@mechanic
def most_of(dice, n: int, sides: int) -> int:
    return dice.total(n, sides, keep_lowest=n // 2)


@mechanic
def unlike(dice, n: int) -> int:
    return dice.mixed([1000 + one for one in range(n)], keep_highest=n // 3)


@mechanic
def enduring(dice) -> int:
    face = dice.die(100)
    return face + enduring(dice) if face > 1 else face


@mechanic
def enduring_dice(dice) -> int:
    return dice.total(30, of=enduring, keep_lowest=15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("roll_", "args"),
    [(added, (1500,)), (doubled, (13,)), (most_of, (50, 10_000)), (unlike, (30,))],
)
def test_a_long_sum_ends_with_its_time(roll_, args):
    before = thread_time()
    with pytest.raises(TooSlow, match=r"take longer than 0\.5 seconds"):
        odds(roll_, *args, within=0.5)
    assert thread_time() - before < 3 * slowness()


def test_a_long_listing_ends_with_its_own_time(monkeypatch):
    endless = odds("300d4!")
    monkeypatch.setattr(figures, "LISTING", 0.05)
    before = thread_time()
    with pytest.raises(TooSlow, match=r"Listing the outcomes takes longer than 0\.05 seconds"):
        endless.items()
    assert thread_time() - before < 2 * slowness()
    assert endless.mean() == 1000


def test_a_long_fraction_of_polynomials_ends_with_its_time():
    before = thread_time()
    with pytest.raises(NotSolved):
        odds(enduring_dice, within=0.5)
    assert thread_time() - before < 3 * slowness()


def test_notation_out_of_time_is_refused_in_the_words_of_its_text():
    with pytest.raises(NotationError, match=r"The exact odds of \{20d10!,20d10!") as refused:
        odds("{20d10!,20d10!,20d10!,20d10!}dl1", within=0.5)
    assert refused.value.code == "notation/odds-too-large"


@pytest.mark.parametrize(("n", "keep"), [(1000, None), (1000, 500)])
def test_a_sum_that_would_fill_the_memory_is_refused_at_once(n, keep):
    before = thread_time()
    with pytest.raises(TooManyPaths, match="too many possible values"):
        odds(lambda dice: dice.total(n, 10_000, keep_highest=keep))
    assert thread_time() - before < slowness()


def test_the_middle_of_very_many_dice_is_refused_and_can_be_thrown():
    """Each path takes long there, so the clock is read in each."""
    before = thread_time()
    with pytest.raises(NotationError, match="too much work"):
        odds("1000d4min2kh501kl251", within=0.3)
    assert thread_time() - before < slowness()
    assert roll("1000d4min2kh501kl251").outcome >= 2 * 251


def test_a_limit_that_has_passed_leaves_later_questions_alone():
    with pytest.raises(TooSlow):
        odds(added, 1600, within=0)
    assert n_fold((range(1, 3), [1, 1]), 2)[1] == [1, 2, 1]
    assert odds(added, 2)[12].denominator == 36


@mechanic
def loaded(dice, n: int) -> int:
    return loaded(dice, n - 1) + max(dice.die(4), dice.die(4)) if n else 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recursion", "faces"), [(added, [1] * 6), (loaded, [1, 3, 5, 7])], ids=["uniform", "loaded"]
)
def test_a_recursion_five_hundred_deep_adds_what_so_many_dice_add(recursion, faces):
    """A die at a time, where multiplying in full each time took half a minute for 800 dice."""
    values, weights = n_fold((range(1, len(faces) + 1), faces), 500)
    before = thread_time()
    found = odds(recursion, 500)
    assert thread_time() - before < 5 * slowness()
    whole = sum(faces) ** 500
    assert {value: chance * whole for value, chance in found.items()} == dict(
        zip(values, weights, strict=True)
    )


def test_long_sums_with_gaps_are_what_pairs_come_to():
    random = Random(8)
    for few, bits in ((2, 1), (3, 600), (6, 1), (6, 600), (40, 900)):
        one, other = [
            (sorted(random.sample(range(60), n)), [random.randint(1, 2**long) for _ in range(n)])
            for n, long in ((40, 900), (few, bits))
        ]
        pairs: dict[int, int] = {}
        for x, a in zip(*one, strict=True):
            for y, b in zip(*other, strict=True):
                pairs[x + y] = pairs.get(x + y, 0) + a * b
        assert dict(zip(*convolve(one, other), strict=True)) == pairs
        assert convolve(one, other) == convolve(other, one)


def test_the_highest_of_all_but_a_few_dice_is_the_total_less_the_lowest():
    """Few dice left out are counted by what is left out; the sums are enumerated here."""
    random = Random(7)
    for _ in range(40):
        values = sorted(random.sample(range(-3, 9), 3))
        weights = [random.randint(1, 3) for _ in values]
        n = random.randint(2, 6)
        keep = random.randint(1, n)
        throws: dict[tuple[int, ...], int] = {(): 1}
        for _ in range(n):
            throws = {
                (*throw, value): ways * weight
                for throw, ways in throws.items()
                for value, weight in zip(values, weights, strict=True)
            }
        found: dict[int, int] = {}
        for throw, ways in throws.items():
            total = sum(sorted(throw)[n - keep :])
            found[total] = found.get(total, 0) + ways
        got = n_fold_highest((values, weights), n, keep)
        assert dict(zip(*got, strict=True)) == found
