"""A log of which only the recent events are in memory."""

from dataclasses import replace

import msgspec
import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import BadEvent
from kitchentable.campaign.log import RECENT, SPARE, Log
from kitchentable.campaign.state import evolve, fold
from kitchentable.campaign.undo import changes_of, entity_at
from tests.campaign.tables import IDA, named, playing


def numbers(log):
    return [event.number for event in log]


def long_log(events, total, reads):
    """A log grown one by one, whose older events are read from a list."""
    stored = [change(events[0], number) for number in range(1, total + 1)]

    def read(after, limit):
        reads.append((after, limit))
        return stored[after : after + limit]

    log = Log.of(reader=read)
    for event in stored:
        log = log.after(event)
    return log


def change(event, number):
    return msgspec.structs.replace(event, number=number)


def test_old_events_leave_memory_and_are_read_again_where_they_are_needed():
    reads = []
    total = 5 * RECENT + 7
    log = long_log(playing().log, total, reads)
    assert RECENT <= len(log.recent) <= RECENT + SPARE
    assert (len(log), log[-1].number, log[total - 1].number) == (total, total, total)
    assert numbers(log[-3:]) == [total - 2, total - 1, total]
    assert reads == []
    assert log[0].number == 1
    assert log[-total].number == 1
    assert reads == [(0, 1), (0, 1)]
    assert numbers(log) == list(range(1, total + 1))
    assert [event.number for event in reversed(log)] == list(range(total, 0, -1))
    assert numbers(log[3:7]) == [4, 5, 6, 7]
    assert numbers(log[RECENT:][: RECENT + 1][-2:]) == [2 * RECENT, 2 * RECENT + 1]
    assert [event.number for event in reversed(log[:2])] == [2, 1]
    assert numbers(log[9:2]) == []


def test_two_logs_that_grew_from_one_keep_apart():
    first, second, *_ = playing().log
    log = Log.of([first])
    one, other = log.after(second), log.after(change(second, 2))
    third = change(first, 3)
    assert numbers(one.after(third)) == numbers(other.after(third)) == [1, 2, 3]
    assert one[1] is second
    assert other[1] is not second
    assert numbers(log) == [1]


def test_a_store_that_lost_events_is_told_of():
    log = Log.of(start=3, reader=lambda after, limit: [])
    with pytest.raises(BadEvent, match="lacks events after event 0"):
        list(log)
    with pytest.raises(BadEvent, match="lacks events after event 1"):
        log[1]


def test_an_entity_as_it_was_is_what_the_log_says():
    evening = playing()
    kes = named(evening, "Kes")
    evening.send(c.MakeMove, IDA, move="lose", entity=kes)
    states = []
    campaign = None
    for event in evening.log:
        campaign = evolve(campaign, event)
        states.append(campaign.table.entities.get(kes))
    whole = fold(evening.log)
    there = [number for number, one in enumerate(states, start=1) if one is not None]
    assert len(there) > 3
    assert [entity_at(whole, kes, number) for number in there] == [states[n - 1] for n in there]


def test_the_changes_of_an_entity_are_read_back_to_a_number_and_no_further():
    """Also where the entity changed last long before."""
    evening = playing()
    kes = named(evening, "Kes")
    evening.send(c.Say, IDA, text="Kes sleeps.")
    evening.send(c.Say, IDA, text="And sleeps.")
    last = len(evening.log)

    class Late:
        def __reversed__(self):
            yield from (evening.log[last - 1], evening.log[last - 2])
            raise AssertionError("an older event is read")

    campaign = replace(fold(evening.log), events=Late())
    assert list(changes_of(campaign, kes, last - 1)) == []
    with pytest.raises(AssertionError):
        list(changes_of(campaign, kes))
