"""A whole melee as a mechanic: the rules of the live fight, and its exact odds."""

from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.dice import load, odds
from kitchentable.rules import RuleRefuses
from kitchentable.rulesets.toast.mechanics import attack
from kitchentable.rulesets.toast.melee import Fighter, Melee, melee_turn, order_of_round, winner

OURS, THEIRS = Fighter("ours", 4, 5, 3, 2), Fighter("theirs", 4, 4, 4, 1)


@pytest.mark.rule("toast.7-init-order", "toast.7.1-init-flub", "toast.7.1-init-kick")
def test_the_highest_number_acts_first_and_a_flub_does_not_act():
    three = ((0, 4), (1, 2), (2, 6))
    assert load(order_of_round, three, faces=[3, "kick", "flub"]).outcome == (1, 0)
    assert load(order_of_round, three, faces=["flub", "flub", "flub"]).outcome == ()


@pytest.mark.rule("toast.7-init-tie")
def test_equals_throw_among_themselves():
    assert load(order_of_round, ((0, 4), (1, 2)), faces=[3, 5, 1, 9]).outcome == (1, 0)


@pytest.mark.rule("toast.7.2-attack-contest", "toast.7.3-hit-wound")
def test_one_step_is_the_round_or_one_attack():
    melee = Melee((OURS, THEIRS))
    round_one = load(melee_turn, melee, faces=[5, 3]).outcome
    assert round_one.order == (0, 1)
    missed = load(melee_turn, round_one, faces=[1, 9]).outcome
    assert (missed.order, missed.fighters) == ((1,), (OURS, THEIRS))
    felled = load(melee_turn, round_one, faces=[9, 1]).outcome
    assert winner(felled) == "ours"
    assert felled.fighters[1].left == 0


def test_the_foe_with_fewest_wounds_left_is_attacked():
    hale = Fighter("theirs", 4, 4, 4, 3)
    melee = Melee((OURS, hale, THEIRS), order=(0,))
    after = load(melee_turn, melee, faces=["kick", 5]).outcome
    assert [one.left for one in after.fighters if one.side == "theirs"] in ([3, 0], [0, 3])


def test_a_duel_of_one_wound_each_by_hand():
    """With p to hit, the first to act wins p + (1 - p)(the other first to act ...): by symmetry
    each side wins half; the rounds follow from who may act at all.
    """
    duel = kt.fight("toast", "melee", ours="4/4/4/1", theirs="4/4/4/1")
    assert duel.wins == {"ours": Fraction(1, 2), "theirs": Fraction(1, 2)}
    hit = odds(attack, 4, False, 4, False).chance(lambda one: one.hit)
    acts = Fraction(11, 12)
    # One attack where one flubs, two where nobody does: the chance that a round decides it.
    decided = 2 * acts * (1 - acts) * hit + acts**2 * (1 - (1 - hit) ** 2)
    assert duel.rounds == 1 / decided


def test_initiative_once_keeps_the_order_of_the_first_round():
    table = kt.game("toast", initiative_each_round=False)
    once = kt.fight(table, "melee", ours="9/4/4/2", theirs="1/4/4/2")
    anew = kt.fight("toast", "melee", ours="9/4/4/2", theirs="1/4/4/2")
    assert once.wins["ours"] != anew.wins["ours"]
    assert sum(once.wins.values()) == 1


@pytest.mark.parametrize(
    ("ours", "sentence"),
    [
        ("4/4/4", "'4/4/4' is no fighter"),
        ("", "at least one fighter"),
        ("4/4/4/0", "at least 1"),
        ("45x4/4/4/1", "46 fighters are more"),
        (((1, 2, 3),), "four whole numbers"),
    ],
)
def test_what_is_no_side_gets_a_sentence(ours, sentence):
    with pytest.raises(RuleRefuses, match=sentence):
        kt.fight("toast", "melee", ours=ours, theirs="4/4/4/1")
