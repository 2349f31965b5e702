"""A pause after the dice, in which somebody may still act on them."""

from dataclasses import replace

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.views import view_for
from kitchentable.rules import RuleRefuses
from tests.rules.kit.leaping import GM, LEAPS, evening, who


@pytest.fixture
def table():
    return evening()


def ana(one):
    return who(one, "Ana")


def state(one):
    return one.entity(ana(one)).state


def set_state(one, key, now):
    one.do(GM, c.Override, path=("entities", ana(one), "state", key), now=now, reason="test")


def leap(one, *faces, **answers):
    one.move(GM, "leap", ana(one), faces, **answers)


def test_nobody_is_asked_where_there_is_nothing_to_act_with(table):
    set_state(table, "coins", 0)
    leap(table, 1)
    assert (table.card["outcome"], table.asks()) == ("falls", [])
    leap(table, 6, far=8)
    assert (table.card["outcome"], table.asks()) == ("lands", [])


def test_the_roll_waits_with_what_fell_and_nothing_has_changed(table):
    leap(table, 1, far=6)
    assert table.card["outcome"] == "waits"
    (ask,) = table.asks()
    assert (ask.to, ask.move, ask.preset["left"]) == ((f"owner:{ana(table)}",), "leap-paused", 3)
    assert ask.preset["paused"]["fell"] == [["leaping", [2, 6], {"lands": False, "total": 3}]]
    assert state(table) == {"coins": 3}
    (seen,) = view_for(table.campaign, LEAPS, "ana").asks
    assert [one.label for one in seen.fields] == ["Pay a coin and leap again (3 left)"]
    assert seen.throws
    assert "paused" not in view_for(table.campaign, LEAPS, "ana").table.asks[ask.id].preset


def test_the_move_continues_after_each_pause(table):
    leap(table, 1, far=6)
    table.answer("ana", table.asks()[0], (2,), again=True)
    assert (table.card["outcome"], state(table)["coins"]) == ("waits", 3)
    (ask,) = table.asks()
    assert ask.preset["left"] == 2
    table.answer("ana", ask, (4,), again=True)
    assert (table.card["outcome"], state(table)["coins"]) == ("lands", 1)
    assert table.asks() == []


def test_accepting_the_dice_throws_nothing_and_costs_nothing(table):
    leap(table, 1, far=6)
    table.answer("ana", table.asks()[0], again=False)
    assert (table.card["outcome"], state(table)["coins"]) == ("falls", 3)


def test_a_move_may_pause_for_several_people_with_forms_of_their_own(table):
    leap(table, 3, far=6)
    table.answer("ana", table.asks()[0], again=False)
    (ask,) = table.asks()
    assert (ask.to, ask.title) == (("gm",), "By a hair")
    table.answer(GM, ask, lands=True)
    assert table.card["outcome"] == "lands"


def test_changes_before_a_pause_are_recorded_once_after_it(table):
    leap(table, 1, far=6, winded=True)
    assert "breath" not in state(table)
    table.answer("ana", table.asks()[0], (1,), again=True)
    table.answer("ana", table.asks()[0], again=False)
    assert state(table) == {"coins": 2, "breath": 2}


def test_a_roll_that_has_changed_since_the_pause_is_refused(table):
    leap(table, 1, far=6)
    table.do(GM, c.Override, path=("entities", ana(table), "sheet", "skill"), now=4, reason="grown")
    with pytest.raises(RuleRefuses, match=r"thrown for leaping \[2, 6\], but the roll is now"):
        table.answer("ana", table.asks()[0], again=False)


def test_a_card_whose_outcome_is_of_an_earlier_version_is_refused(table):
    leap(table, 1, far=6)
    (ask,) = table.asks()
    old = {**ask.preset["paused"], "fell": [["leaping", [2, 6], {"lands": False}]]}
    table.campaign = replaced(table, ask, {**ask.preset, "paused": old})
    with pytest.raises(RuleRefuses, match="Take back the roll"):
        table.answer("ana", table.asks()[0], again=False)
    old = {**ask.preset["paused"], "form": "ShoutForm"}
    table.campaign = replaced(table, ask, {**ask.preset, "paused": old})
    with pytest.raises(RuleRefuses, match="an earlier version of the game"):
        table.answer("ana", table.asks()[0], again=False)


def replaced(one, ask, preset):
    asks = {ask.id: replace(ask, preset=preset)}
    return replace(one.campaign, table=replace(one.table, asks=asks))
