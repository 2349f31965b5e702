"""Fights: rounds, initiative, turns, waiting and cutting in, movement, long actions, lengths."""

from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.dice import odds
from kitchentable.rules import RuleRefuses
from kitchentable.rulesets.toaster.combat.fights import VIEW, Fight
from kitchentable.rulesets.toaster.mechanics.initiative import coordination, initiative
from kitchentable.rulesets.toaster.people import toaster
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import (
    act,
    begin,
    evening,
    field,
    fight,
    fighter,
    left,
    parts,
    strike,
    turn,
)
from tests.rulesets.toaster.people import foe, hero

rule = pytest.mark.rule


def three(one):
    """A, B and C, who act in this order at 15, 12 and 9."""
    a = hero(one, "ana", fighter((4, 5, 4, 4), sword=6))
    b = hero(one, "ben", fighter(sword=6))
    c_ = foe(one, fighter(weapons=("club",), dodge=2), "C", open=True)
    begin(one, 10, 8, 5)
    return a, b, c_


def rest_of_round(one, a, b, c_):
    """Everybody acts when their turn comes; whose turns the rest of the round has, in order."""
    order = []
    seats = {a: "ana", b: "ben", c_: GM}
    while fight(one)["phase"] == "turns":
        order.append(turn(one))
        act(one, seats[turn(one)], turn(one))
    return order


# ---------------------------------------------------------------- initiative


@rule("toaster.4.initiative-roll")
def test_a_ten_counts_ten_and_every_round_is_rolled_anew():
    one = evening()
    mine = hero(one, "ana", fighter((4, 7, 4, 4)))
    foe(one, fighter(weapons=()), open=True)
    begin(one, 3, 1)
    assert fight(one)["fighters"][mine]["number"] == 10
    one.move(GM, "next_round")
    assert fight(one)["fighters"][mine]["status"] == "to roll"
    one.move("ana", "initiative", mine, (10,))
    assert fight(one)["fighters"][mine]["number"] == 17
    assert odds(initiative, 7).chance(lambda got: got.number == 17) == Fraction(1, 10)
    assert "rolled initiative" in one.why_not("ana", "initiative", mine)


@rule("toaster.1.dice-d10", "toaster.4.initiative-roll")
@pytest.mark.parametrize("typed", [0, "0", 10])
def test_a_typed_zero_is_the_ten_of_initiative(typed):
    one = evening()
    mine = hero(one, "ana", fighter((4, 7, 4, 4)))
    foe(one, fighter(weapons=()), open=True)
    one.move(GM, "fight")
    one.move("ana", "initiative", mine, (typed,))
    assert fight(one)["fighters"][mine]["number"] == 17
    one.move(GM, "initiative_all", "", (typed,))
    assert one.card["sides"][0]["total"] == 14


@rule("toaster.4.initiative-order", "toaster.4.actions-two", "toaster.4.round")
def test_the_list_goes_round_until_all_actions_are_used_up():
    one = evening()
    a, b, c_ = three(one)
    order = []
    seats = {a: "ana", b: "ben", c_: GM}
    while fight(one)["phase"] == "turns":
        order.append(turn(one))
        act(one, seats[turn(one)], turn(one))
    assert order == [a, b, c_, a, b, c_]
    assert "used up" in one.why_not("ana", "attack", a)
    one.answer(GM, one.ask("still_fighting"), answer="on")
    assert (fight(one)["round"], fight(one)["phase"]) == (2, "initiative")
    assert left(one, a) == 2


@rule("toaster.4.actions-two")
def test_a_third_action_needs_the_gms_leave():
    one = evening()
    a, _, _ = three(one)
    with pytest.raises(RuleRefuses):
        act(one, "ben", fight(one)["order"][1])
    act(one, "ana", a)
    assert one.why_not("ana", "act", a) == "It is not Ana's turn."
    one.move(GM, "one_more", a, why="The crowd gasps.")
    assert one.why_not("ana", "act", a) is None
    act(one, "ana", a)
    assert (left(one, a), one.why_not("ana", "act", a)) == (1, "It is not Ana's turn.")
    more = evening(actions_per_round=3)
    foe(more, fighter(), open=True)
    assert Fight.new(toaster.at(more.table), {"x": "foes"}).facts["fighters"]["x"]["left"] == 3


