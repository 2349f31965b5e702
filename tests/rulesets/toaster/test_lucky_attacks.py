"""Attacks that wait for luck: after the attack roll, after the defence roll, and then go on."""

from dataclasses import replace
from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rules import BadAnswers
from kitchentable.rulesets.toaster.combat.attacks import read_kept
from kitchentable.rulesets.toaster.people import toaster
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import ZERO, evening, fighter, parts, strike, total
from tests.rulesets.toaster.people import foe, hero

rule = pytest.mark.rule


def duel(mine=4, theirs=4, **options):
    """Ana's character against Ben's, with this many luck points."""
    one = evening(luck_points=True, **options)
    a = hero(one, "ana", fighter((4, 4, 4, 4), sword=6), luck=mine) if mine != 4 else None
    a = a or hero(one, "ana", fighter(sword=6))
    b = hero(one, "ben", fighter(sword=6), luck=theirs) if theirs != 4 else None
    return one, a, b or hero(one, "ben", fighter(sword=6))


def luck(one, who):
    return one.entity(who).state["luck"]


def attack(one, a, b, *faces, **answers):
    """An attack up to where it stops."""
    roll = one.propose("ana", "attack", a, target=b, **answers)
    one.do("ben", c.Settle, proposal=roll, answers={"defence": "parry:w1"})
    one.do(GM, c.Settle, proposal=roll)
    one.do("ana", c.Throw, faces, proposal=roll)
    return one.card


@rule("toaster.3.luck-after-plus1", "toaster.4.attack-five-steps")
def test_it_stops_after_each_roll_and_goes_on_by_itself():
    one, a, b = duel()
    card = attack(one, a, b, 5)
    assert (card["sentence"], total(card, "attack")) == ("It could still be bettered.", 11)
    assert one.ask("attack_luck").to == (f"owner:{a}",)
    assert "is not settled yet" in one.why_not("ana", "attack", a)
    one.answer("ana", one.ask("attack_luck"), (5,), use="add", points=2)
    assert (luck(one, a), total(one.card, "attack"), total(one.card, "defence")) == (2, 13, 11)
    one.answer("ben", one.ask("defence_luck"), (8, 1), use="stand")
    card = one.card
    assert (card["outcome"], parts(card, "attack")["luck"]) == ("hit", 2)
    assert (total(card, "damage"), total(card, "protection")) == (13, 3)
    assert one.entity(b).state["stun"] == 10
    assert one.asks("attack_luck") == one.asks("defence_luck") == []


@rule("toaster.3.luck-after-plus1", "toaster.4.attack-five-steps")
def test_an_attack_that_waits_goes_on_without_its_weapon():
    one, a, b = duel()
    attack(one, a, b, 5)
    assert "is not settled yet" in one.why_not("ana", "carry", a)
    path = ("entities", a, "state", "dropped")
    one.do(GM, c.Override, path=path, now={"w1": "feet"}, reason="a blow on the wrist")
    one.answer("ana", one.ask("attack_luck"), (4,), use="stand")
    one.answer("ben", one.ask("defence_luck"), (8, 1), use="stand")
    assert (one.card["outcome"], parts(one.card, "damage")) == ("hit", {"WC": 5})


@rule("toaster.3.luck-after-plus1")
def test_luck_on_the_defence_can_make_it_hold():
    one, a, b = duel()
    attack(one, a, b, 5)
    one.answer("ana", one.ask("attack_luck"), (4,), use="stand")
    one.answer("ben", one.ask("defence_luck"), use="add", points=1)
    assert (one.card["outcome"], luck(one, b), one.entity(b).state["stun"]) == ("miss", 3, 0)


def test_a_defence_that_holds_asks_nobody():
    one, a, b = duel()
    attack(one, a, b, 5)
    one.answer("ana", one.ask("attack_luck"), (5,), use="stand")
    assert one.asks("defence_luck") == []
    assert one.card["outcome"] == "miss"


@rule("toaster.3.luck-reroll")
def test_four_points_throw_again_and_the_last_ones_leave_only_going_on():
    one, a, b = duel()
    attack(one, a, b, 1)
    one.answer("ana", one.ask("attack_luck"), (9,), use="again")
    assert luck(one, a) == 0
    ask = one.ask("attack_luck")
    assert "No luck is left" in ask.text
    one.answer("ana", ask, (1,), use="stand")
    assert (total(one.card, "attack"), total(one.card, "defence")) == (15, 7)


@rule("toaster.3.luck-before-plus2")
def test_points_put_on_it_before_count_double_and_are_gone():
    one, a, b = duel()
    card = attack(one, a, b, 5, luck=2)
    assert (parts(card, "attack")["luck"], total(card, "attack"), luck(one, a)) == (4, 15, 2)


