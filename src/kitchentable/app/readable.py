"""Events of a log that a seat may know of, read without those for others.

Recent events are in memory, where there are at most 72. Older ones come from the index of readers,
so a page takes as long however many events between its entries are for others.
"""

from __future__ import annotations

from collections.abc import Iterator

from kitchentable.app.held import decoded
from kitchentable.campaign.audiences import known_as
from kitchentable.campaign.events import Event
from kitchentable.campaign.state import Campaign
from kitchentable.rules.table import Seat
from kitchentable.store.protocols import Index

#: The number of events that are read at once.
_CHUNK = 64


def latest_for(
    index: Index, name: str, state: Campaign, seat: Seat, before: int | None
) -> Iterator[Event]:
    """Events before a number (None: all), the latest first; a few may be for others."""
    events = state.events
    end = state.number if before is None else max(0, before - 1)
    yield from reversed(events[events.start : end])
    end = min(end, events.start)
    known = index.indexed(name) if end else 0
    yield from reversed(events[known:end])
    end = min(end, known)
    full = end > 0
    while full:
        rows = index.read_as(name, known_as(seat), before=end + 1, limit=_CHUNK)
        yield from decoded(rows)
        full = len(rows) == _CHUNK
        end = rows[-1].number - 1 if full else 0


def later_for(index: Index, name: str, state: Campaign, seat: Seat, after: int) -> Iterator[Event]:
    """Events after a number, oldest first; a few may be for others."""
    events = state.events
    known = min(index.indexed(name), events.start) if after < events.start else 0
    full = after < known
    while full:
        rows = index.read_as(name, known_as(seat), after=after, limit=_CHUNK)
        yield from decoded([row for row in rows if row.number <= known])
        full = len(rows) == _CHUNK and rows[-1].number < known
        after = rows[-1].number if full else known
    yield from events[max(after, 0) :]
