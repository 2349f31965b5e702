"""The view of each seat, and its moves."""

from dataclasses import replace
from fractions import Fraction

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.read_models import NoOdds
from kitchentable.campaign.views import entry_for, moves_for, odds_for, view_for
from kitchentable.rules.sheets import FightRow, FightView
from tests.campaign.coin import COIN
from tests.campaign.tables import IDA, JON, MARA, SAM, TOVE, named, playing, seated


def view(evening, seat):
    return view_for(evening.campaign, COIN, seat)


def entry(evening, event, seat):
    return entry_for(evening.campaign, event, seat)


def test_who_waits_sees_the_title_and_who_is_out_sees_nothing():
    evening = seated()
    evening.send(c.SetNote, IDA, which="table", text="Bring tea.")
    evening.send(c.AskForSeat, "", new_seat="s-new", name="New")
    seen = view(evening, "s-new")
    assert (seen.title, seen.me.state) == ("Salt", "waiting")
    assert (seen.notes, seen.table.seats, seen.table.entities, seen.session) == ({}, {}, {}, {})
    assert moves_for(seen, COIN) == ()
    assert all(entry(evening, event, "s-new") is None for event in evening.log)
    assert "s-new" not in view(evening, MARA).table.seats
    assert "s-new" in view(evening, IDA).table.seats
    evening.send(c.DecideSeat, IDA, of=JON, verdict="revoke")
    for nobody in (JON, "s-none"):
        with pytest.raises(NotAllowed):
            view(evening, nobody)
        assert entry(evening, evening.log[0], nobody) is None


def test_hidden_is_gone_and_closed_is_bare():
    evening = playing()
    grim = named(evening, "Grim")
    assert view(evening, MARA).table.entities[grim].sheet == {}
    assert view(evening, MARA).summaries[grim].name == "Grim"
    assert view(evening, TOVE).table.entities[grim].sheet["coins"] == 5
    evening.send(c.ChangeEntity, IDA, entity=grim, open=True)
    assert view(evening, SAM).table.entities[grim].sheet["coins"] == 5
    evening.send(c.ChangeEntity, IDA, entity=grim, hidden=True)
    assert grim not in view(evening, MARA).table.entities
    assert grim in view(evening, IDA).table.entities


def test_a_closed_character_is_open_to_its_player():
    evening = playing()
    kes = named(evening, "Kes")
    evening.send(c.ChangeEntity, IDA, entity=kes, open=False, hidden=True)
    assert view(evening, MARA).table.entities[kes].sheet["coins"] == 3
    assert kes not in view(evening, JON).table.entities


def test_an_unfinished_character_is_its_players_and_the_gms():
    evening = seated()
    kes = evening.send(c.MakeEntity, MARA, kind="pc", name="Kes").data["entity"]
    for stage in ("draft", "submitted"):
        assert evening.entity(kes).stage == stage
        assert kes in view(evening, MARA).table.entities
        assert kes in view(evening, IDA).table.entities
        assert kes not in view(evening, JON).table.entities
        if stage == "draft":
            evening.send(c.SubmitSheet, MARA, entity=kes)
    assert [one.id for one in view(evening, MARA).mine] == [kes]


def test_who_is_gone_is_remembered_by_those_who_met_them():
    evening = playing()
    grim = named(evening, "Grim")
    owl = evening.send(c.MakeEntity, IDA, kind="npc", name="Owl").data["entity"]
    for one in (grim, owl):
        evening.send(c.ChangeEntity, IDA, entity=one, gone=True)
    evening.send(c.ChangeEntity, IDA, entity=owl, name="Barn owl")
    assert grim in view(evening, MARA).table.entities
    assert owl not in view(evening, MARA).table.entities
    evening.send(c.ChangeEntity, IDA, entity=owl, gone=False)
    assert all(
        entry(evening, event, MARA) is None
        for event in evening.log
        if event.data.get("entity") == owl
    )


