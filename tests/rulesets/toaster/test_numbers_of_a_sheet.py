"""Numbers derived from a sheet: attributes with traits, skill ranks, classes, thresholds."""

from dataclasses import replace

import pytest

from kitchentable.rules import Table
from kitchentable.rules.conformance import example_table
from kitchentable.rulesets.toaster import game
from kitchentable.rulesets.toaster.book import rows
from kitchentable.rulesets.toaster.character.attributes import (
    attribute_word,
    attributes,
    average,
    thresholds_of_size,
)
from kitchentable.rulesets.toaster.character.listing import fluency, skill_words
from kitchentable.rulesets.toaster.character.skills import Specialty
from kitchentable.rulesets.toaster.character.traits import rank_word
from tests.rulesets.toaster.people import entity, line, person, sheet, table, trait


@pytest.mark.rule("toaster.1.average", "toaster.1.average-negative")
@pytest.mark.parametrize(
    ("first", "second", "half"),
    [(5, 8, 6), (6, 9, 7), (0, 1, 0), (4, 4, 4), (-1, 0, 0), (-3, 0, -1)],
)
def test_halves_are_dropped(first, second, half):
    assert average(first, second) == half


@pytest.mark.rule("toaster.2.attributes-four", "toaster.2.attribute-descriptors")
def test_four_attributes_and_their_words():
    assert [one["name"] for one in attributes(table())] == [
        *("Physique", "Coordination", "Intellect", "Aura")
    ]
    words = ["Disabled", "Terrible", "Poor", "Mediocre", "Average", "Fair", "Good", "Great"]
    words += ["Excellent", "Extraordinary", "Legendary", "Superhuman"]
    assert [attribute_word(table(), rank) for rank in range(12)] == words
    assert attribute_word(table(), 15) == "Superhuman"


@pytest.mark.rule("toaster.2.trait-attribute-whole", "toaster.2.trait-attribute-sub")
def test_two_ranks_for_an_attribute_and_one_for_a_part_of_it():
    one = entity(
        sheet(
            (5, 6, 4, 3),
            {"climb": 5},
            (
                trait("attributes", 4, "physique"),
                trait("attributes", -2, "aura"),
                trait("attributes", 2, "coordination"),
                trait("attributes", 2, "strength"),
            ),
        )
    )
    here = table()
    assert person(one, here).attribute("physique") == 7
    assert person(one, here).attribute("aura") == 2
    assert person(one, here).attribute("physique", "strength") == 9
    assert person(one, here).attribute_for("health") == 7
    assert person(one, here).attribute_for("muscle") == 9
    assert person(one, here).rank("climb") == 6  # 7 and 5; without the trait 6 and 5 make 5


@pytest.mark.rule("toaster.2.trait-attribute-sub-skill", "toaster.2.trait-size-physique")
def test_a_part_counts_where_it_feeds_and_nowhere_else():
    broadsword = sheet(
        (5, 4, 4, 4),
        {"swim": 4},
        (trait("attributes", 2, "strength"), trait("size", 2)),
        ("broadsword",),
    )
    here, strong = table(), entity(broadsword)
    plain = entity({**broadsword, "traits": []})
    sword = person(strong, here).weapons[0]
    assert (person(strong, here).weapon_class(sword), person(plain, here).weapon_class(sword)) == (
        7,
        6,
    )
    assert person(strong, here).rank("swim") == person(plain, here).rank("swim") == 4
    tough = entity(sheet((5, 4, 4, 4), traits=(trait("attributes", 2, "toughness"),)))
    assert person(tough, here).armor_class() == 3
    both = entity(
        sheet((5, 4, 4, 4), traits=(trait("attributes", 2, "toughness"), trait("size", 2)))
    )
    assert (person(both, here).armor_class(), person(both, here).thresholds) == (3, (6, 5))
    weak = entity(sheet((5, 4, 4, 4), traits=(trait("attributes", -1, "stamina"),)))
    assert person(weak, here).attribute_for("endurance") == 4
    assert person(weak, here).attribute_for("health") == 5
    linked = Table(here.options, own={"data": {"aspects": {"strength": {"skills": ["climb"]}}}})
    climbs = entity(sheet((5, 4, 4, 4), {"climb": 4}, (trait("attributes", 2, "strength"),)))
    relinked = entity(
        {**climbs.sheet, "skills": [line("climb", 4, attribute="physique")]},
    )
    assert person(relinked, here).rank("climb") == 4
    assert person(relinked, linked).rank("climb") == 5


