"""Weapons, armour, shields and distances: the lists, and their numbers for a character."""

import pytest

from kitchentable.rulesets.toaster.book import rows
from kitchentable.rulesets.toaster.combat.arms import (
    range_penalty,
)
from tests.rulesets.toaster.fighting import fighter
from tests.rulesets.toaster.people import entity, person, table

rule = pytest.mark.rule

HAND = {
    "bare-fist": (0, 0),
    "reinforced-fist": (1, 0),
    "kick": (2, 0),
    "club": (6, 3),
    "light-mace": (7, 4),
    "heavy-mace": (8, 5),
    "flail": (9, 6),
    "war-maul": (10, 7),
    "knife": (4, 1),
    "dagger": (5, 1),
    "short-sword": (6, 2),
    "saber": (7, 3),
    "broadsword": (8, 4),
    "bastard-sword": (9, 5),
    "great-sword": (10, 6),
    "hatchet": (5, 3),
    "axe": (7, 4),
    "battleaxe": (9, 5),
    "spear": (7, 4),
}
MISSILES = {
    "rock": 2,
    "thrown-spear": 6,
    "bow": 8,
    "crossbow": 10,
    "small-handgun": 10,
    "medium-handgun": 12,
    "large-handgun": 14,
    "small-rifle": 12,
    "medium-rifle": 14,
    "large-rifle": 16,
    "shotgun": 20,
}
ARMOUR = {
    "winter-clothing": 2,
    "soft-leather": 4,
    "heavy-hides": 5,
    "hard-leather": 6,
    "reinforced-leather": 7,
    "chain-mail": 8,
    "plate": 10,
    "light-kevlar": 4,
    "reinforced-kevlar": 7,
}


def wc(weapon, physique=4, use="", distance=""):
    """What a weapon comes to in somebody's hand."""
    line = weapon if isinstance(weapon, dict) else {"id": "w1", "like": weapon}
    one = entity(fighter((physique, 4, 4, 4), (line,)))
    key = f"w1{use}" if line.get("id") == "w1" else weapon
    found = next(use for use in person(one).arms if use.key == key)
    return person(one).class_of(found, distance)


def ac(physique, *armour, hide=0, **more):
    """The armour class of somebody who wears this."""
    built = fighter((physique, 4, 4, 4), (), armour=armour, hide=hide, **more)
    return person(entity(built)).armor_class()


@rule("toaster.4.weapons-h2h")
def test_nineteen_hand_weapons():
    found = {one["key"]: (one["wc"], one["strength"]) for one in rows(table(), "weapon")}
    assert found == HAND
    assert len(found) == 19
    assert all(one["muscle"] for one in rows(table(), "weapon"))


@rule("toaster.4.weapons-ranged", "toaster.4.wc-magnum")
def test_eleven_missiles_and_no_magnum():
    found = {one["key"]: one["wc"] for one in rows(table(), "missile")}
    assert found == MISSILES
    assert not any("magnum" in one["name"].casefold() for one in rows(table(), "missile"))


@rule("toaster.4.armor-list", "toaster.4.ac-example-vest")
def test_nine_armours_and_no_kevlar_of_five():
    found = {one["key"]: one["ac"] for one in rows(table(), "armour")}
    assert found == ARMOUR
    assert 5 not in {found["light-kevlar"], found["reinforced-kevlar"]}
    assert ac(4, "chain-mail") == 6


@rule("toaster.4.shield-bonus", "toaster.4.range-table")
def test_shields_and_distances():
    assert {one["key"]: one["bonus"] for one in rows(table(), "shield")} == {
        "small": 1,
        "medium": 2,
        "large": 3,
    }
    keys = ["point-blank", "short", "medium", "long", "extreme"]
    assert [range_penalty(table(), key) for key in keys] == [0, -1, -2, -3, -4]


@rule("toaster.4.wc-muscle")
def test_muscle_and_weapon_are_averaged():
    strong = entity(fighter((7, 4, 4, 4), ("bastard-sword",)))
    found = {one.key: person(strong).class_of(one) for one in person(strong).arms}
    assert found == {"w1": 8, "bare-fist": 3, "kick": 4}


@rule("toaster.4.wc-fixed")
@pytest.mark.parametrize("physique", [1, 10])
def test_guns_hit_as_hard_for_everybody(physique):
    assert wc("medium-handgun", physique) == 12


@rule("toaster.4.wc-muscle-flags")
def test_bows_and_thrown_weapons_need_muscle_and_crossbows_do_not():
    assert wc("bow", 5) == 6
    assert wc("crossbow", 5) == 10
    assert wc("knife", 6, ":thrown") == 5
    thrown = entity(fighter((6, 4, 4, 4), ("knife",)))
    found = next(use for use in person(thrown).arms if use.key == "w1:thrown")
    assert (found.ranged, found.skill) == (True, "throw")


@rule("toaster.4.spear-two-values")
def test_a_spear_is_two_weapons():
    assert (wc("spear", 6), wc("spear", 6, ":thrown")) == (6, 6)
    assert (wc("spear", 7), wc("spear", 7, ":thrown")) == (7, 6)


@rule("toaster.4.wc-bastard-grip")
def test_another_grip_has_a_number_only_where_somebody_wrote_one():
    plain = entity(fighter(weapons=("bastard-sword",)))
    assert [one.key for one in person(plain).arms] == ["w1", "bare-fist", "kick"]
    line = {"id": "w1", "like": "bastard-sword", "grip_wc": 7}
    assert (wc(line, 7), wc(line, 7, ":grip")) == (8, 7)


@rule("toaster.4.shotgun")
def test_shot_spreads_with_the_distance_whatever_the_scope():
    keys = ["point-blank", "short", "medium", "long", "extreme"]
    line = {"id": "w1", "like": "shotgun", "scope": 3}
    assert [wc("shotgun", 9, "", key) for key in keys] == [20, 15, 10, 5, 0]
    assert [wc(line, 1, "", key) for key in keys] == [20, 15, 10, 5, 0]


@rule("toaster.4.ac-formula", "toaster.4.ac-innate", "toaster.4.ac-custom-protection")
def test_everything_is_added_and_halved_once():
    vest = {"id": "a1", "name": "Vest", "ac": 5}
    force = {"id": "a1", "name": "Force field", "ac": 12}
    assert ac(5) == 2
    assert ac(5, "plate") == 7
    assert ac(5, vest, hide=4) == 7
    assert ac(6, "chain-mail") == 7
    assert ac(4, force) == 8


@rule("toaster.4.ac-shield-none")
def test_a_shield_adds_nothing_to_the_armour_class():
    assert ac(5, "plate", shield="large") == ac(5, "plate")


def test_what_lies_on_the_ground_cannot_be_used():
    one = entity(fighter(weapons=("saber", "club")), state={"dropped": {"w1": "feet"}})
    assert [use.key for use in person(one).arms] == ["w2", "bare-fist", "kick"]
