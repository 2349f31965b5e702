"""The event store in one SQLite file: rows returned by `append` are on disk."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from kitchentable.store import checks, events, index, keys
from kitchentable.store.backups import (
    BEFORE,
    Generation,
    Keep,
    backup_due,
    generations,
    make_generation,
    prune,
)
from kitchentable.store.connection import Readers, connect, connect_writer, create_private
from kitchentable.store.copies import copy_database
from kitchentable.store.durable import cannot_write, sync_folder
from kitchentable.store.errors import Place, explain
from kitchentable.store.migrate import bring_up, form_of, migrations, needs_copy, refuse_newer
from kitchentable.store.rows import (
    AlreadyDone,
    Appended,
    CampaignEntry,
    Draft,
    ExportData,
    IndexedEvent,
    NewRow,
    Picture,
    Row,
    Snapshot,
    Token,
)
from kitchentable.store.writer import Writer

WAIT = 10.0
"""Seconds to wait for another program that holds the database."""


def open_store(
    path: Place,
    *,
    software: str | None = None,
    clock: Callable[[], datetime] | None = None,
    wait: float = WAIT,
) -> "SqliteStore":
    """Open the store at `path`; create it and its folder if absent.

    `software` is the version that writes from now on (by default the installed one). When another
    version wrote last, or the form is older than today's, a copy goes into the backups folder
    first, then the form is brought up to date.

    Errors: `StoreError` ``store/newer-version`` for a file that a newer version has written,
    ``store/not-a-database`` for somebody else's file; neither is touched.
    """
    now = clock or _utc_now
    by = software or version("kitchentable")
    file = Path(path)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if create_private(file):
            sync_folder(file.parent)
    except OSError as error:
        raise cannot_write(file, error) from error
    steps = migrations()
    try:
        with closing(connect(file, wait)) as database:
            form = form_of(database, file)
        refuse_newer(form, steps, by, file)
        if needs_copy(form, steps, by):
            make_generation(file, now(), BEFORE + by)
            prune(file, Keep(), now())
        database = connect_writer(file, wait)
        try:
            bring_up(database, file, steps, by, lambda: _stamp(now()))
        except BaseException:
            database.close()
            raise
    except sqlite3.Error as error:
        raise explain(error, file) from error
    return SqliteStore(file, Writer(database, file, wait), Readers(file, wait))


@dataclass(frozen=True, slots=True)
class _Step:
    """The work of `append`, and whether it is a single statement."""

    work: Callable[[sqlite3.Connection], Appended | AlreadyDone]
    alone: bool


class SqliteStore:
    """A store on one SQLite file, shared by threads, tasks and processes. Made by `open_store`.

    Each method is told in `kitchentable.store.protocols`; those of the campaign's directory, of
    keys, secrets and drafts wait for the disk, so an event loop calls them in a thread.
    """

    def __init__(self, path: Path, writer: Writer, readers: Readers) -> None:
        self.path = path
        self.writer = writer
        self.readers = readers

    @property
    def commits(self) -> int:
        """The number of transactions committed since the store was opened."""
        return self.writer.commits

    @property
    def steps(self) -> int:
        """The number of jobs in these transactions."""
        return self.writer.jobs

    # The log

    def append(
        self,
        campaign: str,
        expected: int,
        command: str,
        rows: Sequence[NewRow],
        *,
        entry: CampaignEntry | None = None,
        next_throw_of: int | None = None,
        key: str | None = None,
        end_keys_of: Sequence[str] = (),
    ) -> Appended | AlreadyDone:
        step = self._append(
            campaign, expected, command, rows, entry, next_throw_of, key, end_keys_of
        )
        return self.writer.call(step.work, alone=step.alone)

    def append_async(
        self,
        campaign: str,
        expected: int,
        command: str,
        rows: Sequence[NewRow],
        *,
        entry: CampaignEntry | None = None,
        next_throw_of: int | None = None,
        key: str | None = None,
        end_keys_of: Sequence[str] = (),
    ) -> asyncio.Future[Appended | AlreadyDone]:
        step = self._append(
            campaign, expected, command, rows, entry, next_throw_of, key, end_keys_of
        )
        return self.writer.later(step.work, alone=step.alone)

    def _append(
        self,
        campaign: str,
        expected: int,
        command: str,
        rows: Sequence[NewRow],
        entry: CampaignEntry | None,
        next_throw_of: int | None,
        key: str | None,
        end_keys_of: Sequence[str],
    ) -> "_Step":
        checks.check_append(campaign, expected, command, rows)
        if entry is not None:
            checks.check_entry(entry, campaign)
        if next_throw_of is not None:
            checks.check_session(next_throw_of)
        kept, seats = tuple(rows), tuple(end_keys_of)
        one = _is_one(expected, rows, entry)

        def work(db: sqlite3.Connection) -> Appended | AlreadyDone:
            if one:
                done = events.append_one(db, campaign, expected, command, kept[0], key)
            else:
                done = events.append(db, campaign, expected, command, kept, entry, key)
            if isinstance(done, AlreadyDone):
                return done
            for seat in seats:
                keys.revoke_seat(db, campaign, seat, kept[-1].time)
            if next_throw_of is None:
                return done
            return Appended(done.rows, events.reserve(db, campaign, next_throw_of, None))

        return _Step(work, alone=one and next_throw_of is None and not seats)

    def read(self, campaign: str, after: int = 0, limit: int | None = None) -> list[Row]:
        return self.readers.run(lambda db: events.read(db, campaign, after, limit))

    def recorded(self, campaign: str, command: str) -> tuple[Row, ...]:
        return self.readers.run(lambda db: events.recorded(db, campaign, command))

    def latest(self, campaign: str) -> int:
        return self.readers.run(lambda db: events.latest(db, campaign))

    # The directory

    def campaigns(self) -> list[CampaignEntry]:
        return self.readers.run(events.campaigns)

    def campaign(self, campaign: str) -> CampaignEntry | None:
        return self.readers.run(lambda db: events.campaign(db, campaign))

    def put_campaign(self, entry: CampaignEntry) -> None:
        checks.check_entry(entry)
        self.writer.call(lambda db: events.put_campaign(db, entry))

    # Throws

    def reserve(self, campaign: str, session: int, command: str | None = None) -> int:
        return self.writer.call(self._reserve(campaign, session, command), alone=True)

    def reserve_async(
        self, campaign: str, session: int, command: str | None = None
    ) -> asyncio.Future[int]:
        return self.writer.later(self._reserve(campaign, session, command), alone=True)

    def _reserve(
        self, campaign: str, session: int, command: str | None
    ) -> Callable[[sqlite3.Connection], int]:
        checks.check_session(session)
        if command is not None:
            checks.check_word(command, "command id")
        return lambda db: events.reserve(db, campaign, session, command)

    def assign_throw(self, campaign: str, session: int, number: int, command: str) -> None:
        checks.check_word(command, "command id")
        self.writer.call(lambda db: events.assign_throw(db, campaign, session, number, command))

    def return_throw(self, campaign: str, session: int, number: int) -> bool:
        return self.writer.call(lambda db: events.return_throw(db, campaign, session, number))

    # Keys

    def put_token(self, token: Token, *, holder: str | None = None) -> None:
        checks.check_token(token)
        self.writer.call(lambda db: keys.put_token(db, token, holder))

    def token(self, hash: str, now: str) -> Token | None:
        checks.check_time(now)
        return keys.in_force(self.readers.run(lambda db: keys.any_token(db, hash)), now)

    def spend_token(self, hash: str, now: str) -> Token | None:
        checks.check_time(now)
        return self.writer.call(lambda db: keys.spend_token(db, hash, now))

    def revoke_token(self, hash: str, now: str) -> bool:
        checks.check_time(now)
        return self.writer.call(lambda db: keys.revoke_token(db, hash, now))

    def tokens(self, campaign: str | None) -> list[Token]:
        return self.readers.run(lambda db: keys.tokens(db, campaign))

    # Secrets

    def put_seed(self, campaign: str, session: int, seed: bytes) -> None:
        checks.check_session(session)
        self.writer.call(lambda db: keys.put_seed(db, campaign, session, seed))

    def seed(self, campaign: str, session: int) -> bytes | None:
        return self.readers.run(lambda db: keys.seed_of(db, campaign, session))

    def put_setting(self, name: str, value: bytes) -> None:
        checks.check_word(name, "setting")
        self.writer.call(lambda db: keys.put_setting(db, name, value))

    def keep_setting(self, name: str, value: bytes) -> bytes:
        checks.check_word(name, "setting")
        return self.writer.call(lambda db: keys.keep_setting(db, name, value))

    def setting(self, name: str) -> bytes | None:
        return self.readers.run(lambda db: keys.setting(db, name))

    # Drafts

    def put_draft(self, draft: Draft) -> None:
        checks.check_draft(draft)
        self.writer.call(lambda db: keys.put_draft(db, draft))

    def draft(self, campaign: str, seat: str, key: str) -> Draft | None:
        return self.readers.run(lambda db: keys.draft(db, campaign, seat, key))

    def drafts(self, campaign: str, seat: str) -> list[Draft]:
        return self.readers.run(lambda db: keys.drafts(db, campaign, seat))

    def drop_draft(self, campaign: str, seat: str, key: str) -> None:
        self.writer.call(lambda db: keys.drop_draft(db, campaign, seat, key))

    # Snapshots

    def put_snapshot(self, snapshot: Snapshot) -> None:
        checks.check_id(snapshot.campaign)
        self.writer.call(lambda db: events.put_snapshot(db, snapshot))

    def snapshot(self, campaign: str) -> Snapshot | None:
        return self.readers.run(lambda db: events.snapshot(db, campaign))

    # Index

    def index(self, campaign: str, events: Sequence[IndexedEvent]) -> None:
        checks.check_id(campaign)
        checks.check_index_words(word for one in events for word in (*one.marks, *one.words))
        self.writer.call(lambda db: index.add(db, campaign, events))

    def indexed(self, campaign: str) -> int:
        return self.readers.run(lambda db: index.indexed(db, campaign))

    def find(
        self,
        campaign: str,
        marks: Sequence[str],
        prefixes: Sequence[str],
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[int]:
        checks.check_index_words((*marks, *prefixes))
        return self.readers.run(
            lambda db: index.find(db, campaign, marks, prefixes, after, before, limit)
        )

    # Pictures

    def put_picture(self, campaign: str, picture: Picture) -> None:
        checks.check_picture(picture)
        self.writer.call(lambda db: keys.put_picture(db, campaign, picture))

    def picture(self, campaign: str, id: str) -> Picture | None:
        return self.readers.run(lambda db: keys.picture(db, campaign, id))

    def picture_ids(self, campaign: str) -> list[str]:
        return self.readers.run(lambda db: keys.picture_ids(db, campaign))

    # Whole campaigns

    def export_data(self, campaign: str) -> ExportData:
        return self.readers.run(lambda db: keys.export_data(db, campaign))

    def adopt(
        self,
        entry: CampaignEntry,
        rows: Iterable[Row],
        export_data: ExportData,
        pictures: Iterable[Picture] = (),
    ) -> None:
        checks.check_entry(entry)
        self.writer.call(lambda db: keys.adopt(db, entry, rows, export_data, pictures))

    def remove(self, campaign: str) -> None:
        self.writer.call(lambda db: keys.remove(db, campaign))

    # Copies

    def backup(self, path: Place) -> Path:
        """Make a checked copy of the whole record at `path`, while people play."""
        target = Path(path)
        copy_database(self.path, target)
        return target

    def backup_if_due(
        self, now: datetime, every: timedelta = timedelta(hours=1), keep: Keep | None = None
    ) -> Generation | None:
        """Add a generation when the last is older than `every` and something was written since.

        Old generations beyond `keep` go only after the new copy has passed its check.
        """
        if not backup_due(self.path, now, every):
            return None
        made = make_generation(self.path, now)
        prune(self.path, keep or Keep(), now)
        return made

    def generations(self) -> list[Generation]:
        """Every copy in the backups folder, oldest first."""
        return generations(self.path)

    def close(self) -> None:
        self.writer.close()
        self.readers.close()


def _is_one(expected: int, rows: Sequence[NewRow], entry: CampaignEntry | None) -> bool:
    """Whether a step is a single row of a known campaign, and nothing else."""
    return len(rows) == 1 and expected > 0 and entry is None


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _stamp(now: datetime) -> str:
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
