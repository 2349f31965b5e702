"""Secrets of the GM's characters: levels, dice, odds, initiative, existence."""

import json

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.entries import entry_for
from kitchentable.rules import EVERYONE
from kitchentable.rulesets.toast import game
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import evening, foe, hero

rule = pytest.mark.rule


def seen(one, seat="ana"):
    return conceal(one.campaign, one.game, one.table.seats[seat])


def test_a_closed_foe_shows_its_name_and_how_it_is_and_no_numbers():
    one = evening()
    hero(one, "ana")
    serk = foe(one, "Fights dirty", kind="lieutenant", name="Serk", aim=7)
    shown = seen(one).entities[serk]
    summary = game.sheet.summary(seen(one), shown)
    assert (summary.name, summary.line, summary.status) == ("Serk", "", "")
    assert (summary.numbers, summary.tags) == ((), ())
    assert summary.tracks == ()
    assert "Fights dirty" not in json.dumps([dict(shown.sheet), dict(shown.state)])


def test_a_closed_foes_throw_is_the_gms_but_its_word_and_the_result_are_not():
    one = evening()
    mara, serk = hero(one, "ana", aim=4), foe(one, kind="lieutenant", defense=7)
    card = one.roll("ana", "attack", mara, (9, 2), target=serk, trait="aim")
    ours, theirs = card["sides"]
    assert (ours["audience"], theirs["audience"]) == (EVERYONE, "gm")
    assert one.last.throw.closed == ("defense",)
    assert one.last.throw.odds_audience == "gm"
    assert card["outcome"] == "hit"
    card = one.roll(GM, "task", serk, (5,), trait="aim")
    assert (card["sides"][0]["audience"], one.last.throw.closed) == ("gm", ("roll",))


@rule("toast.7.3-hit-wound", "toast.7.3-first-aid-detail")
def test_only_gms_read_how_many_wounds_a_closed_foe_has():
    one = evening()
    mara, serk = hero(one, "ana", aim=4), foe(one, kind="lieutenant", name="Serk")
    one.roll("ana", "attack", mara, (9, 2), target=serk, trait="aim")
    _wounds_are_the_gms(one, "Hit. One wound.", "Wounds: 1 of 3.")
    one.move(GM, "hurt", who=serk, wounds=-1, cause="a draught")
    _wounds_are_the_gms(one, "Fewer wounds.", "Wounds: 0 of 3.")
    one.move(GM, "hurt", who=serk, wounds=2, cause="a fall")
    one.move(GM, "day")
    _wounds_are_the_gms(one, "", "Serk: 1 wound left.")
    one.do(GM, c.ChangeEntity, entity=serk, open=True)
    one.move(GM, "hurt", who=serk, wounds=1, cause="a fall")
    _wounds_are_the_gms(one, "One wound: 2 of 3.", None)


def _wounds_are_the_gms(one, sentence, told):
    card = one.card
    lines = [(line["text"], line["audience"]) for line in card["lines"] if "ound" in line["text"]]
    assert lines == ([] if told is None else [(told, "gm")])
    assert not sentence or card["sentence"] == sentence


def test_an_open_foe_has_no_secrets():
    one = evening()
    mara, serk = hero(one, "ana", aim=4), foe(one, kind="lieutenant", defense=7, open=True)
    card = one.roll("ana", "attack", mara, (9, 2), target=serk, trait="aim")
    assert {side["audience"] for side in card["sides"]} == {EVERYONE}
    assert one.last.throw.closed == ()
    assert one.last.throw.odds_audience == EVERYONE


def test_there_are_no_odds_on_a_players_table_against_a_closed_foe():
    one = evening()
    mara, serk = hero(one, "ana"), foe(one, defense=7)
    for move in ("attack", "contest"):
        answers = {"target": serk, "other": serk, "trait": "aim", "other_trait": "aim"}
        asking = game.move(move).question
        assert asking(one.table, one.actor("ana", mara), answers) is not None
        assert asking(seen(one), one.actor("ana", mara), answers) is None


def test_initiative_of_closed_and_hidden_foes():
    one = evening()
    mara = hero(one, "ana", initiative=2)
    serk, shade = foe(one, name="Serk", initiative=7), foe(one, name="Shade", hidden=True)
    one.move(GM, "fight", foes=[serk, shade])
    assert "Shade" not in one.card["sentence"]
    one.move(GM, "initiative_all", "", (5, 6, 3))
    assert one.last.throw.closed == (serk, shade)
    assert "Shade" not in one.card["sentence"]
    assert [(side["name"], side["audience"]) for side in one.card["sides"]] == [
        ("Ana", EVERYONE),
        ("Serk", "gm"),
        ("Shade", "gm"),
    ]
    assert [side["unseen"] for side in one.card["sides"]] == [False, False, True]
    told = {seat: entry_for(one.campaign, one.last, seat) for seat in ("ana", GM)}
    assert [side.name for side in told["ana"].card.sides] == ["Ana", "Serk"]
    assert "Shade" not in repr(told["ana"])
    assert "Shade" in repr(told[GM])
    fight = seen(one).fight
    assert (fight["order"], fight["turn"]) == ([serk, mara], serk)
    assert fight["fighters"][serk]["number"] is None
    assert shade not in json.dumps(fight)
    rows = game.fight(seen(one)).rows
    assert [(row.name, row.order) for row in rows] == [("Serk", "\N{EN DASH}"), ("Ana", "7")]
    one.move(GM, "end_turn", serk)
    one.move(GM, "end_turn", mara)
    assert seen(one).fight["turn"] == ""
    assert game.fight(seen(one)).sentence == "The GM acts."


