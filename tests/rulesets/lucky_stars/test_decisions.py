"""Decision rolls at a table: the parts of each person, target, gate and card."""

from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.throws import as_chance
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import (
    evening,
    fields,
    foe,
    hero,
    lines,
    total,
    try_it,
)

rule = pytest.mark.rule


@pytest.fixture
def table():
    return evening()


@pytest.fixture
def ana(table):
    return hero(table, "ana", level=3, strength=2, will=-2)


def had(table):
    """The chance of success that the last throw had."""
    return as_chance(table.last.throw.odds["success"])


@rule("stars.2-formula", "stars.1-modifier")
def test_dice_a_stat_and_modifiers_by_name(table, ana):
    modifiers = [{"name": "slippery", "value": "-1"}]
    card = try_it(table, ana, (4, 3), stat="strength", modifiers=modifiers)
    (side,) = card["sides"]
    assert side["parts"] == [["Strength", 2], ["slippery (penalty)", -1]]
    assert (side["total"], card["outcome"]) == (8, "failure")
    assert "stars.2-formula" in card["rules"]


@rule("stars.2-example-billy")
def test_billy_at_the_table(table):
    billy = hero(table, "ana", strength=0)
    card = try_it(table, billy, (3, 6, 6, 2), stat="strength", what="Hold the gate")
    assert (total(card), card["outcome"], lines(card)[0]) == (17, "success", "Hold the gate")


@rule("stars.1-bonus-clamp", "stars.1-penalty-clamp", "stars.1-modifier-both")
@pytest.mark.parametrize(("wording", "result"), [("bonus", 7), ("penalty", 5), ("", 5)])
def test_the_wording_of_an_effect_counts(table, ana, wording, result):
    modifiers = [{"name": "nerve", "value": "Will", "wording": wording}]
    assert total(try_it(table, ana, (4, 3), stat="none", modifiers=modifiers)) == result


@rule("stars.4.3-round-end")
def test_halves_are_rounded_once_with_everything(table, ana):
    modifiers = [{"name": "song", "value": "1/2"}, {"name": "drum", "value": "1/2"}]
    assert total(try_it(table, ana, (3, 4), stat="none", modifiers=modifiers)) == 8
    half = [{"name": "song", "value": "1/2 Level"}]
    (side,) = try_it(table, ana, (3, 4), stat="none", modifiers=half)["sides"]
    assert side["parts"] == [["song (bonus) 3/2, rounded down", 1]]


def test_a_modifier_that_cannot_be_added_up_is_refused_before_the_dice(table, ana):
    with pytest.raises(BadAnswers) as refused:
        try_it(table, ana, (), modifiers=[{"name": "luck", "value": "some"}])
    (problem,) = refused.value.problems
    assert (problem.where, problem.rule) == ("modifiers.0.value", "stars.1-modifier")


@rule("stars.2-explode-only-decision", "stars.9-undefined-stats", "stars.2-decision-dice")
def test_luck_joins_and_does_not_explode(table, ana):
    card = try_it(table, ana, (6, 2, 3), stat="none", extra=["Luck"])
    assert total(card) == 11
    labels = [die["label"] for die in table.last.throw.trace]
    assert labels == ["Luck", "decision", "decision"]


@rule("stars.9-undefined-stats")
def test_a_table_has_stats_and_dice_of_its_own():
    table = evening(
        stats=[{"name": "Fine motor", "low": 0, "high": 3, "rolled": True}],
        extra_dice=[{"name": "Bless", "count": 2, "sides": 4}],
    )
    ana = hero(table, "ana", **{"fine-motor": 3})
    found = fields(table, "decision", ana)
    assert [one.label for one in found["stat"].choices] == ["Fine motor +3", "no stat"]
    card = try_it(table, ana, (4, 4, 2, 3), stat="fine-motor", extra=["Bless"])
    assert (card["title"], total(card)) == ("Fine motor", 16)
    assert "extra" not in fields(evening(extra_dice=[]), "decision", hero(evening(), "ana"))


# ---------------------------------------------------------------- targets


@rule("stars.2.1-target-scale", "stars.1-gm")
def test_no_dice_before_the_gm_has_named_a_target(table, ana):
    roll = table.propose("ana", "decision", ana, stat="strength")
    with pytest.raises(CannotBe, match="wait for the GM"):
        table.do("ana", c.Throw, (), proposal=roll)
    with pytest.raises(NotAllowed):
        table.do("ana", c.Settle, proposal=roll, answers={"target": "2"})
    with pytest.raises(NotAllowed):
        table.do("ben", c.Settle, proposal=roll, answers={"target": "2"})
    table.do(GM, c.Settle, proposal=roll, answers={"target": "12"})
    table.do("ana", c.Throw, (5, 5), proposal=roll)
    assert "Against 12 Challenging task." in lines(table.card)
    assert ["Target", "12 Challenging task", "all"] in table.last.data["told"]


