"""Listings of very many outcomes, or of very long fractions, come in a moment and stay exact."""

from fractions import Fraction
from random import Random
from time import process_time

from kitchentable.dice import exploding, mechanic, odds
from kitchentable.dice.show import common
from kitchentable.dice.solving.generating_function import GeneratingFunction
from tests.slowness import slowness


@mechanic
def bursting(dice, n: int) -> int:
    return dice.total(n, of=exploding)


def test_odds_of_many_exploding_dice_are_listed_in_a_moment():
    """Bounded by sizes, the errors of the recurrence would double with each coefficient."""
    found = odds(bursting, 300)
    before = process_time()
    assert str(found).startswith("1095")
    assert process_time() - before < 3 * slowness()
    assert found.unresolved < 10**-25


def test_rounded_coefficients_are_below_the_true_ones_by_a_unit():
    random = Random(5)
    for _ in range(200):
        steps = [random.randint(-2, 2) for _ in range(random.randint(1, 6))]
        under = [sum(map(abs, steps)) + random.randint(1, 9), *steps]
        over = [random.randint(-3, 9) for _ in range(random.randint(1, 9))]
        law = GeneratingFunction(0, [1, *over], under, random.randint(1, 500))
        rounded = law._rounded(40, 60)
        for value in range(60):
            error = max(law.chance(value), Fraction(0)) - Fraction(rounded.get(value, 0), 2**40)
            assert 0 <= error < Fraction(1.1) / 2**40


def test_ten_thousand_long_fractions_are_listed_in_a_moment():
    found = odds("1000d10000kh1")
    before = process_time()
    assert "9999" in str(found)
    assert (found.median(), found.quantile(0)) == (9994, 1)
    assert found.chance(lambda best: best < 10_000) == 1 - found[10_000]
    assert process_time() - before < 3 * slowness()


def test_an_end_of_exactly_a_thousandth_is_shown():
    rows = [(one, Fraction(1, 20_000)) for one in range(100)]
    kept, faint = common([*rows, (100, Fraction(199, 200))])
    assert (kept[0][0], len(faint)) == (19, 19)