@rule("toaster.4.initiative-order", "toaster.4.initiative-ties")
def test_equals_by_coordination_then_by_another_die_or_the_gms_word():
    one = evening()
    a, b = hero(one, "ana", fighter((4, 5, 4, 4))), hero(one, "ben", fighter((4, 7, 4, 4)))
    one.move(GM, "fight", heroes=[a], foes=[b])
    one.move(GM, "initiative_all", "", (7, 5))
    assert fight(one)["order"] == [b, a]
    two = evening()
    a, b = hero(two, "ana", fighter()), hero(two, "ben", fighter())
    two.move(GM, "fight", heroes=[a], foes=[b])
    two.move(GM, "initiative_all", "", (7, 7, 3, 3, 2, 9))
    assert fight(two)["order"] == [b, a]
    two.move(GM, "next_round")
    two.move("ana", "initiative", a, (4,))
    two.move("ben", "initiative", b, (4,))
    assert fight(two)["phase"] == "ties"
    two.answer(GM, two.ask("initiative_tie"), (2, 6))
    assert fight(two)["order"] == [b, a]
    two.move(GM, "next_round")
    two.move("ana", "initiative", a, (4,))
    two.move("ben", "initiative", b, (4,))
    two.answer(GM, two.ask("initiative_tie"), ruling="hand", place__1=a)
    assert fight(two)["order"] == [a, b]


@rule("toaster.4.initiative-penalties")
@pytest.mark.parametrize(("on", "number"), [(False, 9), (True, 7)])
def test_being_hurt_slows_only_where_the_table_says_so(on, number):
    one = evening(initiative_penalties=on)
    mine = hero(one, "ana", fighter(), wounds=[{"n": 2}])
    foe(one, fighter(weapons=()), open=True)
    begin(one, 5, 1)
    assert fight(one)["fighters"][mine]["number"] == number


# ---------------------------------------------------------------- waiting


@rule("toaster.4.initiative-skip")
def test_who_waits_acts_whenever_they_like():
    one = evening()
    a, b, c_ = three(one)
    one.move("ana", "wait", a)
    assert turn(one) == b
    act(one, "ben", b)
    act(one, "ana", a)
    assert (turn(one), left(one, a)) == (c_, 1)
    act(one, GM, c_)
    assert turn(one) == a


@rule("toaster.4.initiative-skip-limit")
def test_a_first_action_is_lost_when_somebody_begins_a_second():
    one = evening()
    a, b, c_ = three(one)
    one.move("ana", "wait", a)
    act(one, "ben", b)
    act(one, GM, c_)
    assert (turn(one), left(one, a)) == (a, 2)
    one.move("ana", "wait", a)
    act(one, "ben", b)
    assert left(one, a) == 1
    assert one.why_not("ana", "act", a) is None
    act(one, "ana", a)
    assert left(one, a) == 0


@rule("toaster.4.initiative-skip-limit")
@pytest.mark.parametrize("begins", ["moves", "long"])
def test_a_movement_or_a_long_action_is_a_second_action_too(begins):
    one = evening(actions_per_round=3)
    a, b, c_ = three(one)
    one.move("ana", "wait", a)
    act(one, "ben", b)
    act(one, GM, c_)
    one.move("ana", "wait", a)
    if begins == "moves":
        act(one, "ben", b, "moves")
    else:
        one.roll("ben", "long_action", b, (), what="The lock", gm={"rounds": 3})
    assert (turn(one), left(one, a)) == (c_, 2)


@rule("toaster.4.initiative-skip-limit")
def test_who_has_the_turn_takes_what_was_held_back_first():
    one = evening()
    a, b, c_ = three(one)
    one.move("ana", "wait", a)
    act(one, "ben", b)
    act(one, GM, c_)
    act(one, "ana", a)
    assert (turn(one), left(one, a)) == (a, 1)
    act(one, "ana", a)
    assert (turn(one), left(one, a)) == (b, 0)


