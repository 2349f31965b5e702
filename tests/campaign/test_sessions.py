"""A session, the commitment of its dice, and its end."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import decide
from kitchentable.campaign.dice_source import DiceSource
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.record import verification_records
from kitchentable.campaign.state import evolve
from kitchentable.dice import RollingDice
from kitchentable.dice.stream import Contribution, SessionStream, commit
from kitchentable.dice.verify import verify_session
from kitchentable.rules.errors import BadAnswers
from tests.campaign.tables import IDA, JON, MARA, NOW, named, opened, playing, seated

SEED = bytes(range(32))


def test_an_evening_needs_a_player():
    evening = opened()
    with pytest.raises(CannotBe) as caught:
        evening.send(c.BeginSession, IDA)
    assert caught.value.code == "session/no-player"
    evening.send(c.AskForSeat, "", new_seat=MARA, name="Mara")
    with pytest.raises(CannotBe):
        evening.send(c.BeginSession, IDA)
    evening.send(c.DecideSeat, IDA, of=MARA, verdict="approve")
    evening.send(c.BeginSession, IDA, commitment="promise")
    assert evening.tree["session"]["commitment"] == "promise"


def test_an_evening_runs_from_its_beginning_to_its_end():
    evening = seated()
    for command in (c.CloseSession, c.EndSession):
        with pytest.raises(CannotBe, match="No session is running"):
            evening.send(command, IDA)
    evening.send(c.BeginSession, IDA, commitment="promise")
    assert evening.tree["own"] == {"evenings": 1}
    with pytest.raises(CannotBe, match="already"):
        evening.send(c.BeginSession, IDA)
    evening.send(c.Contribute, MARA, text="tea and rain")
    evening.send(c.CloseSession, IDA)
    assert evening.table.session.phase == "closing"
    evening.send(c.EndSession, IDA, seed="00")
    assert evening.table.session.phase == "none"
    assert "commitment" not in evening.tree["session"]
    kept = evening.tree["sessions"]["1"]
    assert (kept["commitment"], kept["seed"], kept["ended"]) == ("promise", "00", NOW)
    assert kept["contributions"][0]["words"] == "tea and rain"
    evening.send(c.BeginSession, IDA, commitment="another")
    assert evening.table.session.number == 2
    assert evening.tree["session"]["contributions"] == []


def throw(evening, stream, number, **parts):
    """A roll with the stream's own dice."""
    evening.sent += 1
    command = c.RollNotation(id=f"t{evening.sent}", seat=MARA, **parts)
    hand = DiceSource(RollingDice(stream.throw(number)), number=number, session=1)
    (event,) = decide(evening.campaign, evening.game, command, hand, NOW)
    evening.campaign = evolve(evening.campaign, event)
    return event


def test_the_record_of_an_evening_proves_its_dice():
    evening = seated()
    evening.send(c.BeginSession, IDA, commitment=commit(SEED, "salt", 1))
    evening.send(c.Contribute, MARA, text="tea and rain")
    first = SessionStream(SEED, (Contribution("Mara", "tea and rain", 1),))
    throw(evening, first, 1, notation="4d6kh3")
    throw(evening, first, 2, notation="d20", audience="self")
    event = evening.send(c.Contribute, JON, text="a late train")
    assert event.data["from_throw"] == 3
    both = SessionStream(SEED, (*first.contributions, Contribution("Jon", "a late train", 3)))
    throw(evening, both, 3, notation="2d6!")
    (record,) = verification_records(evening.campaign.events)
    assert verify_session(record).verdict == "sealed"
    evening.send(c.EndSession, IDA, seed=SEED.hex())
    (record,) = verification_records(evening.campaign.events)
    report = verify_session(record)
    assert report.verdict == "fair", report
    assert report.rolls == 3
    record["rolls"][0]["trace"][0]["physical"] += (
        -1 if (record["rolls"][0]["trace"][0]["physical"] > 1) else 1
    )
    assert verify_session(record).verdict == "broken"


def test_options_change_by_event_and_settings_too():
    evening = playing()
    event = evening.send(c.SetOptions, IDA, options={"rate": "4"})
    assert event.data["set"] == [{"key": "rate", "label": "Rate", "was": 2, "now": 4}]
    with pytest.raises(CannotBe, match="already set"):
        evening.send(c.SetOptions, IDA, options={"rate": 4})
    with pytest.raises(BadAnswers):
        evening.send(c.SetOptions, IDA, options={"rate": 12})
    with pytest.raises(CannotBe) as caught:
        evening.send(c.SetSettings, IDA, settings={"colour": "red"})
    assert caught.value.code == "table/unknown-setting"
    evening.send(c.SetSettings, IDA, settings={"title": " The salt road ", "odds_shown": False})
    assert evening.campaign.title == "The salt road"
    assert evening.campaign.settings["odds_shown"] is False
    with pytest.raises(CannotBe, match="already in force"):
        evening.send(c.SetSettings, IDA, settings={"title": "The salt road"})


def test_the_gm_may_play_between_evenings():
    evening = playing()
    evening.send(c.EndSession, IDA)
    evening.send(c.MakeMove, IDA, move="lose", entity=named(evening, "Kes"))
