"""Seats and permissions."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import DECIDERS, decide
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.rules.errors import BadAnswers
from tests.campaign.coin import COIN
from tests.campaign.tables import IDA, JON, MARA, NOW, SAM, TOVE, Evening, opened, playing, seated


def refused(evening, code, command, seat, **parts):
    with pytest.raises((NotAllowed, CannotBe)) as caught:
        evening.send(command, seat, **parts)
    assert caught.value.code == code
    assert str(caught.value).endswith((".", "?"))


def test_a_campaign_opens_with_its_options_and_its_gm():
    evening = opened(options={"rate": "3"}, settings={"fudge": "logged"})
    assert evening.tree["options"] == {"dark": False, "rate": 3}
    assert evening.campaign.settings["fudge"] == "logged"
    assert evening.campaign.settings["gm_confirms"] == "each"
    assert evening.table.seats[IDA].role == "gm"
    assert evening.log[0].number == 1
    refused(
        evening, "table/open-already", c.OpenCampaign, IDA, campaign="x", title="X", game="coin"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": "  "},
        {"campaign": "../x"},
        {"campaign": "gm"},
        {"gm_name": "\u202eadI"},
        {"options": {"rate": 9}},
        {"options": {"none": 1}},
        {"settings": {"fudge": "always"}},
    ],
)
def test_a_campaign_does_not_open_with_nonsense(wrong):
    parts = {"campaign": "salt", "title": "Salt", "game": "coin"} | wrong
    with pytest.raises((CannotBe, NotAllowed, BadAnswers)):
        Evening().send(c.OpenCampaign, IDA, **parts)


def test_before_it_opens_there_is_no_table():
    with pytest.raises(CannotBe) as caught:
        decide(None, COIN, c.Say(id="c1", seat=IDA, text="Hello"), now=NOW)
    assert caught.value.code == "table/not-open"


def test_who_has_the_link_asks_and_waits_for_the_gm():
    evening = opened()
    event = evening.send(c.AskForSeat, "", new_seat=MARA, name=" Mara ")
    assert (event.seat, event.name, event.audience) == (MARA, "Mara", "gm")
    assert evening.table.seats[MARA].state == "waiting"
    refused(evening, "seat/waiting", c.Say, MARA, text="Hello")
    evening.send(c.DecideSeat, IDA, of=MARA, verdict="approve")
    evening.send(c.Say, MARA, text="Hello")
    refused(evening, "table/cannot-be", c.DecideSeat, IDA, of=MARA, verdict="approve")


def test_who_is_refused_or_revoked_is_out_until_the_gm_says_yes_again():
    evening = opened()
    evening.send(c.AskForSeat, "", new_seat=MARA, name="Mara")
    evening.send(c.DecideSeat, IDA, of=MARA, verdict="refuse")
    refused(evening, "seat/revoked", c.Say, MARA, text="Hello")
    evening.send(c.AskForSeat, "", new_seat=JON, name="Mara")
    refused(evening, "name/taken", c.DecideSeat, IDA, of=MARA, verdict="approve")
    evening.send(c.DecideSeat, IDA, of=JON, verdict="approve")
    evening.send(c.DecideSeat, IDA, of=JON, verdict="revoke")
    refused(evening, "seat/revoked", c.Say, JON, text="Hello")
    evening.send(c.DecideSeat, IDA, of=JON, verdict="approve")
    evening.send(c.Say, JON, text="Hello")
    refused(evening, "seat/nobody", c.DecideSeat, IDA, of="s-none", verdict="approve")
    refused(evening, "table/cannot-be", c.DecideSeat, IDA, of=JON, verdict="perhaps")


def test_joining_can_be_open_or_closed():
    evening = opened()
    evening.send(c.SetSettings, IDA, settings={"joining": "open"})
    evening.send(c.AskForSeat, "", new_seat=MARA, name="Mara")
    assert evening.table.seats[MARA].state == "seated"
    evening.send(c.SetSettings, IDA, settings={"joining": "closed"})
    refused(evening, "seat/closed", c.AskForSeat, "", new_seat=JON, name="Jon")
    evening.send(c.AskForSeat, IDA, new_seat=JON, name="Jon", approved=True)


def test_nobody_lets_themselves_in():
    evening = seated()
    refused(evening, "seat/not-allowed", c.AskForSeat, "", new_seat="s-x", name="X", approved=True)
    refused(
        evening, "seat/not-allowed", c.AskForSeat, MARA, new_seat="s-x", name="X", approved=True
    )
    for role in ("gm", "cogm", "newcomer"):
        refused(evening, "table/cannot-be", c.AskForSeat, "", new_seat="s-x", name="X", role=role)
    refused(evening, "table/cannot-be", c.AskForSeat, "", new_seat=MARA, name="X")
    refused(evening, "table/cannot-be", c.AskForSeat, "", new_seat="gm", name="X")


def test_only_so_many_may_wait():
    evening = opened()
    for number in range(30):
        evening.send(c.AskForSeat, "", new_seat=f"s-{number}", name=f"N{number}")
    refused(evening, "seat/closed", c.AskForSeat, "", new_seat="s-31", name="N31")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name/empty"),
        ("   ", "name/empty"),
        ("\u200d", "name/empty"),
        (" \u200c \u200d", "name/empty"),
        ("x" * 61, "name/too-long"),
        ("a\u202eb", "name/unseen"),
        ("a\u2066b\u2069", "name/unseen"),
        ("a\x07b", "name/unseen"),
        ("\u200b", "name/unseen"),
        ("Ma\u200bra", "name/unseen"),
        ("Ma\u00adra", "name/unseen"),
        ("\ufeffMara", "name/unseen"),
        ("\ufe0f", "name/unseen"),
        ("\ufe0f\u200d\ufe0f", "name/unseen"),
        ("\u3164", "name/unseen"),
    ],
)
def test_a_name_can_be_read(name, code):
    evening = seated()
    refused(evening, code, c.RenameSeat, MARA, of=MARA, name=name)
    refused(evening, code, c.AskForSeat, "", new_seat="s-x", name=name)
    refused(evening, code, c.MakeEntity, MARA, kind="pc", name=name)


@pytest.mark.parametrize(
    "name",
    [
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # a Persian name of two parts
        "\u0915\u094d\u200d\u0937",  # Devanagari, its letters joined by hand
        "\U0001f469\u200d\U0001f680",  # a woman and a rocket: one astronaut
        "\u2764\ufe0f",  # a heart in colour
        "Zo\u00eb",
    ],
)
def test_a_name_may_be_of_any_script_and_keeps_what_joins_it(name):
    evening = seated()
    evening.send(c.RenameSeat, MARA, of=MARA, name=f" {name}\u200d ")
    assert evening.table.seats[MARA].name == name


def test_names_at_a_table_differ():
    evening = seated()
    refused(evening, "name/taken", c.RenameSeat, MARA, of=MARA, name="jON")
    refused(evening, "name/taken", c.RenameSeat, MARA, of=MARA, name="Jo\u200cn")
    refused(evening, "name/taken", c.AskForSeat, "", new_seat="s-x", name="IDA")
    evening.send(c.RenameSeat, MARA, of=MARA, name="MARA")
    refused(evening, "seat/not-allowed", c.RenameSeat, MARA, of=JON, name="Fool")
    evening.send(c.RenameSeat, IDA, of=JON, name="John")
    assert evening.table.seats[JON].name == "John"


def test_there_is_exactly_one_gm():
    evening = seated()
    refused(evening, "seat/one-gm", c.SetRole, IDA, of=MARA, role="gm")
    refused(evening, "seat/one-gm", c.SetRole, IDA, of=IDA, role="player")
    refused(evening, "seat/one-gm", c.DecideSeat, IDA, of=IDA, verdict="revoke")
    refused(evening, "table/cannot-be", c.SetRole, IDA, of=MARA, role="queen")
    refused(evening, "table/cannot-be", c.SetRole, IDA, of=MARA, role="player")
    assert [one.id for one in evening.table.seats.values() if one.role == "gm"] == [IDA]


def test_a_co_gm_does_what_a_gm_does_but_for_seats_and_settings():
    evening = playing()
    evening.send(c.MakeEntity, TOVE, kind="npc", name="Rat", sheet={"coins": 1})
    for command, parts in (
        (c.SetSettings, {"settings": {"fudge": "logged"}}),
        (c.SetOptions, {"options": {"rate": 3}}),
        (c.SetRole, {"of": MARA, "role": "spectator"}),
        (c.DecideSeat, {"of": MARA, "verdict": "revoke"}),
        (c.HandOver, {"of": MARA}),
    ):
        refused(evening, "seat/not-allowed", command, TOVE, **parts)


def test_a_seat_is_handed_over():
    evening = seated()
    assert evening.send(c.HandOver, IDA, of=MARA).data == {"of": MARA, "name": "Mara"}


#: A command of each kind, as harmless as it can be.
EACH = {
    c.SetOptions: {"options": {"rate": 3}},
    c.UpdateGame: {"version": "2"},
    c.SetSettings: {"settings": {"tone": "calm"}},
    c.DecideSeat: {"of": JON, "verdict": "revoke"},
    c.RenameSeat: {"of": SAM, "name": "Samuel"},
    c.SetRole: {"of": JON, "role": "spectator"},
    c.HandOver: {"of": JON},
    c.BeginSession: {},
    c.Contribute: {"text": "tea"},
    c.CloseSession: {},
    c.EndSession: {},
    c.MakeEntity: {"kind": "pc", "name": "New"},
    c.SaveSheet: {"entity": "pc-8", "raw": {"skill": 1}},
    c.SubmitSheet: {"entity": "pc-8"},
    c.DecideSheet: {"entity": "pc-8", "accept": False},
    c.ChangeEntity: {"entity": "pc-8", "name": "Bob"},
    c.Propose: {"move": "flip", "entity": "pc-8"},
    c.Settle: {"proposal": "roll-1"},
    c.Decline: {"proposal": "roll-1", "verdict": "no"},
    c.Withdraw: {"proposal": "roll-1"},
    c.Throw: {"proposal": "roll-1"},
    c.MakeMove: {"move": "call"},
    c.SkipAsk: {"ask": "slip-1"},
    c.Say: {"text": "Hello"},
    c.RollNotation: {"notation": "2d6"},
    c.KeepQuick: {"entity": "kes", "label": "A toss", "move": "flip"},
    c.SetNote: {"which": "table", "text": "Hello"},
    c.SetPortrait: {"entity": "pc-8", "picture": "a" * 40},
    c.SaveHandout: {"title": "A letter"},
    c.ShowHandout: {"handout": "handout-1"},
    c.SetClock: {"title": "The tide"},
    c.SetOracle: {"title": "Weather", "rows": "Rain"},
    c.RollOracle: {"oracle": "yes-or-no"},
    c.SetMarks: {"entity": "pc-8", "marks": ("wet",)},
    c.SetLimit: {"text": "Spiders"},
    c.PlayXCard: {},
    c.ReorderFight: {"entity": "pc-8"},
    c.BeginFight: {"ours": ("pc-8",), "theirs": ("kes",)},
    c.Reveal: {"number": 1},
    c.Override: {"path": ("entities", "pc-8", "state", "coins"), "now": 1},
    c.Alter: {"number": 1, "faces": ("1",)},
    c.Undo: {"number": 7},
}


def test_every_command_has_a_decider_and_somebody_who_may_send_it():
    every = set(c.AnyCommand.__args__)
    assert all("sender" in vars(command) for command in every)
    assert set(DECIDERS) == every - {c.OpenCampaign}
    assert set(EACH) == every - {c.OpenCampaign, c.AskForSeat}


@pytest.mark.parametrize("command", EACH, ids=lambda command: command.__name__)
def test_spectators_strangers_and_players_do_not_do_what_is_not_theirs(command):
    evening = playing()
    # Limits and the X-card are for everybody at the table, also for who only watches.
    watcher = () if command.unnamed else (SAM,)
    for seat in (*watcher, "s-none", ""):
        with pytest.raises(NotAllowed):
            evening.send(command, seat, **EACH[command])
    if command.sender in {c.Who.GM, c.Who.PRINCIPAL}:
        with pytest.raises(NotAllowed, match="Only the GM"):
            evening.send(command, MARA, **EACH[command])


def test_too_much_is_refused():
    evening = playing()
    refused(evening, "table/too-long", c.Say, MARA, text="x" * 4001)
    refused(evening, "table/too-long", c.SetNote, IDA, which="gm", text="x", reason="y" * 501)
    refused(evening, "table/too-long", c.MakeMove, MARA, move="call", answers={"x": "y" * 300_000})
    with pytest.raises(CannotBe):
        evening.send(c.Say, MARA, text="\ud800")
