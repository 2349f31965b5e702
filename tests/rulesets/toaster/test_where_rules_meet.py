"""Chapter 3 with the other rules: damage, thrown weapons, luck in attacks; rolls by name."""

from fractions import Fraction

import pytest

from kitchentable.dice import load
from kitchentable.rules import RuleRefuses
from kitchentable.rules.library import Playable
from kitchentable.rulesets.toaster import game as toaster
from kitchentable.rulesets.toaster.mechanics.attack import after_defense_roll
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.stars import PLAIN, Extended
from kitchentable.rulesets.toaster.mechanics.to_hit import Attacker, Defender, Rules, to_hit
from kitchentable.rulesets.toaster.options import Options
from tests.rulesets.driver import GM
from tests.rulesets.toaster.doing import evening, fields, hero
from tests.rulesets.toaster.fighting import (
    act,
    begin,
    choices,
    fighter,
    landed,
    left,
    pair,
    parts,
    strike,
)
from tests.rulesets.toaster.fighting import (
    evening as fighting,
)
from tests.rulesets.toaster.fighting import (
    field as attack_field,
)
from tests.rulesets.toaster.people import person

rule = pytest.mark.rule
NINES = {"rolling_nines": True}


def opened(**options):
    return Playable(toaster, {**toaster.defaults(), **options})


@rule("toaster.3.nines-scope")
def test_nines_are_for_all_dice_that_are_added_or_for_actions_only():
    everywhere, only = Options(NINES), Options({**NINES, "nines_scope": "actions-only"})
    for scope in ("damage", "protection", "healing", "mortality"):
        assert everywhere.extended(scope).nines == 1
    assert (only.extended().nines, only.extended("damage").nines) == (1, 0)
    faces = {1: [9, 4, 0], 0: [9, 0]}
    totals = {
        nines: load(
            after_defense_roll,
            landed(),
            Classes(5, 0),
            Ways(damage=Extended(nines)),
            faces=faces[nines],
        ).outcome.damage
        for nines in (1, 0)
    }
    assert totals == {1: 18, 0: 14}


@rule("toaster.3.zeros-scope")
def test_a_zero_in_damage_or_protection_is_just_nothing():
    zeros = Options({"rolling_zeros": True})
    assert zeros.extended().zeros
    assert zeros.extended("healing").zeros
    assert not any(zeros.extended(of).zeros for of in ("damage", "protection", "mortality"))
    ways = Ways(damage=zeros.extended("damage"), protection=zeros.extended("protection"))
    assert (
        load(after_defense_roll, landed(), Classes(6, 3), ways, faces=[4, 0]).outcome.net == 10 - 3
    )


@rule("toaster.3.call4-damage", "toaster.3.call4-before")
def test_damage_and_protection_can_be_called():
    called = Classes(6, 3, damage_called=True, protection_called=True)
    assert load(after_defense_roll, landed(), called, faces=[]).outcome.net == 3
    on = Options({"calling_fours": True})
    assert on.may_call("damage")
    assert on.may_call("protection")
    assert not any(on.may_call(of) for of in ("mortality", "healing", "luck"))
    assert Options({"calling_fours": True, "fours_mortality": True}).may_call("mortality")
    one = fighting(calling_fours=True)
    ana, thug = pair(one)
    assert attack_field(one, "damage_called", ana, thug) is not None
    off = fighting()
    assert attack_field(off, "damage_called", *pair(off)) is None


@rule("toaster.3.marginal-combat")
def test_a_marginal_hit_lands_with_half_the_damage():
    bands = Rules(PLAIN, bands=True)
    ahead = load(to_hit, Attacker(7, gate=6), Defender(6), bands, faces=[5, 5]).outcome
    assert (ahead.hit, ahead.band, ahead.margin) == (True, "marginal", 1)
    assert (
        load(after_defense_roll, landed("marginal"), Classes(10, 3), faces=[5, 5]).outcome.taken
        == 3
    )
    assert not load(to_hit, Attacker(7, gate=6), Defender(6), bands, faces=[5, 6]).outcome.hit
    wide = Rules(PLAIN, bands=True, wide=True)
    even = load(to_hit, Attacker(7, gate=6), Defender(6), wide, faces=[5, 6]).outcome
    assert (even.hit, even.band) == (True, "marginal")


@rule("toaster.3.luck-which-rolls")
@pytest.mark.parametrize("allowed", [False, True])
def test_luck_is_for_actions_and_for_damage_only_where_allowed(allowed):
    one = fighting(luck_points=True, luck_on_damage=allowed)
    ana, thug = pair(one)
    assert attack_field(one, "luck", ana, thug) is not None
    assert (attack_field(one, "damage_luck", ana, thug) is not None) is allowed


