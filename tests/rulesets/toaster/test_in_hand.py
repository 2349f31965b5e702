"""Weapons at hand: drawn and thrown ones, useless limbs, fighting from the ground."""

import pytest

from kitchentable.campaign import commands as c
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import (
    begin,
    choices,
    evening,
    field,
    fight,
    fighter,
    left,
    pair,
    parts,
    strike,
)
from tests.rulesets.toaster.hurting import put, wounded
from tests.rulesets.toaster.people import foe, hero, person

rule = pytest.mark.rule
BOTH = ("saber", "spear")


def reach(one, who, whom, arm):
    return int(field(one, "length", who, whom, arm=arm).default)


# ---------------------------------------------------------------- drawn, carried, thrown


@rule("toaster.4.defence-h2h")
def test_what_is_merely_carried_does_not_parry_until_it_is_drawn():
    one = evening()
    mine, theirs = pair(one, theirs=fighter(weapons=("club", "dagger"), dodge=3))
    assert choices(one, "defence", mine, theirs) == ["dodge", "parry:w1"]
    one.move(GM, "ready", theirs, drawn=["w2"])
    assert one.card["sentence"] == "Holds Dagger."
    assert choices(one, "defence", mine, theirs) == ["dodge", "parry:w2"]
    one.move(GM, "ready", theirs, drawn=[])
    assert one.card["sentence"] == "Holds nothing."
    assert choices(one, "defence", mine, theirs) == ["dodge"]


@rule("toaster.4.crit-a", "toaster.2.creation-possessions")
def test_what_became_of_one_weapon_says_nothing_about_another_that_takes_its_place():
    one = evening()
    ana = hero(one, "ana", fighter(weapons=({"like": "dagger"}, {"like": "saber"})))
    put(one, ana, dropped={"w1": "broken"})
    fields = one.named("carry").fields(one.table, one.actor("ana", ana), {})
    broken, saber = next(each.default for each in fields if each.name == "weapons")
    one.move("ana", "carry", ana, weapons=[{"like": "dagger"}, saber])
    new = person(one.entity(ana), one.table).arms[0]
    assert (new.name, broken["id"], new.key != "w1") == ("Dagger", "w1", True)
    one.move("ana", "carry", ana, weapons=[saber])
    assert person(one.entity(ana), one.table).arms[0].name == "Saber"


@rule("toaster.4.crit-a", "toaster.2.creation-possessions")
def test_another_shield_is_not_broken_like_the_one_before():
    one = evening()
    ana = hero(one, "ana", fighter(shield="small"))
    put(one, ana, dropped={"shield": "broken", "w1": "feet"})
    one.move("ana", "carry", ana, shield="large")
    assert one.entity(ana).state["dropped"] == {"w1": "feet"}
    assert person(one.entity(ana), one.table).shield[1] == 3


@rule("toaster.4.defence-h2h")
def test_who_strikes_with_another_weapon_has_drawn_it():
    one = evening()
    mine, theirs = pair(one, theirs=fighter(weapons=("club", "dagger"), dodge=3, knife=5))
    one.roll(GM, "attack", theirs, (0, 9), target=mine, arm="w2", theirs={"defence": "dodge"})
    assert one.entity(theirs).state["drawn"] == ["w2"]
    assert choices(one, "defence", mine, theirs) == ["dodge", "parry:w2"]
    one.roll(GM, "attack", theirs, (0,), target=mine, arm="kick", theirs={"defence": "dodge"})
    assert one.entity(theirs).state["drawn"] == ["w2"]


@rule("toaster.4.crit-a", "toaster.4.defence-h2h")
def test_who_has_lost_a_weapon_holds_no_other_before_it_is_drawn():
    one = evening()
    mine, theirs = pair(one, theirs=fighter(weapons=("club", "dagger"), dodge=3))
    path = ("entities", theirs, "state", "dropped")
    one.do(GM, c.Override, path=path, now={"w1": "feet"}, reason="for the test")
    assert choices(one, "defence", mine, theirs) == ["dodge"]
    one.move(GM, "ready", theirs, drawn=["w2"])
    assert choices(one, "defence", mine, theirs) == ["dodge", "parry:w2"]


