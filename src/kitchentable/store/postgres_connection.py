"""Connections to PostgreSQL, which run the SQL of the store."""

import functools
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import psycopg
from psycopg.pq import TransactionStatus

from kitchentable.store.database import Cursor, T, Values
from kitchentable.store.writer import Outcome

_NAMED = re.compile(r"(?<![\w:]):([a-z_]+)")
_OURS = re.compile(r"/\*pg (.*?) \*/")
#: Settings of each connection, independent of the server's defaults.
_SETTINGS = """
set default_transaction_isolation = 'read committed';
set idle_in_transaction_session_timeout = '30s';
set lock_timeout = '10s';
select set_config('synchronous_commit', 'on', false)
where current_setting('synchronous_commit') in ('off', 'local');
"""


@functools.lru_cache(1000)
def translated(sql: str) -> str:
    """The SQL of the store with the parameters that psycopg knows.

    >>> translated("select :key, ? from t /*pg for share */")
    'select %(key)s, %s from t for share'
    """
    ours = _OURS.sub(r"\1", sql)
    return _NAMED.sub(r"%(\1)s", ours.replace("?", "%s"))


def reach(address: str, within: float = 10.0) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection of psycopg that notices a lost server within half a minute."""
    return psycopg.connect(
        address,
        autocommit=True,
        connect_timeout=max(2, int(within)),
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
        tcp_user_timeout=20_000,
    )


class Connection:
    """A connection for the store's SQL. Each statement commits unless a transaction has begun."""

    def __init__(self, address: str, wait: float) -> None:
        self.raw = reach(address, wait)
        try:
            self.raw.execute(_SETTINGS)
        except BaseException:
            self.raw.close()
            raise

    def execute(self, sql: str, values: Values = (), /) -> Cursor:
        """Run one statement."""
        return self.raw.execute(translated(sql), values or None)

    def executemany(self, sql: str, rows: Iterable[Values], /) -> object:
        """Run one statement for each row of values."""
        with self.raw.cursor() as cursor:
            cursor.executemany(translated(sql), rows)
        return None

    @property
    def is_idle(self) -> bool:
        """Whether the connection works, and no transaction has begun."""
        return self.raw.info.transaction_status == TransactionStatus.IDLE

    def close(self) -> None:
        """Close the connection."""
        self.raw.close()


Task: TypeAlias = Callable[[Connection], T]


@contextmanager
def transaction(database: Connection, after: str | None) -> Iterator[None]:
    """A transaction that makes other writers of the same campaign wait; "" is for all."""
    begin = "begin"
    if after is not None:
        digest = hashlib.blake2b(after.encode(), digest_size=8, person=b"kitchentable").digest()
        lock = int.from_bytes(digest, "big", signed=True)
        begin += f"; select pg_advisory_xact_lock({lock})"
    database.execute(begin)
    try:
        yield
    except BaseException:
        if not database.raw.closed:
            database.execute("rollback")
        raise
    database.execute("commit")


def attempt(work: Task[T], database: Connection) -> Outcome:
    """The outcome of work; raises its error only if the connection can no longer be used."""
    try:
        return Outcome(work(database))
    except Exception as error:
        if not database.is_idle:
            raise
        return Outcome(error=error)


def in_transaction(work: Task[T], after: str | None, database: Connection) -> T:
    """The answer of work in one transaction; for `after` see `transaction`."""
    with transaction(database, after):
        return work(database)
