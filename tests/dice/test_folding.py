"""Folds along numbers: the solver beside plain enumeration."""

import operator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest

from kitchentable.dice import exploding, fold, load, mechanic, odds, roll, told
from kitchentable.dice.solving import paths
from tests.dice.enumerating import enumerate_faces as brute


@dataclass(frozen=True, slots=True)
class Lead:
    """The best so far, and whose it is."""

    best: int
    who: str | None = None


def leads(lead: Lead, side) -> Lead:
    name, total = side
    if total > lead.best:
        return Lead(total, name)
    return Lead(lead.best) if total == lead.best else lead


def at_least(number):
    return lambda state, total: state + 1 if total >= number else state


def better_or_none(best, total):
    return total if best is None or total > best else best


def first_and_last(state, total):
    return (state[0] if state else total, total)


def always(least):
    return lambda state, total: state and total >= least


def thrown(dice):
    return [dice.die(3), dice.total(2, 2), dice.die(4)]


def named(dice):
    return list(zip(("a", "b", "c"), thrown(dice), strict=True))


FOLDS = {
    "the best": lambda dice: fold(max, thrown(dice), 0),
    "the sum": lambda dice: fold(operator.add, thrown(dice), 0),
    "the best or none": lambda dice: fold(better_or_none, thrown(dice), None),
    "the best of nothing": lambda dice: fold(max, [one for one in thrown(dice) if one > 4], 0),
    "a plain item": lambda dice: fold(max, [*thrown(dice), 2], 0),
    "a lambda": lambda dice: fold(lambda old, one: max(old, one - 1), thrown(dice), 0),
    "a step made with a number": lambda dice: fold(at_least(2), thrown(dice), 0),
    "two steps made with numbers": lambda dice: (
        fold(at_least(2), [dice.die(3), dice.die(3)], 0),
        fold(at_least(3), [dice.die(3), dice.die(3)], 0),
    ),
    "yes or no": lambda dice: fold(always(2), thrown(dice), True),
    "a lead": lambda dice: fold(leads, named(dice), Lead(0)),
    "who leads": lambda dice: fold(leads, named(dice), Lead(0)).who,
    "two parts of a lead": lambda dice: _parts(fold(leads, named(dice), Lead(0))),
    "two numbers in a state": lambda dice: fold(first_and_last, thrown(dice), ()),
    "a question first": lambda dice: _asked_first(thrown(dice)),
    "a question afterwards": lambda dice: _asked_afterwards(thrown(dice)),
    "the items as well": lambda dice: _with_items(thrown(dice)),
    "twice the same": lambda dice: _twice(thrown(dice)),
    "the best and the worst": lambda dice: _best_and_worst(thrown(dice)),
    "items that hang together": lambda dice: _hanging_together(thrown(dice)),
    "an item with two numbers": lambda dice: fold(
        lambda old, pair: max(old, pair[0] - pair[1]),
        [(one, 2 * one - 3) for one in thrown(dice)],
        0,
    ),
    "a start that was thrown": lambda dice: fold(max, thrown(dice), dice.die(4)),
    "a step made with what was thrown": lambda dice: fold(at_least(dice.die(3)), thrown(dice), 0),
    "looking past the operators": lambda dice: fold(
        lambda old, one: old + (type(one) is int), thrown(dice), 0
    ),
    "a fold of folds": lambda dice: fold(max, [fold(min, thrown(dice), 9), dice.die(3)], 0),
    "what nobody looks at": lambda dice: (fold(max, thrown(dice), 0), dice.die(2))[1],
    "the best and more": lambda dice: fold(max, thrown(dice), 0) + dice.die(2),
    "a list in an item": lambda dice: fold(
        lambda old, one: max(old, one[0]), [[one] for one in thrown(dice)], 0
    ),
    "a start of two kinds": lambda dice: _kinds(thrown(dice)),
}


def _parts(lead):
    return lead.best, lead.who


