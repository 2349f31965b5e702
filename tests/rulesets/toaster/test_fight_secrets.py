"""Secrets in a fight: a closed foe's numbers, revealing odds, hidden modifiers."""

import msgspec

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.views import view_for
from tests.rulesets.driver import GM
from tests.rulesets.toaster.fighting import begin, evening, fight, fighter, side, strike
from tests.rulesets.toaster.people import foe, hero


def closed(one, **more):
    """A foe whose numbers are the GM's."""
    return foe(one, fighter(weapons=("club",), dodge=5), "Shade", open=False, **more)


def seen(one, seat="ana"):
    """The table as a player knows it."""
    return conceal(one.campaign, one.game, one.table.seats[seat])


def test_a_closed_foes_dice_and_totals_are_the_gms():
    one = evening()
    a, shade = hero(one, "ana", fighter(sword=6)), closed(one)
    card = strike(one, a, shade, (7, 2, 9, 3))
    assert side(card, "attack")["audience"] == "all"
    assert side(card, "defence")["audience"] == side(card, "protection")["audience"] == "gm"
    thrown = one.last.throw
    assert set(thrown.closed) >= {"defence", "protection"}
    assert thrown.odds_audience == "gm"
    secret = [line for line in card["lines"] if line["audience"] == "gm"]
    assert any("Damage" in line["text"] for line in secret)
    assert not any(
        "Damage" in line["text"] or "stun" in line["text"]
        for line in card["lines"]
        if line["audience"] == "all"
    )


def test_no_odds_before_the_throw_for_whoever_does_not_know_the_foe():
    one = evening()
    a, shade = hero(one, "ana", fighter(sword=6)), closed(one)
    move, actor = one.named("attack"), one.actor("ana", a)
    answers = {"target": shade, "defence": "dodge"}
    assert move.question(one.table, actor, answers) is not None
    assert move.question(seen(one), actor, answers) is None


def test_modifiers_that_are_kept_take_the_totals_with_them():
    one = evening()
    a, open_ = hero(one, "ana", fighter(sword=6)), foe(one, fighter(dodge=5), open=True)
    rows = [{"on": "attack", "value": -2, "why": "invisible mud"}]
    roll = one.propose("ana", "attack", a, target=open_)
    one.do(GM, c.Settle, proposal=roll, answers={"modifiers": rows}, hidden=("modifiers",))
    one.do("ana", c.Throw, (5, 9), proposal=roll)
    assert side(one.card, "attack")["audience"] == "gm"
    assert side(one.card, "defence")["audience"] == "gm"
    assert one.last.throw.odds_audience == "gm"
    told = [row for row in one.last.data["told"] if row[2] != "gm"]
    assert "mud" not in str(told)


def test_a_closed_foes_initiative_and_a_hidden_ones_place_are_not_told():
    one = evening()
    hero(one, "ana", fighter(sword=6))
    shade = closed(one)
    begin(one, 5, 9)
    hidden = foe(one, fighter(), "Lurker", hidden=True)
    one.move(GM, "join", hidden)
    known = seen(one).fight
    assert fight(one)["fighters"][shade]["number"] == 13
    assert known["fighters"][shade]["number"] is None
    assert known["fighters"][shade]["bonus"] == 0
    assert hidden not in known["fighters"]
    assert "Lurker" not in msgspec.json.encode(dict(known)).decode()


def test_what_is_kept_of_an_attack_that_waits_is_the_gms():
    one = evening(luck_points=True)
    a, shade = hero(one, "ana", fighter(sword=6)), closed(one)
    strike(one, a, shade, (9,))
    theirs = next(iter(seen(one).asks.values()))
    assert theirs.move == "attack_luck"
    assert not theirs.preset.get("kept")
    assert "15" in theirs.text


def test_where_difficulties_are_told_after_the_throw_the_card_tells_them():
    one = evening(difficulty_shown="after")
    a, open_ = hero(one, "ana", fighter(sword=6)), foe(one, fighter(dodge=5), open=True)
    rows = [{"on": "attack", "value": -2, "why": "mud"}]
    card = strike(one, a, open_, (5, 9), modifiers=rows)
    assert side(card, "attack")["audience"] == "all"
    assert ["mud", -2] in side(card, "attack")["parts"]
    assert one.last.throw.odds_audience == "gm"
    never = evening(difficulty_shown="never")
    a, open_ = hero(never, "ana", fighter(sword=6)), foe(never, fighter(dodge=5), open=True)
    assert side(strike(never, a, open_, (5, 9), modifiers=rows), "attack")["audience"] == "gm"
    assert side(strike(never, a, open_, (5, 9)), "attack")["audience"] == "all"


def test_whoever_is_attacked_by_a_closed_foe_is_asked_for_a_defence():
    one = evening(luck_points=True)
    a, shade = hero(one, "ana", fighter(sword=6, dodge=5)), closed(one)
    roll = one.propose(GM, "attack", shade, target=a)
    one.do(GM, c.Settle, proposal=roll, answers={"arm": "w1"})
    (asked,) = view_for(one.campaign, one.game, "ana").proposals
    assert [field.name for field in asked.mine] == ["defence", "defence_luck"]
    assert [choice.value for choice in asked.mine[0].choices] == ["dodge", "parry:w1"]
    assert "club" not in f"{asked.settled} {asked.mine} {asked.answers}".casefold()
    (unasked,) = view_for(one.campaign, one.game, "ben").proposals
    assert unasked.mine == ()
    one.do("ana", c.Settle, proposal=roll, answers={"defence": "parry:w1"})
    assert one.last.kind == "settled"
