"""Loops that compare numbers with throw after throw, against their closed forms."""

from fractions import Fraction
from itertools import product

import pytest

from kitchentable.dice import TooSlow, odds


def looping_craps(dice):
    point = dice.total(2, 6)
    if point in (7, 11):
        return True
    if point in (2, 3, 12):
        return False
    while True:
        again = dice.total(2, 6)
        if again == point:
            return True
        if again == 7:
            return False


@pytest.mark.slow
def test_craps_in_a_loop_is_won_244_times_of_495_but_for_its_tail():
    won = odds(looping_craps)[True]
    assert won.low <= Fraction(244, 495) <= won.high < won.low + Fraction(1, 10**20)


def pursued(dice, sides, chances):
    """Which of two hares, of whom the first is faster by three, one of some throws meets first."""
    first, second = dice.die(sides) + 3, dice.die(sides)
    if first == second:
        return "both"
    for _ in range(chances):
        hound = dice.die(sides)
        if hound == first:
            return "first"
        if hound == second:
            return "second"
    return "neither"


@pytest.mark.slow
@pytest.mark.parametrize("chances", [1, 9])
def test_numbers_that_meet_one_throw_after_the_other_are_read_when_they_are_entangled(chances):
    expected = dict.fromkeys(("both", "first", "second", "neither"), Fraction(0))
    for a, b in product(range(4, 16), range(1, 13)):
        met = Fraction(a <= 12, 12), Fraction(1, 12)
        left = 1 - sum(met)
        ever = (1 - left**chances) / (1 - left)
        for name, chance in (
            [("both", Fraction(1))]
            if a == b
            else [
                ("first", met[0] * ever),
                ("second", met[1] * ever),
                ("neither", left**chances),
            ]
        ):
            expected[name] += chance / 144
    found = odds(pursued, 12, chances)
    assert dict(found.items()) == {name: one for name, one in expected.items() if one}


def beaten(dice, sides, throws):
    """The throw that first beats the sum of two dice, if these are in rising order."""
    first, second = dice.die(sides), dice.die(sides)
    if first > second:
        return "falling"
    for number in range(throws):
        if dice.total(2, sides) > first + second:
            return number
    return throws


def test_numbers_that_are_compared_only_with_their_sum_are_not_read():
    sides, throws = 50, 3
    expected = {"falling": Fraction(sides - 1, 2 * sides)}
    total = odds(f"2d{sides}")
    for first, second in product(range(1, sides + 1), repeat=2):
        if first <= second:
            holds = total.at_most(first + second)
            for number in range(throws + 1):
                chance = holds**number * (1 - holds if number < throws else 1)
                expected[number] = expected.get(number, 0) + chance / sides**2
    # Reading both numbers would give more paths than the solver walks.
    assert dict(odds(beaten, sides, throws).items()) == expected


def fight(dice):
    """Two fighters with hit points that change in a loop."""
    mine, theirs = 30, 25
    while mine > 0:
        theirs -= dice.die(8) if dice.die(20) > 9 else 0
        if theirs <= 0:
            return "won"
        mine -= dice.die(6) if dice.die(20) > 9 else 0
    return "lost"


def test_a_loop_that_takes_too_long_is_told_to_call_itself():
    with pytest.raises(TooSlow, match="Replace the loop by a mechanic that calls itself"):
        odds(fight, within=0.05)


def test_dice_that_take_too_long_without_a_loop_are_not_told_of_one():
    with pytest.raises(TooSlow, match=r"0\.01 seconds\. Ask a narrower question"):
        odds(lambda dice: dice.total(5, 10_000, keep_highest=2), within=0.01)
