"""Connections to SQLite for the store: one to write, a few to read."""

import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from kitchentable.store.errors import explain, store_closed

T = TypeVar("T")

APPLICATION_ID = 0x4B546231
"""The bytes ``KTb1`` in the file's header: this SQLite file belongs to Kitchen Table."""

_IDLE_READERS = 4
_CHECKPOINT_PAGES = 4000
_JOURNAL_LIMIT = 64 << 20


def connect(path: Path, wait: float) -> sqlite3.Connection:
    """A connection that waits `wait` seconds for locks; transactions are the caller's."""
    return sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)


def connect_writer(path: Path, wait: float) -> sqlite3.Connection:
    """A connection whose commits are on disk when they return (WAL, synchronous FULL)."""
    database = connect(path, wait)
    try:
        database.execute("pragma journal_mode = wal")
        database.execute("pragma synchronous = full")
        database.execute("pragma fullfsync = on")
        database.execute("pragma checkpoint_fullfsync = on")
        database.execute("pragma foreign_keys = on")
        database.execute(f"pragma wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        database.execute(f"pragma journal_size_limit = {_JOURNAL_LIMIT}")
    except BaseException:
        database.close()
        raise
    return database


def create_private(path: Path) -> bool:
    """Make an empty file that only its owner may read, if there is none; True if it was made."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


class Readers:
    """A pool of read-only connections, each used by one caller at a time."""

    def __init__(self, path: Path, wait: float) -> None:
        self._path = path
        self._wait = wait
        self.idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._room = _IDLE_READERS

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Give `work` a connection and return its answer; SQLite's errors become sentences."""
        with self._lock:
            if self._closed:
                raise store_closed()
            database = self.idle.pop() if self.idle else None
        try:
            if database is None:
                database = connect(self._path, self._wait)
                database.execute("pragma query_only = on")
            answer = work(database)
        except BaseException as error:
            if database is not None:
                database.close()
            if isinstance(error, sqlite3.Error):
                raise explain(error, self._path) from error
            raise
        self._take_back(database)
        return answer

    def _take_back(self, database: sqlite3.Connection) -> None:
        with self._lock:
            if len(self.idle) < self._room:
                self.idle.append(database)
                return
        database.close()

    def close(self) -> None:
        """Close idle connections; those in use close when they are returned."""
        with self._lock:
            self._closed = True
            self._room = 0
            idle, self.idle = self.idle, []
        for database in idle:
            database.close()
