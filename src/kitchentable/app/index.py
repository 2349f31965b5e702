"""The index of a campaign's log: the words and the readers of each event. Up to 72 recent events
are read from memory. Older ones come from the index of readers, so the time for a page does not
depend on the number of hidden events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kitchentable.app.held import decoded
from kitchentable.campaign.audiences import known_as
from kitchentable.campaign.entries import readers_of, texts_of
from kitchentable.campaign.events import Event
from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.state import Campaign
from kitchentable.rules.table import Seat
from kitchentable.rules.values import EVERYONE
from kitchentable.store.rows import IndexedEvent, Row
from kitchentable.store.sql import Store

#: Indexed length of a word: with its reader's name it has to fit into PostgreSQL's index.
_LONGEST = 400
_WORD = re.compile(r"[^\W_]+")
#: Events indexed in one transaction.
_CHUNK = 500


def words_in(text: str) -> tuple[str, ...]:
    """The different words of a text, without capitals, in order.

    >>> words_in("The salt road, the SALT mine: 2d6+3")
    ('the', 'salt', 'road', 'mine', '2d6', '3')
    """
    return tuple(dict.fromkeys(word[:_LONGEST] for word in _WORD.findall(text.casefold())))


def index_log(store: Store, name: str, campaign: Campaign) -> None:
    """Index the events that are not indexed yet. Call this in a thread. Errors: StoreError."""
    number = store.indexed(name)
    while number < campaign.number:
        events = tuple(campaign.events[number : number + _CHUNK])
        store.index(name, [one for event in events for one in _indexed(campaign, event)])
        number += len(events)


def group_mark(group: str) -> str:
    """The mark of the events of a group of kinds."""
    return f"g{group}"


def seat_mark(seat: str) -> str:
    """The mark of a seat's events."""
    return f"s{seat.encode().hex()}"


def _indexed(campaign: Campaign, event: Event) -> Iterator[IndexedEvent]:
    """An event for the index, after the event that it reveals to everybody."""
    if event.kind == "revealed":
        shown = campaign.events[event.data["of"] - 1]
        yield _entry(campaign, shown, (*readers_of(shown), EVERYONE))
    yield _entry(campaign, event, readers_of(event))


def _entry(campaign: Campaign, event: Event, readers: tuple[str, ...]) -> IndexedEvent:
    groups = map(group_mark, KINDS[event.kind].groups.split())
    words = {name: words_in(text) for name, text in texts_of(campaign, event).items()}
    for name in words.keys() - {EVERYONE}:
        words[name] = tuple(one for one in words[name] if one not in words.get(EVERYONE, ()))
    return IndexedEvent(event.number, (*groups, seat_mark(event.seat)), words, readers)


#: Events in one read.
_PIECE = 64


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
        rows = index.read_as(name, known_as(seat), before=end + 1, limit=_PIECE)
        first = rows[-1].number if len(rows) == _PIECE else 1
        yield from reversed(_with_shown(state, rows[::-1], first, end))
        end = first - 1


def later_for(index: Store, name: str, state: Campaign, seat: Seat, after: int) -> Iterator[Event]:
    """Events after a number, oldest first; a few may be for others."""
    events, after = state.events, max(after, 0)
    known = min(index.indexed(name), events.start) if after < events.start else 0
    while after < known:
        rows = index.read_as(name, known_as(seat), after=after, limit=_PIECE)
        last = min(rows[-1].number, known) if len(rows) == _PIECE else known
        rows = [row for row in rows if row.number <= last]
        yield from _with_shown(state, rows, after + 1, last)
        after = last
    yield from events[after:]


def _with_shown(state: Campaign, rows: Sequence[Row], first: int, last: int) -> list[Event]:
    """The events of rows and those revealed to all between two numbers, oldest first. The index is
    updated some time after a reveal.
    """
    found = {event.number: event for event in decoded(rows)}
    for number in map(int, state.tree["revealed"]):
        if first <= number <= last and number not in found:
            found[number] = state.events[number - 1]
    return [found[number] for number in sorted(found)]
