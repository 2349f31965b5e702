"""A store in memory: SQLite without a file, for examples, experiments and tests."""

import asyncio
import sqlite3
import threading
from functools import lru_cache
from pathlib import Path

from kitchentable.store import index
from kitchentable.store.database import T, Work
from kitchentable.store.errors import explain
from kitchentable.store.migrate import bring_up, migrations
from kitchentable.store.sql import Store

_PLACE = Path(":memory:")


class MemoryStore(Store):
    """A store that is lost when the program ends; it begins as a copy of `copied`, if given.

    >>> store = MemoryStore()
    >>> from kitchentable.store import Append, CampaignEntry, NewRow
    >>> entry = CampaignEntry("harbour", "The Harbour", "toast", "2026-11-21T19:30:00Z")
    >>> row = NewRow("2026-11-21T19:30:00Z", "founded", b"{}")
    >>> store.append(Append("harbour", 0, "c1", [row], entry=entry)).rows[0].number
    1
    >>> type(store.append(Append("harbour", 0, "c1", [row]))).__name__
    'AlreadyDone'
    """

    words = index

    def __init__(self, copied: "MemoryStore | None" = None) -> None:
        self._lock = threading.RLock()
        self._database = _connect()
        self._database.deserialize(copied.image() if copied is not None else _empty())
        self._database.execute("pragma foreign_keys = on")

    def image(self) -> bytes:
        """The whole store as the bytes of a SQLite file."""
        return self._database.serialize()

    def _read(self, work: Work[T]) -> T:
        with self._lock:
            try:
                return work(self._database)
            except sqlite3.Error as error:
                raise explain(error, _PLACE) from error

    def _write(self, work: Work[T], *, after: str = "", alone: bool = False) -> T:
        def whole(_: object) -> T:
            with self._database as database:
                database.execute("begin")
                return work(database)

        return self._read(whole)

    def _write_later(
        self, work: Work[T], *, after: str = "", alone: bool = False
    ) -> asyncio.Future[T]:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        future.set_result(self._write(work))
        return future

    def backup(self, path: Path) -> Path:
        """Copy everything to a new file of SQLite."""
        self._read(lambda db: db.execute("vacuum into ?", (str(path),)))
        return path

    def close(self) -> None:
        with self._lock:
            self._database.close()


@lru_cache(maxsize=1)
def _empty() -> bytes:
    """An empty database in the current form."""
    database = _connect()
    bring_up(database, _PLACE, migrations(), "", "")
    return database.serialize()


def _connect() -> sqlite3.Connection:
    return sqlite3.connect(_PLACE, isolation_level=None, check_same_thread=False)
