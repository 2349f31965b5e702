"""A roll at the table: stakes, talent, the GM's modifier, karma, card, criticals."""

from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.views import odds_for, view_for
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import evening, rolled, thing

rule = pytest.mark.rule


def karma(one, ident):
    return one.entity(ident).state["karma"]


def lines(one):
    return [line["text"] for line in one.card["lines"]]


def sides(one):
    return {side["name"]: side for side in one.card["sides"]}


@pytest.fixture
def one():
    return evening()


@rule("objects.3-define-situation")
def test_a_roll_needs_something_at_stake(one):
    vell = thing(one, "ana", talents={"sails": 4})
    with pytest.raises(BadAnswers, match="What is at stake"):
        one.propose("ana", "test", vell, talent="sails")
    rolled(one, vell, "sails", (3, 2), stakes="The harbour before dark")
    assert "At stake: The harbour before dark" in lines(one)


@rule("objects.4-relevant-talent")
def test_the_player_proposes_a_talent_and_the_gm_confirms_it():
    one = evening(settings={"gm_confirms": "each"})
    vell = thing(one, "ana", talents={"sails": 4, "lies": 2})
    roll = one.propose("ana", "test", vell, stakes="Past the guard", talent="sails")
    assert one.campaign.tree["proposals"][roll]["answers"]["talent"] == "sails"
    with pytest.raises(CannotBe, match="wait for"):
        one.do("ana", c.Throw, (3, 2), proposal=roll)
    one.do(GM, c.Settle, proposal=roll, answers={"talent": "lies"})
    one.do("ana", c.Throw, (3, 1), proposal=roll)
    assert one.last.data["answers"]["talent"] == "lies"
    assert one.last.data["by"]["talent"] == "gm"
    proposed = [e for e in one.campaign.events if e.kind == "proposed"][-1]
    assert ["Talent", "Fairly sails (4)"] in [row[:2] for row in proposed.data["told"]]


@rule("objects.2.3-zero-level", "objects.4-relevant-talent", "objects.2.3-zero-roll")
def test_what_is_not_on_the_sheet_is_rolled_at_level_0(one):
    vell = thing(one, "ana", talents={"sails": 4})
    card = rolled(one, vell, "", (2, 1), unlisted="playing the harp")
    assert (card["title"], card["outcome"]) == ("playing the harp", "failure")
    assert "No talent for it: not at all (0)." in lines(one)
    assert one.last.throw.odds["failure"] == ("17", "18")
    roll = one.propose(GM, "test", vell, stakes="The machine of the old ones", talent="")
    one.do("ana", c.Settle, proposal=roll)
    one.do("ana", c.Throw, (1, 1), proposal=roll)
    assert one.card["outcome"] == "critical success"
    assert one.last.throw.odds["critical success"] == ("1", "36")


@rule("objects.3-conflict-mod", "objects.3-mod-sign")
def test_the_gm_modifies_conflict(one):
    vell = thing(one, "ana", talents={"sails": 3})
    rolled(one, vell, "sails", (5, 3), gm={"modifier": -1})
    assert sides(one)["Conflict"]["parts"] == [["situation", -1]]
    assert sides(one)["Conflict"]["total"] == 2
    assert "0 + 6 = 6 points." in lines(one)
    rolled(one, vell, "sails", (5, 3), gm={"modifier": 1})
    assert "0 + 0 = 0 points." in lines(one)


@rule("objects.3-self-not-modified")
def test_there_is_no_field_by_which_the_gm_could_touch_self(one):
    vell = thing(one, "ana", talents={"sails": 3})
    fields = one.named("test").fields(one.table, one.actor("ana", vell), {})
    assert [f.name for f in fields if f.set_by == "gm"] == ["modifier"]
    with pytest.raises(BadAnswers, match="no question called 'self_modifier'"):
        rolled(one, vell, "sails", (5, 3), gm={"self_modifier": -1})
    with pytest.raises(NotAllowed):
        one.propose("ana", "test", vell, stakes="?", talent="sails", modifier=-2)


@rule("objects.3-mod-size")
def test_a_large_modifier_is_allowed_with_a_reminder_to_the_gm(one):
    vell = thing(one, "ana", talents={"sails": 3})
    rolled(one, vell, "sails", (5, 1), gm={"modifier": 4})
    (reminder,) = (line for line in one.card["lines"] if "usual" in line["text"])
    assert reminder["audience"] == "gm"
    check = one.named("test").check
    actor = one.actor("ana", vell)
    assert check(one.table, actor, {"modifier": 2}) == ()
    (warns,) = check(one.table, actor, {"modifier": -3})
    assert (warns.rule, warns.refuses) == ("objects.3-mod-size", False)
    one.do(GM, c.SetOptions, options={"modifier_usual": 5})
    assert check(one.table, actor, {"modifier": 4}) == ()


