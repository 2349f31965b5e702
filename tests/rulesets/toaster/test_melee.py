"""The fight of Toaster for forecasts: its numbers beside an attack's, its chances counted out."""

from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.dice import SeededSource
from kitchentable.fights import forecast, named, throw
from kitchentable.rules import RuleRefuses
from kitchentable.rules.combat import POLICIES
from kitchentable.rulesets.toaster.combat.attack_form import AttackForm
from kitchentable.rulesets.toaster.combat.melee import _AVERAGE, FIGHTS, _wounds_count, match, now
from kitchentable.rulesets.toaster.people import toaster
from tests.fights.people import People
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import begin, evening, fighter
from tests.rulesets.toaster.people import foe, hero

rule = pytest.mark.rule
MELEE = FIGHTS["melee"]


def start(ours, theirs, **options):
    return MELEE.start({"actions_per_round": 2} | options, ours=ours, theirs=theirs)


@pytest.mark.slow
@rule(
    *("toaster.4.actions-two", "toaster.4.initiative-ties", "toaster.4.stun-accumulate"),
    "toaster.4.initiative-penalties",
)
@pytest.mark.parametrize(
    ("ours", "theirs", "slows"),
    [
        ("6/6/6/6/4/3", "5/6/6/5/5/7", False),
        ("6/7/6/6/4/6", "2x6/5/6/8/5/1", False),
        ("6/6/6/9/2/7", "6/6/6/9/2/7", True),
    ],
)
def test_small_fights_come_to_the_fractions_of_people(ours, theirs, slows, monkeypatch):
    """With 7 stun to go somebody is 3 points slower where the option is on, with 5 it is 4."""
    monkeypatch.setattr(named, "IN_FRACTIONS", 10**6)
    fight = start(ours, theirs, initiative_penalties=slows)
    told = forecast(MELEE, fight)
    people = People(MELEE, fight, dict.fromkeys(fight.sides, POLICIES["weakest"]))
    ends, rounds = people.solve()
    wins = dict.fromkeys(fight.sides, Fraction(0))
    for healths, chance in ends.items():
        wins[people.winner(healths)] += chance
    assert (dict(told.wins), told.rounds) == (wins, rounds)
    wounds = sum(told.costs[f"wounds {side} take"] for side in fight.sides)
    assert wounds == pytest.approx(float(people.toll), rel=1e-12)


def test_counted_fights_agree_with_the_solved_one():
    fight = start("7/7/6/8/6/25", "5/5/6/6/4/15", initiative_penalties=True)
    exact, thrown = forecast(MELEE, fight), throw(MELEE, fight, 1_000, SeededSource(3))
    assert (exact.found.how, thrown.found.how) == ("floats", "thrown")
    low, high = thrown.interval("ours")
    assert low < exact.wins["ours"] < high
    wounds = "wounds theirs take"
    assert thrown.costs[wounds] == pytest.approx(exact.costs[wounds], rel=0.05)


@rule("toaster.4.attack-h2h-gate-number", "toaster.4.attack-ranged-gate", "toaster.4.shield-bonus")
@pytest.mark.parametrize(
    "mine",
    [
        {"weapons": ("saber",), "sword": 6},
        {"weapons": ("bow",), "bow": 5},
        {"weapons": (), "brawl": 5},
    ],
)
def test_a_fighter_of_the_table_has_the_numbers_of_an_attack(mine):
    one = evening()
    a = hero(one, "ana", fighter((4, 5, 4, 4), **mine))
    b = foe(one, fighter((6, 5, 4, 4), dodge=3, shield="medium", shield_skill=5), open=True)
    begin(one, 8, 5)
    one.move(GM, "harm", "", (), who=b, cause="a fall", stun=11, wounds=1)
    one.move(GM, "harm", "", (), who=a, cause="a fall", stun=0, wounds=3)
    here = MELEE.standing(one.table)
    fighters = {each.name: each for each in here.combatants}
    assert here.passes == 2
    for mine_id, their_id in ((a, b), (b, a)):
        me, them = (fighters[one.table.entities[who].name] for who in (mine_id, their_id))
        at = toaster.at(one.table, mine_id)
        case = at.fill(AttackForm, {"target": their_id}, one.actor(GM, mine_id))
        numbers = now(me.numbers, me.health), now(them.numbers, them.health)
        assert match(*numbers) == (case.attacker, case.defender, case.classes)
        assert (me.numbers.rules, me.numbers.ways) == (case.rules, case.damage_ways)


@rule("toaster.4.penalty-worst-of", "toaster.4.stun-table", "toaster.4.mortal-state")
def test_stun_and_wounds_are_one_number_where_both_count():
    """Somebody large is dazed later and wounded as soon: stun of 6 a degree, 5 a wound."""
    body = _AVERAGE._replace(degrees=((0, 0), (6, 1), (12, 2), (18, 3), (24, 4), (30, 5)))
    assert not _wounds_count(_AVERAGE, 0, 0)
    assert _wounds_count(body, 0, 0)
    assert _wounds_count(_AVERAGE, 4, 1)
    body = body._replace(follows=True)
    states = [(stun, wounds) for stun in range(30) for wounds in range(5)]
    healths = [body.health(*one) for one in states]
    assert [body.harm(health) for health in healths] == states
    assert min(healths) == 1
    assert body.health(10, 5) == body.health(30, 0) == 0
    assert (body.penalty(body.health(11, 0)), body.penalty(body.health(5, 3))) == (1, 3)
    # A hit of 5 wounds somebody unnamed once, and only stuns without a weapon.
    unnamed = start("1/1/1/1/1/25", "1/1/1/1/1/25").combatants[0].numbers
    unnamed = unnamed._replace(body=_AVERAGE._replace(unnamed=True))
    assert [MELEE.after(unnamed, 25, outcome) for outcome in (8, 10, 11, 21)] == [21, 0, 20, 0]
    assert MELEE.left(unnamed, 20) == 20
    assert body.harm(MELEE.set_left(unnamed._replace(body=body), body.health(9, 2), 11)) == (19, 2)


@rule("toaster.3.luck-before-plus2", "toaster.3.luck-start")
def test_luck_is_spent_before_attacks_where_the_table_has_it():
    lucky = kt.game("toaster", luck_points=True)
    asked = {"ours": "6/6/6/6/4/6", "theirs": "6/6/6/6/4/6", "luck": 2}
    told = kt.fight(lucky, "melee", policy={"ours": "spend at 25"}, **asked)
    assert told.wins["ours"] > 0.55
    assert 1 < told.costs["luck points ours spend"] <= 2
    assert told.costs["luck points theirs spend"] == 0
    with pytest.raises(RuleRefuses, match="luck_points"):
        kt.fight("toaster", "melee", **asked)