def test_what_a_hidden_one_does_is_for_the_gm_alone():
    one = evening()
    shade = foe(one, name="Shade", hidden=True)
    one.roll(GM, "task", shade, (5,), trait="aim")
    assert one.last.audience == "gm"
    one.move(GM, "hurt", who=shade, cause="the sun")
    assert one.last.audience == "gm"


@rule("toast.5.2-contest-both-roll")
def test_a_contest_of_many_with_a_hidden_one_is_the_gms_alone():
    one = evening()
    mara, tam, shade = hero(one, "ana"), hero(one, "ben"), foe(one, name="Shade", hidden=True)
    one.move(GM, "free_for_all", "", (5, 9, 7), who=[mara, tam, shade])
    assert one.last.audience == "gm"
    assert "Shade" not in repr(entry_for(one.campaign, one.last, "ana"))


@rule("toast.7.4-importance-story")
def test_the_gm_can_open_somebodys_numbers():
    one = evening()
    hero(one, "ana")
    serk = foe(one, aim=7)
    one.do(GM, c.ChangeEntity, entity=serk, open=True)
    assert seen(one).entities[serk].sheet["traits"]["aim"] == 7


def test_the_story_of_a_hidden_ones_flub_is_the_gms_alone():
    one = evening()
    mara, shade = hero(one, "ana"), foe(one, name="Shade", hidden=True)
    one.roll(GM, "task", shade, (11,), trait="aim")
    assert one.ask("twist").to == ("gm",)
    assert "Shade" not in repr(seen(one).asks)
    for move, field in (("attack", "target"), ("contest", "other")):
        asked = game.move(move).fields(one.table, one.actor("ana", mara), {})
        (picks,) = (one.choices for one in asked if one.name == field)
        assert shade not in {one.value for one in picks}


def test_two_of_a_kind_with_a_hidden_one_is_told_to_the_gm_alone():
    one = evening()
    serk, shade = foe(one, name="Serk"), foe(one, name="Shade", hidden=True)
    one.roll(GM, "contest", serk, ("kick", "kick"), trait="aim", other=shade, other_trait="aim")
    one.answer(GM, one.ask("twist"), text="Lightning strikes the mast.", mood="bad")
    assert entry_for(one.campaign, one.last, one.table.seats["ana"].id) is None
    assert "Shade" in entry_for(one.campaign, one.last, GM).card.title


def test_another_roll_after_a_tie_with_a_hidden_one_is_the_gms_alone():
    one = evening()
    serk, shade = foe(one, name="Serk"), foe(one, name="Shade", hidden=True)
    one.roll(GM, "contest", serk, (5, 5), trait="aim", other=shade, other_trait="aim")
    one.answer(GM, one.ask("tie"), (7, 2), ruling="reroll")
    assert "Serk" in one.card["sentence"] or "Serk" in one.card["title"]
    told = repr([entry_for(one.campaign, event, "ana") for event in one.campaign.events])
    assert "Shade" not in told


@rule("toast.7-init-tie")
def test_dice_among_equals_are_told_by_the_names_that_each_seat_may_know():
    one = evening()
    mara, guard = hero(one, "ana"), foe(one, name="Guard", open=True)
    serk, shade = foe(one, name="Serk"), foe(one, name="Shade", hidden=True)
    fighting = {"heroes": [mara], "foes": [guard, serk, shade]}
    one.move(GM, "fight", "", **fighting)
    one.move(GM, "initiative_all", "", (5, 5, 5, 5), who=[mara, guard, serk, shade])
    one.answer(GM, one.ask("initiative_tie"), (2, 7, 4, 9), ruling="reroll")
    for_gm, for_ana = (entry_for(one.campaign, one.last, who) for who in (GM, "ana"))
    assert {die.label for die in for_gm.dice} == {side.label for side in for_gm.card.sides}
    assert [side.name for side in for_gm.card.sides] == ["Shade", "Guard", "Serk", "Ana"]
    assert [side.name for side in for_ana.card.sides] == ["Guard", "Serk", "Ana"]
    assert [(die.label, die.face) for die in for_ana.dice] == [(mara, "2"), (guard, "7")]
    assert "Shade" not in repr(for_ana)
    assert shade not in repr(for_ana)


@rule("toast.7-init-tie")
def test_an_order_by_hand_has_no_dice_and_an_order_of_hidden_ones_has_no_names():
    one = evening()
    mara = hero(one, "ana")
    two = [foe(one, name=name, hidden=True) for name in ("Shade", "Wisp")]
    one.move(GM, "fight", "", heroes=[mara], foes=two)
    one.move(GM, "initiative_all", "", (9, 5, 5), who=[mara, *two])
    one.answer(GM, one.ask("initiative_tie"), ruling="hand", place__1=two[1])
    assert (one.card["sides"], one.card["sentence"]) == ([], "By the GM's word.")
