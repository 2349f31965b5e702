"""Two dice: Self and Conflict, criticals, points, re-rolls; and the exact odds of all of it."""

import itertools
from fractions import Fraction

import pytest

from kitchentable.dice import load, odds
from kitchentable.rulesets.objects.mechanics import Attempt, attempt, grade_of, opening, settle

rule = pytest.mark.rule


def thrown(level, *faces, modifier=0, karma=0):
    return load(attempt, level, modifier, karma, faces=list(faces)).outcome


GRADES = ("critical success", "total", "marginal", "failure", "critical failure")


def by_hand(level, modifier=0, karma=0):
    """The shares of every grade, by counting all throws in the words of the book."""
    ways = dict.fromkeys(GRADES, 0)
    for own, task in itertools.product(range(1, 7), repeat=2):
        if own == task and own in {1, 6}:
            ways["critical success" if own == 1 else "critical failure"] += 36
            continue
        mine = worth(own + karma, level)
        theirs = worth(task + modifier, level)
        for one, other in itertools.product(mine, theirs):
            points = one + other
            grade = "total" if points == 12 else "marginal" if points >= 6 else "failure"
            ways[grade] += 36 // len(mine) // len(theirs)
    return {grade: Fraction(count, 36 * 36) for grade, count in ways.items()}


def worth(value, level):
    """What a die can be worth: one value, or six when it is thrown again."""
    if value == level:
        return (1, 2, 3, 4, 5, 6)
    return (6,) if value < level else (0,)


@pytest.mark.slow
@pytest.mark.parametrize("level", range(7))
@pytest.mark.parametrize("modifier", range(-3, 4))
def test_odds_are_exact_for_every_talent_and_modifier(level, modifier):
    for karma in range(-3, 4):
        solved = odds(attempt, level, modifier, karma)
        assert solved.unresolved == 0
        shares = dict.fromkeys(GRADES, Fraction(0))
        for outcome, chance in solved.items():
            shares[outcome.grade] += chance
        assert shares == by_hand(level, modifier, karma)


@rule("objects.3-two-dice", "objects.3-one-under-one-over")
def test_self_and_conflict_are_two_dice_that_are_told_apart():
    roll = load(attempt, 3, faces=[2, 5])
    assert [throw.label for throw in roll.trace.throws] == ["self", "conflict"]
    assert roll.outcome == Attempt("marginal", 3, 2, 5, 6, 0)
    assert thrown(3, 5, 2).points == 6
    assert thrown(3, 2, 5, modifier=-3).grade == "total"
    assert thrown(3, 5, 2, modifier=-3).grade == "marginal"


@rule("objects.3-self-under", "objects.3-self-over", "objects.3-self-equal")
def test_self_against_the_talent():
    assert thrown(4, 3, 5).own_points == 6
    assert thrown(4, 5, 3).own_points == 0
    assert thrown(4, 4, 5, 5).own_points == 5


@rule("objects.3-conflict-same")
def test_conflict_counts_the_same_way():
    assert thrown(4, 5, 3).task_points == 6
    assert thrown(4, 3, 5).task_points == 0
    assert thrown(4, 3, 4, 2).task_points == 2


@rule("objects.3-points-sum", "objects.3-failure", "objects.3-marginal", "objects.3-total")
def test_points_and_what_they_come_to():
    assert thrown(4, 3, 4, 5).points == 11
    assert [grade_of(points) for points in range(13)] == [
        *["failure"] * 6,
        *["marginal"] * 6,
        "total",
    ]


@rule("objects.3-both-under", "objects.3-both-over")
def test_both_under_and_both_over():
    assert thrown(4, 3, 2) == Attempt("total", 4, 3, 2, 6, 6)
    assert thrown(2, 5, 4) == Attempt("failure", 2, 5, 4, 0, 0)


@rule("objects.3-under-equal")
def test_one_under_and_one_equal():
    assert thrown(3, 2, 3, 6).points == 12
    assert (thrown(3, 2, 3, 1).points, thrown(3, 2, 3, 1).grade) == (7, "marginal")
    assert thrown(3, 3, 2, 6).grade == "total"


@rule("objects.3-over-equal")
def test_one_over_and_one_equal():
    assert (thrown(3, 5, 3, 6).points, thrown(3, 5, 3, 6).grade) == (6, "marginal")
    assert (thrown(3, 5, 3, 5).points, thrown(3, 5, 3, 5).grade) == (5, "failure")


@rule("objects.3-both-equal")
def test_both_equal_are_both_thrown_again_and_added():
    assert thrown(3, 3, 3, 6, 6).grade == "total"
    assert thrown(3, 3, 3, 3, 3).grade == "marginal"
    assert (thrown(3, 3, 3, 4, 1).points, thrown(3, 3, 3, 4, 1).grade) == (5, "failure")
    again = odds(settle, Attempt("undecided", 3, 3, 3))
    grades = {
        grade: again.chance(lambda o, g=grade: o.grade == g)
        for grade in ("total", "marginal", "failure")
    }
    assert grades == {
        "total": Fraction(1, 36),
        "marginal": Fraction(25, 36),
        "failure": Fraction(10, 36),
    }


