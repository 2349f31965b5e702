"""The critical table and the hit locations: every cell, the sub-rolls, the exact shares."""

import json
from fractions import Fraction

import pytest

from kitchentable.dice import load, odds, told
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.mechanics.tables import (
    Location,
    critical,
    location,
    read_criticals,
    read_locations,
    span,
)

rule = pytest.mark.rule

PLACES = read_locations(TABLES["locations"])
CELLS = read_criticals(TABLES["criticals"])

#: d10* by rows, d6 by columns.
HEAD = ["Neck/Throat", "Jaw/Mouth", "Eyes/Nose", "Ear", "Forehead/Skull", "Forehead/Skull"]
CHEST, BELLY = "Chest/Upper Back", "Abdomen/Lower Back"
TORSO = ["Shoulder", CHEST, CHEST, BELLY, BELLY, "Hips/Groin"]
ARM = ["Hand", "Forearm", "Forearm", "Elbow", "Upper Arm", "Upper Arm"]
LEG = ["Foot/Ankle", "Shin/Calf", "Shin/Calf", "Knee", "Thigh", "Thigh"]
BODY = [
    ("Head/Neck", HEAD),
    *[("Torso", TORSO)] * 3,
    ("Left Arm", ARM),
    ("Right Arm", ARM),
    *[("Left Leg", LEG)] * 2,
    *[("Right Leg", LEG)] * 2,
]


@rule("toaster.4.hitloc-table", "toaster.4.hitloc-use")
@pytest.mark.parametrize("first", range(10))
def test_every_cell_of_the_hit_locations(first):
    name, parts = BODY[first]
    assert len(parts) == 6
    for second, part in enumerate(parts, start=1):
        thrown = load(location, PLACES, False, faces=[first, second])
        assert thrown.outcome == Location(name, part)


@rule("toaster.4.hitloc-table")
@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((0, 3), "Head/Neck, Eyes/Nose"),
        ((4, 1), "Left Arm, Hand"),
        ((9, 6), "Right Leg, Thigh"),
        ((3, 6), "Torso, Hips/Groin"),
        ((1, 1, 1), "Torso, left Shoulder"),
        ((0, 4, 2), "Head/Neck, right Ear"),
    ],
)
def test_places_in_words(faces, words):
    assert str(load(location, PLACES, faces=faces).outcome) == words


@rule("toaster.4.hitloc-either")
def test_a_coin_for_the_side_and_only_where_there_are_two():
    both = odds(location, PLACES)
    assert both[Location("Torso", "Shoulder", "left")] == Fraction(3, 10) * Fraction(1, 6) / 2
    assert odds(location, PLACES, False)[Location("Torso", "Shoulder")] == Fraction(1, 20)
    assert both.chance(lambda one: one.side != "") == Fraction(1, 20) + Fraction(1, 60)


@rule("toaster.4.hitloc-table")
def test_the_areas_have_the_shares_of_their_faces():
    shares = odds(told(location, "area"), PLACES)
    assert {name: shares[name] for name, _ in BODY} == {
        "Head/Neck": Fraction(1, 10),
        "Torso": Fraction(3, 10),
        "Left Arm": Fraction(1, 10),
        "Right Arm": Fraction(1, 10),
        "Left Leg": Fraction(1, 5),
        "Right Leg": Fraction(1, 5),
    }


@rule("toaster.4.hitloc-humanoid", "toaster.4.tables-custom")
def test_another_body_has_its_own_cells_and_a_gap_is_a_place_without_a_name():
    rows = [{"body": "snake", "d10": "0-4", "d6": "1-6", "area": "Head", "name": "Jaw"}]
    cells = read_locations(rows, "snake")
    assert load(location, cells, faces=[4, 6]).outcome == Location("Head", "Jaw")
    assert str(load(location, cells, faces=[5, 1]).outcome) == "a place the table does not name"
    assert {one.area for one in read_locations(rows)} == {""}


# ---------------------------------------------------------------- the critical table


def brought(*faces):
    """What these faces bring: letters, weapon, penalty, falls, protection, extra."""
    one = load(critical, CELLS, faces=faces).outcome
    return one.letters, one.weapon, one.penalty, one.falls, one.protection, one.extra