@rule("toaster.4.initiative-cut-in")
def test_cutting_in_is_settled_by_coordination_or_by_the_gm():
    one = evening()
    a, b, _ = three(one)
    assert "waited" in one.why_not("ben", "cut_in", b)
    one.move("ana", "wait", a)
    card = one.roll("ana", "cut_in", a, (3, 5))
    assert (card["outcome"], turn(one)) == ("too slow", b)
    card = one.roll("ana", "cut_in", a, (4, 5, 6, 5))
    assert (card["outcome"], turn(one)) == ("quicker", a)
    assert [side["total"] for side in card["sides"]] == [11, 9]
    act(one, "ana", a)
    assert (turn(one), left(one, a)) == (b, 1)
    assert odds(coordination, 6, 6).chance(lambda got: got[0] > got[1]) == Fraction(1, 2)
    two = evening()
    a, b, _ = three(two)
    two.move("ana", "wait", a)
    two.roll("ana", "cut_in", a, (), gm={"ruling": "goes"})
    assert turn(two) == a


def cut_in(**options):
    """A has waited, and cuts in on B."""
    one = evening(**options)
    a, b, c_ = three(one)
    one.move("ana", "wait", a)
    one.roll("ana", "cut_in", a, (), gm={"ruling": "goes"})
    return one, a, b, c_


@rule("toaster.4.initiative-cut-in", "toaster.4.actions-movement", "toaster.4.long-actions")
def test_after_a_movement_or_a_long_action_that_cut_in_the_other_goes_on():
    one, a, b, c_ = cut_in()
    act(one, "ana", a, "moves")
    assert rest_of_round(one, a, b, c_) == [b, c_, a, b, c_]
    two, a, b, c_ = cut_in()
    two.roll("ana", "long_action", a, (), what="The lock", gm={"rounds": 3})
    assert rest_of_round(two, a, b, c_) == [b, c_, b, c_]


@rule("toaster.4.initiative-cut-in")
def test_whoever_cannot_act_any_more_is_passed_over_after_a_cut_in():
    one, a, b, c_ = cut_in()
    one.move("ben", "leave", b, how="Over the wall.")
    act(one, "ana", a)
    assert (turn(one), left(one, a)) == (c_, 1)
    two, a, b, c_ = cut_in(defence_uses_action=True)
    for _ in range(2):
        two.move(GM, "one_more", c_, why="for the test")
        strike(two, c_, b, (9, 9), GM, defence="dodge")
    act(two, "ana", a)
    assert (turn(two), left(two, b)) == (c_, 0)


@rule("toaster.4.initiative-cut-in")
def test_the_other_goes_on_after_somebody_who_cut_in_leaves_the_game():
    one, a, b, c_ = cut_in()
    one.do(GM, c.ChangeEntity, entity=a, gone=True)
    assert one.why_not("ben", "act", b) is None
    act(one, "ben", b)
    assert (turn(one), left(one, b)) == (c_, 1)
    one.move(GM, "wait", c_)
    assert fight(one)["fighters"][c_]["held"] == [1]


def test_who_is_cut_in_on_after_cutting_in_waits_again():
    one = evening()
    a, b, c_ = three(one)
    one.move("ana", "wait", a)
    one.move("ben", "wait", b)
    one.roll("ana", "cut_in", a, (), gm={"ruling": "goes"})
    one.roll("ben", "cut_in", b, (), gm={"ruling": "goes"})
    act(one, "ben", b)
    assert (turn(one), left(one, b)) == (c_, 1)
    act(one, "ana", a)
    assert (turn(one), left(one, a)) == (c_, 1)


# ---------------------------------------------------------------- what an action is


@rule("toaster.4.actions-movement")
def test_moving_and_acting_comes_after_all_first_actions():
    one = evening()
    a, b, c_ = three(one)
    act(one, "ana", a, "moves")
    assert rest_of_round(one, a, b, c_) == [b, c_, a, b, c_]


@rule("toaster.4.actions-free", "toaster.4.actions-count")
def test_trifles_are_no_actions_and_the_gm_has_the_last_word():
    one = evening()
    a, b, _ = three(one)
    act(one, "ana", a, "free")
    assert (turn(one), left(one, a)) == (a, 2)
    roll = one.propose("ana", "act", a, what="I reload.", counts="free")
    one.do(GM, c.Settle, proposal=roll, answers={"counts": "action"})
    one.do("ana", c.Throw, proposal=roll)
    assert (turn(one), left(one, a)) == (b, 1)


