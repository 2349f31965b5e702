"""Secrets from players: hidden modifiers, closed and hidden objects, links to them."""

import json

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.read_models import NoOdds
from kitchentable.campaign.views import entry_for, moves_for, odds_for, view_for
from kitchentable.rules import EVERYONE
from tests.rulesets.driver import GM
from tests.rulesets.objects.people import evening, rolled, thing

rule = pytest.mark.rule


@pytest.fixture
def one():
    return evening()


def seen(one, seat="ana"):
    return conceal(one.campaign, one.game, one.table.seats[seat])


def everything(one, seat="ana"):
    """All that reaches a seat: its view, its moves, every entry of its log."""
    view = view_for(one.campaign, one.game, seat)
    told = [repr(view)]
    told += [repr(moves_for(view, one.game, e.id)) for e in view.mine if e.stage == "play"]
    told += [repr(entry_for(one.campaign, e, seat)) for e in one.campaign.events]
    return json.dumps(told)


@rule("objects.3-conflict-mod")
def test_a_hidden_modifier_reaches_no_player_in_any_form(one):
    vell = thing(one, "ana", talents={"sails": 3})
    roll = one.propose("ana", "test", vell, stakes="Through", talent="sails")
    one.do(GM, c.Settle, proposal=roll, answers={"modifier": 37}, hidden=("modifier",))
    assert view_for(one.campaign, one.game, "ana").proposals[0].odds is None
    assert "37" not in everything(one)
    one.do("ana", c.Throw, (2, 2), proposal=roll)
    assert one.card["outcome"] == "marginal"
    assert "37" not in everything(one)
    assert "39" not in everything(one)
    assert one.last.throw.odds_audience == "gm"
    sides = {side["name"]: side for side in one.card["sides"]}
    assert (sides["Conflict"]["parts"], sides["Conflict"]["total"]) == ([], None)
    (kept,) = (line for line in one.card["lines"] if "37" in line["text"])
    assert (kept["audience"], kept["text"]) == (
        "gm",
        "Modifier: +37 situation. Conflict counted as 39.",
    )


def test_hidden_aspects_stay_hidden_too():
    one = evening(modifier_detail="aspects")
    vell = thing(one, "ana", talents={"sails": 3})
    gm = {"aspects": [{"what": "sandbanks", "points": 2}]}
    rolled(one, vell, "sails", (2, 2), gm=gm, hidden=("aspects",))
    assert "sandbanks" not in everything(one)
    assert "sandbanks" in everything(one, GM)


@pytest.mark.parametrize(("shown", "audience"), [("after", EVERYONE), ("never", "gm")])
def test_a_table_may_hide_every_modifier(shown, audience):
    one = evening(modifier_shown=shown)
    vell = thing(one, "ana", talents={"sails": 3})
    view = view_for(one.campaign, one.game, "ana")
    assert isinstance(
        odds_for(view, one.game, "test", vell, {"stakes": "?", "talent": "sails"}), NoOdds
    )
    rolled(one, vell, "sails", (2, 1), gm={"modifier": 1})
    (line,) = (line for line in one.card["lines"] if line["text"].startswith("Modifier"))
    assert line["audience"] == audience


@rule("objects.3.k-reroll")
def test_a_reroll_with_a_hidden_modifier_keeps_it():
    one = evening(karma_reroll=True)
    vell = thing(one, "ana", talents={"sails": 4}, karma=2)
    rolled(one, vell, "sails", (4, 2), gm={"modifier": 37}, hidden=("modifier",))
    assert "37" not in everything(one)
    assert "39" not in everything(one)
    one.answer("ana", one.ask("again"), (5,), karma=1)
    assert one.card["outcome"] == "marginal"
    assert "37" not in everything(one)
    assert "39" not in everything(one)


@rule("objects.2-pc-object")
def test_of_a_closed_object_players_see_concept_signs_and_status(one):
    thing(one, "ana")
    house = thing(
        one,
        "gm",
        "place",
        "The house",
        {"secretly a whale": 4},
        signs=[{"text": "It hums"}],
        goal="To swim",
        karma=7,
    )
    one.move(GM, "status", house, status="4", cause="a beam came down")
    assert not one.entity(house).open
    shown = seen(one).entities[house]
    summary = one.game.sheet.summary(seen(one), shown)
    assert (summary.name, summary.line, summary.status) == (
        "The house",
        "Something of the coast",
        "Injured (4)",
    )
    assert [tag.text for tag in summary.tags] == ["It hums"]
    assert (summary.numbers, summary.notes) == ((), ())
    for secret in ("whale", "To swim", "a beam came down"):
        assert secret not in everything(one)
    question = one.named("test").question
    assert question(seen(one), one.actor(GM, house), {"talent": "secretly a whale"}) is None