A = {1: "feet", 2: "feet", 3: "feet", 4: "reach", 5: "reach", 6: "broken"}
B = {1: (-2, False), 4: (-4, False), 6: (0, True)}
C = {1: "physique", 2: "physique", 3: "physique", 4: "physique", 5: "zero", 6: "zero"}
D = {1: 2, 2: 2, 3: 2, 4: 5, 5: 5, 6: 10}
PENALTY = {1: -2, 2: -2, 3: -2, 4: -4, 5: -4, 6: 0}


@rule("toaster.4.crit-table", "toaster.4.crit-a", "toaster.4.crit-b")
@rule("toaster.4.crit-c", "toaster.4.crit-d")
@pytest.mark.parametrize("d6", range(1, 7))
def test_every_cell_of_the_critical_table(d6):
    assert brought(0, d6) == ("", "", 0, False, "", 0)
    for d10 in (1, 2):
        assert brought(d10, d6) == ("A", A[d6], 0, False, "", 0)
    for d10 in (3, 4):
        assert brought(d10, d6) == ("B", "", PENALTY[d6], d6 == 6, "", 0)
    for d10 in (5, 6):
        assert brought(d10, d6) == ("C", "", 0, False, C[d6], 0)
    for d10 in (7, 8):
        assert brought(d10, d6) == ("D", "", 0, False, "", D[d6])


@rule("toaster.4.crit-multi", "toaster.4.crit-multi-gap")
def test_nine_takes_several_categories_in_the_order_of_the_letters():
    pairs = ["AB", "AC", "AD", "BC", "BD", "CD"]
    triples = ["ABC", "ABC", "ACD", "ACD", "BCD", "BCD"]
    for third in range(1, 7):
        for d6 in (1, 2, 3):
            assert brought(9, d6, third, 1, 1)[0] == pairs[third - 1]
        for d6 in (4, 5):
            assert brought(9, d6, third, 1, 1, 1)[0] == triples[third - 1]
    assert brought(9, 2, 5, 4, 6) == ("BD", "", -4, False, "", 10)


@rule("toaster.4.crit-multi")
def test_for_everything_at_once_no_die_says_which():
    assert brought(9, 6, 1, 1, 1, 1)[0] == "ABCD"
    assert brought(9, 6, 6, 6, 5, 6) == ("ABCD", "broken", 0, True, "zero", 10)


@rule("toaster.4.crit-multi-gap", "toaster.4.crit-multi")
def test_the_exact_shares_of_the_categories():
    every = odds(critical, CELLS)
    has = {letter: every.chance(lambda one, x=letter: x in one.letters) for letter in "ABCD"}
    assert has == {
        "A": Fraction(19, 72),
        "B": Fraction(19, 72),
        "C": Fraction(11, 40),
        "D": Fraction(19, 72),
    }
    assert every.chance(lambda one: one.letters == "") == Fraction(1, 10)
    assert every.chance(lambda one: one.letters == "ABD") == 0
    assert sum(every.values()) == 1


@rule("toaster.4.crit-c", "toaster.4.crit-d")
def test_what_it_does_to_the_damage_alone():
    brings = odds(told(critical, "on_damage"), CELLS)
    assert brings.chance(lambda one: one[0] == "zero") == Fraction(11, 40) * Fraction(1, 3)
    assert brings.chance(lambda one: one[1] == 10) == Fraction(19, 72) * Fraction(1, 6)
    assert len(list(brings)) == 12


@rule("toaster.4.tables-custom")
def test_a_table_of_the_campaigns_own():
    rows = [
        {"d10": "0-8", "d6": "1-6", "letter": "X", "name": "Sand in the eyes", "penalty": -3},
        {"d10": "9", "d6": "1-6", "name": "Twice", "several": "XX"},
    ]
    cells = read_criticals(rows)
    assert load(critical, cells, faces=[3, 2]).outcome.penalty == -3
    assert load(critical, cells, faces=[9, 1, 5, 5]).outcome.penalty == -6
    assert str(load(critical, read_criticals([]), faces=[0, 1]).outcome) == "nothing"


def test_faces_as_people_write_them():
    assert span("5-6", 1, 6) == (5, 6)
    assert span("0", 0, 9) == (0,)
    assert span(" 1 - 3 , 9", 0, 9) == (1, 2, 3, 9)
    assert json.dumps(span("x-2", 0, 9)) == "[]"
