"""Draws that are not put back: bags of tokens and cups of dice, against all ways to draw them."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from kitchentable.dice import mechanic, odds
from kitchentable.dice.solving import dice as solving_dice
from tests.dice.oracle import agrees, brute

BAG = {1: 1, 0: 2, -1: 3, -2: 2, "skull": 3, "star": 1}


@mechanic
def tokens(dice, draws: int) -> int:
    """The sum of tokens of which none is put back; a skull counts -1."""
    left, total = dict(BAG), 0
    for _ in range(draws):
        token = dice.draw(left)
        left[token] -= 1
        total += {"skull": -1, "star": 0}.get(token, token)
    return total


@mechanic
def skulls(dice, left: int, others: int, draws: int) -> int:
    if draws == 0:
        return 0
    if dice.draw({"skull": left, "other": others}) == "skull":
        return 1 + skulls(dice, left - 1, others, draws - 1)
    return skulls(dice, left, others - 1, draws - 1)


@mechanic
def cursed(dice) -> str:
    """A table with a weight that was thrown."""
    return dice.draw([("curse", dice.die(4)), ("gift", 3)])


@pytest.mark.parametrize("draws", [1, 2, 4])
def test_tokens_are_drawn_as_from_a_bag(draws):
    worth = [{"skull": -1, "star": 0}.get(t, t) for t, many in BAG.items() for _ in range(many)]
    ways = Counter(map(sum, combinations(worth, draws)))
    solved = odds(tokens, draws)
    assert {o: chance * ways.total() for o, chance in solved.items()} == dict(ways)


def test_a_mechanic_that_calls_itself_with_what_is_left_is_hypergeometric():
    assert odds(skulls, 3, 7, 3).at_least(1) == Fraction(17, 24)
    assert odds(skulls, 26, 26, 20).mean() == 10


def test_weights_of_a_table_may_be_thrown():
    assert agrees(odds(cursed), *brute(cursed))


def test_a_table_without_thrown_numbers_is_not_searched_for_them(monkeypatch):
    monkeypatch.setattr(solving_dice, "settled", None)
    assert odds(lambda dice: dice.draw({"hit": 2, "miss": 1}))["hit"] == Fraction(2, 3)
