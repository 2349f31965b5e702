"""The d10+ and its announced results, with exact odds."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from kitchentable.dice import ImpossibleFace, SeededSource, load, odds, roll, told
from kitchentable.rulesets.toast.mechanics import (
    D10_PLUS,
    FLUB,
    KICK,
    Task,
    advance_each_use,
    attack,
    contest,
    initiative,
    initiative_tie_told,
    task,
    task_roll,
)

rule = pytest.mark.rule
TWELFTH = Fraction(1, 12)


@rule("toast.2-die", "toast.2-number", "toast.2-flub", "toast.2-kick")
def test_twelve_faces_ten_of_them_numbers():
    assert D10_PLUS.faces == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, FLUB, KICK)
    thrown = {face: load(task_roll, 0, False, faces=[face]).outcome for face in range(1, 13)}
    assert thrown == {**{face: face for face in range(1, 11)}, 11: FLUB, 12: KICK}
    assert dict(odds(task_roll, 0, False).items()) == dict.fromkeys(thrown.values(), TWELFTH)


@rule("toast.2-die")
@pytest.mark.parametrize("face", [0, 13, -1])
def test_no_face_beside_one_to_twelve_can_be_typed_in(face):
    with pytest.raises(ImpossibleFace):
        load(task_roll, 0, False, faces=[face])


@rule("toast.2-die")
def test_the_faces_fall_equally_often():
    """Chi-square over 60,000 throws with a fixed seed; 11 degrees of freedom, bound at 1e-6."""
    source, n = SeededSource(2026), 60_000
    counts = Counter(
        throw.physical
        for _ in range(n)
        for throw in roll(task_roll, 0, False, source=source).trace.throws
    )
    assert set(counts) == set(range(1, 13))
    assert sum((counts[face] - n / 12) ** 2 / (n / 12) for face in counts) < 49.9


@rule("toast.2-flub", "toast.2-kick", "toast.5-special-announce")
@pytest.mark.parametrize(("face", "word"), [(11, "flub"), (12, "kick")])
def test_flub_and_kick_take_neither_trait_nor_perk(face, word):
    assert load(task, 9, True, 11, faces=[face]).outcome == Task(word, None)


@rule("toast.5-total", "toast.4-perk-bonus")
@pytest.mark.parametrize(
    ("face", "trait", "perk", "total"),
    [(8, 3, False, 11), (10, 9, True, 22), (1, 0, False, 1), (5, 3, True, 11), (5, 3, False, 8)],
)
def test_a_number_takes_trait_and_perk(face, trait, perk, total):
    assert load(task, trait, perk, 11, faces=[face]).outcome.total == total


@rule("toast.5-player-rolls")
def test_a_task_is_one_die():
    assert [t.die for t in load(task, 3, True, 11, faces=[5]).trace.throws] == ["d10+"]


@rule("toast.5-success", "toast.5-failure")
@pytest.mark.parametrize("difficulty", [6, 11, 16])
def test_reaching_the_number_is_enough(difficulty):
    trait = difficulty - 5
    assert load(task, trait, False, difficulty, faces=[5]).outcome == Task("success", difficulty)
    below = load(task, trait, False, difficulty, faces=[4]).outcome
    assert below == Task("failure", difficulty - 1)


@rule("toast.5-flub-fails", "toast.5-kick-succeeds")
def test_the_best_and_the_worst_chance_there_is():
    def chance(trait, perk, difficulty):
        return odds(task, trait, perk, difficulty).chance(lambda one: one.succeeds)

    assert chance(15, True, 6) == Fraction(11, 12)
    assert chance(0, False, 16) == chance(0, False, 99) == TWELFTH
    assert not load(task, 15, True, 6, faces=["flub"]).outcome.succeeds
    assert load(task, 0, False, 99, faces=["kick"]).outcome.succeeds


def test_a_special_face_comes_with_one_roll_in_six():
    special = odds(task_roll, 5, False).chance(lambda one: not isinstance(one, int))
    assert special == Fraction(1, 6)


@pytest.mark.parametrize("bonus", [0, 4, 9])
def test_equals_in_a_contest_and_an_attack(bonus):
    both = odds(contest, bonus, False, bonus, False)
    shares = {word: both.chance(lambda one, w=word: one.winner == w) for word in ("first", "tie")}
    assert shares == {"first": Fraction(11, 24), "tie": TWELFTH}
    assert both.chance(lambda one: one.winner == "second") == Fraction(11, 24)
    hits = odds(attack, bonus, False, bonus, False).chance(lambda one: one.hit)
    assert hits == Fraction(11, 24)


@rule("toast.5.2-flub-vs-kick", "toast.5.2-double-flub", "toast.5.2-double-kick")
def test_how_rare_the_pairs_of_specials_are():
    both = odds(contest, 3, False, 8, True)
    assert both.chance(lambda one: {one.first, one.second} == {FLUB, KICK}) == Fraction(2, 144)
    assert both.chance(lambda one: one.first is one.second is FLUB) == Fraction(1, 144)
    assert both.chance(lambda one: one.first is one.second is KICK) == Fraction(1, 144)


@rule("toast.7-init-tie")
def test_a_tie_is_thrown_until_it_is_settled():
    """Among equals each is first half of the time, exactly; among three each order is as likely."""
    pair, trio = ((tuple((who, 4, False) for who in names)) for names in ("ab", "abc"))
    two = odds(told(initiative_tie_told, _order), pair)
    assert two.unresolved == 0
    assert two["a", "b"] == two["b", "a"] == Fraction(1, 2)
    orders = Counter(
        _order(load(initiative_tie_told, trio, faces=list(faces)).outcome)
        for faces in permutations(range(1, 13), 3)
    )
    assert orders == dict.fromkeys(permutations("abc"), 12 * 11 * 10 // 6)
    partly = load(initiative_tie_told, trio, faces=[3, 8, 3, 5, 11]).outcome
    assert [str(one) for _, one in partly] == ["12", "9", "flub, no action"]
    assert _order(partly) == ("b", "a", "c")
    again = load(initiative_tie_told, (("a", 4, False), ("b", 2, False)), faces=[3, 5, 11, 12])
    assert _order(again.outcome) == ("b", "a")


def _order(fell):
    return tuple(who for who, _ in fell)


def test_initiative_has_eleven_numbers_and_no_action():
    thrown = odds(initiative, 3)
    assert thrown.chance(lambda one: one.number is None) == TWELFTH
    assert thrown.chance(lambda one: one.number == 15) == TWELFTH


@rule("toast.8.2-roll-each")
def test_advancement_for_each_use_is_faster():
    raised = odds(advance_each_use, 4, 3).chance(lambda level: level > 4)
    assert raised == Fraction(1603, 1728)
    assert odds(advance_each_use, 4, 1).chance(lambda level: level > 4) == Fraction(7, 12)