@pytest.mark.rule("toaster.2.skill-rank-average", "toaster.2.skill-base-range")
def test_a_rank_is_base_and_attribute_averaged():
    one = entity(sheet((6, 3, 7, 4), {"brawl": 5, "track": 0}))
    here = table()
    assert average(6, 9) == 7
    assert person(one, here).rank("brawl") == 4
    assert person(one, here).rank("track") == 3
    assert (person(one, here).base("swim"), person(one, here).rank("swim")) == (0, 1)
    assert person(one, here).skill("track").base == 0


@pytest.mark.rule("toaster.2.skill-base-range")
@pytest.mark.parametrize(
    ("base", "wrong"),
    [
        (-1, [("toaster.2.skill-base-range", True)]),
        (0, []),
        (10, []),
        (11, [("toaster.2.skill-base-over-10", False)]),
    ],
)
def test_a_base_is_a_whole_number_from_0_to_10(base, wrong):
    one = entity(sheet((6, 3, 7, 4), {"brawl": base}), stage="draft")
    found = game.sheet.check(table(), one, "creation")
    assert [(p.rule, p.refuses) for p in found if "skill-base" in p.rule] == wrong
    assert person(one).skill("brawl").base == base


@pytest.mark.rule("toaster.2.skill-rank-traits")
def test_a_trait_can_change_a_rank_by_itself():
    deft = trait("custom", 2, "Climb", modifier=2)
    one = entity(sheet((4, 5, 4, 4), {"climb": 5}, (deft,)))
    assert person(one).rank("climb") == 7
    assert person(one).rank("swim") == 2


@pytest.mark.rule(
    "toaster.2.skill-attribute-choice",
    "toaster.2.skill-several-ranks",
    "toaster.2.skill-single-attribute",
    "toaster.2.skill-artistic-attribute",
)
def test_the_attribute_is_agreed_on_and_there_may_be_several():
    wood = line("craft:Woodwork", 5, attribute="coordination", attribute2="intellect")
    feeling = line("empathy", 3, attribute="aura")
    built = sheet((4, 7, 4, 3)) | {"skills": [wood, feeling]}
    one = entity(built)
    several, single = table(skill_several_ranks=True), table()
    found = person(one, several).skill("craft:Woodwork")
    assert found.ranks == (("coordination", 6), ("intellect", 4))
    assert person(one, several).rank("craft:Woodwork", "intellect") == 4
    assert person(one, single).skill("craft:Woodwork").ranks == (("coordination", 6),)
    assert person(one, single).rank("empathy") == 3
    assert person(one, single).rank("empathy", "intellect") == 3  # (3 + 4) / 2, dropped
    arts = [
        line("artistic:Dance", 3, attribute="coordination"),
        line("artistic:Poetry", 3, attribute="intellect"),
    ]
    artist = entity(sheet((4, 7, 5, 3)) | {"skills": arts})
    assert [skill.rank for skill in person(artist, single).skills] == [5, 4]


@pytest.mark.rule("toaster.2.skill-rank-descriptors", "toaster.2.skill-rank-descriptors-gm")
def test_words_for_ranks_are_flavour():
    scale = {one: table(rank_words=one) for one in ("general", "trade", "belt")}
    assert [skill_words(scale["general"], rank) for rank in (2, 3, 5, 8, 9, 11)] == [
        *("Unskilled", "Student", "Proficient", "Expert", "Master", "Grand Master")
    ]
    assert [skill_words(scale["trade"], rank) for rank in (0, 4, 6, 7, 10, 12)] == [
        *("Novice", "Apprentice", "Journeyman", "Adept", "Master", "Grand Master")
    ]
    assert [skill_words(scale["belt"], rank) for rank in (1, 3, 6, 8, 10)] == [
        *("White", "Yellow", "Green", "Brown", "Black")
    ]
    assert skill_words(table(), 8) == ""
    one = entity(sheet((4, 4, 4, 4), {"run": 6}))
    assert {person(one, here).rank("run") for here in (*scale.values(), table())} == {5}