@rule("toaster.4.crit-a")
def test_a_shield_that_is_lost_is_told_by_its_name():
    one = evening()
    _, theirs = pair(one, theirs=fighter(weapons=("club",), dodge=3, shield="medium"))
    path = ("entities", theirs, "state", "dropped")
    one.do(GM, c.Override, path=path, now={"shield": "feet"}, reason="for the test")
    tags = [tag.text for tag in one.game.sheet.summary(one.table, one.entity(theirs)).tags]
    assert any(text.startswith("Medium shield ") for text in tags), tags


@rule("toaster.4.actions-count")
@pytest.mark.parametrize(("counts", "actions"), [("action", 1), ("free", 2)])
def test_drawing_is_an_action_unless_the_gm_calls_it_a_trifle(counts, actions):
    one = evening()
    mine, _ = pair(one, fighter(weapons=BOTH, sword=6))
    begin(one, 10, 1)
    one.roll("ana", "ready", mine, (), drawn=["w2"], gm={"counts": counts})
    assert left(one, mine) == actions


@rule("toaster.4.spear-two-values", "toaster.4.wc-muscle-flags")
def test_a_thrown_weapon_has_left_the_hand_until_it_is_fetched():
    one = evening()
    mine, theirs = pair(one, fighter(weapons=("spear",), spear=6, throw=6))
    assert "parry:w1" in choices(one, "defence", theirs, mine)
    card = strike(one, mine, theirs, (0,), arm="w1:thrown", defence="dodge")
    assert "Spear has left the hand." in [line["text"] for line in card["lines"]]
    assert choices(one, "arm", mine, theirs) == ["bare-fist", "kick"]
    assert "parry:w1" not in choices(one, "defence", theirs, mine)
    one.move("ana", "recover", mine, what="weapon:w1")
    assert choices(one, "arm", mine, theirs)[:2] == ["w1", "w1:thrown"]


# ---------------------------------------------------------------- limbs of no use


@rule("toaster.4.hitloc-limb")
def test_a_useless_sword_arm_neither_strikes_nor_parries():
    one = evening(hit_location=True)
    mine = hero(one, "ana", fighter(sword=6), wounds=wounded(3, "right-arm"))
    theirs = foe(one, fighter(), open=True)
    assert choices(one, "arm", mine, theirs) == ["bare-fist", "kick"]
    assert "parry:w1" not in choices(one, "defence", theirs, mine)
    one.roll("ana", "ready", mine, (), drawn=["w1"], sword_arm="left-arm")
    assert choices(one, "arm", mine, theirs)[0] == "w1"
    assert "parry:w1" in choices(one, "defence", theirs, mine)


@rule("toaster.4.hitloc-limb")
@pytest.mark.parametrize(("wounds", "guards"), [(2, True), (3, False)])
def test_a_useless_shield_arm_does_not_guard(wounds, guards):
    one = evening(hit_location=True)
    built = fighter(shield="small", sword=6)
    mine = hero(one, "ana", built, wounds=wounded(wounds, "left-arm"))
    theirs = foe(one, fighter(), open=True)
    assert ("shield" in choices(one, "defence", theirs, mine)) is guards
    assert choices(one, "arm", mine, theirs)[0] == "w1"


@rule("toaster.4.hitloc-limb")
def test_a_kick_takes_both_legs_and_a_fist_one_arm():
    one = evening(hit_location=True)
    rows = [*wounded(3, "left-leg"), *wounded(1, "right-arm")]
    mine = hero(one, "ana", fighter(weapons=()), wounds=rows)
    theirs = foe(one, fighter(), open=True)
    assert choices(one, "arm", mine, theirs) == ["bare-fist"]


# ---------------------------------------------------------------- lengths


@rule("toaster.4.length-penalty", "toaster.4.length-penalty-slight")
def test_only_what_is_drawn_keeps_people_at_its_distance():
    one = evening(weapon_length=True)
    mine, theirs = pair(one, fighter(weapons=BOTH, sword=6), fighter(weapons=BOTH, dodge=5))
    begin(one, 10, 1)
    assert (reach(one, mine, theirs, "w1"), reach(one, mine, theirs, "w2")) == (0, -2)
    one.move(GM, "ready", theirs, drawn=["w2"], counts="free")
    assert (reach(one, mine, theirs, "w1"), reach(one, mine, theirs, "w2")) == (-2, 0)