def test_notes_and_numbers_are_for_whom_they_are():
    evening = playing()
    evening.send(c.SetNote, IDA, which="gm", text="Grim did it.")
    assert view(evening, TOVE).notes == {"table": "", "gm": "Grim did it."}
    assert view(evening, MARA).notes == {"table": ""}
    assert view(evening, MARA).table.number == 0
    assert view(evening, IDA).table.number == evening.campaign.number
    assert entry(evening, evening.log[-2], MARA).number == 0


def test_what_a_seat_may_do():
    evening = playing()
    kes, grim = named(evening, "Kes"), named(evening, "Grim")
    mara = view(evening, MARA)
    (flip,) = moves_for(mara, COIN, kes)
    assert (flip.name, flip.why_not) == ("flip", "")
    assert [field.name for field in flip.fields] == ["skill", "charm", "target"]
    assert [one.name for one in moves_for(mara, COIN)] == ["call"]
    assert moves_for(mara, COIN, grim) == ()
    assert moves_for(view(evening, SAM), COIN, kes) == ()
    ida = view(evening, IDA)
    assert [one.name for one in moves_for(ida, COIN, grim)] == ["flip", "lose", "point", "jinx"]
    assert "number" in [field.name for field in moves_for(ida, COIN, grim)[0].fields]
    evening.send(c.MakeMove, IDA, move="lose", entity=kes, answers={"coins": 3})
    (flip,) = moves_for(view(evening, MARA), COIN, kes)
    assert (flip.why_not, flip.fields) == ("No coins are left.", ())


def test_the_odds_are_what_the_seat_can_know():
    evening = playing()
    kes, grim, bo = (named(evening, one) for one in ("Kes", "Grim", "Bo"))
    mara = view(evening, MARA)
    seen = odds_for(mara, COIN, "flip", kes, {"skill": "luck"})
    assert seen.good == Fraction(5, 6)
    assert [share for _, _, _, share in seen.bands] == [Fraction(5, 6), 0, Fraction(1, 6)]
    assert seen.sentence == "Wins."
    assert odds_for(mara, COIN, "flip", kes, {"charm": "x", "number": "7"}).good == Fraction(1, 2)
    assert odds_for(mara, COIN, "flip", kes, {"target": bo}).good
    unusable = NoOdds("The odds appear when every answer is valid.")
    unknown = NoOdds("The odds depend on numbers that you may not see.")
    assert odds_for(mara, COIN, "flip", kes, {"target": grim}) == unknown
    assert odds_for(mara, COIN, "flip", kes, {"target": "npc-none"}) == unusable
    assert odds_for(mara, COIN, "flip", "pc-none") == NoOdds()
    assert odds_for(mara, COIN, "jump", kes) == NoOdds()
    assert odds_for(mara, COIN, "lose", kes) == NoOdds()
    ida = view(evening, IDA)
    assert odds_for(ida, COIN, "flip", kes, {"target": grim, "number": 1}).good == Fraction(1, 6)
    evening.send(c.SetSettings, IDA, settings={"odds_shown": False})
    not_shown = NoOdds("This table does not show odds.")
    assert odds_for(view(evening, MARA), COIN, "flip", kes) == not_shown
    assert odds_for(view(evening, IDA), COIN, "flip", kes).good
    evening.send(c.SetSettings, IDA, settings={"odds_shown": True})
    evening.send(c.SetOptions, IDA, options={"dark": True})
    assert odds_for(view(evening, MARA), COIN, "flip", kes) == NoOdds(
        "Only the GM sees the odds of this roll."
    )
    assert odds_for(view(evening, IDA), COIN, "flip", kes).good


