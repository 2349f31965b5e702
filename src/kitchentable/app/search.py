"""Search in a campaign's log, with an index that is updated before each search. The index proposes
events by marks and words that a seat may know. Each proposed entry is then checked as the seat
reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from kitchentable.app.index import group_mark, index_log, seat_mark, words_in
from kitchentable.app.projections import Projection
from kitchentable.campaign.entries import text_of
from kitchentable.campaign.events import Event
from kitchentable.campaign.kinds import GROUPS, KINDS
from kitchentable.campaign.read_models import Entry
from kitchentable.store.sql import Store

#: Events in one request to the index.
_PROPOSED = 100


@dataclass(frozen=True, slots=True)
class Search:
    """A search: a group of kinds, a person's seat, and word prefixes; "" means any."""

    kind: str = ""
    person: str = ""
    words: str = ""

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The beginnings of words, without capitals and repetitions."""
        return words_in(self.words)

    @property
    def is_empty(self) -> bool:
        """Whether the search has only punctuation, which finds nothing."""
        return bool(self.words.strip()) and not self.prefixes

    def fits(self, entry: Entry) -> bool:
        """Whether an entry is among the results."""
        text = words_in(text_of(entry))
        return (
            (self.kind not in GROUPS or self.kind in KINDS[entry.kind].groups.split())
            and (not self.person or entry.seat == self.person)
            and all(any(word.startswith(start) for word in text) for start in self.prefixes)
        )

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks of the events among which to look."""
        marks = [group_mark(self.kind)] if self.kind in GROUPS else []
        return (*marks, seat_mark(self.person)) if self.person else tuple(marks)


def find(
    store: Store,
    projection: Projection,
    search: Search,
    *,
    after: int | None = None,
    before: int | None = None,
    limit: int,
) -> list[Entry]:
    """The entries that fit, as the seat of the projection reads them, at most `limit`.

    Those after an event's number come oldest first; otherwise those before one, the latest first.
    Call this in a thread. Errors: StoreError.
    """
    state = projection.state
    events: Iterable[Event]
    if search.is_empty:
        return []
    if search.marks or search.prefixes:
        index_log(store, projection.campaign, state)
        numbers = _proposed(store, projection, search, after, before)
        events = (state.events[number - 1] for number in numbers if number <= state.number)
    else:
        events = projection.events(after=after, before=before)
    return list(islice(filter(search.fits, projection.entries_of(events)), limit))


def _proposed(
    store: Store, projection: Projection, search: Search, after: int | None, before: int | None
) -> Iterator[int]:
    campaign, readers = projection.campaign, projection.readers
    marks, prefixes = search.marks, search.prefixes
    full = True
    while full:
        numbers = store.find(
            campaign,
            marks,
            prefixes,
            after=after,
            before=before,
            readers=readers,
            limit=_PROPOSED,
        )
        yield from numbers
        full = len(numbers) == _PROPOSED
        if full and after is not None:
            after = numbers[-1]
        elif full:
            before = numbers[-1]
