"""Paths that end in one sum with different constants: the solver against enumeration."""

from collections import Counter
from fractions import Fraction

import pytest

from kitchentable.dice import Die, exploding, mechanic, odds
from kitchentable.dice.errors import MixedOutcomes, TooSlow
from kitchentable.dice.solving import queries, results
from tests.dice.enumerating import enumerate_faces as brute

EXTRA = (0, 0, 2, 5, 10, 2)


@mechanic
def blow(dice):
    more = EXTRA[int(dice.die(6)) - 1]
    return dice.die(10) + more - dice.die(8)


@mechanic
def thrown_before_the_table(dice):
    both = dice.die(10), dice.die(8)
    return both[0] - both[1] + EXTRA[int(dice.die(6)) - 1]


@mechanic
def some_of_them_doubled(dice):
    one, other = dice.die(4), dice.die(6)
    more = EXTRA[int(dice.die(6)) - 1]
    return 2 * one + other if more == 2 else one + other + more


@mechanic
def where_something_is_known(dice):
    one, other, more = dice.die(6), dice.die(6), EXTRA[int(dice.die(6)) - 1]
    if one >= 3:
        return one + other + more
    return one - other - more if other != 4 else 40 + more


@mechanic
def where_both_hang_together(dice):
    one, other, more = dice.die(6), dice.die(6), EXTRA[int(dice.die(6)) - 1]
    return one + 2 * other + more if one > other else one + other + more


@mechanic
def unlike_dice(dice):
    one, other = dice.die(Die("odd", (1, 3, 9))), dice.total(2, 4)
    return one + other + EXTRA[int(dice.die(6)) - 1]


@mechanic
def among_words(dice):
    more = EXTRA[int(dice.die(6)) - 1]
    return "much" if more == 10 else dice.die(4) + dice.die(4) + more


ROLLS = (
    *(blow, thrown_before_the_table, some_of_them_doubled, where_something_is_known),
    *(where_both_hang_together, unlike_dice, among_words),
)


@pytest.mark.parametrize("roll", ROLLS, ids=lambda roll: roll.name)
def test_sums_that_many_paths_end_in_have_the_odds_that_enumeration_finds(roll):
    found, left = brute(roll)
    assert left == 0
    assert dict(odds(roll).items()) == found


def test_a_number_that_equals_true_is_told_of():
    @mechanic
    def mixed(dice):
        more = EXTRA[int(dice.die(6)) - 1]
        return True if more == 10 else dice.die(4) - dice.die(4) + more

    @mechanic
    def looks(dice):
        return str(mixed(dice))

    with pytest.raises(MixedOutcomes):
        odds(looks)


def test_endless_sums_lose_nothing_that_can_be_seen():
    @mechanic
    def endless(dice):
        return exploding(dice) - exploding(dice) + EXTRA[int(dice.die(6)) - 1]

    apart = Counter()
    for more in EXTRA:
        for difference, chance in odds(lambda dice: exploding(dice) - exploding(dice)).items():
            apart[difference + more] += chance / 6
    solved = odds(endless)
    assert solved.unresolved < 2**-60
    assert dict(solved.items()) == apart


def test_the_time_is_looked_at_while_sums_are_added_up(monkeypatch):
    now = [0.0]
    convolve = queries.convolve

    def slowly(first, second):
        now[0] += results.WITHIN
        return convolve(first, second)

    monkeypatch.setattr(results, "thread_time", lambda: now[0])
    monkeypatch.setattr(queries, "convolve", slowly)

    @mechanic
    def one_sum_or_another(dice):
        if dice.die(2) == 1:
            return dice.die(4) + dice.die(6)
        return dice.die(8) + dice.die(6)

    with pytest.raises(TooSlow):
        odds(one_sum_or_another)


def test_what_many_paths_end_in_is_added_up_once(monkeypatch):
    convolved = []
    convolve = queries.convolve

    def counting(first, second):
        convolved.append(min(len(first[0]), len(second[0])))
        return convolve(first, second)

    monkeypatch.setattr(queries, "convolve", counting)

    @mechanic
    def hundreds(dice):
        one, other = dice.total(20), dice.total(20)
        return one - other + [*range(60)][int(dice.die(60)) - 1]

    solved = odds(hundreds)
    assert sum(solved.values()) == 1
    assert solved.mean() == Fraction(59, 2)
    assert sum(size > 1 for size in convolved) == 1


@mechanic
def unlike(dice) -> int:
    """Two dice that explode on different faces, one of them doubled, with a plain one."""
    return exploding(dice, 6) + 2 * exploding(dice, 8) + dice.die(4)


@mechanic
def parted(dice) -> int:
    """The same on paths of which some add less."""
    return unlike(dice) if dice.die(2) == 1 else exploding(dice, 6) + exploding(dice, 8)


def test_a_sum_of_different_endless_dice_is_exact():
    together = odds(exploding, 6) + odds(exploding, 8) * 2 + odds("1d4")
    found = odds(unlike)
    assert found.exact
    assert found.mean() == together.mean()
    assert [found[value] for value in range(4, 60)] == [together[value] for value in range(4, 60)]
    assert odds("1d6!+1d8!").at_least(20) == (odds("1d6!") + odds("1d8!")).at_least(20)
    assert odds("2d6!*2").mean() == 2 * odds("2d6!").mean()


def test_sums_of_endless_dice_on_several_paths_hold_the_true_chance():
    found, other = odds(parted), odds(exploding, 6) + odds(exploding, 8)
    for value in range(2, 40):
        chance = found[value]
        low, high = (chance, chance) if isinstance(chance, Fraction) else (chance.low, chance.high)
        assert low <= (odds(unlike)[value] + other[value]) / 2 <= high
        assert high - low < Fraction(1, 10**18)