@rule("objects.3-realism")
def test_circumstances_may_be_named_one_by_one():
    one = evening(modifier_detail="aspects")
    vell = thing(one, "ana", talents={"picks locks": 3})
    aspects = [
        {"what": "dark", "points": 1},
        {"what": "good tools", "points": -2},
        {"what": "", "points": 0},
    ]
    rolled(one, vell, "picks locks", (2, 4, 6), gm={"aspects": aspects})
    assert sides(one)["Conflict"]["parts"] == [["dark", 1], ["good tools", -2]]
    assert sides(one)["Conflict"]["total"] == 3
    assert one.last.throw.trace[-1]["label"] == "conflict again"
    assert len(one.last.data["answers"]["aspects"]) == 2


@rule("objects.2.5-status-no-formula", "objects.4-no-opposed")
def test_status_and_rivals_are_told_to_the_gm_and_change_nothing_by_themselves(one):
    vell = thing(one, "ana", talents={"sails": 3})
    guard = thing(one, "gm", name="The guard boat", talents={"rows": 5}, open=True)
    whole = one.game.move("test").question(one.table, one.actor("ana", vell), {"talent": "sails"})
    one.move(GM, "status", vell, status="2", cause="left arm broken")
    told = {"talent": "sails", "against": guard}
    after = one.game.move("test").question(one.table, one.actor("ana", vell), told)
    assert whole.arguments == after.arguments == (3, 0, 0)
    fields = one.named("test").fields(one.table, one.actor(GM, vell), told)
    (modifier,) = (field for field in fields if field.name == "modifier")
    assert "Reeling (2): left arm broken" in modifier.help
    assert "Very rows (5)" in modifier.help


@rule("objects.3-crit-radical")
def test_a_critical_asks_for_its_story(one):
    vell = thing(one, "ana", talents={"sails": 3})
    rolled(one, vell, "sails", (6, 6))
    ask = one.ask("critical", vell)
    assert ask.to == ("gm", "players")
    one.answer("ben", ask, text="The mast!")
    assert (
        "Suggested: Ben: The mast!"
        in one.named("critical")
        .fields(one.table, type(one.actor(GM))(GM, "gm", "", ask.id), {})[0]
        .help
    )
    one.answer(GM, ask, text="The mast comes down, slowly.")
    assert one.card["sentence"] == "The mast comes down, slowly."
    assert one.asks("critical") == []


def test_the_dice_are_read_as_a_story(one):
    vell = thing(one, "ana", talents={"sails": 3})
    rolled(one, vell, "sails", (1, 5))
    assert lines(one)[-1].startswith("Everything was done right; something outside")
    rolled(one, vell, "sails", (5, 1))
    assert lines(one)[-1].startswith("Not well done, but luck helped.")


# ---------------------------------------------------------------- karma


@rule("objects.3.k-earn", "objects.3.k-start")
def test_every_critical_earns_a_point_and_a_reroll_none(one):
    vell = thing(one, "ana", talents={"sails": 3})
    assert karma(one, vell) == 0
    rolled(one, vell, "sails", (1, 1))
    assert karma(one, vell) == 1
    rolled(one, vell, "sails", (6, 6))
    assert karma(one, vell) == 2
    rolled(one, vell, "sails", (3, 3, 6, 6))
    assert karma(one, vell) == 2
    rolled(one, vell, "sails", (3, 3, 1, 1))
    assert karma(one, vell) == 2


@rule("objects.3.k-start")
def test_a_table_sets_how_much_karma_there_is_at_first_and_at_most():
    one = evening(karma_start=2, karma_cap=3)
    vell = thing(one, "ana", talents={"sails": 3})
    for expected in (2, 3, 3):
        assert karma(one, vell) == expected
        rolled(one, vell, "sails", (1, 1))
    capped = evening(karma_start=5, karma_cap=1)
    assert karma(capped, thing(capped, "ana")) == 1


@rule("objects.3.k-use")
def test_karma_goes_on_self_as_minus_or_plus(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=3)
    rolled(one, vell, "sails", (5, 6), karma=-2)
    assert (sides(one)["Self"]["parts"], sides(one)["Self"]["total"]) == ([["karma", -2]], 3)
    assert (one.card["outcome"], karma(one, vell)) == ("marginal", 1)
    rolled(one, vell, "sails", (3, 6, 2), karma=1)
    assert (one.card["outcome"], karma(one, vell)) == ("failure", 0)


@rule("objects.3.k-declare")
def test_karma_is_declared_before_the_dice_fall(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=2)
    roll = one.propose("ana", "test", vell, stakes="?", talent="sails", karma=-1)
    one.do("ana", c.Settle, proposal=roll, answers={"karma": -2})
    one.do("ana", c.Throw, (5, 6), proposal=roll)
    assert karma(one, vell) == 0
    with pytest.raises(CannotBe, match="no longer open"):
        one.do("ana", c.Settle, proposal=roll, answers={"karma": 0})