@rule("objects.3-mod-sign", "objects.3-conflict-mod")
def test_plus_is_harder_and_minus_is_easier():
    assert thrown(3, 1, 3, modifier=1).task_points == 0
    assert thrown(3, 1, 3, modifier=-1).task_points == 6
    for level in range(1, 6):
        chances = [odds(attempt, level, m).chance(lambda o: o.succeeds) for m in range(-6, 7)]
        assert chances == sorted(chances, reverse=True)


@rule("objects.3-self-not-modified")
def test_a_modifier_never_touches_self():
    for modifier in (-6, -2, -1, 0, 1, 3, 6):
        assert thrown(3, 5, 1, modifier=modifier).own == 5


@rule("objects.3-no-clamp")
def test_modified_dice_are_compared_as_they_are():
    assert thrown(0, 3, 1, 4, modifier=-1).task_points == 4
    assert thrown(6, 3, 6, modifier=1) == Attempt("marginal", 6, 3, 7, 6, 0)
    assert thrown(0, 2, 1, modifier=-2).task == -1


@rule("objects.3-reroll-big-good")
def test_a_reroll_counts_as_it_lies():
    assert thrown(3, 1, 5, 5, modifier=-2).task_points == 5
    best = odds(settle, Attempt("undecided", 3, 3, 9))
    assert best.chance(lambda one: one.own_points == 6) == Fraction(1, 6)


@rule("objects.3-reroll-mandatory")
def test_what_equals_is_thrown_again_by_itself():
    loaded = load(attempt, 3, faces=[3, 3, 1, 2])
    assert [throw.label for throw in loaded.trace.throws] == [
        "self",
        "conflict",
        "self again",
        "conflict again",
    ]
    assert loaded.outcome == Attempt("failure", 3, 3, 3, 1, 2)


@rule("objects.3-crit-success")
def test_two_ones_are_a_critical_success():
    assert thrown(0, 1, 1, modifier=2) == Attempt("critical success", 0, 1, 1)
    assert thrown(0, 1, 1).points is None


@rule("objects.3-crit-failure", "objects.3-crit-no-reroll")
def test_two_sixes_are_a_critical_failure_and_no_die_follows():
    assert thrown(6, 6, 6, modifier=-2) == Attempt("critical failure", 6, 6, 6)
    assert len(load(attempt, 6, faces=[6, 6]).trace.throws) == 2


@rule("objects.3-crit-first")
def test_criticals_come_before_everything_else():
    assert thrown(1, 1, 1).grade == "critical success"
    assert len(load(attempt, 1, faces=[1, 1]).trace.throws) == 2


@rule("objects.3-crit-natural")
def test_only_natural_faces_make_a_critical():
    assert thrown(3, 2, 2, modifier=-1, karma=-1).grade == "total"
    assert thrown(3, 1, 1, karma=3).grade == "critical success"
    for level, modifier, karma in itertools.product(range(7), (-2, 0, 2), (-2, 0, 2)):
        solved = odds(attempt, level, modifier, karma)
        for grade in ("critical success", "critical failure"):
            assert solved.chance(lambda one, g=grade: one.grade == g) == Fraction(1, 36)


@rule("objects.3-crit-not-on-reroll")
def test_a_reroll_is_never_critical():
    assert thrown(3, 3, 3, 6, 6).grade == "total"
    assert (thrown(3, 3, 3, 1, 1).points, thrown(3, 3, 3, 1, 1).grade) == (2, "failure")


@rule("objects.2.3-zero-roll")
def test_talents_0_and_6():
    nothing, all_of_it = by_hand(0), by_hand(6)
    assert (nothing["critical success"], nothing["failure"]) == (Fraction(1, 36), Fraction(34, 36))
    solved = odds(attempt, 0)
    assert solved.chance(lambda one: one.grade == "failure") == Fraction(34, 36)
    assert solved.chance(lambda one: one.succeeds) == Fraction(1, 36)
    assert all_of_it["total"] == odds(attempt, 6).chance(lambda one: one.grade == "total")
    assert all_of_it["total"] == Fraction(77, 108)
    assert all_of_it["marginal"] == Fraction(25, 108)


@rule("objects.3.k-use")
def test_karma_goes_on_self_either_way():
    assert thrown(4, 5, 5, karma=-2).own == 3
    assert thrown(4, 5, 5, karma=-2).own_points == 6
    assert thrown(4, 3, 5, karma=2).own_points == 0


@rule("objects.3.k-reroll")
def test_karma_on_a_reroll_is_held_between_0_and_6():
    first = load(opening, 4, 0, 0, faces=[4, 5]).outcome
    assert (first.grade, first.points) == ("undecided", None)
    assert load(settle, first, 1, faces=[5]).outcome.points == 6
    assert load(settle, first, 3, faces=[5]).outcome.own_points == 6
    assert load(settle, first, -9, faces=[5]).outcome.own_points == 0
    assert load(opening, 4, 0, 0, faces=[3, 4, 6]).outcome.grade == "total"
    assert load(opening, 1, 0, 0, faces=[1, 1]).outcome.grade == "critical success"


def test_outcomes_have_an_order_and_words():
    grades = [str(one) for one in odds(attempt, 6)]
    assert grades[0] == "critical failure"
    assert grades[-1] == "critical success"
    assert str(thrown(4, 3, 5)) == "marginal success, 6 points"
