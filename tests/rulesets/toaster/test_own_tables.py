"""A table's own Toaster: its tables edited, attributes added and split, people brought in."""

from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.dice import load, odds
from kitchentable.rules import Part, Table
from kitchentable.rules.conformance import example_table
from kitchentable.rules.errors import BadAnswers, RuleRefuses
from kitchentable.rulesets.toaster import game
from kitchentable.rulesets.toaster.actions.hints import circumstances, hint
from kitchentable.rulesets.toaster.book import TABLES, row, rows
from kitchentable.rulesets.toaster.character.attributes import (
    attribute_choices,
    attribute_name,
    attributes,
)
from kitchentable.rulesets.toaster.character.listing import is_on_list, members, price
from kitchentable.rulesets.toaster.character.skills import skill_choices
from kitchentable.rulesets.toaster.harm.healing import healing_parts
from kitchentable.rulesets.toaster.harm.hurting import mortality_parts
from kitchentable.rulesets.toaster.mechanics.initiative import initiative
from kitchentable.rulesets.toaster.mechanics.stars import D10_STAR, star
from tests.rulesets.driver import GM, Evening
from tests.rulesets.toaster.people import (
    entity,
    evening,
    foe,
    hero,
    line,
    person,
    sheet,
    table,
    trait,
)


def edit(one: Evening, table: str, row: str, column: str, value: str, why: str = "") -> None:
    one.move(GM, "edit_table", table=table, row=row, column=column, value=value, why=why)


def add(one: Evening, table: str, name: str, like: str) -> None:
    one.move(GM, "edit_table", table=table, row="new", name=name, as_row=like)


@pytest.mark.rule("toaster.1.customisable")
def test_every_number_can_be_changed_and_the_log_keeps_what_it_was():
    one = evening()
    ana = hero(one, "ana", sheet((5, 4, 4, 4), weapons=("club",)))
    club = person(one.entity(ana), one.table).weapons[0]
    assert (club.wc, person(one.entity(ana), one.table).weapon_class(club)) == (6, 5)
    edit(one, "weapon", "club", "wc", "3", "Clubs are toys here.")
    club = person(one.entity(ana), one.table).weapons[0]
    assert (club.wc, person(one.entity(ana), one.table).weapon_class(club)) == (3, 4)
    assert one.card["title"] == "Weapon: Club"
    assert one.card["sentence"] == "WC: 3, not 6."
    assert one.card["lines"] == [{"text": "Clubs are toys here.", "audience": "all"}]
    assert one.last.seat == GM
    with pytest.raises(RuleRefuses):
        edit(one, "weapon", "club", "wc", "3")
    with pytest.raises(BadAnswers):
        edit(one, "weapon", "club", "wc", "heavy")
    add(one, "armour", "Bone mail", "chain-mail")
    edit(one, "armour", "bone-mail", "ac", "7")
    assert row(one.table, "armour", "bone-mail") == {
        "key": "bone-mail",
        "name": "Bone mail",
        "ac": 7,
    }
    one.move(GM, "edit_table", table="armour", row="plate", column="gone")
    assert row(one.table, "armour", "plate") is None
    assert len(rows(one.table, "armour")) == len(TABLES["armour"])


@pytest.mark.rule("toaster.1.customisable", "toaster.4.stun-table")
def test_a_degree_of_stun_is_where_the_table_puts_it():
    one = evening()
    ana = hero(one, "ana", sheet((5, 4, 4, 4)))
    one.do(GM, c.Override, path=("entities", ana, "state", "stun"), now=10, reason="for the test")

    def status():
        summary = game.sheet.summary(one.table, one.entity(ana))
        return summary.status, summary.tracks[0].words

    assert status() == ("Battered, -2", "10 stun of 25: battered")
    edit(one, "degrees", "battered", "penalty", "-4")
    assert status() == ("Battered, -4", "10 stun of 25: battered")
    edit(one, "degrees", "battered", "at", "3")
    assert status() == ("Bruised, -1", "10 stun of 25: bruised")
    one.move(GM, "edit_table", table="degrees", row="unconscious", column="gone")
    assert status() == ("Bruised, -1", "10 stun of 20: bruised")
    one.move(GM, "edit_table", table="degrees", row="stunned", column="gone")
    assert not person(one.entity(ana), one.table).passes_out
    edit(one, "degrees", "dazed", "at", "2")
    edit(one, "degrees", "battered", "at", "1")
    assert person(one.entity(ana), one.table).passes_out


