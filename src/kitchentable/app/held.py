"""A campaign in memory: opened from its snapshot, updated, and dropped when idle."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from kitchentable.app.clock import on_the_loop
from kitchentable.campaign import codec
from kitchentable.campaign.errors import RESTORE, BadEvent, EventsNeeded, NewerEvent
from kitchentable.campaign.events import FORMAT, Event, sharing_names
from kitchentable.campaign.state import Campaign, evolve, fold
from kitchentable.store.rows import Row, Snapshot
from kitchentable.store.sql import Store

#: Limit of rows in one read.
_CHUNK = 1000
#: Recent events in memory for all campaigns together; each may keep at least the second number.
_EVENTS, _FEWEST = 16_000, 16

log = logging.getLogger("kitchentable.app")


class Held:
    """A campaign in memory, up to the latest known event.

    `campaign` is None while nothing of it has been read. `lock` is held while a command is decided.
    """

    __slots__ = (
        "_folding",
        "_id",
        "_read",
        "_snapshot",
        "_store",
        "campaign",
        "indexed",
        "lock",
        "used",
    )

    def __init__(self, store: Store, campaign: str) -> None:
        self._store = store
        self._id = campaign
        # The log references its reader, so the reader must not reference this object.
        self._read = partial(_read, store, campaign)
        self._snapshot = 0
        self.campaign: Campaign | None = None
        #: The number of the last event that was in the index when it was written here.
        self.indexed = 0
        self.lock = asyncio.Lock()
        self._folding = threading.Lock()
        self.used = time.monotonic()

    @property
    def number(self) -> int:
        """The number of the last event in memory."""
        return self.campaign.number if self.campaign else 0

    @property
    def unsaved(self) -> int:
        """The number of events since the last snapshot."""
        return self.number - self._snapshot

    @property
    def unindexed(self) -> int:
        """The number of events since the index was written here."""
        return self.number - self.indexed

    def catch_up(self) -> bool:
        """Read the events of other processes; return whether there were any."""
        if self.campaign is None:
            self._open()
            return self.campaign is not None
        rows = self._store.read(self._id, self.number)
        self.apply_rows(rows)
        return bool(rows)

    def apply_rows(self, rows: Sequence[Row]) -> None:
        """Apply the events of rows that follow the state in memory, and skip older ones."""
        newer = decoded([row for row in rows if row.number > self.number])
        self.apply(map(sharing_names, newer))

    def apply(self, events: Iterable[Event]) -> None:
        """Apply the events that follow the state in memory, and skip older ones."""
        with self._folding:
            for event in events:
                if event.number <= self.number:
                    continue
                if self.campaign is None:
                    self.campaign = fold([event], reader=self._read)
                else:
                    self.campaign = evolve(self.campaign, event)

    def trim(self, most: int) -> None:
        """Keep at most `most` recent events in memory."""
        with self._folding:
            campaign = self.campaign
            if campaign is not None and campaign.number - campaign.events.start > most:
                self.campaign = replace(campaign, events=campaign.events.keeping(most))

    def done(self, command: str) -> tuple[Event, ...]:
        """The events in memory of a command; empty for an older one or none."""
        recent = self.campaign.events.recent if self.campaign else ()
        return tuple([event for event in recent if event.command == command])

    def adopt(self, read: Held) -> None:
        """Take over another's campaign if this one is empty."""
        if self.campaign is None:
            self.campaign, self._snapshot = read.campaign, read._snapshot

    def snapshot(self) -> Snapshot | None:
        """The current state as a snapshot; None if the stored one is as new."""
        if self.campaign is None or not self.unsaved:
            return None
        self._snapshot = self.number
        body = msgspec.json.encode(self.campaign.tree)
        return Snapshot(self._id, self.number, FORMAT, body)

    def _open(self) -> None:
        number, tree = saved_tree(self._store, self._id)
        self.campaign = fold(self._all_after(number), (number, tree), self._read)
        self._snapshot = number

    def _all_after(self, number: int) -> Iterator[Event]:
        full = True
        while full:
            rows = self._store.read(self._id, number, _CHUNK)
            yield from decoded(rows)
            number += len(rows)
            full = len(rows) == _CHUNK


def _read(store: Store, campaign: str, after: int, limit: int) -> tuple[Event, ...]:
    """Older events of a campaign. Errors: EventsNeeded on an event loop."""
    if on_the_loop():
        raise EventsNeeded
    return decoded(store.read(campaign, after, limit))


def trim(campaigns: Collection[Held]) -> None:
    """Divide the limit of recent events in memory equally among these campaigns."""
    share = max(_EVENTS // max(len(campaigns), 1), _FEWEST)
    for held in campaigns:
        held.trim(share)


def decoded(rows: Sequence[Row]) -> tuple[Event, ...]:
    """The events of a database's rows. Errors: BadEvent with the row and advice for the host."""
    try:
        return tuple(map(event_of, rows))
    except NewerEvent:
        raise
    except BadEvent as error:
        raise BadEvent(f"{error} {RESTORE}") from error


def event_of(row: Row) -> Event:
    """The event of a row. Errors: BadEvent with the row."""
    damaged = f"Entry {row.number} of campaign {row.campaign} is damaged."
    try:
        event = codec.decode(row.body)
    except NewerEvent:
        raise
    except BadEvent as error:
        raise BadEvent(f"{damaged} {error}") from error
    if event.number != row.number:
        raise BadEvent(f"{damaged} Its event has the number {event.number}.")
    return event


def saved_tree(store: Store, campaign: str) -> tuple[int, Mapping[str, Any]]:
    """The number and tree of a campaign's snapshot; 0 without a usable one. A snapshot only saves
    time, so a damaged one is logged and skipped.
    """
    saved = store.snapshot(campaign)
    if saved is None or saved.form != FORMAT:
        return 0, {}
    try:
        return saved.number, msgspec.json.decode(saved.body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.warning("The snapshot of campaign %s is damaged and not used: %s", campaign, error)
        return 0, {}