@pytest.mark.rule("toaster.2.specialty-switch", "toaster.2.specialty-plus-1")
def test_a_speciality_is_a_rank_more_inside_it():
    knives = line("throw", 8, specialty="knives", areas="knives, axes, stones")
    one = entity(sheet() | {"skills": [knives]}, stage="play")
    on, off = table(specialization=True), table()
    assert person(one, on).rank("throw", specialty="knives") == 7
    assert person(one, on).rank("throw", specialty="stones") == 6
    assert person(one, on).rank("throw") == 6
    assert person(one, off).rank("throw", specialty="knives") == 6
    assert person(one, off).skill("throw").specialties == ()
    doubled = entity(sheet() | {"skills": [knives | {"doubled": True}]}, stage="play")
    assert person(doubled, on).skill("throw").specialties == (Specialty("knives", 2),)


@pytest.mark.rule("toaster.2.trait-package", "toaster.2.trait-package-example")
def test_a_package_lifts_the_bases_of_its_skills():
    animals = trait("package", 4, "Ride, Craft: Taming, Science: Medicine, Knowledge: Animals")
    built = sheet((4, 4, 4, 4), {"craft:Taming": 1, "knowledge:Animals": 2}, (animals,))
    one = entity(built)
    keys = ("ride", "science:Medicine", "craft:Taming", "knowledge:Animals")
    assert [person(one).base(key) for key in keys] == [4, 4, 5, 6]
    assert [person(one).rank(key) for key in keys] == [4, 4, 4, 5]
    assert [skill.key for skill in person(one).skills] == [
        *("craft:Taming", "knowledge:Animals", "ride", "science:Medicine")
    ]


@pytest.mark.rule("toaster.2.trait-careers")
def test_careers_are_packages_ready_made():
    scout = entity(sheet(traits=(trait("package", 2, "Scout"),)))
    names = [skill.name for skill in person(scout).skills]
    assert names == ["Navigation", "Perception", "Stealth", "Survival", "Track"]
    thief = entity(sheet(traits=(trait("package", 1, "Thief, Weapon: Knife"),)))
    assert [skill.name for skill in person(thief).skills] == [
        *("Intrusion", "Sleight of Hand", "Stealth", "Streetwise", "Weapon: Knife")
    ]
    careers = {one["name"]: len(one["skills"]) for one in rows(table(), "careers")}
    assert careers == {"Bodyguard": 5, "Diplomat": 5, "Scout": 5, "Thief": 5}


@pytest.mark.rule(
    "toaster.2.skill-language-rank-4",
    "toaster.2.skill-language-separate",
    "toaster.2.skills-groups",
)
def test_every_language_is_a_skill_of_its_own():
    one = entity(sheet((4, 4, 4, 4), {"language:Latin": 6, "language:English": 4}))
    ranks = {skill.name: skill.rank for skill in person(one).skills}
    assert ranks == {"Language: Latin": 5, "Language: English": 4}
    assert person(one).rank("language:French") == 2
    assert [fluency(rank) for rank in (3, 4, 6)] == [
        "a limited speaker",
        "as fluent as an educated native",
        "at home in its finest points",
    ]


@pytest.mark.rule("toaster.2.trait-size-thresholds", "toaster.2.trait-size-odd")
def test_thresholds_by_size():
    printed = {4: (6, 6), 2: (6, 5), 0: (5, 5), -2: (4, 5), -4: (4, 4)}
    readings = {
        "default": {5: (6, 6), 3: (6, 5), 1: (6, 5), -1: (4, 5), -3: (4, 5), -5: (4, 4)},
        "toward-zero": {5: (6, 6), 3: (6, 5), 1: (5, 5), -1: (5, 5), -3: (4, 5), -5: (4, 4)},
        "away-from-zero": {5: (6, 6), 3: (6, 6), 1: (6, 5), -1: (4, 5), -3: (4, 4), -5: (4, 4)},
    }
    for reading, odd in readings.items():
        here = table(size_odd=reading)
        wanted = {**printed, **odd}
        assert {size: thresholds_of_size(here, size) for size in wanted} == wanted, reading