@rule("toaster.3.luck-before-plus2")
def test_a_defenders_points_are_spent_only_when_the_defence_is_rolled():
    one, a, b = duel()
    for face, faces, left in ((0, (), 4), (5, (5,), 2)):
        roll = one.propose("ana", "attack", a, target=b)
        answers = {"defence": "parry:w1", "defence_luck": 2}
        one.do("ben", c.Settle, proposal=roll, answers=answers)
        one.do(GM, c.Settle, proposal=roll)
        one.do("ana", c.Throw, (face,), proposal=roll)
        one.answer("ana", one.ask("attack_luck"), faces, use="stand")
        assert luck(one, b) == left
    assert parts(one.card, "defence")["luck"] == 4


@rule("toaster.3.luck-after-zero")
def test_luck_after_a_zero_makes_nothing_good_but_throwing_again_does():
    one, a, b = duel(rolling_zeros=True)
    attack(one, a, b, ZERO, ZERO)
    one.answer("ana", one.ask("attack_luck"), use="add", points=4)
    assert (one.card["outcome"], total(one.card, "attack")) == ("fumble", 10)
    two, a, b = duel(rolling_zeros=True)
    attack(two, a, b, ZERO, 1)
    two.answer("ana", two.ask("attack_luck"), (9,), use="again")
    two.answer("ana", two.ask("attack_luck"), (1,), use="stand")
    assert total(two.card, "attack") == 15


@rule("toaster.3.luck-after-zero", "toaster.3.luck-reroll")
def test_nobody_is_asked_for_luck_that_cannot_help():
    """A 0 takes four points; with fewer, or with none left after another 0, it stands."""
    one, a, b = duel(mine=3, rolling_zeros=True)
    card = attack(one, a, b, ZERO, ZERO)
    assert (card["outcome"], luck(one, a), one.asks("attack_luck")) == ("fumble", 3, [])
    two, a, b = duel(mine=7, rolling_zeros=True)
    attack(two, a, b, ZERO, 1)
    two.answer("ana", two.ask("attack_luck"), (ZERO, 9), use="again")
    assert (two.card["outcome"], luck(two, a), two.asks("attack_luck")) == ("miss", 3, [])


@rule("toaster.4.attack-h2h-gate")
def test_luck_can_carry_an_attack_through_the_gate():
    one, a, b = duel()
    attack(one, a, b, ZERO)
    one.answer("ana", one.ask("attack_luck"), (1,), use="add", points=1)
    assert (total(one.card, "attack"), total(one.card, "defence")) == (7, 7)
    two, a, b = duel()
    attack(two, a, b, ZERO)
    two.answer("ana", two.ask("attack_luck"), use="stand")
    assert [side["label"] for side in two.card["sides"]] == ["attack"]


def test_only_the_defender_has_luck():
    one = evening(luck_points=True)
    theirs = foe(one, fighter(sword=6), open=True, state={"luck": 0})
    b = hero(one, "ben", fighter(sword=6))
    card = one.roll(GM, "attack", theirs, (9, 1), target=b, theirs={"defence": "parry:w1"})
    assert [side["label"] for side in card["sides"]] == ["attack", "defence"]
    one.answer("ben", one.ask("defence_luck"), (5, 1), use="stand")
    assert one.card["outcome"] == "hit"


def test_without_luck_all_of_it_is_one_throw():
    one = evening(luck_points=True)
    a = hero(one, "ana", fighter(sword=6), luck=0)
    theirs = foe(one, fighter(sword=6), open=True, state={"luck": 0})
    card = strike(one, a, theirs, (9, 1, 5, 1), defence="parry:w1")
    assert len(card["sides"]) == 4


def test_the_odds_told_are_those_of_the_whole_attack():
    one, a, b = duel()
    attack(one, a, b, 5)
    thrown = next(e for e in reversed(one.campaign.events) if e.data.get("odds_sentence"))
    move, actor = one.named("attack"), one.actor("ana", a)
    assert "hits in 45 %" in thrown.data["odds_sentence"]
    quiet = evening()
    a, b = hero(quiet, "ana", fighter(sword=6)), hero(quiet, "ben", fighter(sword=6))
    move, actor = quiet.named("attack"), quiet.actor("ana", a)
    asked = move.question(quiet.table, actor, {"target": b, "defence": "parry:w1"})
    solved = asked.solve()
    assert 1 - solved["miss"] == Fraction(9, 20)


def test_an_attack_taken_back_gives_the_luck_back():
    one, a, b = duel()
    attack(one, a, b, 5, luck=1)
    assert luck(one, a) == 3
    one.do(GM, c.Undo, number=one.last.number)
    assert (luck(one, a), one.asks("attack_luck")) == (4, [])


