"""Supplies: supply rolls after an action, Empty things, restocking, conditions."""

from dataclasses import replace

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.kinds import sentence
from kitchentable.rules import Actor, BadAnswers, RuleRefuses
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import (
    evening,
    fields,
    foe,
    hero,
    lines,
    stock,
    thing,
    try_it,
)

rule = pytest.mark.rule


@pytest.fixture
def table():
    return evening()


def kit(table, size, **more):
    """Ana with a kit of this size; her id and the name of its die in answers."""
    ana = hero(table, "ana", thing("Healer's kit", size, **more))
    return ana, f"{ana}/gear/healer-s-kit"


def size_of(table, who):
    return table.entity(who).sheet["gear"][0]["supply"]


@rule("stars.5.1-supply-sizes")
def test_a_thing_is_in_one_of_six_states(table):
    ana, _ = kit(table, "8")
    (gear,) = table.game.sheet.sections(table.table, table.entity(ana))[1].fields
    supply = next(column for column in gear.columns if column.name == "supply")
    assert [one.label for one in supply.choices[1:]] == ["D12", "D10", "D8", "D6", "D4", "Empty"]
    assert [one.value for one in supply.choices] == ["", "12", "10", "8", "6", "4", "0"]


@rule("stars.5.1-supply-roll", "stars.5.1-supply-lower")
@pytest.mark.parametrize(
    ("size", "face", "after"), [("12", 3, "10"), ("12", 4, "12"), ("6", 1, "4"), ("8", 8, "8")]
)
def test_a_supply_roll_by_itself(table, size, face, after):
    ana, die = kit(table, size)
    table.move("ana", "supply", ana, (face,), supply=die)
    assert size_of(table, ana) == after
    (thrown,) = table.last.throw.trace
    assert (thrown["sides"], thrown["label"]) == (int(size), "supply")


@rule("stars.5.1-supply-empty")
@pytest.mark.parametrize(("face", "after"), [(3, "0"), (4, "4")])
def test_a_d4_that_drops_is_empty(table, face, after):
    ana, die = kit(table, "4", restock="At an apothecary.")
    table.move("ana", "supply", ana, (face,), supply=die)
    assert size_of(table, ana) == after
    assert ("To restock: At an apothecary." in lines(table.card)) == (after == "0")


@rule("stars.5.1-supply-after")
def test_the_supply_is_rolled_once_the_action_is_done_and_the_action_counts(table):
    ana, die = kit(table, "4")
    card = try_it(table, ana, (6, 5, 1), uses=die)
    assert (card["outcome"], size_of(table, ana)) == ("success", "4")
    done = table.last.number
    table.answer("ana", table.ask("supply_due"), (1,))
    assert size_of(table, ana) == "0"
    assert not table.campaign.undone(done)
    assert table.asks("supply_due") == []


@rule("stars.5.1-supply-after", "stars.5.1-supply-empty-blocked")
def test_a_thing_is_not_used_again_before_its_supply_roll(table):
    ana = hero(table, "ana", thing("Healer's kit", "4"), thing("Lamp oil", "4"))
    die = f"{ana}/gear/healer-s-kit"
    try_it(table, ana, (5, 5), uses=die, times=2)
    with pytest.raises(BadAnswers, match="make its supply roll first"):
        try_it(table, ana, (), uses=die)
    try_it(table, ana, (5, 5), uses=die, gm={"no_supplies": True})
    try_it(table, ana, (5, 5), uses=f"{ana}/gear/lamp-oil")
    due, _ = table.asks("supply_due")
    table.answer("ana", due, (4,))
    with pytest.raises(BadAnswers, match="make its supply roll first"):
        try_it(table, ana, (), uses=die)
    for due in table.asks("supply_due"):
        table.answer("ana", due, (4,))
    try_it(table, ana, (5, 5), uses=die)


@rule("stars.5.1-supply-individual")
def test_each_supply_roll_has_the_die_as_it_is_by_then(table):
    ana, die = kit(table, "6")
    try_it(table, ana, (5, 5), uses=die, times=2)
    table.answer("ana", table.ask("supply_due"), (2,))
    assert (size_of(table, ana), len(table.asks("supply_due"))) == ("4", 1)
    table.answer("ana", table.ask("supply_due"), (1,))
    assert (size_of(table, ana), table.asks("supply_due")) == ("0", [])