@pytest.mark.rule("toaster.1.customisable", "toaster.2.attributes-changeable")
def test_healing_and_mortality_read_the_attribute_that_the_table_says():
    one = evening()
    ana = hero(one, "ana", sheet((5, 4, 4, 6)))
    edit(one, "uses", "health", "attribute", "aura")
    here, who = one.table, one.entity(ana)
    assert (
        mortality_parts(person(who, here))[0]
        == healing_parts(person(who, here))[0]
        == Part("Aura", 6)
    )


@pytest.mark.rule("toaster.1.customisable", "toaster.2.trait-attribute-sub")
def test_endurance_and_will_stand_on_the_sheet_where_they_differ():
    one = evening()
    tired = sheet((5, 4, 4, 4), traits=(trait("attributes", -1, "stamina"),))
    ana = hero(one, "ana", tired)

    def shown():
        numbers = game.sheet.summary(one.table, one.entity(ana)).numbers
        return {n.label: n.value for n in numbers if n.key.startswith("uses.")}

    assert shown() == {"Feats of endurance": 4}
    edit(one, "uses", "endurance", "name", "Grit")
    assert shown() == {"Grit": 4}


@pytest.mark.rule("toaster.2.attributes-changeable")
def test_a_renamed_attribute_is_renamed_everywhere():
    one = evening()
    ana = hero(one, "ana", sheet((4, 4, 4, 6), {"persuasion": 4}))
    edit(one, "attributes", "aura", "name", "Spirit")
    here, who = one.table, one.entity(ana)
    assert attribute_name(here, "aura") == "Spirit"
    assert "Spirit 6" in [choice.label for choice in attribute_choices(here, person(who, here))]
    numbers = {n.key: n.label for n in game.sheet.summary(here, who).numbers}
    assert numbers["attributes.aura"] == "Spirit"
    assert person(who, here).rank("persuasion") == 5
    assert person(who, here).luck_at_start == 6
    skills = next(s for s in game.sheet.sections(here, who) if s.key == "skills")
    with_what = next(f for f in skills.fields[0].columns if f.name == "attribute")
    assert "Spirit" in [choice.label for choice in with_what.choices]


@pytest.mark.rule("toaster.2.option-extra-attributes", "toaster.2.extra-attributes-points")
def test_attributes_can_be_added_with_points_for_them():
    one = evening(other_attributes=True, style="heroic")
    add(one, "attributes", "Attunement", "aura")
    here = one.table
    assert [a["name"] for a in attributes(here)][-1] == "Attunement"
    assert person(entity(), here).attribute_budget == 30
    magic = entity(
        sheet()
        | {
            "attributes": {"physique": 4, "attunement": 8},
            "skills": [line("act", 4, attribute="attunement")],
        }
    )
    assert person(magic, here).attribute("attunement") == 8
    assert person(magic, here).rank("act") == 6
    said = Table({**here.options, "extra_attribute_points": 2}, own=here.own)
    assert person(entity(), said).attribute_budget == 26
    off = Table({**here.options, "other_attributes": False}, own=here.own)
    assert [a["key"] for a in attributes(off)] == [
        *("physique", "coordination", "intellect", "aura")
    ]
    assert person(entity(), off).attribute_budget == 24


@pytest.mark.rule("toaster.2.option-split-attributes")
def test_charisma_can_be_split_from_aura():
    one = evening(other_attributes=True)
    add(one, "attributes", "Charisma", "aura")
    edit(one, "skills", "seduction", "attributes", "charisma")
    ranks = {"physique": 4, "coordination": 4, "intellect": 4, "aura": 3, "charisma": 9}
    charmer = entity(sheet(skills={"seduction": 5, "persuasion": 5}) | {"attributes": ranks})
    assert person(charmer, one.table).rank("seduction") == 7
    assert person(charmer, one.table).rank("persuasion") == 4
    assert person(charmer, one.table).luck_at_start == 3


