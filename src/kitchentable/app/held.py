"""A campaign in memory: opened from its snapshot, brought up to date, and let go when idle."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
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

#: The most rows that are read at once.
_CHUNK = 1000
#: The most recent events in memory for all campaigns together, after a look at them, unless this
#: leaves a campaign fewer than the second number.
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
        # A log keeps its reader, so the reader keeps nothing of what is in memory here.
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
        """Read the events of other processes; gives whether there were any."""
        if self.campaign is None:
            self._open()
            return self.campaign is not None
        rows = self._store.read(self._id, self.number)
        self.take_in(rows)
        return bool(rows)

    def take_in(self, rows: Sequence[Row]) -> None:
        """Apply the rows that follow the state in memory; those that are in it are passed over.

        Events are decoded from their rows, so memory holds exactly what is on disk.
        """
        with self._folding:
            for row in rows:
                if row.number <= self.number:
                    continue
                event = sharing_names(_event(row))
                if self.campaign is None:
                    self.campaign = fold([event], reader=self._read)
                else:
                    self.campaign = evolve(self.campaign, event)

    def trim(self, most: int) -> None:
        """Have at most this many recent events in memory."""
        with self._folding:
            campaign = self.campaign
            if campaign is not None and campaign.number - campaign.events.start > most:
                self.campaign = replace(campaign, events=campaign.events.keeping(most))

    def done(self, command: str) -> tuple[Event, ...]:
        """The events in memory of a command; empty for an older one or none."""
        recent = self.campaign.events.recent if self.campaign else ()
        return tuple([event for event in recent if event.command == command])

    def adopt(self, read: Held) -> None:
        """Take over the campaign of another, if nothing was read here yet."""
        if self.campaign is None:
            self.campaign, self._snapshot = read.campaign, read._snapshot

    def snapshot(self) -> Snapshot | None:
        """The present state as a snapshot, to be stored; None if the stored one is as new."""
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
    """Older events of a campaign. Errors: EventsNeeded where everybody would wait for them."""
    if on_the_loop():
        raise EventsNeeded
    return decoded(store.read(campaign, after, limit))


def trim(campaigns: Collection[Held]) -> None:
    """Share out the recent events that may be in memory equally between these campaigns."""
    share = max(_EVENTS // max(len(campaigns), 1), _FEWEST)
    for held in campaigns:
        held.trim(share)


def decoded(rows: Sequence[Row]) -> tuple[Event, ...]:
    """The events of rows. Errors: BadEvent, which names the row and says what the host can do."""
    return tuple(map(_event, rows))


def _event(row: Row) -> Event:
    try:
        return codec.decode(row.body)
    except NewerEvent:
        raise
    except BadEvent as error:
        raise BadEvent(
            f"Entry {row.number} of campaign {row.campaign} is damaged. {error} {RESTORE}"
        ) from error


def saved_tree(store: Store, campaign: str) -> tuple[int, Mapping[str, Any]]:
    """The tree of a campaign's snapshot, and its number; 0 without one that can be used.

    A snapshot only saves time, so one that is damaged is reported in the log and passed over.
    """
    saved = store.snapshot(campaign)
    if saved is None or saved.form != FORMAT:
        return 0, {}
    try:
        return saved.number, msgspec.json.decode(saved.body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.warning("The snapshot of campaign %s is damaged and not used: %s", campaign, error)
        return 0, {}
