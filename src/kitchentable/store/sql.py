"""A store in a SQL database: what SQLite and PostgreSQL share."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

from kitchentable.store import checks, events, keys
from kitchentable.store import readers as readers_index
from kitchentable.store.database import Database, T, Work
from kitchentable.store.protocols import Signals
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


class Words(Protocol):
    """The SQL of the full-text index, which differs between databases; `protocols.Index` tells."""

    def add(self, database: Database, campaign: str, events: Sequence[IndexedEvent]) -> None:
        """Index events of a campaign, and record how far its index goes."""
        ...

    def indexed(self, database: Database, campaign: str) -> int:
        """The number of the last indexed event; 0 for none."""
        ...

    def find(
        self,
        database: Database,
        place: readers_index.Place,
        marks: Sequence[str],
        prefixes: Sequence[str],
    ) -> list[int]:
        """The numbers of the events with these marks and words."""
        ...

    def remove(self, database: Database, campaign: str) -> None:
        """Remove a campaign from the index, before its events are removed."""
        ...


class SqlStore(ABC):
    """A store in a database, shared by threads, tasks and processes.

    Each method is told in `kitchentable.store.protocols`; those of the campaign's directory, of
    keys, secrets and drafts wait for the disk, so an event loop calls them in a thread.
    """

    words: ClassVar[Words]
    far: ClassVar[bool] = False
    signals: Signals | None = None

    @abstractmethod
    def close(self) -> None:
        """Finish pending writes and close the database. Closing twice is harmless."""

    @abstractmethod
    def backup(self, path: Path) -> Path:
        """Make a checked copy of the whole record in a new file of SQLite, while people play."""

    @abstractmethod
    def _read(self, work: Work[T]) -> T:
        """Give `work` a connection to read from, and return its answer."""

    @abstractmethod
    def _write(
        self, work: Work[T], *, after: str = "", alone: bool = False, again: bool = True
    ) -> T:
        """Do `work` in one transaction, and wait until it is on disk.

        `after` is a campaign whose other writers finish first, so that what is looked at stays as
        it is. `alone` work is refused before it changes anything; without `after`, it is a single
        statement. Work that can be done `again` is repeated when the connection was lost, even if
        its first time may have been recorded.
        """

    @abstractmethod
    def _write_later(
        self, work: Work[T], *, after: str = "", alone: bool = False
    ) -> asyncio.Future[T]:
        """As `_write`, for the event loop."""

    # The log

    def append(self, new: Append) -> Appended | AlreadyDone:
        work, after, alone = self._append(new)
        return self._write(work, after=after, alone=alone)

    def append_async(self, new: Append) -> asyncio.Future[Appended | AlreadyDone]:
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
        return self._read(lambda db: events.read(db, campaign, after, limit))

    def recorded(self, campaign: str, command: str) -> tuple[Row, ...]:
        return self._read(lambda db: events.recorded(db, campaign, command))

    def latest(self, campaign: str) -> int:
        return self._read(lambda db: events.latest(db, campaign))

    def news(self, after: Mapping[str, int]) -> list[Row]:
        return self._read(lambda db: events.news(db, after))

    # The directory

    def campaigns(self) -> list[CampaignEntry]:
        return self._read(events.campaigns)

    def campaign(self, campaign: str) -> CampaignEntry | None:
        return self._read(lambda db: events.campaign(db, campaign))

    def put_campaign(self, entry: CampaignEntry) -> None:
        checks.check_entry(entry)
        self._write(lambda db: events.put_campaign(db, entry))

    # Throws

    def reserve(self, campaign: str, session: int, command: str | None = None) -> int:
        return self._write(self._reserve(campaign, session, command), after=campaign, alone=True)

    def reserve_async(
        self, campaign: str, session: int, command: str | None = None
    ) -> asyncio.Future[int]:
        return self._write_later(
            self._reserve(campaign, session, command), after=campaign, alone=True
        )

    def _reserve(self, campaign: str, session: int, command: str | None) -> Work[int]:
        checks.check_session(session)
        if command is not None:
            checks.check_word(command, "command id")
        return lambda db: events.reserve(db, campaign, session, command)

    def assign_throw(self, campaign: str, session: int, number: int, command: str) -> None:
        checks.check_word(command, "command id")
        self._write(lambda db: events.assign_throw(db, campaign, session, number, command))

    def return_throw(self, campaign: str, session: int, number: int) -> bool:
        return self._write(
            lambda db: events.return_throw(db, campaign, session, number), after=campaign
        )

    # Keys

    def put_token(self, token: Token, *, holder: str | None = None) -> None:
        checks.check_token(token)
        self._write(lambda db: keys.put_token(db, token, holder))

    def token(self, hash: str, now: str) -> Token | None:
        checks.check_time(now)
        return keys.in_force(self._read(lambda db: keys.any_token(db, hash)), now)

    def in_force(self, hashes: Iterable[str], now: str) -> set[str]:
        checks.check_time(now)
        return self._read(lambda db: keys.hashes_in_force(db, list(hashes), now))

    def spend_token(self, hash: str, now: str) -> Token | None:
        checks.check_time(now)
        return self._write(lambda db: keys.spend_token(db, hash, now))

    def revoke_token(self, hash: str, now: str) -> bool:
        checks.check_time(now)
        return self._write(lambda db: keys.revoke_token(db, hash, now))

    def tokens(self, campaign: str | None) -> list[Token]:
        return self._read(lambda db: keys.tokens(db, campaign))

    # Secrets

    def put_seed(self, campaign: str, session: int, seed: bytes) -> None:
        checks.check_session(session)
        self._write(lambda db: keys.put_seed(db, campaign, session, seed))

    def seed(self, campaign: str, session: int) -> bytes | None:
        return self._read(lambda db: keys.seed_of(db, campaign, session))

    def put_setting(self, name: str, value: bytes) -> None:
        checks.check_word(name, "setting")
        self._write(lambda db: keys.put_setting(db, name, value))

    def keep_setting(self, name: str, value: bytes) -> bytes:
        checks.check_word(name, "setting")
        return self._write(lambda db: keys.keep_setting(db, name, value))

    def settings(self) -> dict[str, bytes]:
        return self._read(keys.settings)

    def setting(self, name: str) -> bytes | None:
        return self._read(lambda db: keys.setting(db, name))

    # Drafts

    def put_draft(self, draft: Draft) -> None:
        checks.check_draft(draft)
        self._write(lambda db: keys.put_draft(db, draft))

    def draft(self, campaign: str, seat: str, key: str) -> Draft | None:
        return self._read(lambda db: keys.draft(db, campaign, seat, key))

    def drafts(self, campaign: str, seat: str) -> list[Draft]:
        return self._read(lambda db: keys.drafts(db, campaign, seat))

    def drop_draft(self, campaign: str, seat: str, key: str) -> None:
        self._write(lambda db: keys.drop_draft(db, campaign, seat, key))

    # Snapshots

    def put_snapshot(self, snapshot: Snapshot) -> None:
        checks.check_id(snapshot.campaign)
        self._write(lambda db: events.put_snapshot(db, snapshot))

    def snapshot(self, campaign: str) -> Snapshot | None:
        return self._read(lambda db: events.snapshot(db, campaign))

    # Index

    def index(self, campaign: str, events: Sequence[IndexedEvent]) -> None:
        checks.check_id(campaign)
        checks.check_index_words(word for one in events for word in (*one.marks, *one.words))

        def work(db: Database) -> None:
            self.words.add(db, campaign, events)
            readers_index.add(db, campaign, events)

        self._write(work)

    def indexed(self, campaign: str) -> int:
        return self._read(lambda db: self.words.indexed(db, campaign))

    def find(
        self,
        campaign: str,
        marks: Sequence[str],
        prefixes: Sequence[str],
        *,
        after: int | None = None,
        before: int | None = None,
        readers: Sequence[str] = (),
        limit: int = 100,
    ) -> list[int]:
        checks.check_index_words((*marks, *prefixes))
        place = readers_index.Place(campaign, tuple(readers), after, before, limit)
        return self._read(lambda db: self.words.find(db, place, marks, prefixes))

    def read_as(
        self,
        campaign: str,
        readers: Sequence[str],
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[Row]:
        place = readers_index.Place(campaign, tuple(readers), after, before, limit)
        return self._read(lambda db: readers_index.read(db, place))

    # Pictures

    def put_picture(self, campaign: str, picture: Picture) -> None:
        checks.check_picture(picture)
        self._write(lambda db: keys.put_picture(db, campaign, picture))

    def picture(self, campaign: str, id: str) -> Picture | None:
        return self._read(lambda db: keys.picture(db, campaign, id))

    def picture_ids(self, campaign: str) -> list[str]:
        return self._read(lambda db: keys.picture_ids(db, campaign))

    # Whole campaigns

    def export_data(self, campaign: str) -> ExportData:
        return self._read(lambda db: keys.export_data(db, campaign))

    def adopt(
        self,
        entry: CampaignEntry,
        rows: Iterable[Row],
        export_data: ExportData,
        pictures: Iterable[Picture] = (),
    ) -> None:
        checks.check_entry(entry)
        self._write(lambda db: keys.adopt(db, entry, rows, export_data, pictures), after=entry.id)

    def remove(self, campaign: str) -> None:
        def work(db: Database) -> None:
            self.words.remove(db, campaign)
            readers_index.remove(db, campaign)
            keys.remove(db, campaign)

        self._write(work, after=campaign)