@pytest.mark.rule("toaster.2.skills-campaign-list", "toaster.2.skills-groups-setting")
def test_the_list_of_skills_is_the_tables_own():
    one = evening()
    add(one, "skills", "Sorcery", "act")
    assert is_on_list(one.table, "sorcery")
    assert "Sorcery" in [choice.label for choice in skill_choices(one.table)]
    one.move(GM, "edit_table", table="skills", row="drive", column="gone")
    assert not is_on_list(one.table, "drive")
    add(one, "members", "Scythe", "weapon-skill:axe")
    assert "Scythe" in members(one.table, "weapon-skill")
    edit(one, "weapon_skills", "hatchet", "skill", "throw")
    thrown = entity(sheet(weapons=("hatchet",)))
    assert person(thrown, one.table).weapons[0].skill == "throw"


@pytest.mark.rule("toaster.2.skill-drive-exotic", "toaster.2.skill-empathy-animals")
@pytest.mark.parametrize(
    ("name", "like", "attribute"),
    [("Drive: Tank", "drive", "coordination"), ("Animal Empathy", "empathy", "aura")],
)
def test_what_a_skill_does_not_cover_can_be_a_skill_of_its_own(name, like, attribute):
    one = evening()
    assert name not in [choice.label for choice in skill_choices(one.table)]
    add(one, "skills", name, like)
    (key,) = (c.value for c in skill_choices(one.table) if c.label == name)
    built = sheet((4, 4, 4, 4)) | {"skills": [line(key, 6, attribute=attribute), line(like, 2)]}
    ana = hero(one, "ana", built)
    wrong = {problem.where for problem in game.sheet.check(one.table, one.entity(ana), "play")}
    assert not [where for where in wrong if where.startswith("skills.")]
    ranks = [person(one.entity(ana), one.table).rank(skill) for skill in (key, like)]
    assert ranks == [5, 3]
    card = one.roll("ana", "task", ana, (5,), on=f"skill:{key}")
    assert card["sides"][0]["parts"] == [[name, 5]]


# Every heading in parentheses, and the switch that it is.
HEADINGS = (
    *("other_attributes", "specialization", "variable_skill_cost", "complementary_skills"),
    *("collaboration", "rolling_nines", "rolling_zeros", "calling_fours", "variable_outcomes"),
    *("luck_points", "luck_rolls", "weapon_length", "stance", "strength_requirements"),
    *("partial_armor", "unnamed_characters", "bleeding", "critical_fumble_table", "hit_location"),
    *("wcac_same_die", "wcac_critical_table", "wcac_add_margin", "wcac_double_roll"),
    "wcac_halve_marginal",
)


@pytest.mark.rule("toaster.1.optional-rules-are-switches")
def test_every_optional_rule_is_one_switch_and_off():
    defaults = game.defaults()
    assert {key: defaults[key] for key in HEADINGS} == dict.fromkeys(HEADINGS, False)
    one = evening(stance=True)
    settings = {**defaults, **one.table.options}
    assert settings["stance"] is True
    assert not any(settings[key] for key in HEADINGS if key != "stance")


@pytest.mark.rule("toaster.2.skill-martial-manoeuvres", "toaster.2.skill-martial-plus-2")
def test_manoeuvres_of_a_style_are_the_gms_to_write():
    one = evening()
    boxer = hero(one, "ana", sheet((4, 6, 4, 4), {"martial-arts": 4}))
    thug = foe(one, sheet((4, 4, 4, 4), {"brawl": 4}), open=True)
    asked = {"target": thug, "arm": "bare-fist", "skill": "martial-arts"}
    attack, actor = one.named("attack"), one.actor("ana", boxer)
    names = {field.name for field in attack.fields(one.table, actor, asked)}
    assert "manoeuvre" not in names
    one.move(GM, "edit_table", table="manoeuvres", row="new", name="Uppercut")
    edit(one, "manoeuvres", "uppercut", "modifier", "-2")
    edit(one, "manoeuvres", "uppercut", "note", "Sends them reeling.")
    field = next(f for f in attack.fields(one.table, actor, asked) if f.name == "manoeuvre")
    assert [choice.label for choice in field.choices] == ["No", "Uppercut, -2"]
    brawling = {**asked, "skill": "brawl"}
    assert "manoeuvre" not in {f.name for f in attack.fields(one.table, actor, brawling)}
    card = one.roll("ana", "attack", boxer, (0, 0, 0, 0), **asked, manoeuvre="uppercut")
    parts = dict(card["sides"][0]["parts"])
    assert parts == {"Martial Arts": 5, "style against brawling": 2, "Uppercut": -2}


