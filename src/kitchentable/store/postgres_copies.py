"""Copies of a PostgreSQL database in a SQLite file, made while servers use the database."""

import tempfile
from contextlib import closing
from pathlib import Path
from typing import NoReturn

from kitchentable.store import postgres_index
from kitchentable.store.copies import copy_database
from kitchentable.store.database import T, Work
from kitchentable.store.durable import cannot_write
from kitchentable.store.errors import StoreError
from kitchentable.store.moving import move
from kitchentable.store.postgres_connection import Connection
from kitchentable.store.sql import Store
from kitchentable.store.sqlite import open_store


class Still(Store):
    """The database as one transaction of a connection sees it; read-only."""

    words = postgres_index

    def __init__(self, database: Connection) -> None:
        self._database = database

    def _read(self, work: Work[T]) -> T:
        return work(self._database)

    def _write(self, *work: object, **more: object) -> NoReturn:
        raise StoreError("A copy cannot be changed.", code="store/read-only")

    _write_later = _write

    def backup(self, path: Path) -> Path:
        """Copy everything to a SQLite file, which appears once it is complete and checked."""
        try:
            # Next to the target, where there must be room for it anyway.
            with tempfile.TemporaryDirectory(prefix=".kitchentable-", dir=path.parent) as folder:
                fresh = Path(folder) / "copy.db"
                with closing(open_store(fresh)) as copy:
                    move(self, copy)
                copy_database(fresh, path)
        except OSError as error:
            raise cannot_write(path, error) from error
        return path

    def close(self) -> None:
        """Do nothing: the connection belongs to another store."""
