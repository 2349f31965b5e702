"""Clocks, tables to roll on, conditions, lines and veils, and the X-card."""

import pytest

from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.views import entry_for, view_for
from tests.campaign.coin import COIN
from tests.campaign.tables import IDA, MARA, SAM, seated


def scene(evening, seat):
    return view_for(evening.campaign, COIN, seat).scene


def told(evening, event, seat):
    entry = entry_for(evening.campaign, event, seat)
    return entry.text if entry is not None else None


def test_a_closed_clock_is_the_gms_until_it_is_opened():
    evening = seated()
    made = evening.send(c.SetClock, IDA, title="The tide", of=4, open=False)
    assert scene(evening, MARA).clocks == ()
    assert told(evening, made, MARA) is None
    (clock,) = scene(evening, IDA).clocks
    moved = evening.send(c.SetClock, IDA, clock=clock.id, filled=9)
    assert told(evening, moved, MARA) is None
    shown = evening.send(c.SetClock, IDA, clock=clock.id, open=True)
    assert told(evening, shown, MARA) == "The tide: 4 of 4. It is full."
    assert (scene(evening, MARA).clocks[0].filled, scene(evening, SAM).clocks[0].of) == (4, 4)
    hidden = evening.send(c.SetClock, IDA, clock=clock.id, open=False, title="The flood")
    assert told(evening, hidden, MARA) == "The tide is out of sight."
    evening.send(c.Undo, IDA, number=hidden.number)
    assert scene(evening, MARA).clocks[0].title == "The tide"
    gone = evening.send(c.SetClock, IDA, clock=clock.id, gone=True)
    assert told(evening, gone, SAM) == "Ida puts away: The tide."
    with pytest.raises(CannotBe, match="no longer on the table"):
        evening.send(c.SetClock, IDA, clock=clock.id, filled=1)
    with pytest.raises(CannotBe, match="2 to 24 parts, not 99"):
        evening.send(c.SetClock, IDA, title="Long", of=99)
    with pytest.raises(NotAllowed):
        evening.send(c.SetClock, MARA, title="Mine")


def test_a_table_is_rolled_on_and_a_closed_one_is_not_there_for_players():
    evening = seated()
    evening.send(c.SetOracle, IDA, title="Weather", rows="1-3 Rain\n4: Snow\n5-6 Sun")
    evening.send(c.SetOracle, IDA, title="Who did it", rows="The cook\nThe widow", open=False)
    titles = [one.title for one in scene(evening, MARA).oracles]
    assert titles[0] == "Weather"
    assert "Who did it" not in titles
    weather, secret = scene(evening, IDA).oracles[:2]
    fell = evening.send(c.RollOracle, MARA, oracle=weather.id, text="Tonight?", faces=(4,))
    card = entry_for(evening.campaign, fell, SAM).card
    assert (card.title, card.sentence, card.outcome) == ("Weather Tonight?", "Snow", "4")
    hidden = evening.send(c.RollOracle, IDA, oracle=secret.id, faces=(2,))
    stub = entry_for(evening.campaign, hidden, MARA)
    assert (stub.card, stub.text, stub.stub) == (None, "", "Ida threw dice behind the screen.")
    ready = evening.send(c.RollOracle, MARA, oracle="yes-or-no", faces=(6,))
    assert "more than hoped for" in told(evening, ready, MARA)
    for oracle in (secret.id, "nonsense"):
        with pytest.raises(CannotBe, match="no such table"):
            evening.send(c.RollOracle, MARA, oracle=oracle)
    for rows, sentence in (
        ("", "at least one row"),
        ("1 Rain\nSun", "has no number"),
        ("5-1 Rain", "not a range"),
        ("x" * 301, "at most 300 characters"),
        ("a\n" * 121, "at most 120 rows"),
    ):
        with pytest.raises(CannotBe, match=sentence):
            evening.send(c.SetOracle, IDA, title="T", rows=rows)


def test_nothing_of_an_unnamed_step_says_who_sent_it():
    evening = seated()
    for command, given in (
        (c.PlayXCard, {}),
        (c.SetLimit, {"kind": "line", "text": "Spiders"}),
        (c.SetLimit, {"kind": "veil", "text": "Torture"}),
    ):
        event = evening.send(command, SAM, reason="Because I, Sam, ask.", **given)
        stored = codec.encode(event)
        text = stored if isinstance(stored, str) else bytes(stored).decode()
        assert not [word for word in (SAM, "Sam", "Because") if word in text]
        for reader in (IDA, MARA, SAM):
            entry = entry_for(evening.campaign, event, reader)
            assert (entry.who, entry.seat, entry.may_undo) == ("Somebody", "", False)
    assert scene(evening, MARA).paused
    assert [(one.kind, one.text) for one in scene(evening, MARA).limits] == [
        ("line", "Spiders"),
        ("veil", "Torture"),
    ]
    with pytest.raises(CannotBe, match=r"is already on the table\. /x off takes it away\."):
        evening.send(c.PlayXCard, MARA)
    evening.send(c.PlayXCard, MARA, paused=False)
    assert not scene(evening, SAM).paused