@rule("toaster.2.skill-throw-scope")
def test_what_is_thrown_is_thrown_with_throw():
    one = fighting()
    ana, thug = pair(one, fighter(weapons=("dagger",), knife=6, throw=4))
    thrown = next(key for key in choices(one, "arm", ana, thug) if key.endswith(":thrown"))
    card = strike(one, ana, thug, (1,), arm=thrown)
    assert parts(card, "attack") == {"Throw": 4}


@rule("toaster.3.which-skill")
def test_the_gm_puts_the_fitting_skill_in_the_place_of_the_one_proposed():
    one = evening()
    ana = hero(one, "ana", climb=7, ride=3)
    on = next(f for f in fields(one, "task", ana) if f.name == "on")
    assert (on.set_by, on.needs_yes) == ("actor", True)
    card = one.roll("ana", "task", ana, (6,), gm={"on": "skill:ride"}, on="skill:climb")
    assert card["title"] == "Ride"


# ---------------------------------------------------------------- the rolls by name


def test_tasks_and_contests_by_name():
    plain = opened()
    assert plain.odds("task", rank=6, difficulty="very difficult").chance(
        lambda one: one.succeeds
    ) == Fraction(3, 10)
    even = plain.odds("opposed", rank=6, other_rank=6)
    assert even.chance(lambda one: one.winner == 0) == Fraction(9, 20)
    assert str(plain.roll("opposed", rank=6, other_rank=6, faces=[0, 4]).outcome) == (
        "second wins, 6 to 10"
    )
    assert plain.roll("together", ranks="6,4,5", faces=[2, 8, 5]).outcome.total == 14
    assert plain.roll("contest", ranks=[5, 6, 7], faces=[6, 4, 2]).outcome.winner == 0
    assert plain.odds("do_over", rank=6, other_rank=5)[0] == Fraction(55, 91)
    assert plain.odds("luck", aura=7, difficulty=-2).chance(lambda one: one.succeeds) == (
        Fraction(1, 2)
    )


@rule("toaster.3.nines-hard-tasks")
def test_the_tables_options_count_by_name_too():
    hard = opened(rolling_nines=True).odds("task", rank=4, difficulty=-6)
    assert hard.chance(lambda one: one.succeeds) == Fraction(7, 100)
    endless = opened(rolling_nines=True, nines_limit=0)
    assert endless.odds("star").at_least(18) == Fraction(1, 100)
    lucky = opened(luck_points=True)
    assert lucky.roll("task", rank=4, luck=2, faces=[2]).outcome.total == 10


@pytest.mark.parametrize(
    ("name", "named", "words"),
    [
        ("task", {"rank": "six"}, "whole number"),
        ("task", {"rank": 6, "difficulty": "nasty"}, "no difficulty 'nasty'"),
        ("task", {"rank": 6, "called": True}, "calling_fours"),
        ("task", {"rank": 6, "called": "yes"}, "True or False"),
        ("task", {"rank": 6, "luck": 1}, "has no luck points"),
        ("contest", {"ranks": "6"}, "2 to 12 numbers"),
        ("together", {"ranks": "6, x"}, "whole number"),
    ],
)
def test_what_cannot_be_asked_by_name(name, named, words):
    with pytest.raises(RuleRefuses, match=words):
        opened().roll(name, **named)


@rule("toaster.4.actions-two", "toaster.4.actions-count")
def test_an_attack_that_waits_is_settled_before_the_next_action_and_the_next_round():
    one = fighting(variable_outcomes=True)
    ana, foe_ = pair(one, fighter(sword=10), fighter(weapons=(), dodge=2))
    begin(one, 9, 1)
    strike(one, ana, foe_, (9, 0, 5, 0))
    words = "An attack of Ana's is not settled yet."
    assert one.why_not("ana", "act", ana) == words
    with pytest.raises(RuleRefuses, match=words):
        one.move(GM, "next_round")
    one.answer(GM, one.ask("critical_hit"), bonus=0)
    act(one, GM, foe_)
    act(one, "ana", ana)
    assert left(one, ana) == 0


@rule("toaster.4.stance-3", "toaster.4.stance-timing", "toaster.4.range-reduction")
def test_stances_and_an_aim_end_with_the_fight():
    one = fighting(stance=True)
    ana, _ = pair(one, fighter(weapons=("bow",), bow=6))
    begin(one, 9, 1)
    one.roll("ana", "all_out", ana, (), kind="defence")
    one.move("ana", "aim", ana)
    one.move(GM, "end_fight")
    begin(one, 9, 1)
    now = person(one.entity(ana), one.table)
    assert (now.all_out, now.aim, one.why_not("ana", "attack", ana)) == ({}, 0, None)
