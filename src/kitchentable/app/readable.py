"""Events of a log that a seat may know of, read without those for others.

Recent events are in memory, where there are at most 72. Older ones come from the index of readers,
so a page takes as long however many events between its entries are for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kitchentable.app.held import decoded
from kitchentable.campaign.audiences import known_as
from kitchentable.campaign.events import Event
from kitchentable.campaign.state import Campaign
from kitchentable.rules.table import Seat
from kitchentable.store.rows import Row
from kitchentable.store.sql import Store

#: The number of events that are read at once.
_CHUNK = 64


def latest_for(
    index: Store, name: str, state: Campaign, seat: Seat, before: int | None
) -> Iterator[Event]:
    """Events before a number (None: all), the latest first; a few may be for others."""
    events = state.events
    end = state.number if before is None else max(0, before - 1)
    yield from reversed(events[events.start : end])
    end = min(end, events.start)
    known = index.indexed(name) if end else 0
    yield from reversed(events[known:end])
    end = min(end, known)
    while end > 0:
        rows = index.read_as(name, known_as(seat), before=end + 1, limit=_CHUNK)
        first = rows[-1].number if len(rows) == _CHUNK else 1
        yield from reversed(_with_shown(state, rows[::-1], first, end))
        end = first - 1


def later_for(index: Store, name: str, state: Campaign, seat: Seat, after: int) -> Iterator[Event]:
    """Events after a number, oldest first; a few may be for others."""
    events, after = state.events, max(after, 0)
    known = min(index.indexed(name), events.start) if after < events.start else 0
    while after < known:
        rows = index.read_as(name, known_as(seat), after=after, limit=_CHUNK)
        last = min(rows[-1].number, known) if len(rows) == _CHUNK else known
        rows = [row for row in rows if row.number <= last]
        yield from _with_shown(state, rows, after + 1, last)
        after = last
    yield from events[after:]


def _with_shown(state: Campaign, rows: Sequence[Row], first: int, last: int) -> list[Event]:
    """The events of rows and those shown to all between two numbers, oldest first.

    The index hears of a showing a while later.
    """
    found = {event.number: event for event in decoded(rows)}
    for number in map(int, state.tree["revealed"]):
        if first <= number <= last and number not in found:
            found[number] = state.events[number - 1]
    return [found[number] for number in sorted(found)]