# ---------------------------------------------------------------- dice


@pytest.mark.rule("toaster.1.dice-d10")
@pytest.mark.parametrize(("face", "number"), [(10, 17), (1, 8)])
def test_only_initiative_counts_a_printed_0_as_ten(face, number):
    assert load(initiative, 7, faces=[face]).outcome.number == number


@pytest.mark.rule("toaster.1.dice-d10star")
def test_the_starred_die_goes_from_0_to_9():
    assert sorted(D10_STAR.faces) == list(range(10))
    assert odds(star).mean() == Fraction(9, 2)
    assert load(star, faces=[0]).outcome == 0


@pytest.mark.rule("toaster.1.dice-d6")
def test_without_the_two_tables_no_six_sided_die_falls():
    for on, sides in ((False, {10}), (True, {6, 10})):
        one = evening(hit_location=on)
        ana = hero(one, "ana", sheet((4, 9, 4, 4), {"brawl": 9}))
        thug = foe(one, sheet((4, 1, 4, 4)), open=True)
        faces = (9, 0, 3, 4, 9, 0) if on else (9, 0, 9, 0)
        one.roll("ana", "attack", ana, faces, target=thug, arm="bare-fist")
        assert {throw["sides"] for throw in one.last.throw.trace} == sides


# ---------------------------------------------------------------- people


@pytest.mark.rule("toaster.1.reader-experienced", "toaster.1.genre-neutral")
def test_the_gm_brings_people_in_a_moment():
    one = evening()
    one.move(GM, "npc", name="Thug", preset="thug", count=3, named=False)
    thugs = list(one.table.in_play())
    assert [(each.name, each.kind, each.open) for each in thugs] == [
        (f"Thug {number}", "unnamed", False) for number in (1, 2, 3)
    ]
    assert not any(person(each).is_named for each in thugs)
    assert person(thugs[0], one.table).rank("weapon-skill:Club") == 5
    one.move(GM, "npc", name="Bruin", preset="bear", count=1, named=True, hidden=True)
    bear = list(one.table.in_play())[-1]
    assert (bear.kind, bear.hidden, person(bear, one.table).thresholds) == (
        "creature",
        True,
        (6, 6),
    )
    assert person(bear, one.table).armor_class() == 6
    assert one.card["title"] == "Bruin"
    first = person(bear, one.table).weapons[0]
    assert (first.name, first.unarmed) == ("Claws and teeth", False)
    for preset in rows(table(), "presets"):
        one.move(GM, "npc", name="Somebody", preset=preset["key"], count=1)
        made = list(one.table.in_play())[-1]
        assert not [p for p in game.sheet.check(one.table, made, "play") if p.refuses], preset


def test_somebody_closed_shows_how_they_are_and_no_number():
    one = evening()
    guard = foe(one, sheet((5, 5, 3, 3), {"brawl": 5}, (trait("custom", 1),)))
    shown = game.sheet.public(one.table, one.entity(guard))
    assert set(shown.sheet) == {"named"}
    assert set(shown.state) <= {"wounds", "condition", "stance"}
    summary = game.sheet.summary(one.table, shown)
    assert (summary.numbers, summary.tracks, summary.tags) == ((), (), ())
    assert not person(shown).is_known


@pytest.mark.rule("toaster.2.trait-size-measure", "toaster.2.creation-possessions")
def test_things_change_hands_in_play():
    one = evening()
    ana = hero(one, "ana", sheet((6, 4, 4, 4)))
    mail = {"like": "chain-mail", "name": "", "ac": None, "stowed": False}
    sword = {"like": "saber", "name": "Grandfather's"}
    one.move("ana", "carry", ana, weapons=[sword], armour=[mail], possessions="A rope")
    who = one.entity(ana)
    assert person(who, one.table).armor_class() == 7
    assert person(who, one.table).weapons[0].name == "Grandfather's"
    assert one.card["sentence"] == "Weapons: Grandfather's. Armor: Chain mail."
    one.move("ana", "carry", ana, armour=[mail | {"stowed": True}], weapons=[sword])
    assert person(one.entity(ana), one.table).armor_class() == 3
    body = next(s for s in game.sheet.sections(one.table, who) if s.key == "body")
    assert {"height", "weight"} <= {field.name for field in body.fields}