SCALE = {
    "stars.2.2-tn-22plus": ("22", "22+ Above impossible"),
    "stars.2.2-tn-20": ("20", '20 "Impossible" task'),
    "stars.2.2-tn-18": ("18", "18 Strenuous task"),
    "stars.2.2-tn-16": ("16", "16"),
    "stars.2.2-tn-14": ("14", "14"),
    "stars.2.2-tn-12": ("12", "12 Challenging task"),
    "stars.2.2-tn-10": ("10", "10"),
    "stars.2.2-tn-8": ("8", "8"),
    "stars.2.2-tn-6": ("6", "6 Simple task"),
    "stars.2.2-tn-4": ("4", "4"),
    "stars.2.2-tn-2": ("2", "2"),
}


@pytest.mark.parametrize("row", [pytest.param(row, marks=rule(row)) for row in SCALE])
def test_the_scale_as_it_is_printed(table, ana, row):
    assert row in table.game.rulebook
    choices = {one.value: one.label for one in fields(table, "decision", ana)["target"].choices}
    value, label = SCALE[row]
    assert choices[value] == label
    assert list(choices)[:-1] == [value for value, _ in SCALE.values()]


@rule("stars.2.2-tn-22plus")
def test_the_rulebook_claims_no_printed_name_for_the_highest_row(table):
    row = table.game.rulebook["stars.2.2-tn-22plus"]
    assert row.reading == "S11"
    assert row.reading_text == (
        "In print this row has an arrow and no name; “Above impossible” is our label for it."
    )


def test_the_scale_is_the_tables_to_change():
    table = evening(scale=[{"number": 5, "name": "Child's play"}])
    ana = hero(table, "ana")
    labels = [one.label for one in fields(table, "decision", ana)["target"].choices]
    assert labels == ["5 Child's play", "A number of its own"]
    assert "Against 5 Child's play." in lines(try_it(table, ana, (1, 1), 5))


@rule("stars.2.2-even-steps")
@pytest.mark.parametrize(("faces", "outcome"), [((4, 5), "success"), ((4, 4), "failure")])
def test_the_gm_may_name_any_number(table, ana, faces, outcome):
    card = try_it(table, ana, faces, "other", gm={"number": 9}, stat="none")
    assert (card["outcome"], "Against 9." in lines(card)) == (outcome, True)


@rule("stars.2.2-even-steps")
def test_a_table_can_keep_to_the_rows():
    table = evening(any_target=False)
    target = fields(table, "decision", hero(table, "ana"))["target"]
    assert "other" not in [one.value for one in target.choices]


@rule("stars.2.1-base-and-adjusted")
@pytest.mark.parametrize(("faces", "outcome"), [((6, 5, 2), "success"), ((6, 5, 1), "failure")])
def test_a_target_starts_somewhere_and_is_adjusted(table, ana, faces, outcome):
    adjustments = [{"name": "rain", "value": 2}, {"name": "a map", "value": -1}]
    card = try_it(table, ana, faces, 12, gm={"adjustments": adjustments}, stat="none")
    assert card["outcome"] == outcome
    assert "Against 12 Challenging task; +2 rain, -1 a map: 13." in lines(card)
    assert "stars.2.1-base-and-adjusted" in card["rules"]


@rule("stars.2.3-success", "stars.2.3-failure", "stars.4.2-tie-target")
@pytest.mark.parametrize(
    ("faces", "outcome"), [((5, 5), "success"), ((5, 4), "failure"), ((6, 5, 1), "success")]
)
def test_equal_succeeds_and_below_does_not(table, ana, faces, outcome):
    card = try_it(table, ana, faces, stat="strength")
    assert card["outcome"] == outcome
    assert f"stars.2.3-{outcome}" in card["rules"]


@rule("stars.2.3-margin-style")
@pytest.mark.parametrize(("rope", "said"), [("8", "+5"), ("0", "-3")])
def test_by_how_much_where_the_table_tells_it(rope, said):
    table = evening(show_margin=True)
    ana = hero(table, "ana")
    modifiers = [{"name": "rope", "value": rope}]
    card = try_it(table, ana, (4, 5), stat="none", modifiers=modifiers)
    assert f"Margin {said}." in lines(card)


