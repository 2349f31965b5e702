"""Events as bytes: nothing is lost, old forms are upgraded, unknown fields are kept."""

from pathlib import Path

import msgspec
import pytest

from kitchentable.campaign import codec
from kitchentable.campaign.errors import BadEvent
from kitchentable.campaign.events import FORMAT, Event, Recorded, Thrown
from kitchentable.campaign.state import fold

FIXTURES = Path(__file__).parent / "fixtures"

FULL = Event(
    number=3,
    kind="move",
    time="2026-11-21T19:30:00Z",
    seat="s-mara",
    name="Mara",
    command="c3",
    game="coin",
    version="1",
    audience="s-mara",
    reason="a reason",
    data={"card": None, "answers": {"number": 4}},
    changes=(
        Recorded(path=("entities", "pc-1", "state", "coins"), was=3, now=2),
        Recorded(path=("own", "slips", "a"), now="text", new=True, made=1),
        Recorded(path=("asks", "slip-1"), was={"title": "?"}, gone=True),
    ),
    throw=Thrown(
        trace=[{"number": 1, "die": "d6", "later": "kept"}],
        number=7,
        session=1,
        odds={"win": ("2", "3")},
        closed=("foe",),
        arguments=[1, "a"],
        unresolved=("1", "1000000000000000000000000000007"),
    ),
)


def test_an_event_comes_back_as_it_was():
    assert codec.decode(codec.encode(FULL)) == FULL
    assert b"\n" not in codec.encode(FULL)


def test_the_form_is_always_written():
    assert msgspec.json.decode(codec.encode(FULL))["v"] == FORMAT


def test_unknown_names_survive_in_their_places():
    raw = msgspec.json.decode(codec.encode(FULL))
    raw["mood"] = {"deep": [1, None]}
    raw["changes"][0]["why"] = "because"
    raw["throw"]["hand"] = "left"
    raw["throw"]["trace"][0]["colour"] = "red"
    raw["data"]["later"] = True
    read = codec.decode(msgspec.json.encode(raw))
    assert read.extra == {"mood": {"deep": [1, None]}}
    assert msgspec.json.decode(codec.encode(read)) == raw
    assert codec.decode(codec.encode(read)) == read


def test_a_name_called_extra_is_kept_as_well():
    raw = codec.to_data(FULL) | {"extra": {"a": 1}}
    assert codec.to_data(codec.from_data(raw)) == raw


def test_numbers_too_large_for_a_machine_word_survive():
    event = msgspec.structs.replace(FULL, data={"large": 10**30, "small": -(10**30)})
    assert codec.decode(codec.encode(event)) == event


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{",
        b'"text"',
        b'{"v": 1}',
        b'{"v": "one"}',
        b'{"v": true}',
        b'{"v": -1}',
        b"\xff\xfe",
        b'{"number": "three", "kind": "said", "v": 1}',
        codec.encode(FULL).replace(b'"changes":[', b'"changes":[1,'),
        codec.encode(FULL).replace(b'"number":3', b'"number":"3"'),
    ],
)
def test_what_is_no_event_is_refused(line):
    with pytest.raises(BadEvent):
        codec.decode(line)


def test_a_later_form_is_refused_with_what_to_do():
    with pytest.raises(BadEvent, match="newer version"):
        codec.from_data(codec.to_data(FULL) | {"v": FORMAT + 1})


def test_the_first_form_is_lifted():
    lines = (FIXTURES / "form-0.jsonl").read_bytes().splitlines()
    events = [codec.decode(line) for line in lines]
    assert [event.v for event in events] == [FORMAT] * len(lines)
    campaign = fold(events)
    assert campaign.title == "The salt road"
    assert campaign.table.entities["pc-3"].state == {"coins": 2}
    assert campaign.events[2].changes[0].new
    assert campaign.events[3].changes[0] == Recorded(
        path=("entities", "pc-3", "state", "coins"), was=3, now=2
    )
    assert campaign.events[3].extra == {"weather": "rain"}
    written = [codec.encode(event) for event in events]
    assert [codec.decode(line) for line in written] == events