@rule("toaster.4.actions-initiative-cost")
def test_something_quick_beforehand_costs_initiative():
    one = evening()
    a, b, _ = three(one)
    path = ("fight", "fighters", a, "number")
    one.do(GM, c.Override, path=path, now=14, reason="for the test")
    card = act(one, "ana", a, "slower")
    assert card["sentence"] == "Something. Acts at 11 from now on."
    assert (fight(one)["fighters"][a]["number"], turn(one), left(one, a)) == (11, b, 2)
    act(one, "ben", b)
    assert turn(one) == a


@rule("toaster.4.long-actions")
def test_a_long_action_bars_all_others_until_it_is_done():
    one = evening()
    a, b, _ = three(one)
    one.roll("ana", "long_action", a, (), what="The lock", gm={"rounds": 3})
    assert turn(one) == b
    assert "busy: The lock" in one.why_not("ana", "attack", a)
    for done in (1, 2):
        one.move(GM, "next_round")
        assert fight(one)["fighters"][a]["long"]["done"] == done
        one.move(GM, "initiative_all", "", (10, 8, 5))
        assert turn(one) == b
        assert "busy" in one.why_not("ana", "act", a)
    one.move(GM, "next_round")
    assert any("is done: The lock" in line["text"] for line in one.card["lines"])
    one.move(GM, "initiative_all", "", (10, 8, 5))
    assert turn(one) == a


@rule("toaster.4.long-actions-break")
@pytest.mark.parametrize(("answer", "rounds"), [("kept", 1), ("lost", 3)])
def test_breaking_off_may_lose_the_work(answer, rounds):
    one = evening()
    a, _, _ = three(one)
    one.roll("ana", "long_action", a, (), what="The lock", gm={"rounds": 3})
    for _ in range(2):
        one.move(GM, "next_round")
    one.move(GM, "initiative_all", "", (10, 8, 5))
    one.move("ana", "break_off", a)
    assert one.card["sentence"] == "Breaks off after 2 of 3 rounds: The lock."
    one.answer(GM, one.ask("long_kept"), answer=answer)
    assert one.why_not("ana", "act", a) is None
    fields = one.named("long_action").fields(one.table, one.actor("ana", a), {})
    assert next(each for each in fields if each.name == "rounds").default == rounds


@rule("toaster.4.defence-cost")
def test_where_defences_cost_actions_the_third_attack_meets_only_the_rank():
    one = evening(defence_uses_action=True)
    a, b, c_ = three(one)
    for _ in range(2):
        one.move(GM, "one_more", a, why="for the test")
    for who, seat in ((a, "ana"), (b, "ben")):
        card = strike(one, who, c_, (4, 9), seat, defence="dodge")
        assert card["outcome"] == "miss"
    assert left(one, c_) == 0
    assert field(one, "ward", a, c_).default == "gate"
    card = strike(one, a, c_, (4, 1, 9))
    assert [side["label"] for side in card["sides"]] == ["attack", "damage", "protection"]
    free = evening()
    a, b, c_ = three(free)
    strike(free, a, c_, (4, 9))
    assert left(free, c_) == 2


def test_who_falls_has_no_more_turns_and_the_gm_is_asked():
    one = evening()
    a, _, c_ = three(one)
    path = ("entities", c_, "state", "stun")
    one.do(GM, c.Override, path=path, now=24, reason="for the test")
    strike(one, a, c_, (9, 0, 9, 0))
    assert fight(one)["fighters"][c_]["status"] == "out"
    assert "Nobody of the foes" in one.ask("still_fighting").text
    one.answer(GM, one.ask("still_fighting"), answer="end", why="They flee.")
    assert one.table.fight is None
    assert one.card["sentence"] == "They flee."


@rule("toaster.4.stun-unconscious")
@pytest.mark.parametrize(
    ("move", "answers"),
    [("harm", {"cause": "A rock.", "stun": 25}), ("condition", {"condition": "unconscious"})],
)
def test_who_falls_by_the_gms_word_has_no_more_turns_either(move, answers):
    one = evening()
    a, b, c_ = three(one)
    if move == "harm":
        one.move(GM, move, who=b, **answers)
    else:
        one.move(GM, move, b, why="A spell.", **answers)
    act(one, "ana", a)
    assert (fight(one)["fighters"][b]["status"], turn(one)) == ("out", c_)


