"""Advantage: five levels, summed steps, and the effect of each level on the dice."""

from fractions import Fraction
from itertools import permutations

import pytest

from kitchentable.dice import load
from kitchentable.rulesets.lucky_stars.advantage import (
    LEVELS,
    Level,
    chance,
    in_words,
    share,
    weigh,
)
from kitchentable.rulesets.lucky_stars.mechanics import Party, decision
from tests.rulesets.lucky_stars.people import evening, fields, foe, hero, lines, total, try_it

rule = pytest.mark.rule


def at(level, *faces):
    return load(decision, *level.on(Party()), faces=list(faces)).outcome


@rule("stars.3-five-levels")
def test_there_are_five_levels_and_nothing_beyond():
    assert list(LEVELS) == [2, 1, 0, -1, -2]
    assert (weigh([5]).steps, weigh([-5]).steps) == (2, -2)


@rule("stars.3-major-adv")
def test_major_advantage_is_one_die_more_that_explodes_and_no_three():
    assert at(Level(2), 2, 3, 4) == 9
    assert at(Level(2), 6, 1, 1, 5) == 13


@rule("stars.3-minor-adv", "stars.3-neutral", "stars.3-minor-dis")
def test_the_levels_in_the_middle_have_two_dice():
    assert [at(Level(steps), 2, 3) for steps in (1, 0)] == [8, 5]
    assert (at(Level(-1), 1, 1), at(Level(-1), 6, 2, 3)) == (-1, 8)


@rule("stars.3-major-dis")
def test_major_disadvantage_is_a_single_die_and_no_three():
    assert (at(Level(-2), 5), at(Level(-2), 6, 6, 5)) == (5, 17)
    assert Level(-2).on(Party(1)).dice == 1


@rule("stars.3.1-grant-step")
def test_a_grant_is_one_step():
    assert str(weigh([-1, 1])) == "Neutral"
    assert str(weigh([-2, 1])) == "Minor Disadvantage"


@rule("stars.3.1-grant-neutral")
def test_from_neutral_a_grant_is_minor_advantage():
    assert at(weigh([1]), 2, 3) == 8


@rule("stars.3.1-combine")
@pytest.mark.parametrize(
    ("steps", "level"),
    [
        ((1, 1), 2),
        ((1, 1, 1), 2),
        ((1, 1, 1, -1), 2),
        ((1, -1), 0),
        ((-1, -1, -1), -2),
        ((2, -1), 1),
    ],
)
def test_all_is_summed_and_limited_at_the_end_in_any_order(steps, level):
    assert {weigh(order).steps for order in permutations(steps)} == {level}
    assert weigh(steps).on(Party()).dice >= 1


@rule("stars.3.2-single-major")
def test_one_effect_can_be_worth_two_steps():
    assert str(weigh([2])) == "Major Advantage"
    table = evening()
    ana = hero(table, "ana")
    card = try_it(table, ana, (1, 2, 3), factors=[{"name": "sun", "worth": "for-2"}])
    assert (total(card), "Major Advantage." in lines(card)) == (6, True)


@rule("stars.3.2-single-major")
def test_a_table_can_do_without():
    table = evening(single_major=False)
    ana = hero(table, "ana")
    worths = fields(table, "decision", ana)["factors"].columns[1]
    assert [one.value for one in worths.choices] == ["", "against-1"]
    assert "big" not in fields(table, "announce", "")
    assert "big" in fields(evening(), "announce", "")


@rule("stars.3.3-shared-scale")
@pytest.mark.parametrize(
    ("ours", "theirs", "levels"),
    [
        ((1, 1), (1,), (1, 0)),
        ((1,), (1,), (0, 0)),
        ((2, 2), (1,), (2, 0)),
        ((1,), (-1,), (2, 0)),
        ((), (1, 1, 1), (0, 2)),
    ],
)
def test_two_share_one_scale(ours, theirs, levels):
    assert tuple(level.steps for level in share(ours, theirs)) == levels


