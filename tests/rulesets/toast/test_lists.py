"""Changes of the list of traits in mid-campaign: added, removed, and stand-ins in fights."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rules import Actor, BadAnswers, RuleRefuses
from kitchentable.rulesets.toast import game
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import evening, foe, hero

rule = pytest.mark.rule
PILOTING = {"name": "Piloting", "purpose": "Fly.", "magic": False}


def rows(*more, without=()):
    return [*(row for row in game.defaults()["traits"] if row["id"] not in without), *more]


def change(one, *more, without=()):
    one.do(GM, c.SetOptions, options={"traits": rows(*more, without=without)})


@rule("toast.3.1-recount", "toast.3-same-list")
def test_a_new_trait_stands_at_nought_and_brings_no_points():
    one = evening()
    mara = hero(one, "ana", aim=4)
    change(one, PILOTING)
    assert one.entity(mara).sheet["traits"]["piloting"] == 0
    assert one.asks() == []


@rule("toast.3.1-recount")
def test_by_option_it_brings_four_points_to_spread():
    one = evening(new_trait_grant=True)
    mara, serk = hero(one, "ana", aim=4), foe(one)
    change(one, PILOTING)
    ask = one.ask("spend_points")
    assert (ask.entity, ask.to) == (mara, (f"owner:{mara}",))
    for spent in ({"more__aim": 3}, {"more__aim": 3, "more__piloting": 2}):
        with pytest.raises(BadAnswers):
            one.answer("ana", ask, **spent)
    one.answer("ana", ask, more__aim=3, more__piloting=1)
    levels = one.entity(mara).sheet["traits"]
    assert (levels["aim"], levels["piloting"]) == (7, 1)
    assert one.asks() == []
    assert one.entity(serk).state.get("grant") is None
    with pytest.raises(RuleRefuses):
        one.move("ana", "spend_points", mara, more__aim=4)


@rule("toast.3.1-recount")
@pytest.mark.parametrize(("ruling", "points"), [("back", 4), ("nothing", 0)])
def test_for_a_lost_trait_the_gm_gives_points_back_or_nothing(ruling, points):
    one = evening()
    mara = hero(one, "ana", health=6)
    change(one, without=("health",))
    assert "health" not in one.entity(mara).sheet["traits"]
    ask = one.ask("lost_traits")
    one.answer(GM, ask, lost__health=ruling)
    assert one.entity(mara).state.get("grant", 0) == points
    assert len(one.asks("spend_points")) == (1 if points else 0)
    assert one.asks("lost_traits") == []


@rule("toast.3.1-recount")
def test_a_lost_level_is_kept_aside_and_comes_back_with_its_trait():
    one = evening()
    mara = hero(one, "ana", health=6)
    change(one, without=("health",))
    assert one.entity(mara).state["former"] == {"health": 6}
    change(one)
    assert one.entity(mara).sheet["traits"]["health"] == 6
    assert one.entity(mara).state["former"] == {}


@rule("toast.3-list-alter")
def test_a_renamed_trait_keeps_its_levels():
    one = evening()
    mara = hero(one, "ana", aim=6)
    renamed = [
        {**row, "name": "Shooting"} if row["id"] == "aim" else row
        for row in game.defaults()["traits"]
    ]
    one.do(GM, c.SetOptions, options={"traits": renamed})
    assert one.asks() == []
    card = one.roll("ana", "task", mara, (5,), trait="aim")
    assert card["sides"][0]["parts"] == [["Shooting", 6]]


@rule("toast.3-list-combat-roles")
def test_in_mid_fight_the_gm_is_asked_who_plays_a_lost_fight_trait():
    one = evening()
    mara, serk = hero(one, "ana", athletics=3), foe(one)
    one.move(GM, "fight")
    change(one, without=("defense",))
    one.answer(GM, one.ask("roles"), role_defense="athletics")
    assert one.asks("roles") == []
    one.move(GM, "initiative_all", "", (1, 9))
    one.roll(GM, "attack", serk, (2, 3), target=mara, trait="attack")
    assert one.card["sides"][1]["parts"] == [["Athletics", 3]]


def test_a_draft_loses_a_trait_that_is_struck_out():
    one = evening()
    one.do("ana", c.MakeEntity, kind="pc", name="Mara")
    (mara,) = one.table.entities
    one.do("ana", c.SaveSheet, entity=mara, raw={"traits.health": 4})
    change(one, without=("health",))
    assert "health" not in one.entity(mara).sheet["traits"]
    assert one.asks() == []


@rule("toast.3.1-recount")
def test_a_second_change_asks_of_what_the_first_one_struck_out_too():
    one = evening()
    hero(one, "ana", health=6, aim=2)
    change(one, PILOTING)
    change(one, PILOTING, without=("health",))
    change(one, without=("health",))
    ask = one.ask("lost_traits")
    labels = [field.label for field in one.named("lost_traits").fields(one.table, _gm(ask), {})]
    assert labels == [f"What becomes of {name}?" for name in ("Health", "Piloting")]
    change(one)
    (field,) = one.named("lost_traits").fields(one.table, _gm(ask), {})
    assert field.label == "What becomes of Piloting?"
    change(one, PILOTING)
    assert one.asks() == []


def _gm(ask):
    return Actor(GM, "gm", ask=ask.id)
