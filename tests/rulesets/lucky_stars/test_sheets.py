"""Sheets: owners, the table's own stats, derived numbers, visibility."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.errors import NotAllowed
from kitchentable.rules import Entity
from kitchentable.rulesets.lucky_stars import game
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import evening, foe, hero, stock, thing

rule = pytest.mark.rule


@pytest.fixture
def table():
    return evening()


def numbers(table, who):
    summary = game.sheet.summary(table.table, table.entity(who))
    return {one.label: one.value for one in summary.numbers}


@rule("stars.1-player")
def test_a_player_keeps_the_own_sheet_and_no_other(table):
    table.do("ana", c.MakeEntity, kind="pc", name="Ada", sheet=None)
    (ada,) = table.table.entities
    table.do("ana", c.SaveSheet, entity=ada, raw={"stats.will": 2})
    assert table.entity(ada).sheet["stats"]["will"] == 2
    with pytest.raises(NotAllowed):
        table.do("ben", c.SaveSheet, entity=ada, raw={"stats.will": 9})


@rule("stars.1-gm", "stars.1-player")
def test_the_gm_sees_every_sheet_and_makes_everybody_else(table):
    serk = foe(table, will=3)
    kinds = {kind.key: kind.made_by for kind in game.sheet.kinds(table.table)}
    assert kinds == {"pc": "player", "npc": "gm", "stock": "gm"}
    assert numbers(table, serk)["Will"] == 3
    seen = conceal(table.campaign, game, table.table.seats["ana"])
    assert game.sheet.summary(seen, seen.entities[serk]).numbers == ()


@rule("stars.4.3-stress")
@pytest.mark.parametrize(
    ("level", "will", "stress"), [(3, 1, 2), (3, 2, 2), (5, 4, 4), (0, -1, -1)]
)
def test_stress_is_half_level_and_half_will(table, level, will, stress):
    assert numbers(table, hero(table, "ana", level=level, will=will))["Stress"] == stress


@rule("stars.4.3-vitality")
@pytest.mark.parametrize(("level", "fort", "vitality"), [(3, 1, 2), (3, 2, 2), (7, -3, 2)])
def test_vitality_is_half_level_and_half_fort(table, level, fort, vitality):
    assert numbers(table, hero(table, "ana", level=level, fort=fort))["Vitality"] == vitality


@rule("stars.9-undefined-stats")
def test_stats_ranges_and_derived_numbers_are_the_tables():
    table = evening(
        stats=[{"name": "Nerve", "low": 1, "high": 4, "rolled": True}],
        derived=[{"name": "Cool", "formula": "1/2 Nerve + 1"}],
    )
    ana = hero(table, "ana", nerve=3)
    assert numbers(table, ana) == {"Nerve": 3, "Cool": 2}
    bad = Entity("x", "X", "pc", "ana", {"stats": {"nerve": 9}}, {})
    (problem,) = game.sheet.check(table.table, bad, "creation")
    assert (problem.where, problem.rule) == ("stats.nerve", "stars.9-undefined-stats")
    assert problem.sentence == "Nerve must be from 1 to 4 at this table, not 9."


@rule("stars.9-undefined-stats")
def test_a_formula_that_lost_its_stat_is_pointed_out_and_breaks_nothing():
    table = evening(stats=[{"id": "level", "name": "Level"}])
    ana = hero(table, "ana", level=3)
    warnings = game.sheet.check(table.table, table.entity(ana), "play")
    assert [one.sentence for one in warnings] == [
        "Stress needs Will, which is not on the list of stats.",
        "Vitality needs Fort, which is not on the list of stats.",
    ]
    assert not any(one.refuses for one in warnings)
    assert numbers(table, ana) == {"Level": 3}


def test_a_formula_that_is_none_is_pointed_out_too():
    table = evening(derived=[{"name": "Fate", "formula": "as it comes!"}])
    ana = hero(table, "ana")
    (warning,) = game.sheet.check(table.table, table.entity(ana), "play")
    assert "cannot be added up" in warning.sentence


def test_a_stat_that_leaves_the_list_and_comes_back_is_still_there(table):
    ana = hero(table, "ana", will=4)
    before = table.table.options["stats"]
    table.do(GM, c.SetOptions, options={"stats": [one for one in before if one["id"] != "will"]})
    assert "Will" not in numbers(table, ana)
    table.do(GM, c.SetOptions, options={"stats": before})
    assert numbers(table, ana)["Will"] == 4


@rule("stars.5.1-supply-item-text")
def test_a_kit_should_say_when_it_is_rolled(table):
    ana = hero(table, "ana", thing("Rope", "8", rolls=""), thing("Pole"))
    (warning,) = game.sheet.check(table.table, table.entity(ana), "play")
    assert (warning.where, warning.refuses) == ("gear.0.rolls", False)


def test_two_supply_dice_have_two_names(table):
    two = [thing("Rope", "8"), thing("rope", "6")]
    sheet = {"stats": {}, "gear": two, "about": ""}
    problems = game.sheet.check(table.table, Entity("x", "X", "pc", "ana", sheet, {}), "creation")
    assert [one.sentence for one in problems] == ["Two supply dice are called rope; rename one."]


def test_a_sheet_without_numbers_is_refused(table):
    problems = game.sheet.check(table.table, Entity("x", "X", "pc", "ana", {}, {}), "creation")
    assert [one.where for one in problems] == ["stats"]


def test_a_common_stock_has_things_and_no_stats(table):
    barge = stock(table, thing("Lamp oil", "10"), thing("Bell"))
    summary = game.sheet.summary(table.table, table.entity(barge))
    assert summary.numbers == ()
    assert ([one.label for one in summary.tracks], [one.text for one in summary.tags]) == (
        ["Lamp oil"],
        ["Bell"],
    )
    keys = [one.key for one in game.sheet.sections(table.table, table.entity(barge))]
    assert keys == ["gear", "about"]
