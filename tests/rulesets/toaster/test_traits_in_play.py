"""Traits in play: disabilities that hinder or forbid, by the GM; quirks without effect."""

import pytest

from kitchentable.rulesets.toaster import game
from tests.rulesets.driver import GM, Evening
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
