"""The campaign as the sum of its events."""

import msgspec
import pytest

from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import BadEvent
from kitchentable.campaign.state import evolve, fold
from tests.campaign.tables import IDA, MARA, named, playing


def test_folding_the_bytes_gives_the_campaign():
    evening = playing()
    evening.send(c.MakeMove, IDA, move="lose", entity=named(evening, "Kes"))
    events = [codec.decode(codec.encode(event)) for event in evening.log]
    folded = fold(events)
    assert folded.tree == evening.tree
    assert folded.table == evening.table
    assert list(folded.events) == list(evening.log)


def test_who_was_not_touched_is_not_made_again():
    evening = playing()
    before = evening.table
    evening.send(c.MakeMove, IDA, move="lose", entity=named(evening, "Kes"))
    kes, bo = named(evening, "Kes"), named(evening, "Bo")
    assert evening.table.entities[bo] is before.entities[bo]
    assert evening.table.entities[kes] is not before.entities[kes]
    assert evening.table.seats is before.seats
    evening.send(c.Say, MARA, text="Hello")
    assert evening.table.entities is not before.entities
    again = evening.table
    evening.send(c.Say, MARA, text="Hello")
    assert evening.table.entities is again.entities


def test_an_event_out_of_order_or_out_of_place_is_refused():
    evening = playing()
    last = evening.log[-1]
    with pytest.raises(BadEvent, match="cannot follow"):
        evolve(evening.campaign, last)
    with pytest.raises(BadEvent, match="cannot follow"):
        fold(evening.log[1:])
    lost = msgspec.structs.replace(
        last,
        number=last.number + 1,
        changes=(msgspec.structs.replace(last.changes[0], path=("own", "x"), gone=True),),
    )
    with pytest.raises(BadEvent, match="does not fit"):
        evolve(evening.campaign, lost)


def test_nothing_folds_to_nothing():
    assert fold([]) is None


def test_facts_of_later_versions_stay_where_they_are():
    evening = playing()
    kes = named(evening, "Kes")
    event = msgspec.structs.replace(
        evening.log[-1],
        number=evening.campaign.number + 1,
        changes=(
            msgspec.convert(
                {"path": ["entities", kes, "aura"], "now": "blue", "new": True},
                type(evening.log[0].changes[0]),
            ),
        ),
    )
    evening.campaign = evolve(evening.campaign, event)
    evening.send(c.ChangeEntity, IDA, entity=kes, name="Kessa")
    assert evening.tree["entities"][kes]["aura"] == "blue"
    assert evening.tree["entities"][kes]["name"] == "Kessa"
