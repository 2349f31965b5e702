"""Levels of removed traits: kept aside, restored, or moved to another trait."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.views import view_for
from kitchentable.rules import BadAnswers
from kitchentable.rulesets.toast import game
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import evening, foe, hero
from tests.rulesets.toast.test_lists import change

pytestmark = pytest.mark.rule("toast.3.1-recount")
VIGOUR = {"name": "Vigour", "purpose": "Endure.", "magic": False}


def levels(one, who):
    return one.entity(who).sheet["traits"]


def choices(one, trait):
    fields = {f.name: f for seen in view_for(one.campaign, game, GM).asks for f in seen.fields}
    return [choice.value for choice in fields[f"lost.{trait}"].choices]


def test_the_level_of_everybody_can_become_another_traits():
    one = evening()
    mara, serk = hero(one, "ana", health=6), foe(one, name="Serk", hidden=True, health=3)
    change(one, VIGOUR, without=("health",))
    changed = one.last
    assert "to.vigour" in choices(one, "health")
    said = one.answer(GM, one.ask("lost_traits"), lost__health="to.vigour")
    assert (levels(one, mara)["vigour"], levels(one, serk)["vigour"]) == (6, 3)
    assert one.entity(mara).state["former"] == {}
    assert one.asks() == []
    told = repr(entry_for(one.campaign, said, "ana"))
    assert "Health: its level becomes Vigour." in told
    assert "Serk" not in told
    one.do(GM, c.Undo, number=changed.number, also=(said.number,))
    assert (levels(one, mara)["health"], levels(one, serk)["health"]) == (6, 3)
    assert "vigour" not in levels(one, mara)


def test_what_only_the_gms_people_had_is_asked_after_without_points():
    one = evening()
    serk = foe(one, name="Serk", health=3)
    change(one, VIGOUR, without=("health",))
    assert "back" not in choices(one, "health")
    one.answer(GM, one.ask("lost_traits"))
    assert one.entity(serk).state["former"] == {"health": 3}
    notes = game.sheet.summary(one.table, one.entity(serk)).notes
    assert notes == ("Health was 3, before it was struck out.",)
    change(one)
    assert levels(one, serk)["health"] == 3
    assert game.sheet.summary(one.table, one.entity(serk)).notes == ()


def test_two_traits_cannot_become_one():
    one = evening()
    hero(one, "ana", health=6, aim=2)
    change(one, VIGOUR, without=("health", "aim"))
    both = {"lost__health": "to.vigour", "lost__aim": "to.vigour"}
    with pytest.raises(BadAnswers, match="Two traits cannot become one"):
        one.answer(GM, one.ask("lost_traits"), **both)


def test_an_unfinished_sheet_keeps_its_levels_on_itself():
    one = evening()
    kit = one.do(GM, c.MakeEntity, kind="minion", name="Kit").data["entity"]
    one.do(GM, c.SaveSheet, entity=kit, raw={"traits.health": 4})
    change(one, without=("health",))
    assert one.entity(kit).sheet["former"] == {"health": 4}
    # Had it a state, whoever is gone would be taken for somebody the players have met.
    assert one.entity(kit).state == {}
    change(one)
    assert levels(one, kit)["health"] == 4
