"""A game in Python gets another version under a campaign: told beforehand, asked, taken back."""

from dataclasses import replace

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.decide.game_update import describe_update
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.views import view_for
from kitchentable.rules import Choice, Field, Option
from kitchentable.rulesets.lucky_stars import game as stars
from kitchentable.rulesets.objects import game as objects
from kitchentable.rulesets.toast import game as toast
from kitchentable.rulesets.toaster import game as toaster
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars import people as stars_people
from tests.rulesets.objects import people as objects_people
from tests.rulesets.toast import people as toast_people
from tests.rulesets.toaster import people as toaster_people

HOUSE = Option(Field("house", "House rule", "tick", default=True, required=False), "New")


def shorter(game, key, without):
    """Another version: a list has lost a row and takes no more than that; one option is new."""
    field = next(one.field for one in game.options if one.key == key)
    rows = [row for row in field.default if not without(row)]
    fewer = replace(field, default=rows, high=len(rows))
    options = (replace(one, field=fewer) if one.key == key else one for one in game.options)
    return replace(game, version="2", options=(*options, HOUSE))


def of_stars():
    one = stars_people.evening(("ana",))
    who = stars_people.hero(one, "ana", fort=2)
    stars_people.foe(one, name="Shade", hidden=True, fort=4)
    return one, who, shorter(stars, "stats", lambda row: row["id"] == "fort"), ("stats", "fort", 2)


def of_objects():
    one = objects_people.evening(("ana",))
    who = objects_people.thing(one, "ana", talents={"agile": 3})
    objects_people.thing(one, name="Shade", talents={"agile": 5}, hidden=True)
    later = shorter(objects, "basic_talents", lambda row: row["talent"] == "Agile")
    return one, who, later, ("basic", "agile", 3)


def of_toaster():
    one = toaster_people.evening(("ana",), other_attributes=True)
    who = toaster_people.hero(one, "ana")
    answers = {"table": "attributes", "row": "new", "name": "Charisma", "as_row": "aura"}
    one.move(GM, "edit_table", **answers)
    one.answer(GM, one.ask("refit"), attributes__start__charisma=6)
    toaster_people.foe(one, name="Shade", hidden=True)
    words = Field("other_attributes", "Other", "choice", (Choice("no", "no"),), default="")
    options = tuple(
        replace(one, field=words) if one.key == "other_attributes" else one
        for one in toaster.options
    )
    later = replace(toaster, version="2", options=(*options, HOUSE))
    return one, who, later, ("attributes", "charisma", 6)


@pytest.mark.parametrize("made", [of_stars, of_objects, of_toaster])
def test_what_a_new_version_leaves_without_a_place_is_told_and_asked_and_taken_back(made):
    one, who, later, (part, key, value) = made()
    before, options = one.entity(who), one.table.options
    told = describe_update(one.campaign, later)
    assert "House rule is a new option: yes." in told
    assert any("which is no longer allowed" in words for words in told)
    (asked,) = (one for one in told if f"will be asked: What becomes of {key.capitalize()}?" in one)
    assert f"{before.name} has {value}" in asked
    assert one.table.options == options
    one.game = later
    event = one.do(GM, c.UpdateGame, version="2")
    assert one.entity(who) == before
    assert all("Shade" not in repr(told) for told in _seen(one, event, "ana"))
    one.answer(GM, one.ask("refit"), **{f"{part}.lost.{key}": "note"})
    kept = {"name": key.capitalize(), "value": value}
    assert one.entity(who).sheet["former"][part][key] == kept
    assert key not in one.entity(who).sheet[part]
    one.do(GM, c.Undo, number=one.last.number)
    one.do(GM, c.Undo, number=event.number)
    assert one.entity(who) == before
    assert (one.table.options, one.asks()) == (options, [])
    assert one.campaign.tree["game_version"] == "1"


def _seen(one, event, seat):
    return view_for(one.campaign, one.game, seat), entry_for(one.campaign, event, seat)


def test_toast_asks_by_its_own_rule_and_keeps_the_level_aside():
    one = toast_people.evening(("ana",))
    mara = toast_people.hero(one, "ana", health=6)
    later = shorter(toast, "traits", lambda row: row["id"] == "health")
    asked = "The GM will be asked: What becomes of Health?"
    assert any(words.startswith(asked) for words in describe_update(one.campaign, later))
    one.game = later
    one.do(GM, c.UpdateGame, version="2")
    assert one.entity(mara).state["former"] == {"health": 6}
    one.answer(GM, one.ask("lost_traits"), lost__health="back")
    assert one.entity(mara).state["grant"] == 4


def test_an_option_that_is_no_more_stays_as_it_was_set():
    one = stars_people.evening(("ana",), show_margin=True)
    fewer = tuple(option for option in stars.options if option.key != "show_margin")
    later = replace(stars, version="2", options=fewer)
    words = "show_margin (yes) is no longer an option; its setting is kept."
    assert words in describe_update(one.campaign, later)
    one.game = later
    one.do(GM, c.UpdateGame, version="2")
    assert one.table.options["show_margin"] is True