@rule("objects.3.k-limit")
def test_no_more_karma_than_there_is(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=1)
    with pytest.raises(BadAnswers, match="goes from -1 to 1"):
        one.propose("ana", "test", vell, stakes="?", talent="sails", karma=2)
    rich = thing(one, "ben", talents={"sails": 4}, karma=5)
    rolled(one, rich, "sails", (6, 5), karma=-5)
    assert karma(one, rich) == 0
    with pytest.raises(BadAnswers, match="no question called 'karma'"):
        one.propose("ben", "test", rich, stakes="?", talent="sails", karma=-1)


def test_karma_that_went_elsewhere_meanwhile_is_not_spent_twice(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=1)
    first = one.propose("ana", "test", vell, stakes="One", talent="sails", karma=-1)
    second = one.propose("ana", "test", vell, stakes="Two", talent="sails", karma=-1)
    one.do("ana", c.Throw, (5, 5, 3), proposal=first)
    assert karma(one, vell) == 0
    with pytest.raises(BadAnswers) as caught:
        one.do("ana", c.Throw, (5, 5), proposal=second)
    words = "Ana has no karma left. Roll without it, or ask the GM to restore some."
    assert str(caught.value) == words
    one.do("ana", c.Settle, proposal=second, answers={"karma": 0})
    one.do("ana", c.Throw, (5, 5), proposal=second)
    assert (one.last.data["answers"]["karma"], karma(one, vell)) == (0, 0)


@rule("objects.3.k-declare", "objects.3-self-not-modified")
def test_karma_is_the_owners_word_and_nobody_elses(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=3)
    roll = one.propose("ana", "test", vell, stakes="One", talent="sails")
    with pytest.raises(NotAllowed, match="You can strike out Karma on Self, but you cannot choose"):
        one.do(GM, c.Settle, proposal=roll, answers={"karma": 3})
    one.do("ana", c.Throw, (5, 5), proposal=roll)
    assert karma(one, vell) == 3
    hers = one.propose("ana", "test", vell, stakes="Two", talent="sails", karma=-1)
    one.do("ana", c.Throw, (6, 5), proposal=hers)
    assert karma(one, vell) == 2


@rule("objects.3.k-spent")
def test_karma_on_a_critical_is_spent_and_the_critical_earns_its_point(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=2)
    rolled(one, vell, "sails", (1, 1), karma=-2)
    assert (one.card["outcome"], karma(one, vell)) == ("critical success", 1)
    assert (sides(one)["Self"]["parts"], sides(one)["Self"]["total"]) == ([], None)


@rule("objects.3.k-object")
def test_karma_stays_with_the_object_when_another_plays_it(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=2)
    one.do(GM, c.ChangeEntity, entity=vell, owner="ben")
    assert karma(one, vell) == 2
    rolled(one, vell, "sails", (5, 6), karma=-2)
    assert karma(one, vell) == 0


@rule("objects.3.k-gm-objects")
def test_the_gms_objects_have_karma_only_where_the_table_says_so(one):
    house = thing(one, "gm", "place", "The house", {"hums": 4}, karma=1)
    rolled(one, house, "hums", (1, 1))
    assert karma(one, house) == 1
    names = [f.name for f in one.named("test").fields(one.table, one.actor(GM, house), {})]
    assert "karma" not in names
    one.do(GM, c.SetOptions, options={"karma_gm": True})
    rolled(one, house, "hums", (1, 1), karma=-1)
    assert karma(one, house) == 1
    rolled(one, house, "hums", (6, 6))
    assert karma(one, house) == 2


@rule("objects.3.k-reroll")
def test_karma_does_not_help_a_reroll_unless_the_table_wants_it(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=2)
    rolled(one, vell, "sails", (5, 6, 5), karma=-1)
    assert "5 + 0 = 5 points." in lines(one)
    one.do(GM, c.SetOptions, options={"karma_reroll": True})
    rolled(one, vell, "sails", (4, 6))
    assert (one.card["outcome"], karma(one, vell)) == ("undecided", 1)
    ask = one.ask("again", vell)
    assert ask.to == (f"owner:{vell}",)
    with pytest.raises(BadAnswers):
        one.answer("ana", ask, (5,), karma=2)
    one.answer("ana", ask, (5,), karma=1)
    assert (one.card["outcome"], karma(one, vell)) == ("marginal", 0)
    assert "6 + 0 = 6 points." in lines(one)
    rolled(one, vell, "sails", (4, 6, 5))
    assert (one.card["outcome"], one.asks("again")) == ("failure", [])


# ---------------------------------------------------------------- odds


def test_the_odds_beside_the_button_are_those_of_the_dice(one):
    vell = thing(one, "ana", talents={"sails": 4}, karma=2)
    view = view_for(one.campaign, one.game, "ana")
    told = {"stakes": "?", "talent": "sails"}
    assert odds_for(view, one.game, "test", vell, told).good == Fraction(511, 648)
    told["karma"] = "-2"
    assert odds_for(view, one.game, "test", vell, told).good == Fraction(305, 324)
    bands = odds_for(view, one.game, "test", vell, told).bands
    assert [band[1] for band in bands] == [
        "critical success",
        "total success",
        "marginal success",
        "failure",
        "critical failure",
    ]
    assert sum(band[3] for band in bands) == 1