@rule("stars.3-major-adv", "stars.3-minor-adv")
def test_minor_beats_major_where_4_to_7_is_needed():
    better = {
        target: (chance(Party(), Level(1), target), chance(Party(), Level(2), target))
        for target in range(1, 13)
    }
    assert {target for target, (minor, major) in better.items() if minor > major} == {4, 5, 6, 7}
    assert better[4] == (1, Fraction(215, 216))
    assert better[5] == (1, Fraction(53, 54))
    assert better[6] == (Fraction(35, 36), Fraction(103, 108))
    assert better[7] == (Fraction(11, 12), Fraction(49, 54))
    assert better[8] == (Fraction(5, 6), Fraction(181, 216))


@rule("stars.3-major-dis", "stars.3-minor-dis")
def test_major_disadvantage_is_the_milder_one_at_0_and_1():
    at_target = {
        target: (chance(Party(), Level(-1), target), chance(Party(), Level(-2), target))
        for target in range(6)
    }
    assert [target for target, (minor, major) in at_target.items() if major > minor] == [0, 1]
    assert at_target[2] == (Fraction(5, 6), Fraction(5, 6))
    assert all(major < minor for target, (minor, major) in at_target.items() if target > 2)


@rule("stars.3-purpose", "stars.2.1-mods-move")
@pytest.mark.parametrize(("plus", "target"), [(0, 4), (0, 7), (2, 9), (-3, 3)])
def test_the_odds_say_where_minor_is_better(plus, target):
    words = in_words(Party(2, plus), Level(), target)
    assert "here Minor Advantage is better than Major" in words
    assert "is better" not in in_words(Party(2, plus), Level(), plus + 8)


def test_the_odds_of_a_roll_tell_every_level():
    told = {Level(one): chance(Party(), Level(one), 8) for one in LEVELS}
    assert {str(level): share for level, share in told.items()} == {
        "Major Advantage": Fraction(181, 216),
        "Minor Advantage": Fraction(5, 6),
        "Neutral": Fraction(17, 36),
        "Minor Disadvantage": Fraction(1, 4),
        "Major Disadvantage": Fraction(5, 36),
    }


@rule("stars.3-any-decision-roll")
def test_the_gm_sets_it_on_every_decision_roll_and_on_nothing_else():
    table = evening()
    ana, serk = hero(table, "ana"), foe(table)
    for move, answers in (("decision", {}), ("contest", {"other": serk})):
        assert fields(table, move, ana, **answers)["level"].set_by == "gm"
    for move in ("supply", "other_dice", "d100", "restock"):
        names = fields(table, move, ana) if table.why_not("ana", move, ana) is None else {}
        assert not {"level", "factors", "modifiers"} & set(names)
    assert total(try_it(table, ana, (2, 3))) == 5


@rule("stars.3.2-start-neutral")
def test_a_roll_begins_at_neutral():
    table = evening()
    ana = hero(table, "ana")
    found = fields(table, "decision", ana)
    assert (found["level"].default, found["factors"].default) == ("", [])
    assert found["level"].help == "Counted: 0, Neutral."
    assert total(try_it(table, ana, (2, 3))) == 5


@rule("stars.3.2-gm-decides")
def test_the_gm_may_see_it_otherwise_and_the_log_tells_both():
    table = evening()
    ana = hero(table, "ana")
    factors = [{"name": "high ground"}, {"name": "the sun behind"}]
    card = try_it(table, ana, (2, 3), factors=factors, gm={"level": "1"})
    assert total(card) == 8
    said = "Minor Advantage, by the GM's ruling; the count says Major Advantage."
    assert said in lines(card)


@rule("stars.3-purpose")
def test_advantage_leaves_the_target_alone():
    table = evening()
    ana = hero(table, "ana")
    card = try_it(table, ana, (2, 3, 4), 12, gm={"level": "2"})
    assert "Against 12 Challenging task." in lines(card)
    assert table.last.data["answers"]["target"] == "12"


@rule("stars.2-decision-dice")
def test_a_table_can_let_the_gm_set_the_dice():
    assert "dice" not in fields(evening(), "decision", hero(evening(), "ana"))
    table = evening(gm_sets_dice=True)
    ana = hero(table, "ana")
    card = try_it(table, ana, (1, 1, 1, 1, 2), gm={"dice": 4, "level": "2"})
    assert total(card) == 6
    assert total(try_it(table, ana, (4,), gm={"dice": 1, "level": "-2"})) == 4
