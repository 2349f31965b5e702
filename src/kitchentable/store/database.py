"""A connection to SQLite or to PostgreSQL, as the store's SQL uses it.

The SQL of the store is written once, with SQLite's parameters. SQL that only PostgreSQL needs, such
as row locks, is in comments ``/*pg ... */``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

T = TypeVar("T")

Values: TypeAlias = Sequence[Any] | Mapping[str, Any]

EVERY = 1 << 62
"""A value for LIMIT that means no limit."""


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of rows that were changed."""
        ...

    def fetchone(self) -> Any:
        """The next row, or None."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """A connection, used by one thread at a time."""

    def execute(self, sql: str, values: Values = ..., /) -> Cursor:
        """Run one statement."""
        ...

    def executemany(self, sql: str, rows: Iterable[Values], /) -> object:
        """Run one statement for each row of values."""
        ...


Work: TypeAlias = Callable[[Database], T]


def one(database: Database, kind: Callable[..., T], sql: str, *values: Any) -> T | None:
    """The first row of a query as a value of `kind`; None without a row."""
    found = database.execute(sql, values).fetchone()
    return None if found is None else kind(*found)


def every(database: Database, kind: Callable[..., T], sql: str, *values: Any) -> list[T]:
    """All rows of a query as values of `kind`."""
    return [kind(*found) for found in database.execute(sql, values)]
