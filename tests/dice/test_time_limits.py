"""Long computations inside the solver keep to the time that was allowed."""

from random import Random
from time import thread_time

import pytest

from kitchentable.dice import mechanic, odds, roll
from kitchentable.dice.errors import NotSolved, TooManyPaths, TooSlow
from kitchentable.dice.notation import NotationError
from kitchentable.dice.solving.sums import n_fold, n_fold_highest
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


@pytest.mark.parametrize(
    ("roll_", "args"),
    [(added, (1500,)), (doubled, (13,)), (most_of, (50, 10_000)), (unlike, (30,))],
)
def test_a_long_sum_ends_with_its_time(roll_, args):
    before = thread_time()
    with pytest.raises(TooSlow, match=r"take longer than 0\.5 seconds"):
        odds(roll_, *args, within=0.5)
    assert thread_time() - before < 3 * slowness()


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
    with pytest.raises(TooManyPaths, match="too many different numbers"):
        odds(lambda dice: dice.total(n, 10_000, keep_highest=keep))
    assert thread_time() - before < slowness()


def test_the_middle_of_very_many_dice_is_refused_and_can_be_thrown():
    with pytest.raises(NotationError, match="too much work"):
        odds("1000d4min2kh501kl251")
    assert roll("1000d4min2kh501kl251").outcome >= 2 * 251


def test_a_limit_that_has_passed_leaves_later_questions_alone():
    with pytest.raises(TooSlow):
        odds(added, 1600, within=0)
    assert n_fold((range(1, 3), [1, 1]), 2)[1] == [1, 2, 1]
    assert odds(added, 2)[12].denominator == 36


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
