"""One summand of a partly known sum: its exact chances, without listing pairs."""

from fractions import Fraction
from itertools import accumulate, product

import pytest
from hypothesis import given, settings

from kitchentable.dice import Die, mechanic, odds
from kitchentable.dice.errors import TooManyPaths
from kitchentable.dice.solving import queries
from tests.dice.oracle import agrees, brute
from tests.dice.test_properties import MOST, TREES, rule

LEFT, RIGHT, THIRD = range(1, 61), range(0, 180, 3), (1, 2, 4, 9)
STEPS = Die("steps", tuple(RIGHT))
ODD = Die("odd", THIRD)


def counted(function):
    """The chances of a function of two large dice and a small one, case by case."""
    found: dict = {}
    for a, b, c in product(LEFT, RIGHT, THIRD):
        outcome = function(a, b, c)
        found[outcome] = found.get(outcome, 0) + 1
    cases = len(LEFT) * len(RIGHT) * len(THIRD)
    return {outcome: Fraction(count, cases) for outcome, count in found.items()}


QUESTIONS = {
    "one side after the gap": lambda a, b, c: (a > b, a >= 30),
    "both sides after the gap": lambda a, b, c: (a > b, a >= 30, b >= 12),
    "a multiple": lambda a, b, c: (a - b > 5, 3 * a + c > 40, -2 * a >= -50),
    "a hole in what is kept": lambda a, b, c: (a == b, a + c > 20, a - b == 3, a > 40),
    "the larger": lambda a, b, c: max(a, b),
    "the smaller, and more": lambda a, b, c: min(a, b) + c,
    "the largest of three": max,
    "two sums that share a die": lambda a, b, c: (a + b > 90, b + c > 60, a + c > 30, c == 4),
    "the sum after its part": lambda a, b, c: (a > 20, a + b > 77, b > 50, a),
}


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
def test_large_dice_have_the_odds_of_every_case(asked):
    @mechanic
    def thrown(dice):
        return asked(dice.die(60), dice.die(STEPS), dice.die(ODD))

    assert dict(odds(thrown).items()) == counted(asked)


@pytest.mark.slow
@settings(max_examples=120)
@given(TREES)
def test_rules_of_every_shape_agree_with_every_face_tried(tree):
    """As where dice are large: nothing is listed that can be reckoned."""
    few = queries.FEW_ROWS
    rule.forget()
    try:
        queries.FEW_ROWS = 0
        solved = odds(rule, tree)
    finally:
        queries.FEW_ROWS = few
        rule.forget()
    assert agrees(solved, *brute(rule, tree, most=MOST))


def rising(count, sides):
    """How many of all throws of this many dice come to at most each number."""
    ways = [1]
    for _ in range(count):
        ways = [sum(ways[max(0, at - sides) : at]) for at in range(len(ways) + sides)]
    return list(accumulate(ways))


def test_the_best_of_three_large_sums_is_the_product_of_their_chances():
    """More than twenty million joint results, told from their margins."""

    @mechanic
    def best(dice):
        return max(dice.total(40, 6), dice.total(40, 8), dice.total(40, 10))

    below = [rising(40, sides) for sides in (6, 8, 10)]
    at_most = [
        Fraction(6 * 8 * 10) ** -40
        * below[0][min(x, len(below[0]) - 1)]
        * below[1][min(x, len(below[1]) - 1)]
        * below[2][x]
        for x in range(401)
    ]
    solved = odds(best)
    assert [solved.at_most(x) for x in (100, 200, 240, 260, 399)] == [
        at_most[x] for x in (100, 200, 240, 260, 399)
    ]


def test_what_only_every_combination_can_tell_is_refused_in_a_sentence():
    @mechanic
    def crossed(dice):
        a, b, c = dice.total(40, 8), dice.total(40, 8), dice.total(40, 8)
        return a > b, b > c, a + c > 2 * b + 3

    with pytest.raises(TooManyPaths, match="too many combinations"):
        odds(crossed)


def _asked(a, b):
    """Many questions about two dice, one after the other."""
    if a > b + 3:
        return "far ahead", a
    if a == b:
        return "tie", b
    if 2 * a > b > a:
        return "behind", b - a
    return ("near", a - b, b) if a > b else "lost"


READINGS = {
    "who is ahead": lambda a, b: a > b,
    "the higher": lambda a, b: max(b, a),
    "the lower of those that are near": lambda a, b: min(a, b) if -5 <= a - b <= 5 else None,
    "by how much": lambda a, b: max(0, a - b),
    "by how much and with what": lambda a, b: (a - b, a) if a > b + 30 else a - b > 0,
    "never": lambda a, b: "never" if a - b > 99 else a + b >= 0,
    "equal first": lambda a, b: "tie" if a == b else "one more" if a == b + 1 else a > b,
    "many questions": _asked,
    "in other units": lambda a, b: (3 * a - 2 * b >= 7, 3 * a - 2 * b >= 50),
}


@pytest.mark.parametrize("odd", [False, True], ids=["in a row", "with gaps"])
@pytest.mark.parametrize("name", READINGS)
def test_two_long_numbers_are_compared_as_every_pair_of_them_is(name, odd):
    """Numbers with more values than are added up at once."""
    read = READINGS[name]
    faces = [(at * at if odd else at) for at in range(1, 41)]
    one, other = Die("one", tuple(faces)), Die("other", (*faces[3:], 7, 7))

    @mechanic
    def rule(dice):
        return read(dice.die(one), dice.die(other))

    found = {}
    chance = Fraction(1, len(one.faces) * len(other.faces))
    for a, b in product(one.faces, other.faces):
        found[read(a, b)] = found.get(read(a, b), 0) + chance
    assert dict(odds(rule).items()) == found