def test_a_roll_that_is_talked_about():
    evening = playing()
    kes, bo = named(evening, "Kes"), named(evening, "Bo")
    evening.send(
        c.Propose, MARA, move="flip", entity=kes, answers={"charm": "rabbit", "target": bo}
    )
    roll = next(iter(evening.tree["proposals"]))
    (mara,), (jon,) = view(evening, MARA).proposals, view(evening, JON).proposals
    assert (mara.my_turn, mara.may_throw, mara.may_withdraw, mara.may_decline) == (
        False,
        False,
        True,
        False,
    )
    assert mara.waits_on == "Jon and the GM"
    assert [field.name for field in mara.mine] == ["skill", "charm", "target"]
    assert ("Against", "Bo", False) in mara.settled
    assert (jon.my_turn, [field.name for field in jon.mine]) == (True, ["brace"])
    (sam,) = view(evening, SAM).proposals
    assert (sam.my_turn, sam.mine, sam.may_throw, sam.may_withdraw) == (False, (), False, False)
    (ida,) = view(evening, IDA).proposals
    assert ida.my_turn
    assert ida.may_decline
    assert {field.name for field in ida.mine} >= {"number", "charm", "brace"}
    evening.send(c.Settle, JON, proposal=roll)
    evening.send(c.Settle, IDA, proposal=roll, answers={"number": 6}, hidden=("number",))
    (mara,), (ida,) = view(evening, MARA).proposals, view(evening, IDA).proposals
    assert mara.may_throw
    assert (mara.odds, mara.odds_note) == (None, "Only the GM sees the odds of this roll.")
    assert ("Number", "", True) in mara.settled
    assert "number" not in mara.answers
    assert ("Number", "6", True) in ida.settled
    assert ida.odds is not None
    evening.send(c.Settle, IDA, proposal=roll, answers={"number": 6})
    (mara,) = view(evening, MARA).proposals
    assert mara.odds.good == ida.odds.good
    assert ("Number", "6", False) in mara.settled


def test_a_roll_for_the_gm_alone_is_not_talked_about_with_others():
    evening = playing()
    kes, grim = named(evening, "Kes"), named(evening, "Grim")
    evening.send(c.Propose, IDA, move="flip", entity=grim, audience="gm")
    assert view(evening, MARA).proposals == ()
    evening.send(c.Propose, MARA, move="flip", entity=kes, audience="gm")
    assert len(view(evening, MARA).proposals) == 1
    assert view(evening, JON).proposals == ()
    assert len(view(evening, IDA).proposals) == 2


def test_who_was_picked_and_is_out_of_sight_now_is_nobody():
    evening = playing()
    kes, grim = named(evening, "Kes"), named(evening, "Grim")
    evening.send(c.Propose, MARA, move="flip", entity=kes, answers={"target": grim})
    evening.send(c.ChangeEntity, IDA, entity=grim, hidden=True)
    (mara,) = view(evening, MARA).proposals
    assert (mara.settled, mara.mine, mara.odds) == ((), (), None)
    assert all(view(evening, seat).proposals[0].answers == {} for seat in (MARA, JON, SAM))
    (ida,) = view(evening, IDA).proposals
    assert ("Against", "Grim", False) in ida.settled


def test_a_card_is_whole_for_whom_it_waits():
    evening = playing(settings={"gm_confirms": "trust"})
    evening.send(c.MakeMove, MARA, move="flip", entity=named(evening, "Kes"), faces=[1])
    (mara,), (jon,), (ida,) = (view(evening, seat).asks for seat in (MARA, JON, IDA))
    assert (mara.mine, [field.name for field in mara.fields]) == (True, ["text"])
    assert mara.ask.preset == {"why": "a slip"}
    assert (jon.mine, jon.ask.title, jon.ask.preset, jon.waits_on) == (False, "", {}, "Mara")
    assert (ida.mine, ida.ask.title, ida.ask.preset["trap"]) == (False, "What slips?", "TRAP")


def test_an_entry_has_what_happened():
    evening = playing(settings={"gm_confirms": "trust"})
    grim = named(evening, "Grim")
    event = evening.send(
        c.MakeMove,
        MARA,
        move="flip",
        entity=named(evening, "Kes"),
        answers={"target": grim},
        faces=[5, 2],
    )
    mara, ida = entry(evening, event, MARA), entry(evening, event, IDA)
    assert mara.text == "Kes flips."
    assert [(die.face, die.label) for die in mara.dice] == [("5", "roll")]
    assert [(die.face, die.label) for die in ida.dice] == [("5", "roll"), ("2", "foe")]
    assert mara.card.sides[1] == replace(ida.card.sides[1], label="", parts=(), total=None)
    assert mara.odds is None
    assert ida.odds.good == Fraction(0)
    assert ("Against", "Grim") in mara.details
    assert ida.number == event.number
    assert ida.may_undo
    assert not mara.may_undo


