"""Connections of the store: SQLite connections, and a pool for any database."""

import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from kitchentable.store.errors import store_closed

T = TypeVar("T")

APPLICATION_ID = 0x4B546231
"""The bytes ``KTb1`` in the file's header mark a SQLite file of Kitchen Table."""

_IDLE_READERS = 4
_CHECKPOINT_PAGES = 4000
_JOURNAL_LIMIT = 64 << 20


def connect(path: Path, wait: float, *pragmas: str) -> sqlite3.Connection:
    """A connection that waits `wait` seconds for locks; the caller manages transactions."""
    # SQLite reads its log through two files next to the database, which it could not create.
    address = path.absolute().as_uri() + ("?immutable=1" if is_read_only(path) else "")
    database = sqlite3.connect(
        address, timeout=wait, isolation_level=None, check_same_thread=False, uri=True
    )
    try:
        for pragma in pragmas:
            database.execute(f"pragma {pragma}")
    except BaseException:
        database.close()
        raise
    return database


def connect_writer(path: Path, wait: float) -> sqlite3.Connection:
    """A connection with commits that are on disk when they return (WAL, synchronous FULL)."""
    return connect(
        path,
        wait,
        "journal_mode = wal",
        "synchronous = full",
        "fullfsync = on",
        "checkpoint_fullfsync = on",
        "foreign_keys = on",
        f"wal_autocheckpoint = {_CHECKPOINT_PAGES}",
        f"journal_size_limit = {_JOURNAL_LIMIT}",
    )


def connect_reader(path: Path, wait: float) -> sqlite3.Connection:
    """A connection that cannot write."""
    return connect(path, wait, "query_only = on")


def is_read_only(path: Path) -> bool:
    """Whether this process may not write to a database that no server has open."""
    # SQLite's other files are next to the database, not next to a link to it.
    file = path.resolve()
    may_write = os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)
    is_open = file.with_name(file.name + "-wal").exists()
    return file.exists() and not may_write and not is_open


class Closable(Protocol):
    """A connection of any kind."""

    def close(self) -> None:
        """Close the connection. Closing twice is harmless."""
        ...


C = TypeVar("C", bound=Closable)


class Pool(Generic[C]):
    """Connections that are opened as needed, each used by one caller at a time."""

    def __init__(self, connect: Callable[[], C], room: int = _IDLE_READERS) -> None:
        self._connect = connect
        self.idle: list[C] = []
        self._lock = threading.Lock()
        self._closed = False
        self._room = room

    def run(self, work: Callable[[C], T]) -> T:
        """Run `work` on a connection and return its answer; an error discards the connection."""
        with self._lock:
            if self._closed:
                raise store_closed()
            database = self.idle.pop() if self.idle else None
        if database is None:
            database = self._connect()
        try:
            answer = work(database)
        except BaseException:
            database.close()
            raise
        self._take_back(database)
        return answer

    def _take_back(self, database: C) -> None:
        with self._lock:
            if len(self.idle) < self._room:
                self.idle.append(database)
                return
        database.close()

    def drop_idle(self) -> None:
        """Close the idle connections, because the other end has closed them."""
        with self._lock:
            idle, self.idle = self.idle, []
        for database in idle:
            database.close()

    def close(self) -> None:
        """Close idle connections; those in use close when they are returned."""
        with self._lock:
            self._closed = True
            self._room = 0
        self.drop_idle()
