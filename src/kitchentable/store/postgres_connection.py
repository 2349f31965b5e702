"""Connections to PostgreSQL, which run the SQL of the store."""

import asyncio
import functools
import hashlib
import re
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

import psycopg
from psycopg.pq import TransactionStatus

from kitchentable.store.connection import Pool
from kitchentable.store.database import Cursor, T, Values
from kitchentable.store.errors import store_closed
from kitchentable.store.postgres_errors import explain_postgres
from kitchentable.store.writer import Outcome

#: Limits: idle connections, and connections that write for event loops.
_IDLE, _WRITERS = 8, 4
#: Limit of repetitions of a step because others wrote the same rows.
_TRIES = 5
_PAUSE = 0.02
#: Errors when others write the same rows at the same time.
_OTHERS = (psycopg.IntegrityError, psycopg.errors.TransactionRollback)
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


class Connections:
    """Runs the work of a store on connections that are reopened when lost. Work that fails for lack
    of a connection is repeated for `wait` seconds.
    """

    def __init__(self, address: str, place: str, wait: float) -> None:
        self._place = place
        self._wait = wait
        self.pool = Pool(lambda: Connection(address, wait), _IDLE)
        self._writers = ThreadPoolExecutor(_WRITERS, thread_name_prefix="kitchentable-writer")

    def read(self, work: Task[T], *, again: bool = True) -> T:
        """Run `work` on a connection, and return its answer."""
        try:
            return self._run(work, again=again)
        except psycopg.Error as error:
            raise explain_postgres(error, self._place) from error

    def write(self, work: Task[T], *, after: str, alone: bool) -> T:
        """Do `work` in one transaction, after the other writers of a campaign.

        If others write the same rows meanwhile, the work is repeated.
        """
        whole = partial(_whole, work, after or None)
        try:
            for _ in range(_TRIES):
                try:
                    return self._run(work if alone and not after else whole)
                except _OTHERS:
                    alone = False
            return self._run(whole)
        except psycopg.Error as error:
            raise explain_postgres(error, self._place) from error

    def write_later(self, work: Task[T], *, after: str, alone: bool) -> asyncio.Future[T]:
        """As `write`, in a thread; the running event loop's future is done afterwards."""
        write = partial(self.write, work, after=after, alone=alone)
        try:
            return asyncio.get_running_loop().run_in_executor(self._writers, write)
        except RuntimeError as error:
            raise store_closed() from error

    def close(self) -> None:
        """Finish all pending work, and close every connection."""
        self._writers.shutdown()
        self.pool.close()

    def _run(self, work: Task[T], *, again: bool = True) -> T:
        deadline = time.monotonic() + self._wait
        while True:
            try:
                done = self.pool.run(partial(_attempt, work))
            except psycopg.OperationalError:
                if not again or time.monotonic() >= deadline:
                    raise
                self.pool.drop_idle()
                time.sleep(_PAUSE)
            else:
                if done.error is not None:
                    raise done.error
                answer: T = done.answer
                return answer


def _attempt(work: Task[T], database: Connection) -> Outcome:
    """The outcome of work; raises its error only if the connection can no longer be used."""
    try:
        return Outcome(work(database))
    except Exception as error:
        if not database.is_idle:
            raise
        return Outcome(error=error)


def _whole(work: Task[T], after: str | None, database: Connection) -> T:
    with transaction(database, after):
        return work(database)