def test_a_closed_objects_roll_tells_its_result_and_no_more(one):
    thing(one, "ana")
    house = thing(one, "gm", "place", "The house", {"secretly a whale": 4})
    one.propose(GM, "test", house, stakes="Who gets wet?", talent="secretly a whale")
    proposal = view_for(one.campaign, one.game, "ana").proposals[0]
    assert "whale" not in repr(proposal)
    one.do(GM, c.Throw, (2, 3), proposal=proposal.id)
    assert one.card["outcome"] == "total"
    assert "whale" not in everything(one)
    assert "whale" in everything(one, GM)
    assert {side["audience"] for side in one.card["sides"]} == {"gm"}
    assert set(one.last.throw.closed) >= {"self", "conflict"}
    assert one.last.throw.odds_audience == "gm"
    entry = entry_for(one.campaign, one.last, "ana")
    assert entry.dice == ()
    assert entry.card.outcome == "total"


def test_a_closed_objects_talents_change_unseen(one):
    thing(one, "ana")
    house = thing(one, "gm", "place", "The house", {"hums": 4})
    one.move(GM, "learn", house, name="secretly a whale", level=5, reason="It grew.")
    one.move(GM, "power", house, power="Like two whales")
    assert "whale" not in everything(one)


@rule("objects.2.3-crew-as-talent")
def test_no_link_leads_to_what_is_hidden(one):
    umbra = thing(one, "gm", "creature", "Umbra", {"waits": 5}, hidden=True)
    blade = {"whispers at night": (4, umbra), "cuts": 3}
    sword = thing(one, "ana", "thing", "The sword", blade)
    shadowed = thing(one, "gm", "group", "The order of Umbra", {"owns": (3, sword)}, hidden=True)
    assert umbra not in everything(one)
    assert shadowed not in everything(one)
    assert "Umbra" not in everything(one)
    mine = view_for(one.campaign, one.game, "ana").summaries[sword]
    assert {n.key: n.leads_to for n in mine.numbers if n.key != "karma"} == {
        "whispers at night": "",
        "cuts": "",
    }
    assert mine.tags == ()
    gms = view_for(one.campaign, one.game, GM).summaries[sword]
    assert [tag.leads_to for tag in gms.tags] == [shadowed, umbra]
    assert gms.numbers[0].leads_to == umbra


def test_a_player_who_changes_such_a_talent_does_not_cut_its_link(one):
    umbra = thing(one, "gm", "creature", "Umbra", hidden=True)
    sword = thing(one, "ana", "thing", "The sword", {"whispers": (4, umbra)})
    one.move("ana", "learn", sword, talent="whispers", level=5, reason="It is louder now")
    assert "Umbra" not in everything(one)
    one.answer(GM, one.ask("judge_talent"), verdict="yes")
    assert one.entity(sword).sheet["talents"] == [{"name": "whispers", "level": 5, "object": umbra}]
    assert "Umbra" not in everything(one)
    one.move(GM, "learn", sword, talent="whispers", level=5, object="", reason="It fled.")
    assert one.entity(sword).sheet["talents"][0]["object"] == ""


def test_what_hidden_objects_do_is_the_gms_alone(one):
    umbra = thing(one, "gm", "creature", "Umbra", {"waits": 5}, hidden=True)
    vell = thing(one, "ana")
    one.move(GM, "fight", who=[vell, umbra])
    assert [row.name for row in view_for(one.campaign, one.game, "ana").fight.rows] == ["Ana"]
    one.move(GM, "turn", who=umbra)
    rolled(one, umbra, "waits", (6, 6))
    assert one.last.audience == "gm"
    assert one.ask("critical").to == ("gm",)
    one.answer(GM, one.ask("critical"), text="Umbra sneezes.")
    one.move(GM, "status", umbra, status="0", cause="the light")
    one.move(GM, "merge", umbra, into=vell, level=2, stays=True)
    one.move(GM, "split", vell, told="The shadow leaves.", stays=True)
    assert "Umbra" not in everything(one)
    assert umbra not in everything(one)
