"""Every store that has to keep the contract: in memory, in a SQLite file, in PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kitchentable.store import MemoryStore, SqliteStore, Store, open_store
from kitchentable.store.postgres import open_postgres


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where this test's database is, or will be."""
    return tmp_path / "server" / "campaigns.db"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., SqliteStore]]:
    """Open the database as often as asked; whatever is open at the end is closed."""
    stores: list[SqliteStore] = []

    def open_one(**options: object) -> SqliteStore:
        stores.append(open_store(path, **({"software": "0.1.0"} | options)))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """One store of each kind."""
    if request.param == "memory":
        store: Store = MemoryStore()
    elif request.param == "sqlite":
        store = request.getfixturevalue("opened")()
    else:
        store = open_postgres(request.getfixturevalue("emptied"), software="0.1.0")
    yield store
    store.close()