@rule("stars.5.1-supply-individual")
def test_what_is_empty_by_then_is_not_rolled_again(table):
    ana, die = kit(table, "4")
    try_it(table, ana, (5, 5), uses=die, times=3)
    table.answer("ana", table.ask("supply_due"), (1,))
    assert table.asks("supply_due") == []


@rule("stars.5.1-supply-empty-blocked")
def test_an_empty_thing_is_refused_with_the_reason(table):
    ana, die = kit(table, "0")
    asked = table.game.move("supply").question
    actor = Actor("ana", "player", ana)
    assert asked(table.table, actor, {"supply": die, "what": ""}) is None
    with pytest.raises(BadAnswers, match="is Empty"):
        try_it(table, ana, (), uses=die)
    with pytest.raises(BadAnswers, match="nothing to roll"):
        table.move("ana", "supply", ana, (), supply=die)


@rule("stars.5.1-supply-empty-tools")
@pytest.mark.parametrize("size", ["0", "8"])
def test_the_tools_do_where_the_gm_says_that_no_supplies_are_needed(table, size):
    ana, die = kit(table, size)
    assert fields(table, "decision", ana, uses=die)["no_supplies"].set_by == "gm"
    card = try_it(table, ana, (5, 5), uses=die, gm={"no_supplies": True})
    assert "No supplies are needed for it, the GM says." in lines(card)
    assert (table.asks("supply_due"), size_of(table, ana)) == ([], size)


@rule("stars.5.1-supply-no-explode")
def test_a_supply_die_that_shows_its_highest_stays(table):
    ana, die = kit(table, "6")
    table.move("ana", "supply", ana, (6,), supply=die)
    assert (size_of(table, ana), len(table.last.throw.trace)) == ("6", 1)
    assert table.card["sides"][0]["parts"] == []


@rule("stars.5.1-supply-item-text")
def test_restocking_is_told_in_the_log(table):
    ana, die = kit(table, "0")
    table.move("ana", "restock", ana, (), supply=die, size="10", why="The depot")
    assert size_of(table, ana) == "10"
    assert table.card["sentence"] == "Empty to D10."
    assert "The depot" in lines(table.card)


@rule("stars.5.1-supply-item-text")
def test_the_size_after_restocking_is_always_said(table):
    ana, die = kit(table, "4")
    assert fields(table, "restock", ana, supply=die)["size"].default is None
    with pytest.raises(BadAnswers, match="Fill in “To”"):
        table.move("ana", "restock", ana, (), supply=die)


@rule("stars.5.1-supply-item-text")
def test_the_description_stands_beside_the_roll(table):
    ana, die = kit(table, "6", rolls="For each patient.", restock="At an apothecary.")
    assert fields(table, "supply", ana, supply=die)["what"].help == "For each patient."
    help_text = fields(table, "restock", ana, supply=die)["size"].help
    assert help_text == "To restock: At an apothecary."


@rule("stars.5.1-supply-item-text")
def test_a_table_can_leave_restocking_to_the_gm():
    table = evening(players_restock=False)
    ana, die = kit(table, "4")
    with pytest.raises(RuleRefuses, match="GM restocks"):
        table.move("ana", "restock", ana, (), supply=die, size="12")
    table.move(GM, "restock", ana, (), supply=die, size="12")
    assert size_of(table, ana) == "12"


@rule("stars.5.1-supply-item-text")
def test_nobody_fills_up_a_die_on_the_sheet_unseen(table):
    ana, _ = kit(table, "4")
    gear = [thing("Healer's kit", "12")]
    with pytest.raises((BadAnswers, CannotBe, NotAllowed)):
        table.do("ana", c.SaveSheet, entity=ana, raw={"gear": gear})
    assert size_of(table, ana) == "4"


