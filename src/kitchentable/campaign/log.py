"""The log of a campaign in memory: recent events, with older ones read when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from kitchentable.campaign.errors import BadEvent
from kitchentable.campaign.events import Event

#: Reads stored events numbered above the first argument, at most as many as the second.
Reader = Callable[[int, int], Sequence[Event]]

#: Recent events that at least stay in memory, about a page. Trimming starts at twice as many.
RECENT, SPARE = 64, 8
#: Older events in the first read; each later read doubles the number, up to a limit.
_FIRST, _MOST = 64, 512


@dataclass(frozen=True, slots=True, eq=False)
class Log(Sequence[Event]):
    """The events of a campaign, event n at index n - 1, immutable like a tuple.

    A slice without a step is also a log, and making it reads nothing. Adding an event takes
    constant time, because successive logs share their recent events. Only a log with a `reader` may
    leave older events in the store. `recent` follows `start` older events; the log has the events
    from index `first` to before `last`.

    >>> log = Log.of()
    >>> len(log), list(log[-5:])
    (0, [])
    """

    recent: list[Event]
    start: int
    reader: Reader | None
    first: int
    last: int

    @classmethod
    def of(
        cls, recent: Sequence[Event] = (), *, start: int = 0, reader: Reader | None = None
    ) -> Log:
        """Return a log of `start` older events, which `reader` reads, and these recent ones."""
        return cls(list(recent), start, reader, 0, start + len(recent))

    def __len__(self) -> int:
        return self.last - self.first

    def since(self, number: int) -> Sequence[Event]:
        """Return the events after the first `number`, read immediately."""
        at = self.first + number - self.start
        return self.recent[at : self.last - self.start] if at >= 0 else tuple(self[number:])

    def after(self, event: Event) -> Log:
        """Return the log with one more event."""
        known = self.last - self.start
        recent = self.recent if known == len(self.recent) else self.recent[:known]
        recent.append(event)
        log = Log(recent, self.start, self.reader, self.first, self.last + 1)
        return log.keeping(RECENT) if known >= RECENT + SPARE else log

    def keeping(self, most: int) -> Log:
        """Return the log with at most `most` recent events in memory, if the others can be read."""
        start = self.last - most
        if self.reader is None or start <= self.start:
            return self
        recent = self.recent[start - self.start : self.last - self.start]
        return replace(self, recent=recent, start=start)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Log: ...
    def __getitem__(self, index: int | slice) -> Event | Log:
        if isinstance(index, slice):
            first, last, step = index.indices(len(self))
            if step != 1:
                raise ValueError("A log has no slices with a step; use reversed() or a list.")
            return replace(self, first=self.first + first, last=self.first + max(first, last))
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"The log has {len(self)} events and none at {index}.")
        at += self.first
        return self.recent[at - self.start] if at >= self.start else self._read(at, 1)[0]

    def __iter__(self) -> Iterator[Event]:
        at, end, size = self.first, min(self.start, self.last), _FIRST
        while at < end:
            size = min(size, end - at)
            yield from self._read(at, size)
            at, size = at + size, min(2 * size, _MOST)
        yield from self.recent[max(self.first - self.start, 0) : max(self.last - self.start, 0)]

    def __reversed__(self) -> Iterator[Event]:
        for at in range(self.last - 1, max(self.first, self.start) - 1, -1):
            yield self.recent[at - self.start]
        end, size = min(self.start, self.last), _FIRST
        while end > self.first:
            size = min(size, end - self.first)
            yield from reversed(self._read(end - size, size))
            end, size = end - size, min(2 * size, _MOST)

    def _read(self, at: int, number: int) -> Sequence[Event]:
        events = self.reader(at, number) if self.reader is not None else ()
        if len(events) != number:
            raise BadEvent(f"The log lacks events after event {at + len(events)}.")
        return events
