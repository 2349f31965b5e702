"""Traits in play: disabilities that hinder or forbid, by the GM; quirks without effect."""

import pytest

from kitchentable.rulesets.toaster import game
from tests.rulesets.driver import GM, Evening
from tests.rulesets.toaster.hurting import put, wounded
from tests.rulesets.toaster.people import entity, evening, foe, hero, sheet, table, trait

HEARING = trait("disability", -2, "Perception", "Hard of hearing", modifier=-3)
BLIND = trait("disability", -5, "perception", "Blind", fails=True)


def asked(one: Evening, seat: str, who: str, **answers) -> dict:
    task = one.named("task")
    return {f.name: f for f in task.fields(one.table, one.actor(seat, who), answers)}


@pytest.mark.rule("toaster.2.trait-disability")
def test_a_disability_counts_where_the_gm_says_so():
    one = evening(settings={"gm_confirms": "each"})
    ana = hero(one, "ana", sheet(skills={"perception": 6}, traits=(HEARING,)))
    field = asked(one, "ana", ana, on="skill:perception")["disabilities"]
    assert field.set_by == "gm"
    assert [choice.label for choice in field.choices] == ["Hard of hearing, -3"]
    assert "disabilities" not in asked(one, "ana", ana, on="skill:run")
    listening = {"disabilities": ["Hard of hearing"]}
    card = one.roll("ana", "task", ana, (7,), on="skill:perception", gm=listening)
    assert dict(card["sides"][0]["parts"]) == {"Perception": 5, "Hard of hearing": -3}
    assert card["outcome"] == "failure"
    card = one.roll("ana", "task", ana, (7,), on="skill:perception")
    assert dict(card["sides"][0]["parts"]) == {"Perception": 5}


@pytest.mark.rule("toaster.2.trait-disability", "toaster.3.auto-failure")
def test_the_deaf_do_not_listen_and_no_die_falls():
    one = evening(settings={"gm_confirms": "each"})
    ana = hero(one, "ana", sheet(skills={"perception": 6}, traits=(BLIND,)))
    assert (
        asked(one, "ana", ana, on="skill:perception")["ruled_out"].label == "Blind rules this out"
    )
    assert "ruled_out" not in asked(one, "ana", ana, on="skill:run")
    card = one.roll("ana", "task", ana, (), on="skill:perception", gm={"ruled_out": True})
    assert card["outcome"] == "automatic failure"
    card = one.roll("ana", "task", ana, (9,), on="skill:perception")
    assert card["outcome"] == "success"


def test_a_closed_ones_disability_is_the_gms_alone():
    one = evening(settings={"gm_confirms": "each"})
    ana = hero(one, "ana")
    guard = foe(one, sheet(skills={"perception": 6}, traits=(HEARING, BLIND)))
    fields = game.move("contest").fields(
        one.table, one.actor(GM, ana), {"other": guard, "other_on": "skill:perception"}
    )
    assert "other_disabilities" in {field.name for field in fields}
    public = game.sheet.public(one.table, one.entity(guard))
    assert "traits" not in public.sheet


@pytest.mark.rule("toaster.2.trait-social-circumstance", "toaster.2.trait-social")
def test_standing_weighs_as_the_scene_has_it():
    one = evening(settings={"gm_confirms": "each"})
    noble = sheet((4, 4, 4, 6), {"persuasion": 6}, (trait("standing", 3, name="Countess"),))
    ana = hero(one, "ana", noble)
    field = asked(one, "ana", ana, on="skill:persuasion")["modifiers"]
    assert field.help == "Traits that may count: Countess +3."
    for value, outcome in ((2, "success"), (-2, "failure")):
        rows = [{"why": "a countess here", "value": value}]
        card = one.roll("ana", "task", ana, (3,), on="skill:persuasion", gm={"modifiers": rows})
        assert dict(card["sides"][0]["parts"]) == {"Persuasion": 6, "a countess here": value}
        assert card["outcome"] == outcome