@rule("stars.5.1-supply-item-text")
def test_a_kit_that_is_written_down_again_is_filled_up_in_the_log_alone(table):
    ana, _ = kit(table, "0")
    again = {**thing("Another kit", "12"), "id": "another"}

    def refused(seat, *gear):
        after = replace(before, sheet={**before.sheet, "gear": list(gear)})
        found = table.game.sheet.amend(table.table, table.actor(seat, ana), before, after)
        return [problem.sentence for problem in found]

    words = "Another kit {}: use Restock, so that the log records it."
    before = table.entity(ana)
    assert refused("ana", again) == [words.format("begins Empty")]
    assert refused("ana", {**again, "supply": "0"}) == refused("ana", {**again, "supply": ""}) == []
    assert refused(GM, again) == []
    table.do(GM, c.SaveSheet, entity=ana, raw={"gear": [{**again, "supply": ""}]})
    before = table.entity(ana)
    assert refused("ana", again) == [words.format("begins Empty")]
    table.do(GM, c.SaveSheet, entity=ana, raw={"gear": [{**again, "supply": "0"}]})
    table.move("ana", "restock", ana, (), supply=f"{ana}/gear/another", size="12", why="Bought")
    assert (size_of(table, ana), table.card["sentence"]) == ("12", "Empty to D12.")


@rule("stars.5.1-supply-item-text")
def test_a_sheet_that_was_sent_back_fills_no_kit_up_either(table):
    ana, _ = kit(table, "4")
    table.do(GM, c.DecideSheet, entity=ana, accept=False, reason="Your gear once more.")
    (row,) = table.entity(ana).sheet["gear"]
    full, other = {**row, "supply": "12"}, thing("Another kit", "12")
    for gear, place in (([full], "gear.0.supply"), ([row, other], "gear.1.supply")):
        with pytest.raises(BadAnswers, match="use Restock") as refused:
            table.do("ana", c.SaveSheet, entity=ana, raw={"gear": gear})
        assert [problem.where for problem in refused.value.problems] == [place]
    table.do("ana", c.SaveSheet, entity=ana, raw={"gear": [{**row, "note": "frayed"}]})
    table.do(GM, c.SaveSheet, entity=ana, raw={"gear": [{**full, "note": "frayed"}]})
    assert size_of(table, ana) == "12"
    assert sentence(table.last) == "GM changes Ana: Items (Healer's kit)."


@rule("stars.5.1-supply-conditions")
def test_a_die_can_stand_for_a_condition(table):
    ana = hero(table, "ana")
    table.move("ana", "track", ana, (), name="The crew's patience", kind="die", size="6")
    die = f"{ana}/trackers/the-crew-s-patience"
    table.move("ana", "supply", ana, (2,), supply=die)
    assert table.entity(ana).state["trackers"]["the-crew-s-patience"]["value"] == 4
    table.move("ana", "supply", ana, (3,), supply=die)
    assert table.card["outcome"] == "empty"


def test_what_the_party_owns_together_is_within_everybodys_reach(table):
    ana = hero(table, "ana")
    barge = stock(table, thing("Lamp oil", "4"))
    stock(table, thing("Secret stash", "12"), name="Cellar", open=False)
    try_it(table, ana, (5, 5), uses=f"{barge}/gear/lamp-oil")
    table.answer("ana", table.ask("supply_due"), (3,))
    assert size_of(table, barge) == "0"
    labels = [one.label for one in fields(table, "supply", ana)["supply"].choices]
    assert labels == ["Lamp oil (The barge), Empty"]


def test_the_sheet_shows_what_is_left_and_how_long_it_lasts(table):
    ana, _ = kit(table, "12")
    (track,) = table.game.sheet.summary(table.table, table.entity(ana)).tracks
    assert (track.label, track.value, track.of) == ("Healer's kit", 5, 5)
    assert track.words == "Healer's kit: D12, 13.3 rolls on average"


def test_a_supply_that_went_away_leaves_nothing_to_roll(table):
    ana, die = kit(table, "6")
    try_it(table, ana, (5, 5), uses=die)
    where = ("entities", ana, "sheet", "gear")
    table.do(GM, c.Override, path=where, now=[], reason="stolen")
    table.answer("ana", table.ask("supply_due"))
    assert table.card["sentence"] == "Nothing is left to roll for."


def test_the_gms_closed_people_roll_supplies_behind_the_screen(table):
    serk = foe(table, thing("Powder", "6"))
    table.move(GM, "supply", serk, (2,), supply=f"{serk}/gear/powder")
    assert table.last.throw.closed == ("supply",)
    assert table.card["audience"] == "gm"
