"""Results that contain a number beside words: the solver against plain enumeration."""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest

from kitchentable.dice import exploding, mechanic, odds, told
from kitchentable.dice.errors import MixedOutcomes
from kitchentable.dice.solving import paths
from tests.dice.enumerating import enumerate_faces as brute


@dataclass(frozen=True, slots=True)
class Result:
    """A total and what is said of it."""

    total: int
    word: str = ""
    more: object = None

    @property
    def high(self):
        return self.total >= 4


@dataclass(frozen=True)
class Noted:
    """A total with a note that is not compared."""

    total: int
    note: object = field(default="", compare=False)

    @property
    def doubled(self):
        return 2 * self.total


class Pair(NamedTuple):
    first: int
    second: object


GIVES = {
    "a tuple": lambda a, b: (a, "high" if a > 2 else "low"),
    "a dataclass": lambda a, b: Result(a + b, "even" if b == 2 else "odd"),
    "two numbers": lambda a, b: (a, b),
    "twice the same number": lambda a, b: (a, 3 - 2 * a, "x"),
    "a number in a result in a tuple": lambda a, b: (Result(a, "w", (a + 1,)), b == 1),
    "a named tuple": lambda a, b: Pair(a, "x") if b > 1 else Pair(b, a),
    "a number or words": lambda a, b: a if b == 1 else (a, "then") if b == 2 else None,
    "yes beside 1": lambda a, b: (a > 1, a) if b > 1 else (0, a),
    "a fraction": lambda a, b: (a, Fraction(a, 2) if b > 1 else 0.5),
    "what is not compared": lambda a, b: Noted(a, [a]) if b > 2 else (a, "plain"),
    "a set": lambda a, b: (a, frozenset([b])),
}
USES = {
    "handed on": lambda dice, one: one,
    "in words": lambda dice, one: f"{one}",
    "compared": lambda dice, one: one in {(2, "low"), None} or one == Result(4, "even"),
    "in a tuple": lambda dice, one: (one, dice.die(2)),
    "its parts": lambda dice, one: _first(one) + dice.die(3),
    "a question": lambda dice, one: _first(one) + dice.die(3) > 4,
    "a key": lambda dice, one: {(1, "low"): "a", (2, 1): "b"}.get(one, "none"),
    "of what kind": lambda dice, one: type(one).__name__,
}


#: Equal results of different kinds are told apart by their parts, and refused as a whole.
MIXED = {"yes beside 1", "a fraction"}
AS_A_WHOLE = {"compared", "a key", "of what kind"}


def _first(one):
    if isinstance(one, Result | Noted):
        return one.total
    if not isinstance(one, tuple):
        return one or 0
    return _first(one[0])


@pytest.mark.parametrize(("gives", "uses"), [*product(GIVES, USES)])
def test_a_result_with_numbers_in_it_has_the_odds_that_enumeration_finds(gives, uses):
    give, use = GIVES[gives], USES[uses]

    @mechanic
    def inner(dice):
        return give(dice.die(4), dice.die(3))

    @mechanic
    def outer(dice):
        return use(dice, inner(dice))

    if gives in MIXED and uses in AS_A_WHOLE:
        with pytest.raises(MixedOutcomes, match="inner"):
            odds(outer)
        return
    found, left = brute(outer)
    assert left == 0
    for _ in range(2):
        outer.forget()
        assert dict(odds(outer).items()) == found


@pytest.fixture
def walked(monkeypatch):
    """How many paths are walked."""
    counted = []
    run = paths.walk_once
    monkeypatch.setattr(paths, "walk_once", lambda walk: counted.append(walk) or run(walk))
    return counted


def test_a_result_is_divided_by_its_words_and_not_by_its_number(walked):
    @mechanic
    def throw(dice):
        total = dice.total(50, 10)
        return Result(total, "high" if total >= 275 else "low")

    @mechanic
    def against(dice, than):
        one = throw(dice)
        return one.word if one.total + dice.total(50, 10) >= than else "short"

    solved = odds(against, 550)
    assert len(walked) < 20
    totals = odds("50d10")
    high = sum(chance * totals.at_least(550 - one) for one, chance in totals.items() if one >= 275)
    assert solved["high"] == high
    assert odds(throw)[Result(275, "high")] == totals[275]


def test_an_endless_total_among_words_leaves_less_open_than_can_be_seen():
    @mechanic
    def throw(dice):
        total = exploding(dice, 6)
        return (total, "many" if total > 6 else "one")

    solved = odds(throw)
    for outcome, chance in {(4, "one"): Fraction(1, 6), (9, "many"): Fraction(1, 36)}.items():
        assert solved[outcome].low <= chance <= solved[outcome].high
    assert solved.unresolved < 2**-60
    assert odds(told(throw, lambda one: one[1]))["many"] == Fraction(1, 6)


def test_equal_results_of_two_kinds_are_refused_where_they_are_looked_at_as_a_whole():
    @mechanic
    def inner(dice):
        a = dice.total(2, 3)
        return (a, True) if dice.die(2) == 1 else (a, 1)

    @mechanic
    def kind(dice):
        return type(inner(dice)[1]).__name__

    @mechanic
    def number(dice):
        return inner(dice)[0]

    for _ in range(2):
        with pytest.raises(MixedOutcomes, match="inner"):
            odds(kind)
        assert odds(number)[2] == Fraction(1, 9)


def test_one_attribute_that_is_none_is_asked_by_itself():
    """None is what the attribute is, and not a sign that there is no such view."""

    @dataclass(frozen=True)
    class Lead:
        ours: int
        theirs: int

        @property
        def winner(self):
            return None if self.ours == self.theirs else "us" if self.ours > self.theirs else "them"

    @mechanic
    def bout(dice) -> Lead:
        return Lead(dice.total(60, 10), dice.total(60, 10))

    @mechanic
    def first_or_nobody(dice):
        one = bout(dice)
        return "nobody" if one.winner is None else one.winner

    solved = odds(first_or_nobody)
    assert solved["us"] == solved["them"] == (1 - solved["nobody"]) / 2
    assert not bout.remembered
