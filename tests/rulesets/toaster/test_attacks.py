"""Attacks at the table: the five steps, choices of weapon and parry, modifiers."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import (
    choices,
    evening,
    field,
    fighter,
    pair,
    parts,
    strike,
    total,
)
from tests.rulesets.toaster.people import foe, hero

rule = pytest.mark.rule


def wounds(one, who):
    return sum(row["n"] for row in one.entity(who).state["wounds"])


# ---------------------------------------------------------------- the five steps


@rule("toaster.4.attack-five-steps", "toaster.4.apply-damage", "toaster.4.attack-roll")
def test_five_steps_on_one_card():
    one = evening()
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (7, 2, 9, 3))
    assert [each["label"] for each in card["sides"]] == [
        "attack",
        "defence",
        "damage",
        "protection",
    ]
    assert [each["total"] for each in card["sides"]] == [13, 7, 14, 5]
    assert parts(card, "damage") == {"WC": 5}
    assert parts(card, "protection") == {"AC": 2}
    assert card["outcome"] == "hit"
    assert (one.entity(theirs).state["stun"], wounds(one, theirs)) == (9, 1)


@rule("toaster.4.attack-five-steps", "toaster.4.defence-tie")
def test_a_defence_that_holds_ends_it():
    one = evening()
    mine, theirs = pair(one)
    card = strike(one, mine, theirs, (6, 7))
    assert (card["outcome"], total(card, "attack"), total(card, "defence")) == ("miss", 12, 12)
    assert [each["label"] for each in card["sides"]] == ["attack", "defence"]
    assert one.entity(theirs).state["stun"] == 0


@rule("toaster.4.attack-h2h-gate")
def test_short_of_the_rank_nobody_defends():
    one = evening()
    mine, theirs = pair(one, fighter(sword=4), fighter(weapons=(), dodge=9))
    card = strike(one, mine, theirs, (5,))
    assert (card["outcome"], total(card, "attack")) == ("miss", 9)
    assert strike(one, mine, theirs, (6, 1))["sides"][1]["total"] == 10


@rule("toaster.4.attack-h2h-gate-number", "toaster.4.penalty-scope")
def test_the_gate_is_the_plain_rank_without_shield_or_wounds():
    one = evening()
    mine, theirs = pair(
        one, fighter(sword=2), fighter(weapons=(), shield="medium", shield_skill=5, dodge=2)
    )
    card = strike(one, mine, theirs, (4, 1), defence="shield")
    assert (total(card, "attack"), total(card, "defence")) == (6, 8)
    path = ("entities", theirs, "state", "wounds")
    one.do(GM, c.Override, path=path, now=[{"n": 3}], reason="hurt")
    assert strike(one, mine, theirs, (3,), defence="shield")["outcome"] == "miss"
    card = strike(one, mine, theirs, (4, 1, 1, 9), defence="shield")
    assert (total(card, "defence"), card["outcome"]) == (5, "hit")


@rule("toaster.4.attack-h2h-gate-number")
def test_whoever_is_helpless_offers_no_gate_and_no_roll():
    one = evening()
    mine, theirs = pair(one, fighter(sword=2))
    card = strike(one, mine, theirs, (0, 0, 1), ward="open")
    assert (card["outcome"], total(card, "attack")) == ("hit", 2)
    one.do(
        GM,
        c.Override,
        path=("entities", theirs, "state", "condition"),
        now="unconscious",
        reason="out",
    )
    assert field(one, "ward", mine, theirs).default == "open"


@rule("toaster.4.damage-roll", "toaster.4.wc-muscle")
def test_damage_is_the_class_in_this_hand():
    one = evening()
    mine, theirs = pair(one, fighter((7, 4, 4, 4), ("bastard-sword",), sword=6))
    card = strike(one, mine, theirs, (9, 0, 5, 0))
    assert parts(card, "damage") == {"WC": 8}
    assert total(card, "damage") == 13
    kick = strike(one, mine, theirs, (9, 0, 8, 0), arm="kick")
    assert parts(kick, "damage") == {"WC": 4}


@rule("toaster.4.wounds-unarmed", "toaster.4.wounds-unarmed-what")
@pytest.mark.parametrize(("armed", "expected"), [(False, 1), (True, 2)])
def test_bare_hands_do_one_wound_fewer_and_an_iron_fist_as_the_option_says(armed, expected):
    one = evening(reinforced_fist_armed=armed)
    mine, theirs = pair(one, fighter((9, 4, 4, 4), ("reinforced-fist",), brawl=6))
    card = strike(one, mine, theirs, (9, 0, 9, 1))
    assert total(card, "damage") - total(card, "protection") == 11
    assert wounds(one, theirs) == expected
    again = foe(one, fighter(weapons=()), open=True)
    strike(one, mine, again, (9, 0, 9, 0), arm="kick")
    assert wounds(one, again) == 1


# ---------------------------------------------------------------- what may defend


@rule(
    "toaster.4.defence-h2h",
    "toaster.2.skill-dodge-any",
    "toaster.2.skill-acrobatics-not-dodge",
)
def test_hand_to_hand_one_dodges_or_parries_with_what_is_held():
    one = evening()
    mine = hero(one, "ana", fighter(sword=6))
    built = fighter(weapons=("club", "dagger", "bow"), dodge=3, shield="small")
    theirs = foe(one, built, open=True)
    assert choices(one, "defence", mine, theirs) == ["dodge", "parry:w1", "shield"]
    one.move(GM, "ready", theirs, drawn=["w1", "w2"])
    assert choices(one, "defence", mine, theirs) == ["dodge", "parry:w1", "parry:w2", "shield"]
    card = strike(one, mine, theirs, (8, 3, 0, 9), defence="parry:w1")
    assert parts(card, "defence") == {"Weapon: Club": 2}


@rule("toaster.4.defence-ranged", "toaster.2.skill-dodge-any", "toaster.4.attack-ranged-gate")
def test_from_afar_one_dodges_or_holds_up_a_shield():
    one = evening()
    mine = hero(one, "ana", fighter(weapons=("bow",), bow=6))
    theirs = foe(one, fighter(weapons=("club",), dodge=3, shield="large"), open=True)
    assert choices(one, "defence", mine, theirs) == ["dodge", "shield"]
    far = {"distance": "medium"}
    card = strike(one, mine, theirs, (5,), defence="dodge", **far)
    assert (card["outcome"], total(card, "attack")) == ("miss", 9)
    card = strike(one, mine, theirs, (6, 9), defence="dodge", **far)
    assert total(card, "attack") == 10
    assert total(card, "defence") == 12


@rule(
    "toaster.4.defence-unarmed-vs-weapon",
    "toaster.2.skill-brawl-defend-weapon",
    "toaster.2.skill-brawl-defend-brawl",
    "toaster.2.skill-brawl-never-ranged",
)
def test_bare_hands_ward_off_fists_and_weapons_only_by_leave():
    one = evening()
    mine = hero(one, "ana", fighter(weapons=("dagger", "bow"), knife=6, bow=6, brawl=4))
    theirs = foe(one, fighter(weapons=(), brawl=6), open=True)
    assert "brawl" not in choices(one, "defence", mine, theirs, arm="w1")
    assert "brawl" in choices(one, "defence", mine, theirs, arm="bare-fist")
    assert "brawl" in choices(one, "defence", mine, theirs, arm="w1", bare=-3)
    roll = one.propose("ana", "attack", mine, target=theirs, arm="w1")
    for answers in ({"bare": -3}, {"bare": -3, "defence": "brawl"}):
        one.do(GM, c.Settle, proposal=roll, answers=answers)
    one.do("ana", c.Throw, (9, 5, 0, 9), proposal=roll)
    assert parts(one.card, "defence") == {"Brawl": 6, "bare hands against a weapon": -3}
    martial = evening(martial_arts_campaign=True)
    mine = hero(martial, "ana", fighter(weapons=("dagger", "bow"), knife=6, bow=6))
    theirs = foe(martial, fighter(weapons=(), brawl=6), open=True)
    assert "brawl" in choices(martial, "defence", mine, theirs, arm="w1", bare=0)
    assert "brawl" not in choices(martial, "defence", mine, theirs, arm="w2", bare=0)


@rule("toaster.4.defence-ranged-weapon")
def test_blades_stop_arrows_only_in_martial_campaigns_and_at_a_price():
    one = evening(martial_arts_campaign=True)
    mine = hero(one, "ana", fighter(weapons=("bow",), bow=6))
    theirs = foe(one, fighter(weapons=("saber",), sword=7), open=True)
    assert choices(one, "defence", mine, theirs) == [
        "dodge",
        "parry:w1",
    ]
    picked = {"defence": "parry:w1"}
    roll = one.propose("ana", "attack", mine, target=theirs)
    with pytest.raises(BadAnswers):
        one.do(GM, c.Settle, proposal=roll, answers=picked)
    price = {**picked, "missile_parry": -4}
    one.do(GM, c.Settle, proposal=roll, answers=price)
    one.do("ana", c.Throw, (9, 3, 0, 9), proposal=roll)
    assert parts(one.card, "defence") == {"Weapon: Sword": 7, "against a missile": -4}


@rule("toaster.2.skill-dodge-area")
def test_a_blast_may_be_unavoidable():
    one = evening()
    grenade = {"id": "w1", "name": "Grenade", "wc": 14, "ranged": True, "skill": "throw"}
    mine = hero(one, "ana", fighter(weapons=({**grenade, "blast": True},), throw=6))
    theirs = foe(one, fighter(weapons=("club",), dodge=8, shield="large"), open=True)
    assert choices(one, "defence", mine, theirs) == ["dodge"]
    assert choices(one, "blast", mine, theirs) == ["normal", "harder", "unavoidable"]
    card = strike(one, mine, theirs, (4, 1, 1), blast="unavoidable")
    assert [each["label"] for each in card["sides"]] == ["attack", "damage", "protection"]
    assert strike(one, mine, theirs, (4, 9), blast="normal")["outcome"] == "miss"


# ---------------------------------------------------------------- what is added


@rule("toaster.4.shield-bonus", "toaster.4.shield-bonus-only-shield", "toaster.4.ac-shield-none")
@pytest.mark.parametrize(("size", "bonus"), [("small", 1), ("medium", 2), ("large", 3)])
def test_a_shield_helps_its_own_parry_and_nothing_else(size, bonus):
    one = evening()
    built = fighter(weapons=(), dodge=5, shield_skill=5, shield=size)
    mine, theirs = pair(one, None, built)
    card = strike(one, mine, theirs, (9, 4, 0, 9), defence="shield")
    assert total(card, "defence") == 5 + 4 + bonus
    card = strike(one, mine, theirs, (9, 4, 1, 1), defence="dodge")
    assert total(card, "defence") == 9
    assert parts(card, "protection") == {"AC": 2}


@rule("toaster.4.shield-attack-penalty")
@pytest.mark.parametrize(("on", "attack"), [(True, 9), (False, 11)])
def test_a_shield_may_hamper_attacks(on, attack):
    one = evening(shield_attack_penalty=on)
    mine, theirs = pair(one, fighter(sword=6, shield="medium"))
    assert total(strike(one, mine, theirs, (5, 9)), "attack") == attack


@rule("toaster.4.range-table", "toaster.4.range-distances")
@pytest.mark.parametrize(
    ("distance", "penalty"),
    [("point-blank", 0), ("short", -1), ("medium", -2), ("long", -3), ("extreme", -4)],
)
def test_distance_makes_it_harder(distance, penalty):
    one = evening()
    mine, theirs = pair(one, fighter(weapons=("bow",), bow=9))
    assert field(one, "distance", mine, theirs).set_by == "gm"
    card = strike(one, mine, theirs, (5, 9), distance=distance)
    assert total(card, "attack") == 14 + penalty
    assert penalty in {0, *parts(card, "attack").values()}


@rule("toaster.4.range-reduction")
def test_scope_and_aim_take_something_off_and_never_more_than_the_penalty():
    one = evening()
    rifle = {"id": "w1", "like": "small-rifle", "skill": "weapon-skill:Bow", "scope": 1}
    mine, theirs = pair(one, fighter(weapons=(rifle,), bow=9))
    for distance, attack in (("long", 13), ("short", 14)):
        far = {"distance": distance}
        card = strike(one, mine, theirs, (5, 9), aimed=True, **far)
        assert total(card, "attack") == attack
    one.move("ana", "aim", mine)
    assert field(one, "aimed", mine, theirs).default is True
    card = strike(one, mine, theirs, (5, 9), distance="long")
    assert parts(card, "attack")["aim"] == 1
    assert field(one, "aimed", mine, theirs).default is False


@rule("toaster.4.strreq-switch", "toaster.4.strreq-penalty", "toaster.4.strreq-sub")
def test_who_is_too_weak_attacks_and_parries_worse():
    weak = fighter((2, 4, 4, 4), ("great-sword",), sword=6)
    one = evening(strength_requirements=True)
    mine, theirs = pair(one, weak, fighter((2, 4, 4, 4), ("great-sword",), sword=6))
    card = strike(one, mine, theirs, (9, 9), defence="parry:w1")
    assert parts(card, "attack")["too heavy"] == -4
    assert parts(card, "defence")["too heavy"] == -4
    off = evening()
    mine, theirs = pair(off, weak)
    assert "too heavy" not in parts(strike(off, mine, theirs, (5, 9)), "attack")
    strong = [{"id": "t", "name": "Strong", "kind": "attributes", "of": "strength", "rank": 2}]
    sub = evening(strength_requirements=True)
    mine, theirs = pair(sub, fighter((4, 4, 4, 4), ("great-sword",), sword=6, traits=strong))
    assert "too heavy" not in parts(strike(sub, mine, theirs, (5, 9)), "attack")


@rule("toaster.4.strreq-ranged")
def test_missiles_ask_for_no_strength():
    one = evening(strength_requirements=True)
    mine, theirs = pair(one, fighter((1, 4, 4, 4), ("bow",), bow=6))
    assert "too heavy" not in parts(strike(one, mine, theirs, (9, 9, 0, 9)), "attack")


@rule("toaster.2.skill-martial-plus-2")
def test_a_style_adds_two_against_somebody_who_only_brawls():
    one = evening()
    mine = hero(one, "ana", fighter(weapons=(), martial=5))
    brawler = foe(one, fighter(weapons=(), brawl=3, dodge=2), open=True)
    artist = foe(one, fighter(weapons=(), martial=3, dodge=2), open=True)
    armed = foe(one, fighter(weapons=("club",), brawl=3, dodge=2), open=True)
    hit = (4, 0, 1, 9)
    assert total(strike(one, mine, brawler, hit, arm="bare-fist"), "attack") == 11
    assert total(strike(one, mine, artist, hit, arm="bare-fist"), "attack") == 9
    assert total(strike(one, mine, armed, hit, arm="bare-fist"), "attack") == 9
    card = one.roll(
        GM,
        "attack",
        brawler,
        (9, 5),
        target=mine,
        arm="bare-fist",
        theirs={"defence": "martial-arts"},
    )
    assert parts(card, "defence") == {"Martial Arts": 5, "style against brawling": 2}


@rule("toaster.4.protection-modified", "toaster.4.ac-custom-protection")
def test_the_gm_adds_piercing_cover_and_force_fields():
    one = evening()
    field_ = {"id": "a1", "name": "Force field", "ac": 12}
    mine, theirs = pair(one, None, fighter(weapons=(), dodge=5, armour=(field_,)))
    rows = [
        {"on": "protection", "value": -3, "why": "armor piercing"},
        {"on": "attack", "value": -1, "why": "smoke"},
    ]
    card = strike(one, mine, theirs, (9, 0, 9, 3), modifiers=rows)
    assert parts(card, "protection") == {"AC": 8, "armor piercing": -3}
    assert total(card, "protection") == 8
    assert total(card, "attack") == 14
    assert parts(card, "attack")["smoke"] == -1
    pierce = {"id": "w1", "like": "saber", "piercing": 3}
    mine = hero(one, "ben", fighter(weapons=(pierce,), sword=6))
    card = strike(one, mine, theirs, (9, 0, 9, 3), "ben")
    assert total(card, "protection") == 8