#: Rolls as records have kept them from the first on: die, total, whether it passes (or a zero has
#: spoilt it), fumble, and the total of the roll that a zero calls for.
AT_A_FUMBLE = {"attack": [8, 15, True, False, None], "defence": [0, 6, True, True, 6]}
AFTER_ZEROS = (
    ((ZERO, 1), {"attack": [0, 6, False, False, 7], "defence": None}),
    ((ZERO, ZERO), {"attack": [0, 6, False, True, 6], "defence": None}),
)


def kept(one, move):
    return one.ask(move).preset["kept"]


@rule("toaster.3.luck-after-plus1", "toaster.3.zeros-opposed")
@pytest.mark.parametrize(("faces", "as_kept"), AFTER_ZEROS)
def test_an_attack_that_waits_is_kept_as_it_always_was(faces, as_kept):
    one, a, b = duel(rolling_zeros=True)
    attack(one, a, b, *faces)
    plain = kept(one, "attack_luck")
    assert {name: plain[name] for name in as_kept} == as_kept
    assert (plain["one"], plain["other"]) == ([6, 6, False, False], [6, True, False])
    assert read_kept(toaster.at(one.table), plain).plain() == plain


def test_a_fumbled_defence_that_waits_is_kept_as_it_always_was():
    one, a, b = duel(rolling_zeros=True)
    attack(one, a, b, 8)
    one.answer("ana", one.ask("attack_luck"), (ZERO, ZERO), use="add", points=1)
    plain = kept(one, "defence_luck")
    assert {name: plain[name] for name in AT_A_FUMBLE} == AT_A_FUMBLE
    assert plain["luck"] == [1, 0]
    again = read_kept(toaster.at(one.table), plain)
    assert (again.defense.fumble, again.defense.spoilt) == (True, True)
    assert again.plain() == plain
    saved = {**plain, "defence": [0, 6, True, False, 15]}
    assert read_kept(toaster.at(one.table), saved).plain() == saved


# ---------------------------------------------------------------- luck on the damage


def hit(one, a, b):
    """An attack of Ana's that has hit for 12 against 3, and waits for luck on the damage."""
    attack(one, a, b, 5)
    one.answer("ana", one.ask("attack_luck"), (1,), use="stand")
    one.answer("ben", one.ask("defence_luck"), (7, 1), use="stand")
    return one.ask("damage_luck")


@rule("toaster.3.luck-which-rolls", "toaster.3.luck-after-plus1")
def test_points_can_be_added_to_a_damage_roll_that_has_fallen():
    one, a, b = duel(luck_on_damage=True)
    ask = hit(one, a, b)
    assert (ask.to, "The damage comes to 12." in ask.text) == ((f"owner:{a}",), True)
    assert (total(one.card, "damage"), one.entity(b).state["stun"]) == (12, 0)
    one.answer("ana", ask, use="add", points=3)
    assert (total(one.card, "damage"), parts(one.card, "damage")["luck"]) == (15, 3)
    assert (one.entity(b).state["stun"], luck(one, a)) == (12, 1)


@rule("toaster.3.luck-which-rolls", "toaster.3.luck-reroll")
def test_four_points_throw_the_damage_again():
    one, a, b = duel(mine=6, luck_on_damage=True)
    one.answer("ana", hit(one, a, b), (9,), use="again")
    assert luck(one, a) == 2
    one.answer("ana", one.ask("damage_luck"), use="stand")
    assert (total(one.card, "damage"), one.entity(b).state["stun"]) == (14, 11)
    assert one.asks() == []


@rule("toaster.3.luck-which-rolls")
def test_without_the_option_nobody_is_asked_about_damage():
    one, a, b = duel()
    attack(one, a, b, 5)
    one.answer("ana", one.ask("attack_luck"), (1,), use="stand")
    one.answer("ben", one.ask("defence_luck"), (7, 1), use="stand")
    assert (one.card["sentence"], one.asks()) == ("A hit.", [])


@rule("toaster.3.luck-which-rolls", "toaster.3.call4-damage")
def test_damage_that_was_called_cannot_be_thrown_again():
    one, a, b = duel(luck_on_damage=True, calling_fours=True)
    attack(one, a, b, 5, damage_called=True)
    one.answer("ana", one.ask("attack_luck"), (1,), use="stand")
    one.answer("ben", one.ask("defence_luck"), (1,), use="stand")
    ask = one.ask("damage_luck")
    fields = one.named("damage_luck").fields(
        one.table, replace(one.actor("ana", a), ask=ask.id), {}
    )
    assert [way.value for way in fields[0].choices] == ["stand", "add"]


@rule("toaster.3.luck-limits")
def test_luck_on_both_rolls_that_is_not_there_is_refused_before_others_are_asked():
    one, a, b = duel(luck_on_damage=True)
    with pytest.raises(BadAnswers, match="Ana has 4 luck points left"):
        one.propose("ana", "attack", a, target=b, luck=3, damage_luck=2)
    assert not one.campaign.tree["proposals"]
    assert one.propose("ana", "attack", a, target=b, luck=2, damage_luck=2)
