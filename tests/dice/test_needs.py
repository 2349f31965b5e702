"""Calls with symbolic numbers as arguments: the solver against plain enumeration."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from kitchentable.dice import (
    BadInput,
    Die,
    exploding,
    fold,
    load,
    mechanic,
    odds,
    part,
    replay,
    roll,
    start_over,
    told,
)
from kitchentable.dice.solving import paths
from tests.dice.enumerating import enumerate_faces as brute


@dataclass(frozen=True, slots=True)
class Again:
    """A second throw, if there was one."""

    total: int | None = None


@part
def again(dice, first: int, more: int = 0) -> Again:
    return Again(dice.die(4) + more) if first == 1 else Again()


@mechanic
def hits(dice, n: int):
    return sum(dice.die(2) == 2 for _ in range(n))


@mechanic
def down_to(dice, n: int, least: int = 0):
    return down_to(dice, n - dice.die(2), least) if n > least else n


@mechanic
def seldom(dice, n: int):
    """A 1 is thrown again without end."""
    return n if n > 1 else seldom(dice, n)


@mechanic
def without_ones(dice, n: int):
    return start_over() if dice.die(3) == 1 else n


@mechanic
def refuses(dice, n: int):
    if n < 2:
        raise BadInput("One is too few.")
    return n


def two(dice):
    return dice.die(3), dice.total(2, 2)


def _not_looked_at(dice):
    first, other = two(dice)
    return again(dice, first), other


def _only_its_number(dice):
    first, _ = two(dice)
    return again(dice, first).total or 0


def _asked_before(dice):
    first, other = two(dice)
    return again(dice, first + other).total if first + other > 3 else again(dice, first).total


def _asked_later(dice):
    first, other = two(dice)
    second = again(dice, first, more=other)
    return second.total if first < other else other


def _added_to_its_own_number(dice):
    first, _ = two(dice)
    return hits(dice, first) + first


def _added_to_another(dice):
    first, other = two(dice)
    return hits(dice, first) + other


def _of_two_numbers(dice):
    first, other = two(dice)
    second = down_to(dice, first + other, first)
    return second if other > 3 else 0


def _of_a_result(dice):
    return hits(dice, hits(dice, 3)), 1


def _in_a_value(dice):
    first, other = two(dice)
    return (hits(dice, first), (other, "and", hits(dice, n=other)))


def _beside_a_fold(dice):
    shown = [dice.die(3), dice.die(4), dice.die(2)]
    seconds = [again(dice, one) for one in shown]
    best = fold(max, shown, 0)
    return (best, seconds[2].total) if best > 2 else best


def _made_after_a_fold(dice):
    shown = [dice.die(3), dice.die(4)]
    best = fold(max, shown, 0)
    second = again(dice, shown[0])
    return second.total if best == 3 else best


def _begun_again(dice):
    first, other = two(dice)
    second = without_ones(dice, first)
    return second if other == 3 else other


def _caught(dice):
    first, _ = two(dice)
    second = hits(dice, first)
    try:
        return 6 // second
    except ZeroDivisionError:
        return 0


ROLLS = {name: one for name, one in globals().items() if name.startswith("_") and callable(one)}


@pytest.mark.parametrize("name", [one for one in ROLLS if one != "_begun_again"])
def test_odds_are_those_of_all_throws(name):
    function = ROLLS[name]
    assert (dict(odds(mechanic(function)).items()), 0) == brute(mechanic(function), most=10)


def test_an_attempt_that_begins_again_takes_nothing_else_along():
    found = odds(mechanic(_begun_again))
    assert dict(found.items()) == {
        1: Fraction(1, 6),
        2: Fraction(5, 12),
        3: Fraction(1, 6),
        4: Fraction(1, 4),
    }


def test_a_call_nobody_looks_at_divides_no_path(monkeypatch):
    counted, run = [], paths.walk_once
    monkeypatch.setattr(paths, "walk_once", lambda walk: counted.append(walk) or run(walk))

    @mechanic
    def best_of(dice, many):
        shown = [dice.die(10) for _ in range(many)]
        seconds = tuple([again(dice, one) for one in shown])
        return fold(max, shown, 0), seconds

    best = told(best_of, lambda outcome: outcome[0])
    assert odds(best, 40)[10] == 1 - Fraction(9, 10) ** 40
    assert len(counted) < 40 * 12


def test_a_call_nobody_looks_at_has_to_end_all_the_same():
    @mechanic
    def tried(dice, sides):
        first = dice.die(sides)
        seldom(dice, first)
        return "done"

    assert odds(tried, 4, bounds=True).never == Fraction(1, 4)
    assert odds(tried, 4, bounds=True)["done"] == Fraction(3, 4)

    @mechanic
    def folded(dice, sides):
        shown = [dice.die(sides), dice.die(sides)]
        seldom(dice, shown[0])
        return fold(max, shown, 0)

    assert odds(folded, 4, bounds=True).never == Fraction(1, 4)
    assert odds(folded, 4, bounds=True)[2] == Fraction(2, 16)


def test_a_call_nobody_looks_at_refuses_what_it_is_thrown():
    @mechanic
    def tried(dice, sides):
        refuses(dice, dice.die(sides))
        return "done"

    @mechanic
    def asked_first(dice):
        first = dice.die(6)
        if first > 1:
            refuses(dice, first)
        return "done"

    with pytest.raises(BadInput, match="One is too few"):
        odds(tried, 6)
    assert odds(asked_first)["done"] == 1


def test_an_endless_number_is_handed_on_whole():
    @mechanic
    def tried(dice):
        first = exploding(dice, 6)
        second = again(dice, first)
        if first > 20:
            second = again(dice, first - 6)
        return first, second

    told_first = odds(told(tried, lambda outcome: outcome[0]))
    assert told_first.exact
    assert told_first.mean() == Fraction(21, 5)


def test_a_part_has_no_name_in_the_trace():
    @mechanic
    def check(dice):
        first = dice.die(Die("d2*", (1, 0)))
        return first, again(dice, first)

    thrown = load(check, faces=[1, 3])
    assert thrown.outcome == (1, Again(3))
    assert [one.path for one in thrown.trace.throws] == [("check",), ("check",)]
    assert replay(check, trace=thrown.trace) == thrown
    assert roll(check).outcome in odds(check)
