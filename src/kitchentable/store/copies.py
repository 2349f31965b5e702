"""Safe copies of a whole database, and their restoration."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from kitchentable.store.checks import DATABASE
from kitchentable.store.connection import connect
from kitchentable.store.durable import appearing, cannot_write, require_file, sync_folder
from kitchentable.store.errors import BadFile, Place, StoreError, explain, kind_of
from kitchentable.store.migrate import Form, form_of

STAMP = "%Y%m%dT%H%M%S.%f"
_WAIT = 10.0
_WAIT_FOR_RESTORE = 1.0
_BLAME_SOURCE = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_BUSY}


def copy_database(source: Path, target: Path) -> None:
    """Copy a database, even during writes, and check the copy before it gets its name.

    `target` is one self-contained file with everything committed before the copy began.

    Errors: `BadFile` if `source` is missing or `target` exists; `StoreError` if the source is
    another program's, the copy fails SQLite's check or the disk fails.
    """
    require_file(source)
    with appearing(target) as partial:
        try:
            with closing(connect(source, _WAIT)) as old, closing(connect(partial, _WAIT)) as new:
                if form_of(old, source) == Form():
                    raise BadFile(f"The file {source} is empty.", code="store/empty-file")
                new.execute("pragma synchronous = off")  # synchronised as a whole afterwards
                old.backup(new)
                new.execute("pragma journal_mode = delete")
                verdict: str = new.execute("pragma quick_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            raise explain(error, source if kind_of(error) in _BLAME_SOURCE else target) from error
        if verdict != "ok":
            raise StoreError(
                f"The copy of {source} failed SQLite's check ({verdict}), so it was deleted. "
                "The database is probably damaged: stop the server and restore the newest good "
                "copy from the backups folder.",
                code="store/damaged",
            )


def restore(source: Place, target: Place, now: datetime | None = None) -> Path | None:
    """Restore a copy in place of a database; the former file gets another name. Returns the former
    file's new path (None if there was none). The server must be stopped.

    Errors: as `copy_database`, and `StoreError` ``store/in-use`` while another program has the
    database open. The former file stays in place until the last step.
    """
    copy, database = Path(source), Path(target)
    require_file(copy)
    if database.exists() and copy.samefile(database):
        raise BadFile(f"{copy} is the database itself, not a copy.", code="store/same-file")
    stamp = (now or datetime.now(UTC)).astimezone(UTC).strftime(STAMP)[:-3]
    fresh = database.with_name(f".{database.name}.{stamp}.restored")
    copy_database(copy, fresh)
    try:
        try:
            kept = _set_aside(database, stamp) if database.exists() else None
            fresh.replace(database)
        finally:
            fresh.unlink(missing_ok=True)
        sync_folder(database.parent)
    except OSError as error:
        raise cannot_write(database, error) from error
    return kept


def _set_aside(database: Path, stamp: str) -> Path:
    """Give the database a second name; its write-ahead log goes with it."""
    _fold_in_log(database)
    kept = database.with_name(f"{database.stem}.replaced-{stamp}Z{database.suffix}")
    if kept.exists():
        raise BadFile(f"The file {kept} already exists.", code="store/file-exists")
    for tail in ("-wal", "-shm"):
        # SQLite would apply a log left next to the restored file, and damage that file.
        log = database.with_name(database.name + tail)
        if log.exists():
            log.rename(kept.with_name(kept.name + tail))
    try:
        os.link(database, kept)
    except OSError:
        # Some file systems (memory cards) have no hard links; there the file is missing for a
        # moment.
        database.rename(kept)
    return kept


def _fold_in_log(database: Path) -> None:
    """Leave write-ahead mode, which succeeds only if no other program has the file open."""
    with database.open("rb") as file:
        if file.read(len(DATABASE)) != DATABASE:
            return  # SQLite would delete the log of a file that it cannot read
    try:
        with closing(connect(database, _WAIT_FOR_RESTORE)) as old:
            old.execute("pragma journal_mode = delete")
    except sqlite3.Error as error:
        if kind_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreError(
                f"The database {database} is in use. Stop the server first, then restore.",
                code="store/in-use",
            ) from error
        if kind_of(error) not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise explain(error, database) from error
