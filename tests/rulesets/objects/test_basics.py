"""The list of basic talents changes in mid-campaign: the GM is asked, and nothing is lost."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.views import view_for
from kitchentable.rulesets.objects import game
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import evening, thing

pytestmark = pytest.mark.rule("objects.2.3-basic-talents")
ROWS = game.defaults()["basic_talents"]
LUCKY = {"type": "person", "talent": "Lucky", "hint": ""}


def change(one, *more, without=()):
    rows = [row for row in ROWS if row["talent"].casefold() not in without]
    return one.do(GM, c.SetOptions, options={"basic_talents": [*rows, *more]})


def table():
    one = evening()
    return one, thing(one, "ana", talents={"agile": 3}), _shade(one)


def _shade(one):
    return thing(one, name="Shade", talents={"agile": 5}, hidden=True, open=False)


def say(one, ask="refit", seat=GM, **answers):
    named = {name.replace("__", "."): value for name, value in answers.items()}
    return one.do(seat, c.MakeMove, move="refit", ask=ask, answers=named)


def levels(one, who):
    return one.entity(who).sheet["basic"]


def names(one, who):
    return {n.key: n.value for n in game.sheet.summary(one.table, one.entity(who)).numbers}


def test_a_basic_talent_that_joins_stands_on_every_object_at_the_level_that_the_gm_says():
    one, ana, shade = table()
    change(one, LUCKY)
    assert names(one, ana)["Lucky"] == 0
    say(one, basic__new__lucky="as.agile")
    assert (levels(one, ana)["lucky"], levels(one, shade)["lucky"]) == (3, 5)
    assert one.asks() == []


def test_one_that_is_struck_out_stays_with_those_who_have_it_unless_the_gm_says_otherwise():
    one, ana, _ = table()
    changed = change(one, without=("agile",))
    assert names(one, ana)["Agile"] == 3
    said = say(one)
    assert names(one, ana)["Agile"] == 3
    change(one, LUCKY, without=("agile",))
    assert set(view_fields(one)) == {"basic.new.lucky", "basic.start.lucky"}
    one.do(GM, c.Undo, number=one.last.number)
    one.do(GM, c.Undo, number=said.number)
    one.do(GM, c.Undo, number=changed.number)
    assert one.asks() == []


def view_fields(one, seat=GM):
    return [field.name for ask in view_for(one.campaign, game, seat).asks for field in ask.fields]


@pytest.mark.parametrize(("answer", "now"), [("drop", None), ("note", None), ("to.lucky", 3)])
def test_it_is_dropped_or_noted_or_goes_on_under_another_name(answer, now):
    one, ana, _ = table()
    change(one, LUCKY, without=("agile",))
    said = say(one, basic__lost__agile=answer)
    assert "agile" not in levels(one, ana)
    assert levels(one, ana).get("lucky") == now
    assert view_fields(one) == ([] if now else ["basic.new.lucky", "basic.start.lucky"])
    notes = game.sheet.summary(one.table, one.entity(ana)).notes
    assert notes == (("Agile was 3, before it left the list.",) if answer == "note" else ())
    assert "Shade" not in repr(entry_for(one.campaign, said, "ana"))
    if answer == "note":
        change(one)
        assert levels(one, ana)["agile"] == 3


def test_each_player_says_so_for_their_own_and_knows_of_nobody_hidden():
    one, ana, shade = table()
    change(one, without=("agile",))
    say(one, basic__lost__agile="owner")
    assert view_fields(one, "ana") == ["basic.lost.agile"]
    assert view_fields(one, "ben") == []
    assert all(shade not in repr(view_for(one.campaign, game, seat)) for seat in ("ana", "ben"))
    say(one, f"refit-own-{ana}", "ana", basic__lost__agile="drop")
    assert "agile" not in levels(one, ana)
    assert levels(one, shade)["agile"] == 5


def test_one_plain_list_asks_nothing_and_keeps_what_is_there():
    one, ana, _ = table()
    one.do(GM, c.SetOptions, options={"use_split": False})
    assert one.asks() == []
    assert levels(one, ana)["agile"] == 3
