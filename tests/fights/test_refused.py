"""Fights without a forecast and invalid policies: an error sentence for each."""

from dataclasses import replace

import pytest

from kitchentable.dice import BadInput, exploding, mechanic
from kitchentable.fights import (
    BadBattle,
    NeverEnds,
    NoSuchPolicy,
    forecast,
    foresee_series,
    series,
    sweep,
    throw,
)
from tests.fights.games import BRAWL, SKIRMISH, battle

DUEL = battle("0/1/4/1", "0/1/4/1")


@mechanic
def always(dice, mine):
    return 1


@mechanic
def endless(dice, mine):
    return exploding(dice, 6)


@mechanic
def endless_blow(dice, mine, theirs):
    return exploding(dice, 6)


def test_a_fight_in_which_nobody_can_be_hurt_never_ends():
    with pytest.raises(NeverEnds, match="nobody can hurt anybody"):
        forecast(SKIRMISH, battle("0/1/6/1", "0/1/6/1"))


def test_equals_who_throw_the_same_for_ever_are_refused():
    with pytest.raises(BadBattle, match="always throw the same number"):
        forecast(replace(SKIRMISH, again=always), DUEL)


@pytest.mark.parametrize(
    "beside",
    [{"now": lambda numbers, health: numbers}, {"toll": lambda theirs, outcome: outcome}],
)
def test_what_goes_with_act_alone_is_refused_beside_clash(beside):
    with pytest.raises(BadBattle, match=f"clash and also {next(iter(beside))}"):
        replace(BRAWL, **beside)


def test_healing_is_refused():
    with pytest.raises(BadBattle, match="from 1 to 2"):
        forecast(replace(SKIRMISH, after=lambda theirs, health, outcome: health + 1), DUEL)


def test_an_order_from_dice_without_an_end_is_refused():
    with pytest.raises(BadBattle, match="are unlimited"):
        forecast(replace(SKIRMISH, turn=endless), DUEL)


def test_blows_without_an_end_are_followed_unless_the_rarest_of_them_matter():
    fought = replace(SKIRMISH, act=endless_blow)
    assert forecast(fought, battle("0/1/4/3", "0/1/4/3")).found.how == "floats"
    with pytest.raises(BadBattle, match="too rare to be solved"):
        forecast(fought, battle("0/1/4/3", "0/1/4/190"))


def test_a_policy_that_is_none_gets_a_sentence():
    with pytest.raises(NoSuchPolicy, match="Did you mean weakest"):
        forecast(SKIRMISH, DUEL, policy="weaker")
    with pytest.raises(NoSuchPolicy, match="The sides are ours, theirs"):
        forecast(SKIRMISH, DUEL, policy={"us": "first"})
    for nothing in (3, {"ours": 3}, ["weakest"]):
        with pytest.raises(NoSuchPolicy, match="A policy is a text such as 'weakest', not"):
            forecast(SKIRMISH, DUEL, policy=nothing)


def test_health_without_bounds_is_refused():
    with pytest.raises(BadInput, match="at most 100,000 health, not 1,000,000"):
        forecast(SKIRMISH, battle("0/1/4/1000000", "0/1/4/1"))


def test_a_side_that_is_none_has_no_interval():
    with pytest.raises(BadInput, match="The sides are ours, theirs"):
        forecast(SKIRMISH, DUEL).interval("us")


@pytest.mark.parametrize("fights", [-1, 1.5, "9", True])
def test_a_number_of_fights_that_is_none_is_refused(fights):
    with pytest.raises(BadInput, match="whole number of at least 1"):
        forecast(SKIRMISH, DUEL, fights=fights)
    with pytest.raises(BadInput, match="whole number of at least 1"):
        foresee_series(SKIRMISH, [DUEL], fights=fights)


@pytest.mark.parametrize("fights", [0, -1])
def test_no_fights_cannot_be_thrown(fights):
    with pytest.raises(BadInput, match="whole number of at least 1"):
        throw(SKIRMISH, DUEL, fights)


@pytest.mark.parametrize("policy", ["weakest, strongest", "retreat at half, retreat at half down"])
def test_a_policy_with_two_targets_or_two_retreats_is_refused(policy):
    with pytest.raises(NoSuchPolicy, match="contradicts an earlier part"):
        forecast(SKIRMISH, DUEL, policy=policy)


@pytest.mark.parametrize("then", ["2x2/3/3/1", 3])
def test_later_fights_that_are_no_list_are_refused(then):
    with pytest.raises(BadInput, match=r"as a list, such as then=\["):
        series("toast", "melee", ours="5/6/4/4", theirs="2/3/3/1", then=then)


def test_an_axis_without_a_list_of_values_is_refused():
    with pytest.raises(BadInput, match="A sweep needs axes with values"):
        sweep("toast", "melee", ours="5/6/4/4", theirs="{many}x2/3/3/1", over={"many": 3})


def test_a_grid_knows_its_sides():
    grid = sweep("toast", "melee", ours="5/6/4/4", theirs="{many}x2/3/3/1", over={"many": [1, 2]})
    for ask in (grid.table, grid.wins, grid.nearest):
        with pytest.raises(BadInput, match="No side or outcome is called 'us'"):
            ask("us")