def test_dice_behind_the_screen_leave_a_stub_and_nothing_else():
    evening = playing()
    grim = named(evening, "Grim")
    thrown = evening.send(c.MakeMove, IDA, move="jinx", entity=grim, audience="gm", faces=[4])
    seen = entry(evening, thrown, MARA)
    assert seen.stub == "Ida threw dice behind the screen."
    assert (seen.text, seen.card, seen.dice, seen.number) == ("", None, (), 0)
    quiet = evening.send(c.MakeMove, IDA, move="lose", entity=grim, answers={"for": "gm"})
    assert entry(evening, quiet, MARA) is None
    assert entry(evening, quiet, IDA).hidden_from == "the players"
    private = evening.send(c.RollNotation, MARA, notation="d6", audience="gm", faces=[4])
    assert entry(evening, private, JON).stub == "Mara threw dice for the GM."
    assert entry(evening, private, IDA).dice[0].face == "4"
    alone = evening.send(c.RollNotation, MARA, notation="d6", audience="self", faces=[4])
    assert entry(evening, alone, IDA).stub == "Mara threw dice in private."
    assert entry(evening, alone, MARA).hidden_from == "everybody else"


def test_what_is_shown_to_all_is_whole():
    evening = playing()
    grim = named(evening, "Grim")
    thrown = evening.send(c.MakeMove, IDA, move="jinx", entity=grim, audience="gm", faces=[4])
    shown = evening.send(c.Reveal, IDA, number=thrown.number)
    for event in (thrown, shown):
        seen = entry(evening, event, MARA)
        assert (seen.card.title, seen.dice[0].face, seen.stub) == ("A jinx", "4", "")
        assert seen.odds.good == Fraction(1, 2)


def test_what_was_taken_back_says_so_to_those_who_knew_of_it():
    evening = playing()
    grim = named(evening, "Grim")
    quiet = evening.send(c.MakeMove, IDA, move="lose", entity=grim, answers={"for": "gm"})
    loud = evening.send(c.MakeMove, IDA, move="lose", entity=grim)
    undone = evening.send(
        c.Undo, IDA, number=quiet.number, also=(loud.number,), reason="Wrong one."
    )
    assert entry(evening, loud, MARA).undone == "Taken back by Ida: Wrong one."
    assert entry(evening, undone, MARA).text == "Ida takes back: Grim loses coins."
    assert entry(evening, undone, IDA).text.count("Grim loses coins") == 2
    secret = evening.send(c.SetNote, IDA, which="gm", text="x")
    undone = evening.send(c.Undo, IDA, number=secret.number)
    assert entry(evening, undone, MARA) is None


def test_an_override_tells_numbers_to_those_who_know_them():
    evening = playing()
    grim, kes = named(evening, "Grim"), named(evening, "Kes")
    path = ("entities", grim, "state", "coins")
    event = evening.send(c.Override, IDA, path=path, now=77, reason="So.")
    assert entry(evening, event, MARA).text == "Ida sets a fact about Grim by hand."
    assert "77" in entry(evening, event, IDA).text
    event = evening.send(
        c.Override, IDA, path=("entities", kes, "state", "coins"), now=2, reason="So."
    )
    assert entry(evening, event, JON).text == (
        "Ida sets a fact about Kes by hand: coins was 3 and is 2."
    )
    event = evening.send(c.Override, IDA, path=("own", "secret"), now="who", reason="So.")
    assert "who" not in entry(evening, event, MARA).text


def test_the_fight_has_no_row_for_whom_nobody_sees():
    evening = playing()
    kes, grim = named(evening, "Kes"), named(evening, "Grim")
    rows = tuple(FightRow(one, one, "1") for one in (kes, grim))
    game = replace(COIN, fight=lambda table: FightView(1, rows))
    evening.send(c.ChangeEntity, IDA, entity=grim, hidden=True)
    assert view_for(evening.campaign, game, MARA).fight.rows == rows[:1]
    assert view_for(evening.campaign, game, IDA).fight.rows == rows