@pytest.mark.rule("toaster.2.trait-size-extremes")
def test_thresholds_of_giants_and_mice():
    grows = {6: (7, 6), 8: (7, 7), 10: (8, 7), -6: (3, 4), -8: (3, 3), -10: (2, 3), 7: (7, 6)}
    for size, wanted in grows.items():
        assert thresholds_of_size(table(size_grows=True), size) == wanted
        assert thresholds_of_size(table(), size) == ((6, 6) if size > 0 else (4, 4))
    own = entity(sheet(traits=(trait("size", 10),), thresholds={"stun": 9, "wound": 9}))
    assert person(own).thresholds == (9, 9)


@pytest.mark.rule(
    "toaster.2.trait-rank-words",
    "toaster.2.trait-social-table",
    "toaster.2.trait-social",
    "toaster.2.trait-social-circumstance",
    "toaster.2.trait-senses",
    "toaster.2.traits-definition",
)
def test_traits_have_words_and_are_reasons_for_the_gm():
    assert [rank_word(table(), rank) for rank in range(-5, 6)] == [
        *("Critical", "Major", "Severe", "Moderate", "Mild", "Superficial"),
        *("Mild", "Moderate", "Severe", "Major", "Critical"),
    ]
    merchant = entity(sheet(traits=(trait("standing", 1), trait("senses", 2, name="Sonar"))))
    servant = entity(sheet(traits=(trait("standing", -3),)))

    def tags(one):
        return {tag.text: tag.marked for tag in game.sheet.summary(table(), one).tags}

    assert tags(merchant) == {
        "standing +1": "Merchant Class, or Upper Middle Class",
        "Sonar +2": "Moderate",
    }
    assert tags(servant) == {"standing -3": "Indentured Servant, or Lower Class"}
    assert tags(entity(sheet(traits=(trait("standing", -5),)))) == {
        "standing -5": "Slave, Untouchable, or Homeless"
    }
    assert person(merchant).reasons == ("standing +1", "Sonar +2")
    first = person(merchant).traits[1]
    assert (first.name, first.rank, first.note, first.modifier) == ("Sonar", 2, "As agreed.", 0)


@pytest.mark.rule("toaster.2.trait-disability")
def test_a_disability_hampers_or_forbids():
    built = sheet(
        traits=(
            trait("disability", -2, "Perception", "Hard of hearing", modifier=-3),
            trait("disability", -4, "Lip Reading", "Blind", fails=True),
        )
    )
    one = entity(built)
    assert [(part.name, part.value) for part in person(one).handicaps(("Perception",))] == [
        ("Hard of hearing", -3)
    ]
    assert person(one).handicaps(("Stealth",)) == ()
    assert person(one).impossible(("lip-reading", "Lip Reading")) == "Blind"
    assert person(one).impossible(("Perception",)) == ""


# ---------------------------------------------------------------- the two of the book

RHOENDA = {
    "Acrobatics": 5,
    "Brawl": 5,
    "Climb": 6,
    "Craft: Picking Locks": 3,
    "Dodge": 7,
    "Empathy": 3,
    "Language: Tharis": 4,
    "Perception": 5,
    "Ride": 4,
    "Stealth": 6,
    "Survival": 4,
    "Throw": 6,
    "Track": 3,
    "Weapon: Crossbow": 5,
    "Weapon: Knife": 6,
    "Weapon: Sword": 8,
}
MALLORY = {
    "Brawl": 4,
    "Dodge": 3,
    "Empathy": 7,
    "Knowledge: New England": 3,
    "Language: English": 5,
    "Language: Latin": 5,
    "Perception": 3,
    "Persuasion": 6,
    "Question": 5,
    "Social Science: History": 4,
    "Social Science: Theology": 5,
    "Teach": 6,
    "Throw": 4,
}


