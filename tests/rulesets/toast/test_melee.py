"""Toast's fight for forecasts: its rolls, and agreement with live play."""

from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.dice import load, odds
from kitchentable.rules import Battle, Combatant, RuleRefuses
from kitchentable.rulesets.toast.mechanics import attack
from kitchentable.rulesets.toast.melee import FIGHTS, Levels, turn, turn_again, wounds

MELEE = FIGHTS["melee"]
ONE, OTHER = Levels(4, 5, 3), Levels(2, 4, 4)


@pytest.mark.rule("toast.7-init-order", "toast.7.1-init-flub", "toast.7.1-init-kick")
def test_the_number_of_a_turn_is_the_die_and_the_level_and_a_flub_has_none():
    assert [load(turn, ONE, faces=[face]).outcome for face in (3, "kick", "flub")] == [7, 16, None]


@pytest.mark.rule("toast.7-init-tie")
def test_among_equals_a_flub_comes_last():
    faces = (3, "kick", "flub")
    assert [load(turn_again, ONE, faces=[face]).outcome for face in faces] == [7, 16, 0]


@pytest.mark.rule("toast.7.2-attack-contest", "toast.7.3-hit-wound")
def test_a_hit_is_one_wound():
    assert load(wounds, ONE, OTHER, faces=[5, 5]).outcome == 1
    assert load(wounds, ONE, OTHER, faces=[5, 6]).outcome == 0
    assert MELEE.after(OTHER, 3, 1) == 2


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
    assert duel.lengths.over_by(2) == pytest.approx(float(1 - (1 - decided) ** 2), rel=1e-12)


def test_the_fight_of_the_book_is_these_very_fractions():
    told = kt.fight("toast", "melee", ours="5/6/4/4", theirs="2x2/3/3/1")
    assert told.wins["ours"] == Fraction(
        7498679888732693379770174577122298701054455540849,
        7989526309680406178643722770734071809956326724249,
    )
    assert str(told.found) == "Exact: fractions over 48 states."


def test_who_had_no_number_comes_last_where_the_first_order_stays():
    """A sure first actor who flubs in the first round acts second from then on, as at the table."""
    table = kt.game("toast", initiative_each_round=False)
    once = kt.fight(table, "melee", ours="90/90/4/1", theirs="1/4/90/1")
    anew = kt.fight("toast", "melee", ours="90/90/4/1", theirs="1/4/90/1")
    assert once.wins["ours"] != anew.wins["ours"]
    assert sum(once.wins.values()) == 1


def test_a_list_of_numbers_is_a_side_too():
    options = kt.game("toast").options
    battle = MELEE.start(options, ours=[(5, 6, 4, 4)], theirs="2x2/3/3/1")
    ours = Combatant("ours", (5, 6, 4), 4, "5/6/4/4")
    theirs = Combatant("theirs", (2, 3, 3), 1, "2/3/3/1")
    assert battle == Battle((ours, theirs, theirs), anew=True)


@pytest.mark.parametrize(
    ("ours", "sentence"),
    [
        ("4/4/4", "'4/4/4' is not a fighter"),
        ("", "at least one fighter"),
        ("4/4/4/0", "at least 1"),
        ("45x4/4/4/1", "46 fighters are too many"),
        (((1, 2, 3),), "four whole numbers"),
    ],
)
def test_what_is_no_side_gets_a_sentence(ours, sentence):
    with pytest.raises(RuleRefuses, match=sentence):
        kt.fight("toast", "melee", ours=ours, theirs="4/4/4/1")
