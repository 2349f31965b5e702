"""The location of a store: a SQLite file, or the address of a PostgreSQL database."""

import os
from importlib import import_module
from importlib.util import find_spec

from kitchentable.store.errors import Place, StoreError
from kitchentable.store.sql import Store
from kitchentable.store.sqlite import WAIT, open_store


def is_address(place: Place) -> bool:
    """Whether a location is the address of a database rather than a file.

    >>> is_address("postgresql://table@db.example.org/play"), is_address("campaigns.db")
    (True, False)
    """
    return os.fspath(place).startswith(("postgresql://", "postgres://"))


def open_place(
    place: Place,
    *,
    software: str | None = None,
    wait: float = WAIT,
) -> Store:
    """Open the store at a place; create it if absent.

    Errors: `StoreError`, as `open_store` and `open_postgres`, and ``store/no-driver``.
    """
    if not is_address(place):
        return open_store(place, software=software, wait=wait)
    if find_spec("psycopg") is None:
        raise StoreError(
            "The library for PostgreSQL is not installed. Install it with the extra `postgres`: "
            "pip install 'kitchentable[postgres]'.",
            code="store/no-driver",
        )
    # Only servers with PostgreSQL have the library, and loading it takes a while.
    postgres = import_module("kitchentable.store.postgres")
    store: Store = postgres.open_postgres(os.fspath(place), software=software, wait=wait)
    return store