@pytest.mark.rule("toaster.2.samples", "toaster.2.samples-method")
def test_rhoenda_has_every_printed_number():
    here = example_table(game)
    one = here.entities["rhoenda"]
    assert {skill.name: skill.rank for skill in person(one, here).skills} == RHOENDA
    assert [person(one, here).attribute(key) for key in one.sheet["attributes"]] == [5, 7, 5, 3]
    assert person(one, here).attribute_for("will") == 6
    assert (person(one, here).armor_class(), person(one, here).thresholds) == (2, (5, 5))
    classes = {
        each.name: person(one, here).weapon_class(each) for each in person(one, here).weapons
    }
    assert classes == {"Rapier": 6, "Dagger": 5, "Second dagger": 5, "Bare fist": 2, "Kick": 3}
    assert (person(one, here).luck_at_start, person(one, here).initiative_bonus) == (3, 7)
    assert game.sheet.check(here, one, "creation") == ()
    budgets = {s.key: s.budget for s in game.sheet.sections(here, building(one)) if s.budget}
    assert {key: (found.spent, found.of) for key, found in budgets.items()} == {
        "attributes": (20, 20),
        "skills": (60, 60),
        "traits": (3, 3),
    }


@pytest.mark.rule("toaster.2.samples", "toaster.2.skill-language-native")
def test_mallory_brawls_at_4_and_the_printed_6_is_a_note():
    here = example_table(game)
    one = here.entities["mallory"]
    assert {skill.name: skill.rank for skill in person(one, here).skills} == MALLORY
    brawl = next(row for row in one.sheet["skills"] if row["skill"] == "brawl")
    assert brawl["note"] == "Printed as 6; by the rules 4."
    assert person(one, here).thresholds == (6, 5)
    assert person(one, here).attribute_for("endurance") == 5
    assert (person(one, here).armor_class(), person(one, here).luck_at_start) == (3, 7)
    classes = {
        each.name: person(one, here).weapon_class(each) for each in person(one, here).weapons
    }
    assert classes == {"Bare fist": 3, "Kick": 4}
    assert game.sheet.check(here, one, "creation") == ()
    budgets = {s.key: s.budget for s in game.sheet.sections(here, building(one)) if s.budget}
    assert (budgets["skills"].spent, budgets["skills"].of) == (55, 55)
    assert (budgets["traits"].spent, budgets["traits"].of) == (0, 3)


def building(one):
    """The same sheet, as it stood while it was being built."""
    return entity(one.sheet, name=one.name, stage="draft")


@pytest.mark.rule("toaster.4.partial-ac")
def test_partial_armor_has_its_class_where_it_covers():
    plate = {"id": "a1", "like": "plate", "areas": "Torso"}
    one, worn = entity(sheet((6, 4, 4, 4), armour=(plate,))), entity(sheet(armour=("plate",)))

    def classes(here, whose):
        shown = {
            one.label: one.value
            for one in game.sheet.summary(here, whose).numbers
            if one.label.startswith("Armor")
        }
        return shown, game.sheet.sections(here, whose)[-1].help

    assert classes(table(), one) == ({"Armor class": 8}, "AC 8 with Plate.")
    parts, said = classes(table(partial_armor=True), one)
    assert parts["Armor class (Torso)"] == 8
    assert [ac for where, ac in parts.items() if "Head" in where] == [3]
    assert len(parts) == 2
    assert "8 (Torso)" in said
    assert classes(table(partial_armor=True), worn)[0] == {"Armor class": 7}


def test_a_summary_is_made_anew_where_the_sheet_or_the_table_has_changed():
    here, (one, *_) = example_table(game), example_table(game).in_play()
    first = game.sheet.summary(here, one)
    later = replace(here, number=99, day=3).sharing(here)  # as the next event makes it
    assert game.sheet.summary(later, one) is first
    hurt = replace(one, state={**one.state, "stun": 7})
    assert game.sheet.summary(here, hurt).tracks[0].value == 7
    words = replace(here, options={**here.options, "rank_words": "trade"})
    assert game.sheet.summary(words, one).numbers != first.numbers
    edits = {"attributes": {"physique": {"name": "Brawn"}}}
    assert game.sheet.summary(replace(here, own={"data": edits}), one).numbers[0].label == "Brawn"
    dazed = replace(one, state={**one.state, "effects": [{"name": "dazed", "from": 2, "until": 2}]})
    fight = {"round": 2, "fighters": {}, "order": [], "turn": "", "distances": {}}
    assert game.sheet.summary(here, dazed).tags == first.tags
    assert game.sheet.summary(replace(here, fight=fight), dazed).tags != first.tags
