"""Secrets from players: hidden targets, closed numbers, hidden people."""

import json

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.read_models import NoOdds
from kitchentable.campaign.views import entry_for, odds_for, view_for
from kitchentable.rules import BadAnswers
from tests.rulesets.driver import GM
from tests.rulesets.lucky_stars.people import evening, foe, hero, stock, thing

rule = pytest.mark.rule


@pytest.fixture
def table():
    return evening(show_margin=True)


def everything(table, seat):
    """All that a seat can read: its view, and every entry of the log."""
    view = view_for(table.campaign, table.game, seat)
    log = [entry_for(table.campaign, event, seat) for event in table.campaign.events]
    return repr([view.proposals, view.asks, view.table.own, view.summaries, log])


@rule("stars.2.1-target-scale")
@pytest.mark.parametrize("shown", ["before", "never"])
def test_a_hidden_target_is_nowhere(shown):
    table = evening(show_margin=True, target_shown=shown)
    ana = hero(table, "ana")
    roll = table.propose("ana", "decision", ana, stat="none")
    settled = {
        "target": "other",
        "number": 373,
        "allow": "yes",
        "adjustments": [{"name": "the moat", "value": 88}],
    }
    table.do(GM, c.Settle, proposal=roll, answers=settled, hidden=("target",))
    assert table.campaign.tree["proposals"][roll]["hidden"] == [
        *("adjustments", "allow", "number", "target")
    ]
    before = everything(table, "ana")
    table.do("ana", c.Throw, (3, 4), proposal=roll)
    after = everything(table, "ana")
    for said in (before, after):
        assert not [s for s in ("373", "461", "the moat", "88", "mpossible", "May it") if s in said]
    assert "failure" in after
    assert (table.last.throw.odds_audience, "373" in everything(table, GM)) == ("gm", True)


def test_there_are_no_odds_on_a_players_table_for_a_hidden_target():
    table = evening()
    ana = hero(table, "ana")
    view = view_for(table.campaign, table.game, "ana")
    assert isinstance(odds_for(view, table.game, "decision", ana, {"stat": "none"}), NoOdds)
    roll = table.propose("ana", "decision", ana, stat="none")
    table.do(GM, c.Settle, proposal=roll, answers={"target": "12"}, hidden=("target",))
    (proposal,) = view_for(table.campaign, table.game, "ana").proposals
    assert (proposal.odds, proposal.odds_note) == (None, "Only the GM sees the odds of this roll.")
    (proposal,) = view_for(table.campaign, table.game, GM).proposals
    assert proposal.odds is not None


@pytest.mark.parametrize("guess", [{"target": "12"}, {"target": "8"}, {"target": "x"}])
def test_a_guess_at_a_hidden_target_learns_nothing(table, guess):
    ana = hero(table, "ana")
    roll = table.propose("ana", "decision", ana, stat="none")
    table.do(GM, c.Settle, proposal=roll, answers={"target": "12"}, hidden=("target",))
    with pytest.raises(NotAllowed, match=r"^You cannot set Target in this roll\.$"):
        table.do("ana", c.Settle, proposal=roll, answers=guess)


@rule("stars.2.2.1-impossible-gate")
@pytest.mark.parametrize("target", ["22", "8"])
def test_whether_a_hidden_task_is_impossible_cannot_be_felt_out(table, target):
    ana = hero(table, "ana")
    roll = table.propose("ana", "decision", ana, stat="none")
    leave = {"allow": "yes"} if target == "22" else {}
    table.do(GM, c.Settle, proposal=roll, answers={"target": target, **leave}, hidden=("target",))
    with pytest.raises(BadAnswers, match="no question called 'allow'"):
        table.do("ana", c.Settle, proposal=roll, answers={"allow": "yes"})


def test_a_target_told_after_the_throw_is_told_after_the_throw():
    table = evening(target_shown="after")
    ana = hero(table, "ana")
    roll = table.propose("ana", "decision", ana, stat="none")
    table.do(GM, c.Settle, proposal=roll, answers={"target": "14"})
    (proposal,) = view_for(table.campaign, table.game, "ana").proposals
    assert (proposal.odds, "14" in repr(proposal.settled)) == (None, False)
    table.do("ana", c.Throw, (3, 4), proposal=roll)
    assert {"text": "Against 14.", "audience": "all"} in table.card["lines"]


def test_a_closed_foes_numbers_are_the_gms(table):
    ana = hero(table, "ana", strength=1)
    serk = foe(table, thing("Poison", "6"), name="Serk", strength=7)
    table.move(GM, "track", serk, (), name="Dread", kind="count", value=55)
    roll = table.propose("ana", "contest", ana, other=serk, stat="strength")
    with pytest.raises(NotAllowed) as refused:
        table.do("ana", c.Settle, proposal=roll, answers={"other_stat": "x"})
    assert "+7" not in str(refused.value)
    table.do(GM, c.Settle, proposal=roll, answers={"other_stat": "strength"})
    table.do("ana", c.Throw, (5, 4, 2, 2), proposal=roll)
    ours, theirs = table.card["sides"]
    assert (ours["audience"], theirs["audience"]) == ("all", "gm")
    assert (table.last.throw.closed, table.last.throw.odds_audience) == (("second",), "gm")
    said = everything(table, "ana")
    assert not [one for one in ("+7", "Poison", "Dread") if one in said]
    assert "Ana" in said


def test_a_closed_foes_tie_tells_its_totals_to_the_gm_only(table):
    ana, serk = hero(table, "ana"), foe(table)
    roll = table.propose("ana", "contest", ana, other=serk, stat="none")
    table.do(GM, c.Settle, proposal=roll, answers={"other_stat": "none"})
    table.do("ana", c.Throw, (5, 4, 5, 4, 3, 3, 1, 1), proposal=roll)
    assert {"text": "Thrown again after 9 to 9.", "audience": "gm"} in table.card["lines"]


def test_a_closed_stock_cannot_be_reached_or_listed(table):
    ana = hero(table, "ana", thing("Rope", "8"))
    cellar = stock(table, thing("Brandy", "12"), name="Cellar", open=False)
    with pytest.raises(BadAnswers) as refused:
        table.propose("ana", "decision", ana, uses=f"{cellar}/gear/brandy")
    assert "Brandy" not in json.dumps(str(refused.value)).replace(f"{cellar}/gear/brandy", "")
    assert table.why_not("ana", "supply", ana) is None


def test_whoever_is_hidden_throws_behind_the_screen(table):
    umbra = foe(table, name="Umbra", hidden=True, open=True)
    table.roll(GM, "decision", umbra, (5, 4), target="8", stat="none")
    assert table.last.audience == "gm"
    assert "Umbra" not in everything(table, "ana")
