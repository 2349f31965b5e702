"""Means of endless dice without a closed form: proven bounds that hold the true mean."""

from fractions import Fraction

import pytest

from kitchentable.dice import Interval, Unresolved, odds
from kitchentable.dice.chance import NARROW

F = Fraction


def exploding(sides, most=260):
    """The chances of an exploding die up to so high that what is left is far below any bound."""
    return {
        value: F(1, sides ** ((value - 1) // sides + 1))
        for value in range(1, most)
        if value % sides
    }


def by_hand(first, second, pick):
    """The mean and the mean square of the higher or lower of two endless dice, nearly."""
    pairs = [
        (pick(a, b), p * q)
        for a, p in exploding(first).items()
        for b, q in exploding(second).items()
    ]
    return sum(v * p for v, p in pairs), sum(v * v * p for v, p in pairs)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "pick"), [("{1d8!,1d6!}kh1", max), ("{1d8!,1d6!}kl1", min)])
def test_the_higher_and_the_lower_of_two_endless_dice(text, pick):
    solved = odds(text)
    mean, square = by_hand(8, 6, pick)
    for figure, true in ((solved.mean(), mean), (solved.variance(), square - mean**2)):
        assert isinstance(figure, Interval)
        assert figure.high - figure.low < NARROW
        assert figure.low - F(1, 10**25) < true < figure.high
    assert float(solved.mean()) == pytest.approx(float(mean))
    assert solved.deviation() == pytest.approx(float(square - mean**2) ** 0.5)


def test_higher_and_lower_together_are_the_sum():
    high, low = odds("{1d8!,1d6!}kh1").mean(), odds("{1d8!,1d6!}kl1").mean()
    whole = odds("1d8!").mean() + odds("1d6!").mean()
    assert high.low + low.low <= whole <= high.high + low.high


def test_eight_exploding_dice_of_which_four_are_kept():
    eight = ",".join(["1d10!"] * 8)
    kept = odds(f"{{{eight}}}kh4").mean()
    # No less than any four, and than the kept ones of dice that do not explode; no more than all.
    assert max(4 * F(55, 9), odds("8d10kh4").mean()) < kept < 8 * F(55, 9) * F(3, 4)


def test_three_of_which_two_are_kept():
    highest, lowest = odds("{1d4!,1d4!,1d4!}kh2").mean(), odds("{1d4!,1d4!,1d4!}kl1").mean()
    assert highest + lowest == odds("3d4!").mean()


def test_a_part_that_is_taken_away_counts_on_either_side():
    solved = odds("{1d8!,1d6!}kh1-1d4!")
    plain = odds("{1d8!,1d6!}kh1").mean()
    assert solved.mean().low <= plain.high - odds("1d4!").mean() <= solved.mean().high
    assert solved.mean().high - solved.mean().low < NARROW


def test_dice_with_an_end_count_by_their_highest():
    solved = odds("{2d6*3,1d8!}kh1")
    assert solved.mean().high - solved.mean().low < NARROW
    assert odds("6d6").mean() < solved.mean().low < odds("6d6").mean() + 1


def test_results_of_bounded_means_are_bounded():
    best, die = odds("{1d8!,1d6!}kh1"), odds("1d6")
    for result, true in (
        (best + 3, best.mean().low + 3),
        (best - die, best.mean().low - F(7, 2)),
        (best * die, best.mean().low * F(7, 2)),
    ):
        assert result.mean().low <= true <= result.mean().high
        assert result.mean().high - result.mean().low < NARROW
    shifted, plain = (best - 3).variance(), best.variance()
    assert shifted.low <= plain.high
    assert plain.low <= shifted.high
    assert (best - die).deviation() == pytest.approx((float(plain) + 35 / 12) ** 0.5)
    with pytest.raises(Unresolved):
        (best // 2).mean()


def test_where_no_bound_is_known_no_mean_is_made_up():
    with pytest.raises(Unresolved):
        odds("{4dF!,1d6!}kh1").mean()
