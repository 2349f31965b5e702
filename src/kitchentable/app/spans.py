"""The new events of a log: for all screens that follow it, and for one of them. Both types are
msgspec structs for speed, because each event makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from kitchentable.campaign.audiences import LogReader
from kitchentable.campaign.entries import read_content, with_marks
from kitchentable.campaign.events import Event
from kitchentable.campaign.read_models import Entry
from kitchentable.campaign.state import Campaign

#: Returns the cursor of an event's number in a campaign.
Seal = Callable[[str, int], str]


class Update(msgspec.Struct, frozen=True):
    """An update for one screen; without entries and `touched` it only keeps the stream alive.

    `altered` are earlier entries that changed: taken back, or revealed. `touched` names the changed
    parts of the campaign ("entities", "fight", "asks" ...), visible or not; `here` are the seats
    that follow now, `people` their names; `ended` is the reason for the end of the stream; `reload`
    means too many events for an update. `messages` caches the encoded messages for all screens.
    """

    cursor: str
    entries: tuple[Entry, ...] = ()
    altered: tuple[Entry, ...] = ()
    touched: frozenset[str] = frozenset()
    here: frozenset[str] = frozenset()
    people: tuple[str, ...] = ()
    ended: str = ""
    reload: bool = False
    messages: dict[tuple[str, ...], bytes] = msgspec.field(default_factory=dict)


class Span(msgspec.Struct, frozen=True, eq=False):
    """The events after position `last` of a log, shared by all screens that follow it.

    `anew` are the numbers of earlier steps that changed; `given` are seats handed over to another
    device. `contents` caches entry contents by event number, and `updates` one update for each kind
    of reader.
    """

    campaign: str
    state: Campaign
    last: int
    here: frozenset[str]
    cursor: str
    new: Sequence[Event]
    anew: tuple[int, ...]
    touched: frozenset[str]
    people: tuple[str, ...]
    given: frozenset[str]
    contents: dict[int, list[tuple[LogReader, Entry | None]]]
    updates: list[tuple[LogReader, Update]]

    def entries_of(
        self, reader: LogReader, events: Iterable[Event], seal: Seal
    ) -> tuple[Entry, ...]:
        """The entries of these events for a reader, from cached contents."""
        state, told = self.state, []
        for event in events:
            content = self._content(event, reader)
            if content is not None:
                cursor = seal(self.campaign, event.number)
                told.append(with_marks(state, event, content, reader, cursor))
        return tuple(told)

    def _content(self, event: Event, reader: LogReader) -> Entry | None:
        known = self.contents.setdefault(event.number, [])
        for other, content in known:
            if reader.reads_as(other):
                return content
        asked = reader.anew()
        content = read_content(self.state, event, asked)
        known.append((asked, content))
        reader.reads_as(asked)
        return content

    def ended(self, seat: str) -> str:
        """The reason for the end of a seat's stream, in any process; "" while it continues."""
        sitting = self.state.table.seats.get(seat)
        if sitting is None or sitting.state not in {"seated", "waiting"}:
            return "revoked"
        return "handed-over" if seat in self.given else ""
