"""The interface of a store, and its code for both SQLite and PostgreSQL."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

from kitchentable.store import checks, events, keys
from kitchentable.store import readers as readers_index
from kitchentable.store.database import EVERY, Database, T, Work, every, one
from kitchentable.store.protocols import Signals, Words
from kitchentable.store.rows import (
    AlreadyDone,
    Append,
    Appended,
    CampaignEntry,
    Draft,
    ExportData,
    IndexedEvent,
    Picture,
    Row,
    Snapshot,
    Token,
)

P = ParamSpec("P")


class Store(ABC):
    """A store in a database, shared by threads, tasks and processes.

    Rows returned by `append` are never lost or duplicated. The methods for the directory, keys,
    secrets and drafts wait for the disk, so an event loop calls them in a thread. With `far`, reads
    may wait for the network and must not block an event loop. `signals` are the messages between
    servers; None if the database has only one server.
    """

    words: Words
    far = False
    signals: Signals | None = None

    @abstractmethod
    def close(self) -> None:
        """Finish pending writes and close the database. Closing twice is harmless."""

    @abstractmethod
    def backup(self, path: Path) -> Path:
        """Make a checked copy of the whole database in a new SQLite file, during play."""

    @abstractmethod
    def _read(self, work: Work[T]) -> T:
        """Run `work` on a connection for reading, and return its answer."""

    @abstractmethod
    def _write(self, work: Work[T], *, after: str = "", alone: bool = False) -> T:
        """Do `work` in one transaction, and wait until it is on disk.

        Other writers of the campaign `after` finish first, so that data does not change between
        reading and writing. `alone` work is refused before it changes anything; without `after`, it
        is a single statement. Work is repeated if the connection was lost, even if the first
        attempt may have been recorded.
        """

    @abstractmethod
    def _write_later(
        self, work: Work[T], *, after: str = "", alone: bool = False
    ) -> asyncio.Future[T]:
        """As `_write`, for the event loop."""

    def _ask(
        self, work: Callable[Concatenate[Database, P], T], *values: P.args, **more: P.kwargs
    ) -> T:
        """The answer of reading `work`, which gets a connection and these values."""
        return self._read(lambda db: work(db, *values, **more))

    def _do(
        self, work: Callable[Concatenate[Database, P], T], *values: P.args, **more: P.kwargs
    ) -> T:
        """The answer of writing `work`, which gets a connection and these values."""
        return self._write(lambda db: work(db, *values, **more))

    def _one(self, kind: Callable[..., T], sql: str, *values: Any) -> T | None:
        """The first row of a query as a value of `kind`; None without a row."""
        return self._read(lambda db: one(db, kind, sql, *values))

    def _every(self, kind: Callable[..., T], sql: str, *values: Any) -> list[T]:
        """All rows of a query as values of `kind`."""
        return self._read(lambda db: every(db, kind, sql, *values))

    def _run(self, sql: str, *values: Any, after: str = "") -> int:
        """Run one statement that writes; return the number of changed rows."""
        return self._write(lambda db: db.execute(sql, values).rowcount, after=after)

    # The log

    def append(self, new: Append) -> Appended | AlreadyDone:
        """Record a command's rows.

        A command id that was recorded before returns `AlreadyDone`, whatever else is in `new`.
        Errors: `Conflict` when the log is not at `expected`; `KeyEnded`; `BadRecord` when the
        campaign is unknown or the rows cannot be kept; `StoreError` when the disk fails.
        """
        work, after, alone = self._append(new)
        return self._write(work, after=after, alone=alone)

    def append_async(self, new: Append) -> asyncio.Future[Appended | AlreadyDone]:
        """As `append`, for the event loop: the future is done once the rows are on disk."""
        work, after, alone = self._append(new)
        return self._write_later(work, after=after, alone=alone)

    def _append(self, new: Append) -> tuple[Work[Appended | AlreadyDone], str, bool]:
        """The work of `append`, the campaign that it waits for, and whether it is alone."""
        checks.check_append(new)
        one = len(new.rows) == 1 and new.expected > 0 and new.entry is None

        def work(db: Database) -> Appended | AlreadyDone:
            done = events.append_one(db, new) if one else events.append(db, new)
            if isinstance(done, AlreadyDone):
                return done
            for seat in new.end_keys_of:
                keys.revoke_seat(db, new.campaign, seat, new.rows[-1].time)
            if new.next_throw_of is None:
                return done
            return Appended(done.rows, events.reserve(db, new.campaign, new.next_throw_of, None))

        # A single row needs no lock: a row of another writer with its number refuses it.
        single = one and new.next_throw_of is None and not new.end_keys_of
        return work, "" if single else new.campaign, one

    def read(self, campaign: str, after: int = 0, limit: int | None = None) -> list[Row]:
        """The rows with a number above `after`, oldest first, at most `limit` of them."""
        most = EVERY if limit is None else limit
        sql = f"{events.ROW} where campaign = ? and number > ? order by number limit ?"
        return self._every(Row, sql, campaign, after, most)

    def recorded(self, campaign: str, command: str) -> tuple[Row, ...]:
        """The rows of a command; empty if it was never recorded. Ask before throwing dice."""
        return self._ask(events.recorded, campaign, command)

    def latest(self, campaign: str) -> int:
        """The number of the last row; 0 for an empty or unknown campaign."""
        return self._ask(events.latest, campaign)

    def news(self, after: Mapping[str, int]) -> list[Row]:
        """The rows of several campaigns after these numbers, at most a thousand of each."""
        return self._ask(events.news, after)

    # The directory

    def campaigns(self) -> list[CampaignEntry]:
        """Every campaign, oldest first."""
        return self._every(CampaignEntry, f"{events.ENTRY} order by created, id")

    def campaign(self, campaign: str) -> CampaignEntry | None:
        """One campaign's line, or None."""
        return self._ask(events.campaign, campaign)

    def put_campaign(self, entry: CampaignEntry) -> None:
        """Write a campaign's line, new or changed."""
        checks.check_entry(entry)
        self._do(events.put_campaign, entry)

    # The throw numbers of a session's dice stream

    def reserve(self, campaign: str, session: int, command: str | None = None) -> int:
        """Reserve the session's next throw number (from 1), durably and only once.

        With `command`, another call for the same command gives the same number: a step repeated
        after a crash gets the dice that it had already thrown.
        """
        return self._write(self._reserve(campaign, session, command), after=campaign, alone=True)

    def reserve_async(
        self, campaign: str, session: int, command: str | None = None
    ) -> asyncio.Future[int]:
        """As `reserve`, for the event loop."""
        return self._write_later(
            self._reserve(campaign, session, command), after=campaign, alone=True
        )

    def _reserve(self, campaign: str, session: int, command: str | None) -> Work[int]:
        checks.check_session(session)
        if command is not None:
            checks.check_word(command, "command id")
        return lambda db: events.reserve(db, campaign, session, command)

    def assign_throw(self, campaign: str, session: int, number: int, command: str) -> None:
        """Assign a number that was reserved for no command to this command."""
        checks.check_word(command, "command id")
        self._run(
            "update throws set command = ? "
            "where campaign = ? and session = ? and number = ? and command is null",
            *(command, campaign, session, number),
        )

    def return_throw(self, campaign: str, session: int, number: int) -> bool:
        """Take back the latest number if it was reserved for no command; return whether it was."""
        gone = self._run(
            "delete from throws where campaign = ? and session = ? and number = ? "
            "and command is null and number = "
            "(select max(number) from throws where campaign = ? and session = ?)",
            *(campaign, session, number, campaign, session),
            after=campaign,
        )
        return gone == 1

    # Keys to seats and to the server, known only by their hashes

    def put_token(self, token: Token, *, holder: str | None = None) -> None:
        """Store a key's hash. Storing an equal token twice is harmless; changing one is refused.
        `holder` is the hash of the key that requested this one and must be in force, which is
        checked in the same step. Errors: `BadRecord`, `KeyEnded`.
        """
        checks.check_token(token)
        self._do(keys.put_token, token, holder)

    def token(self, hash: str, now: str) -> Token | None:
        """The token of this hash at the time `now`; None if unknown, expired or revoked."""
        checks.check_time(now)
        return keys.in_force(self._ask(keys.any_token, hash), now)

    def in_force(self, hashes: Iterable[str], now: str) -> set[str]:
        """The hashes among these of keys in force at the time `now`."""
        checks.check_time(now)
        return self._ask(keys.hashes_in_force, list(hashes), now)

    def spend_token(self, hash: str, now: str) -> Token | None:
        """Return and revoke a token in one step, so that only one caller gets it."""
        checks.check_time(now)
        return self._do(keys.spend_token, hash, now)

    def revoke_token(self, hash: str, now: str) -> bool:
        """Revoke a key; False when there was none in force."""
        checks.check_time(now)
        return self._do(keys.revoke_token, hash, now)

    def tokens(self, campaign: str | None) -> list[Token]:
        """A campaign's keys (None: the server's), oldest first, with those revoked and expired."""
        where, whose = ("= ?", (campaign,)) if campaign is not None else ("is null", ())
        return self._every(
            Token, f"{keys.KEYS} where campaign {where} order by created, hash", *whose
        )

    # The secrets of a server, which are never shown

    def put_seed(self, campaign: str, session: int, seed: bytes) -> None:
        """Store a session's seed; an equal one is harmless, a different one is refused."""
        checks.check_session(session)
        self._do(keys.put_seed, campaign, session, seed)

    def seed(self, campaign: str, session: int) -> bytes | None:
        """A session's seed, or None."""
        return self._ask(keys.seed_of, campaign, session)

    def put_setting(self, name: str, value: bytes) -> None:
        """Keep a setting of the server, in place of the one before."""
        checks.check_word(name, "setting")
        self._run(
            "insert into settings (name, value) values (?, ?) "
            "on conflict (name) do update set value = excluded.value",
            *(name, value),
        )

    def keep_setting(self, name: str, value: bytes) -> bytes:
        """Store a setting if there is none; return the one in force, the same for all callers."""
        checks.check_word(name, "setting")
        known = self.setting(name)
        return known if known is not None else self._do(keys.keep_setting, name, value)

    def settings(self) -> dict[str, bytes]:
        """Every setting of the server, by name."""
        sql = "select name, value from settings order by name"
        return self._read(lambda db: dict(iter(db.execute(sql))))

    def setting(self, name: str) -> bytes | None:
        """A setting of the server, or None."""
        return self._one(bytes, keys.SETTING, name)

    # Drafts of forms

    def put_draft(self, draft: Draft) -> None:
        """Keep a draft, in place of the one before under the same campaign, seat and key."""
        checks.check_draft(draft)
        self._do(keys.put_draft, draft)

    def draft(self, campaign: str, seat: str, key: str) -> Draft | None:
        """One draft, or None."""
        sql = f"{keys.DRAFT} where campaign = ? and seat = ? and key = ?"
        return self._one(Draft, sql, campaign, seat, key)

    # Snapshots, which can be derived again from the log

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot in place of an older one of the campaign; an older one is ignored. A
        snapshot of an unknown campaign, or of events that are not recorded, is ignored too.
        """
        checks.check_id(snapshot.campaign)
        self._run(
            "insert into snapshots (campaign, number, form, body) "
            "select campaign, number, ?, ? from events where campaign = ? and number = ? "
            "on conflict (campaign) do update set number = excluded.number, form = excluded.form, "
            "body = excluded.body where excluded.number >= snapshots.number",
            *(snapshot.form, snapshot.body, snapshot.campaign, snapshot.number),
        )

    def snapshot(self, campaign: str) -> Snapshot | None:
        """The campaign's snapshot, or None."""
        sql = "select campaign, number, form, body from snapshots where campaign = ?"
        return self._one(Snapshot, sql, campaign)

    # The index of words, and of who may know of an event; it can be derived again from the log

    def index(self, campaign: str, events: Sequence[IndexedEvent]) -> None:
        """Add recorded events, which follow those that are indexed. A repetition is harmless."""
        checks.check_id(campaign)
        checks.check_index_words(
            word for one in events for some in (one.marks, *one.words.values()) for word in some
        )

        def work(db: Database) -> None:
            self.words.add(db, campaign, events)
            readers_index.add(db, campaign, events)

        if events:
            self._write(work)

    def indexed(self, campaign: str) -> int:
        """The number of the last indexed event; 0 for none."""
        return self._ask(readers_index.indexed, campaign)

    def find(
        self,
        campaign: str,
        marks: Sequence[str],
        prefixes: Sequence[str],
        *,
        after: int | None = None,
        before: int | None = None,
        readers: Sequence[str] = ("all",),
        limit: int = 100,
    ) -> list[int]:
        """The numbers of indexed events with all marks and with a word for each prefix.

        Those after a number come oldest first; otherwise those before one, the latest first. Only
        events and words of one of the `readers` are visited.
        """
        checks.check_index_words((*marks, *prefixes))
        place = readers_index.Place(campaign, tuple(readers), after, before, limit)
        return self._ask(self.words.find, place, marks, prefixes)

    def read_as(
        self,
        campaign: str,
        readers: Sequence[str],
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[Row]:
        """The rows of indexed events that one of the readers may know of, in the order of `find`.

        The time does not depend on the number of events for others.
        """
        place = readers_index.Place(campaign, tuple(readers), after, before, limit)
        return self._ask(readers_index.read, place)

    # Pictures, which events name by the hash of their bytes

    def put_picture(self, campaign: str, picture: Picture) -> None:
        """Store a picture; storing it again is harmless.

        Errors: `BadRecord` for an id that is not the hash of the bytes, an unknown campaign, and
        ``store/too-many-pictures``.
        """
        checks.check_picture(picture)
        self._do(keys.put_picture, campaign, picture)

    def picture(self, campaign: str, id: str) -> Picture | None:
        """One picture, or None."""
        sql = "select id, body from pictures where campaign = ? and id = ?"
        return self._one(Picture, sql, campaign, id)

    def picture_ids(self, campaign: str) -> list[str]:
        """The ids of a campaign's pictures, sorted."""
        return self._ask(keys.picture_ids, campaign)

    # Whole campaigns

    def export_data(self, campaign: str) -> ExportData:
        """The data of a campaign beyond its journal, for a move to another server."""
        return self._ask(keys.export_data, campaign)

    def adopt(
        self,
        entry: CampaignEntry,
        rows: Callable[[], Iterable[Row]],
        export_data: ExportData,
        pictures: Callable[[], Iterable[Picture]] = tuple,
    ) -> None:
        """Import a whole campaign under the id of `entry`, all or none.

        `rows` and `pictures` are called again if the work is repeated. The rows must be checked (as
        `read_journal` does) and numbered from 1. Errors: `BadRecord` when the id is taken.
        """
        checks.check_entry(entry)
        self._write(
            lambda db: keys.adopt(db, entry, rows(), export_data, pictures()), after=entry.id
        )

    def remove(self, campaign: str) -> None:
        """Remove a campaign with all its data and keys; an unknown campaign is ignored."""

        def work(db: Database) -> None:
            self.words.remove(db, campaign)
            readers_index.remove(db, campaign)
            keys.remove(db, campaign)

        self._write(work, after=campaign)