@rule("toaster.4.length-penalty-slight", "toaster.4.length-example")
def test_roughly_equal_lengths_are_ignored_unless_the_gm_says_otherwise():
    one = evening(weapon_length=True)
    soldier = fighter(weapons=("dagger",), dodge=5)
    mine, theirs = pair(one, fighter(sword=6, brawl=6), soldier)
    begin(one, 10, 1)
    fight(one)["distances"]["|".join(sorted((mine, theirs)))] = {"reach": 1, "weapon": "Dagger"}
    assert reach(one, mine, theirs, "kick") == 0
    assert [each.value for each in field(one, "length", mine, theirs, arm="kick").choices] == [
        "0", "-1", "-2",
    ]  # fmt: skip
    assert reach(one, mine, theirs, "w1") == -2


# ---------------------------------------------------------------- on the ground


PRONE = [{"id": "prone", "name": "on the ground", "value": 0, "scope": "all"}]


@rule("toaster.4.crit-b")
def test_who_is_on_the_ground_attacks_and_defends_worse_until_they_are_up():
    one = evening()
    mine, theirs = pair(one, fighter(sword=8, dodge=5))
    path = ("entities", mine, "state", "effects")
    one.do(GM, c.Override, path=path, now=PRONE, reason="for the test")
    card = strike(one, mine, theirs, (1, 9), defence="dodge")
    assert parts(card, "attack")["on the ground"] == -2
    card = strike(one, mine, theirs, (1, 9), defence="dodge", prone_attack=0)
    assert "on the ground" not in parts(card, "attack")
    hit = {"target": mine, "arm": "kick", "prone_defence": -4}
    card = one.roll(GM, "attack", theirs, (9, 9, 0, 9), theirs={"defence": "dodge"}, **hit)
    assert parts(card, "defence")["on the ground"] == -4
    one.move("ana", "recover", mine, what="effect:prone")
    assert field(one, "prone_attack", mine, theirs) is None


@rule("toaster.4.crit-b", "toaster.4.actions-movement")
def test_who_is_on_the_ground_does_not_move_before_they_are_up():
    one = evening()
    mine, _ = pair(one)
    begin(one, 10, 1)
    ways = [each.value for each in counts(one, mine)]
    assert "moves" in ways
    path = ("entities", mine, "state", "effects")
    one.do(GM, c.Override, path=path, now=PRONE, reason="for the test")
    assert [each.value for each in counts(one, mine)] == [way for way in ways if way != "moves"]


def counts(one, who):
    fields = one.named("act").fields(one.table, one.actor("ana", who), {})
    return next(each for each in fields if each.name == "counts").choices


# ---------------------------------------------------------------- claws and other natural weapons

CLAWS = {"id": "w1", "name": "Claws", "wc": 5, "skill": "brawl", "muscle": True}


@rule("toaster.4.defence-unarmed-vs-weapon", "toaster.2.skill-brawl-defend-weapon")
def test_claws_ward_off_a_weapon_only_where_the_gm_says_so():
    one = evening()
    mine, bear = pair(one, theirs=fighter(weapons=(CLAWS,), brawl=6, dodge=3))
    assert choices(one, "defence", mine, bear) == ["dodge"]
    assert field(one, "defence", mine, bear).default == "dodge"
    assert choices(one, "defence", mine, bear, bare=-3) == ["dodge", "parry:w1", "brawl"]
    gm = {"bare": -3, "defence": "parry:w1"}
    card = one.roll("ana", "attack", mine, (2, 9), gm=gm, target=bear)
    assert parts(card, "defence") == {"Brawl": 6, "bare hands against a weapon": -3}


@rule("toaster.2.skill-brawl-defend-brawl")
def test_claws_ward_off_bare_hands():
    one = evening()
    mine, bear = pair(one, fighter(brawl=5), fighter(weapons=(CLAWS,), brawl=6, dodge=3))
    assert choices(one, "defence", mine, bear, arm="bare-fist") == ["dodge", "parry:w1", "brawl"]


@rule("toaster.2.skill-martial-plus-2")
@pytest.mark.parametrize(
    ("weapons", "more"), [((), 2), ((CLAWS,), 2), (("saber",), 0)], ids=["bare", "claws", "saber"]
)
def test_a_style_counts_against_whoever_can_only_brawl_with_claws_too(weapons, more):
    one = evening()
    ana = hero(one, "ana", fighter(weapons=(), martial=6))
    brawler = foe(one, fighter(weapons=weapons, brawl=6), open=True)
    card = strike(one, ana, brawler, (0, 9), arm="bare-fist", defence="dodge")
    added = parts(card, "attack")
    assert added.pop("style against brawling", 0) == more
    assert added == {"Martial Arts": 6}