def test_joining_and_leaving():
    one = evening()
    a, b, c_ = three(one)
    late = foe(one, fighter(), "Late", open=True)
    one.move(GM, "join", late)
    assert fight(one)["fighters"][late]["status"] == "joins"
    one.move("ana", "leave", a, how="Over the wall.")
    assert turn(one) == b
    one.move(GM, "next_round")
    assert fight(one)["fighters"][late]["status"] == "to roll"
    assert fight(one)["fighters"][a]["status"] == "left"
    with pytest.raises(RuleRefuses):
        one.move(GM, "join", c_)


def test_the_tracker_tells_who_acts_and_what_runs_out():
    one = evening(stance=True)
    a, b, c_ = three(one)
    one.move("ana", "wait", a)
    one.roll("ben", "long_action", b, (), what="The lock", gm={"rounds": 3})
    view = VIEW(one.table)
    rows = {row.entity: row for row in view.rows}
    assert view.sentence == "C acts."
    assert (rows[c_].acting, rows[a].order) == (True, "15")
    assert "waits" in rows[a].status
    assert "busy: The lock" in rows[b].status
    mortal = {"fate": "dies", "rounds": 3, "stable": False}
    for fact, now in (("condition", "mortal"), ("mortality", mortal)):
        path = ("entities", c_, "state", fact)
        one.do(GM, c.Override, path=path, now=now, reason="for the test")
    row = next(row for row in VIEW(one.table).rows if row.entity == c_)
    assert "dies in 3 rounds" in row.status
    assert any("0 of 3 rounds done" in row.note for row in VIEW(one.table).rows)


# ---------------------------------------------------------------- the length of weapons

PIKE = {"id": "w1", "like": "spear", "name": "Pike"}


def duel(**options):
    one = evening(**options)
    knight = hero(one, "ana", fighter(weapons=("broadsword",), sword=9, brawl=9))
    weapons = (PIKE, {"id": "w2", "like": "dagger"})
    soldier = foe(one, fighter(weapons=weapons, spear=9, knife=9, dodge=2), open=True)
    begin(one, 9, 3)
    return one, knight, soldier


def reach(one, who, whom, arm, seat="ana"):
    found = field(one, "length", who, whom, seat, arm=arm)
    return None if found is None else int(found.default)


@rule("toaster.4.length-switch")
def test_without_the_option_length_says_nothing():
    one, knight, soldier = duel()
    assert reach(one, knight, soldier, "w1") is None
    assert "wrong distance" not in parts(strike(one, knight, soldier, (9, 9)), "attack")


@rule(
    "toaster.4.length-penalty",
    "toaster.4.length-penalty-slight",
    "toaster.4.length-shift",
    "toaster.4.length-success",
    "toaster.4.length-example",
)
def test_pike_sword_dagger_boot():
    one, knight, soldier = duel(weapon_length=True)
    assert (reach(one, knight, soldier, "w1"), reach(one, soldier, knight, "w1", GM)) == (-2, 0)
    missed = strike(one, knight, soldier, (3, 9), defence="dodge")
    assert (missed["outcome"], parts(missed, "attack")["wrong distance"]) == ("miss", -2)
    assert reach(one, knight, soldier, "w1") == -2
    one.move(GM, "one_more", knight, why="again")
    hit = strike(one, knight, soldier, (5, 0, 0, 9), defence="dodge")
    assert (hit["outcome"], one.entity(soldier).state["stun"]) == ("hit", 0)
    assert (reach(one, knight, soldier, "w1"), reach(one, soldier, knight, "w1", GM)) == (0, -2)
    one.move(GM, "one_more", soldier, why="again")
    card = one.roll(
        GM, "attack", soldier, (9, 0, 0, 9), target=knight, arm="w2", theirs={"defence": "dodge"}
    )
    assert parts(card, "attack")["wrong distance"] == -2
    assert reach(one, knight, soldier, "w1") == -2
    assert reach(one, knight, soldier, "kick") == 0
    one.move(GM, "one_more", knight, why="again")
    boot = strike(one, knight, soldier, (0, 9), arm="kick", defence="dodge")
    assert "wrong distance" not in parts(boot, "attack")
    one.move(GM, "one_more", knight, why="again")
    boot = strike(one, knight, soldier, (0, 9), arm="kick", length="-1", defence="dodge")
    assert parts(boot, "attack")["wrong distance"] == -1
    notes = VIEW(one.table).notes
    assert any("distance of a" in note for note in notes)