def _asked_first(totals):
    return (totals[0] > totals[1], fold(max, totals[:2], 0), fold(max, totals[2:], 0))


def _asked_afterwards(totals):
    best = fold(max, totals[1:], 0)
    return "won" if totals[0] > best else "tie" if totals[0] == best else "lost"


def _with_items(totals):
    best = fold(max, totals, 0)
    return best - totals[0], totals[1] == best


def _twice(totals):
    return fold(max, totals, 0) > 3, fold(max, totals, 0)


def _best_and_worst(totals):
    return fold(max, totals, 0) - fold(min, totals, 9)


def _hanging_together(totals):
    return fold(max, [totals[0], totals[0] + totals[1], 2 * totals[2]], 0)


def _kinds(totals):
    odd = lambda state, one: state  # noqa: E731 - one step for both
    return type(fold(odd, totals, 0)).__name__, type(fold(odd, totals, False)).__name__


@pytest.mark.parametrize("name", FOLDS)
def test_a_fold_has_the_odds_that_enumeration_finds(name):
    rule = mechanic(FOLDS[name])
    found, left = brute(rule)
    assert left == 0
    for _ in range(2):
        rule.forget()
        assert dict(odds(rule).items()) == found


def test_a_fold_of_thrown_dice_is_what_the_standard_library_gives():
    rule = mechanic(FOLDS["a lead"])
    assert load(rule, faces=[3, 1, 2, 1]).outcome == Lead(3)
    assert load(rule, faces=[2, 2, 2, 1]).outcome == Lead(4, "b")
    assert roll(rule).outcome.best >= 1
    assert fold(max, iter([3, 5, 4]), 0) == 5
    assert fold(max, [], 7) == 7


@pytest.fixture
def walked(monkeypatch):
    """The paths that are walked."""
    counted = []
    run = paths.walk_once
    monkeypatch.setattr(paths, "walk_once", lambda walk: counted.append(walk) or run(walk))
    return counted


def test_the_work_of_a_fold_grows_by_its_items(walked):
    @mechanic
    def winner(dice, many):
        totals = [dice.total(3) for _ in range(many)]
        return fold(leads, [(f"{at % 2}", one) for at, one in enumerate(totals)], Lead(0)).who

    counts = []
    for many in (10, 20, 30):
        walked.clear()
        winner.forget()
        odds(winner, many)
        counts.append(len(walked))
    assert counts[2] - counts[1] == counts[1] - counts[0]
    assert counts[2] < 400


@pytest.mark.parametrize(("many", "sides"), [*product((2, 5, 9), (6, 20))])
def test_the_chance_to_beat_all_others_is_that_of_each_number(many, sides):
    @mechanic
    def beats(dice):
        mine = dice.total(2, sides)
        return mine > fold(max, [dice.total(2, sides) for _ in range(many)], 0)

    one = odds(f"2d{sides}")
    expected = sum(chance * (1 - one.at_least(total)) ** many for total, chance in one.items())
    assert odds(beats)[True] == expected


def test_endless_totals_are_folded_up_to_less_than_can_be_seen():
    @mechanic
    def best(dice):
        return fold(max, [exploding(dice, 6) for _ in range(4)], 0)

    one, solved = odds(exploding, 6), odds(best)
    assert solved.unresolved < 2**-60
    for total in (3, 6, 7, 20):
        exact = 1 - (1 - one.at_least(total)) ** 4
        assert abs(Fraction(solved.at_least(total).low) - exact) < Fraction(1, 10**18)


def test_a_roll_that_folds_is_told_in_part():
    @mechanic
    def again(dice, many):
        lead = fold(leads, [(at, dice.total(4)) for at in range(many)], Lead(0))
        return again(dice, many) if lead.who is None else lead

    who = odds(told(again, lambda one: one.who), 5)
    assert all(who[at] == Fraction(1, 5) for at in range(5))