@pytest.mark.rule("toaster.2.trait-size-extremes")
def test_the_gm_says_what_an_odd_body_can_take():
    one = evening()
    ana = hero(one, "ana")
    one.move(GM, "thresholds", ana, stun=9, wound=9)
    assert person(one.entity(ana), one.table).thresholds == (9, 9)
    one.move(GM, "thresholds", ana, stun=None, wound=None)
    assert person(one.entity(ana), one.table).thresholds == (5, 5)


def test_the_example_is_legal_and_ready():
    here = example_table(game)
    for one in here.in_play():
        assert not [p for p in game.sheet.check(here, one, "creation") if p.refuses]
    heroes = [one for one in here.in_play() if one.is_players]
    assert [one.name for one in heroes] == ["Rhoenda Dumas", "Father Colin Mallory"]
    assert all(one.state["luck"] for one in heroes)


@pytest.mark.rule("toaster.1.customisable")
@pytest.mark.parametrize(
    ("name", "row"), [("uses", "armour"), ("thresholds", "0"), ("degrees", "fine")]
)
def test_a_row_that_the_rules_read_is_changed_and_not_struck(name, row):
    one = evening()
    ana = hero(one, "ana", sheet((5, 4, 4, 4)))
    with pytest.raises(BadAnswers, match="so you cannot delete it"):
        one.move(GM, "edit_table", table=name, row=row, column="gone")
    assert game.sheet.summary(one.table, one.entity(ana)).numbers


@pytest.mark.rule("toaster.1.customisable", "toaster.2.skillcost-table")
def test_a_price_that_is_on_no_list_is_that_of_an_average_skill():
    one = evening(variable_skill_cost=True)
    edit(one, "skills", "climb", "price", "difficult")
    assert price(one.table, "climb") == 2
    one.move(GM, "edit_table", table="costs", row="difficult", column="gone")
    assert price(one.table, "climb") == 1


@pytest.mark.rule("toaster.1.customisable")
def test_a_preset_has_a_rank_for_each_attribute_and_no_option_decides_on_a_skill():
    one = evening()
    with pytest.raises(BadAnswers, match="That is no value for"):
        edit(one, "presets", "bystander", "attributes", "4, 4")
    (asked,) = (
        field
        for field in one.named("edit_table").fields(
            one.table, one.actor(GM), {"table": "skills", "row": "ride"}
        )
        if field.name == "column"
    )
    assert "only_with" not in {choice.value for choice in asked.choices}


ICY = '[{"key": "icy", "name": "ice", "value": -3}]'


@pytest.mark.rule("toaster.1.customisable")
@pytest.mark.parametrize("value", ["slick", "[1]", "{}", '[{"name": "ice"}]', "[[", "null"])
def test_cells_that_hold_rows_take_nothing_but_rows(value):
    one = evening()
    with pytest.raises(BadAnswers, match="That is no value for circumstances"):
        edit(one, "play", "climb", "circumstances", value)
    edit(one, "play", "climb", "circumstances", ICY)
    assert [each.label for each in circumstances(one.table, "climb")] == ["ice, -3"]
    edit(one, "play", "climb", "circumstances", "")
    assert circumstances(one.table, "climb") == ()


@pytest.mark.rule("toaster.1.customisable")
def test_cells_written_before_rows_were_checked_are_passed_over():
    own = {"data": {"play": {"climb": {"circumstances": ["slick"], "failure": "slick"}}}}
    found = hint(Table(options={}, own=own), "climb")
    assert (found.circumstances, found.failure) == ((), ())


@pytest.mark.rule("toaster.1.customisable")
def test_a_skill_of_a_preset_without_a_base_begins_at_0():
    one = evening()
    edit(one, "presets", "thug", "skills", "brawl, dodge 3")
    (field,) = [
        f for f in one.named("npc").fields(one.table, one.actor(GM), {}) if f.name == "preset"
    ]
    assert next(c.hint for c in field.choices if c.value == "thug").endswith("; Brawl, Dodge")
    one.move(GM, "npc", preset="thug", name="Bruno")
    (bruno,) = one.table.in_play()
    assert [(s["skill"], s["base"]) for s in bruno.sheet["skills"]] == [("brawl", 0), ("dodge", 3)]