@pytest.mark.rule("toaster.2.trait-neutral")
@pytest.mark.parametrize(("ranks", "wrong"), [((3, -3), 0), ((3, -2), 1), ((-1,), 1), ((), 0)])
def test_a_quirk_changes_no_sum(ranks, wrong):
    others = tuple(trait("custom", rank, name=str(at)) for at, rank in enumerate(ranks))
    quirks = tuple(trait("custom", 0, name=name) for name in ("In black", "Collects stamps"))
    for traits in (others, (*others, *quirks)):
        problems = game.sheet.check(
            table(style="average"), entity(sheet(traits=traits)), "creation"
        )
        assert [one.rule for one in problems].count("toaster.2.creation-traits-sum") == wrong


# ---------------------------------------------------------------- in attacks, aid and common work

SWORD, MEDICINE, SMITH = "weapon-skill:Sword", "science:Medicine", "craft:Smith"
EYE = trait("disability", -2, SWORD, "One eye", modifier=-2)
LAME = trait("disability", -2, "dodge", "Lame", modifier=-3)


def questions(one: Evening, move: str, who: str, **answers) -> set[str]:
    asked = one.named(move).fields(one.table, one.actor(GM, who), answers)
    return {field.name for field in asked}


@pytest.mark.rule("toaster.2.trait-disability")
def test_a_disability_counts_in_attack_and_defense_where_the_gm_says_so():
    one = evening(settings={"gm_confirms": "each"})
    ana = hero(one, "ana", sheet(skills={SWORD: 8}, traits=(EYE,), weapons=("saber",)))
    lame = foe(one, sheet(skills={"dodge": 6}, traits=(LAME,)), open=True)
    assert {"disabilities", "defence_disabilities"} <= questions(one, "attack", ana, target=lame)
    gm = {"disabilities": ["One eye"], "defence_disabilities": ["Lame"]}
    card = one.roll("ana", "attack", ana, (3, 5), gm=gm, target=lame)
    attack, defense = card["sides"][:2]
    assert dict(attack["parts"]) == {"Weapon: Sword": 6, "One eye": -2}
    assert dict(defense["parts"]) == {"Dodge": 5, "Lame": -3}
    card = one.roll("ana", "attack", ana, (3, 5), target=lame)
    assert [dict(side["parts"]) for side in card["sides"][:2]] == [
        {"Weapon: Sword": 6},
        {"Dodge": 5},
    ]
    plain = foe(one, sheet(skills={"dodge": 6}), "Plain", open=True)
    assert "defence_disabilities" not in questions(one, "attack", ana, target=plain)


def skilled(skill: str, specialty: str, *traits) -> dict:
    built = sheet((4, 4, 4, 4), {skill: 8}, traits)
    built["skills"][0].update(specialty=specialty, areas=f"{specialty}, this, that")
    return built


@pytest.mark.rule("toaster.2.specialty-plus-1", "toaster.2.trait-disability")
def test_specialty_and_disability_count_in_first_aid():
    one = evening(
        settings={"gm_confirms": "each"}, specialization=True, medical_skills="Science: Medicine"
    )
    shaky = trait("disability", -2, MEDICINE, "Shaky hands", modifier=-2)
    patient = hero(one, "ana")
    medic = hero(one, "ben", skilled(MEDICINE, "wounds", shaky))
    put(one, patient, wounds=wounded(1))
    given = {"patient": patient, "purpose": "first-aid", "skill": MEDICINE}
    assert {"specialty", "disabilities"} <= questions(one, "medical", medic, **given)
    gm = {"disabilities": ["Shaky hands"]}
    card = one.roll("ben", "medical", medic, (7,), gm=gm, specialty="wounds", **given)
    assert dict(card["sides"][0]["parts"]) == {
        "Science: Medicine (wounds)": 7,
        "Shaky hands": -2,
        "wound to treat": -1,
    }


@pytest.mark.rule("toaster.2.specialty-plus-1")
def test_a_specialty_counts_in_common_work():
    one = evening(specialization=True, collaboration=True)
    ana, ben = hero(one, "ana", skilled(SMITH, "armor")), hero(one, "ben")
    given = {"on": f"skill:{SMITH}", "helpers": [ben]}
    assert "specialty" in questions(one, "together", ana, **given)
    card = one.roll("ana", "together", ana, (2, 3), specialty="armor", **given)
    assert dict(card["sides"][0]["parts"]) == {
        "Craft: Smith": 6,
        "specialty: armor": 1,
        "the die that counts": 3,
    }