@rule("stars.2.3-margin-style")
def test_by_how_much_is_not_told_otherwise(table, ana):
    assert not [one for one in lines(try_it(table, ana, (4, 5))) if "Margin" in one]


# ---------------------------------------------------------------- the impossible


@rule("stars.2.2.1-impossible-gate")
@pytest.mark.parametrize("start", ["20", "22", "other"])
def test_what_starts_as_impossible_needs_the_gms_leave(table, ana, start):
    roll = table.propose("ana", "decision", ana, stat="strength")
    answers = {"target": start, **({"number": 21} if start == "other" else {})}
    with pytest.raises(BadAnswers, match="May it be tried"):
        table.do(GM, c.Settle, proposal=roll, answers=answers)
    table.do(GM, c.Settle, proposal=roll, answers={**answers, "allow": "yes"})
    table.do("ana", c.Throw, (1, 1), proposal=roll)
    assert "stars.2.2.1-impossible-gate" in table.card["rules"]


@rule("stars.2.2.1-impossible-gate")
def test_a_refused_attempt_is_logged_and_no_dice_fall(table, ana):
    card = try_it(table, ana, (), 20, gm={"allow": "no"}, what="Walk on rain")
    assert card["outcome"] == "not allowed"
    assert table.last.throw is None
    assert lines(card) == ["Walk on rain"]


@rule("stars.2.2.1-impossible-gate")
@pytest.mark.parametrize(("start", "number"), [("18", None), ("other", 19)])
def test_below_that_nobody_is_asked(table, ana, start, number):
    answers = {"target": start, "number": number}
    assert "allow" not in fields(table, "decision", ana, **answers)


@rule("stars.2.2.1-impossible-gate", "stars.2.2.1-adjusted-not-impossible")
def test_only_the_start_counts(table, ana):
    up, down = [{"name": "storm", "value": 2}], [{"name": "wings", "value": -4}]
    assert "allow" not in fields(table, "decision", ana, target="18", adjustments=up)
    assert "allow" in fields(table, "decision", ana, target="20", adjustments=down)
    card = try_it(table, ana, (1, 1), 18, gm={"adjustments": up})
    assert "Against 18 Strenuous task; +2 storm: 20." in lines(card)
    assert "stars.2.2.1-adjusted-not-impossible" in card["rules"]
    assert not any("Impossible" in one for one in lines(card))


@rule("stars.2.2.1-impossible-gate")
def test_a_table_can_set_where_the_impossible_begins():
    table = evening(impossible_from=16)
    assert "allow" in fields(table, "decision", hero(table, "ana"), target="16")


# ---------------------------------------------------------------- odds, telling, asking


def test_the_odds_are_exact_fractions(table, ana):
    try_it(table, ana, (1, 1), stat="none")
    assert (had(table), table.last.throw.unresolved) == (Fraction(23, 108), ("0", "1"))
    try_it(table, ana, (1, 1), stat="none", modifiers=[{"name": "rope", "value": "1"}])
    assert had(table) == Fraction(1, 4)
    try_it(table, ana, (1, 1, 1), "other", stat="none", gm={"number": 7, "level": "2"})
    assert had(table) == Fraction(49, 54)
    assert "here Minor Advantage is better than Major" in table.last.data["odds_sentence"]


@rule("stars.2.3-describe")
def test_the_gm_says_what_happens_and_play_goes_on(ana):
    table = evening(narrate=True)
    ana = hero(table, "ana")
    try_it(table, ana, (5, 5))
    number = table.last.number
    first = table.ask("telling")
    assert (first.to, first.skippable) == (("gm",), True)
    try_it(table, ana, (5, 4))
    table.answer(GM, table.ask("telling"), text="The rope holds.")
    assert (table.card["sentence"], table.card["about"]) == ("The rope holds.", number + 3)
    assert table.asks("telling") == []


@rule("stars.2.3-describe")
def test_a_table_can_do_without_the_card(table, ana):
    try_it(table, ana, (5, 5))
    assert table.asks("telling") == []


def test_who_holds_supplies_only_makes_no_rolls(table, ana):
    sack = table.do(GM, c.MakeEntity, kind="stock", name="Sack", sheet=None).data["entity"]
    assert "makes no rolls" in table.why_not(GM, "decision", sack)


def test_the_gms_people_roll_too(table):
    serk = foe(table, strength=3)
    card = table.roll(GM, "decision", serk, (4, 5), target="12", stat="strength")
    assert (total(card), card["sides"][0]["audience"]) == (12, "gm")
