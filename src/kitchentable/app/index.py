"""The index of a campaign's log: the words and marks of each event, whoever may read it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kitchentable.campaign.entries import readers_of, text_for_all
from kitchentable.campaign.events import Event
from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.state import Campaign
from kitchentable.rules.values import EVERYONE
from kitchentable.store.checks import MAX_TEXT
from kitchentable.store.rows import IndexedEvent
from kitchentable.store.sql import Store

_WORD = re.compile(r"[^\W_]+")
#: The number of events that are indexed in one transaction.
_CHUNK = 500


def words_in(text: str) -> tuple[str, ...]:
    """The different words of a text, without capitals, in order.

    >>> words_in("The salt road, the SALT mine: 2d6+3")
    ('the', 'salt', 'road', 'mine', '2d6', '3')
    """
    return tuple(dict.fromkeys(word[:MAX_TEXT] for word in _WORD.findall(text.casefold())))


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
    """An event for the index, after the one that it shows to everybody."""
    if event.kind == "revealed":
        shown = campaign.events[event.data["of"] - 1]
        yield _entry(campaign, shown, (*readers_of(shown), EVERYONE))
    yield _entry(campaign, event, readers_of(event))


def _entry(campaign: Campaign, event: Event, readers: tuple[str, ...]) -> IndexedEvent:
    groups = map(group_mark, KINDS[event.kind].groups.split())
    words = words_in(text_for_all(campaign, event))
    return IndexedEvent(event.number, (*groups, seat_mark(event.seat)), words, readers)
