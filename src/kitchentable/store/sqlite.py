"""The event store in one SQLite file: rows returned by `append` are on disk."""

import asyncio
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.metadata import version
from pathlib import Path

from kitchentable.store import index
from kitchentable.store.backups import (
    BEFORE,
    Generation,
    Keep,
    backup_due,
    generations,
    make_generation,
    prune,
)
from kitchentable.store.connection import (
    Pool,
    connect,
    connect_reader,
    connect_writer,
    is_read_only,
)
from kitchentable.store.copies import copy_database
from kitchentable.store.database import T, Work
from kitchentable.store.durable import cannot_write, create_private, sync_folder
from kitchentable.store.errors import Place, explain
from kitchentable.store.migrate import bring_up, form_of, migrations, refuse_newer
from kitchentable.store.rows import AlreadyDone, Append, Appended
from kitchentable.store.sql import Store
from kitchentable.store.writer import Writer

WAIT = 10.0
"""Seconds to wait for another program that holds the database."""


def open_store(
    path: Place,
    *,
    software: str | None = None,
    wait: float = WAIT,
) -> "SqliteStore":
    """Open the store at `path`; create it and its folder if absent.

    `software` is the version that writes from now on (by default the installed one). If another
    version wrote last, or the form is older, a copy is first made in the backups folder, then the
    form is updated.

    Errors: `StoreError` ``store/newer-version`` for a file that a newer version has written,
    ``store/not-a-database`` for another program's file; neither is changed.
    """
    now = datetime.now(UTC)
    by = software or version("kitchentable")
    file = Path(path)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            create_private(file)
            sync_folder(file.parent)
    except OSError as error:
        raise cannot_write(file, error) from error
    steps = migrations()
    try:
        with closing(connect(file, wait)) as database:
            form = form_of(database, file)
        refuse_newer(form, steps, by, file)
        # A file that needs no change is not written to, so that a full disk can still be read.
        is_noted = form.software == by or is_read_only(file)
        changes = form.number != steps[-1].number or not is_noted
        if changes and form.software is not None:
            make_generation(file, now, BEFORE + by)
            prune(file, Keep(), now)
        database = connect_writer(file, wait)
        if changes:
            try:
                bring_up(database, file, steps, by, f"{now:%Y-%m-%dT%H:%M:%S.%fZ}")
            except BaseException:
                database.close()
                raise
    except sqlite3.Error as error:
        raise explain(error, file) from error
    return SqliteStore(
        file, Writer(database, file, wait), Pool(partial(connect_reader, file, wait))
    )


class SqliteStore(Store):
    """A store on one SQLite file. Made by `open_store`."""

    words = index

    def __init__(self, path: Path, writer: Writer, readers: Pool[sqlite3.Connection]) -> None:
        self.path = path
        self.writer = writer
        self.readers = readers

    def _read(self, work: Work[T]) -> T:
        try:
            return self.readers.run(work)
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    # One thread writes, so nobody has to wait for another writer.

    def _write(self, work: Work[T], *, after: str = "", alone: bool = False) -> T:
        return self.writer.call(work, alone=alone)

    def _write_later(
        self, work: Work[T], *, after: str = "", alone: bool = False
    ) -> asyncio.Future[T]:
        return self.writer.later(work, alone=alone)

    def append_async(self, new: Append) -> asyncio.Future[Appended | AlreadyDone]:
        work, _, one = self._append(new)
        return self.writer.later(work, alone=one, new=new if one and not new.end_keys_of else None)

    # Copies

    def backup(self, path: Place) -> Path:
        """Make a checked copy of the whole database at `path`, during play."""
        target = Path(path)
        copy_database(self.path, target)
        return target

    def backup_if_due(
        self, now: datetime, every: timedelta = timedelta(hours=1), keep: Keep | None = None
    ) -> Generation | None:
        """Add a generation if the last is older than `every` and the database has changed since.
        Old generations beyond `keep` are removed only after the new copy has passed its check.
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
