"""Messages between servers through PostgreSQL's LISTEN and NOTIFY."""

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial

import psycopg
from psycopg import sql

from kitchentable.store.errors import StoreError
from kitchentable.store.postgres_connection import Connection, Task, reach

#: Seconds between a listener's checks whether to stop, and between attempts to connect.
_LOOK, _PAUSE = 0.2, 0.5
_MOST = 500

log = logging.getLogger("kitchentable.store")


class PostgresSignals:
    """The messages of the servers that use one schema of a database.

    One thread listens on its own connection; another sends all waiting messages together. Messages
    are sent outside of the steps that they announce, because PostgreSQL commits transactions with
    messages only one at a time.
    """

    def __init__(self, address: str, run: Callable[[Task[None]], None]) -> None:
        self._address = address
        self._run = run
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        for name, work in (
            ("kitchentable-listener", lambda: self._listen(heard, missed)),
            ("kitchentable-sender", self._send),
        ):
            thread = threading.Thread(target=work, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def send(self, message: str) -> None:
        if self._threads:
            self._waiting.put(message)

    def stop(self) -> None:
        self._over.set()
        self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        late = False
        while not self._over.is_set():
            try:
                with closing(reach(self._address)) as raw:
                    (schema,) = raw.execute("select current_schema()").fetchone() or ("",)
                    raw.execute(sql.SQL("listen {}").format(sql.Identifier(channel(schema))))
                    missed()
                    late = False
                    while not self._over.is_set():
                        for one in raw.notifies(timeout=_LOOK):
                            heard(one.payload)
            except psycopg.Error as error:
                if not late:
                    log.warning("Signals of other servers are late: %s", error)
                late = True
                self._over.wait(_PAUSE)

    def _send(self) -> None:
        last = False
        while not last:
            batch = {self._waiting.get(): None}
            while not self._waiting.empty() and len(batch) < _MOST:
                batch[self._waiting.get()] = None
            last = None in batch
            messages = [one for one in batch if one is not None]
            if not messages:
                continue
            try:
                self._run(partial(_notify, messages))
            except StoreError as error:
                log.warning("Signals to other servers are late: %s", error)


def channel(schema: str) -> str:
    """The name of the channel for the servers of a schema."""
    return f"kitchentable {schema}"


def _notify(messages: list[str], database: Connection) -> None:
    database.execute(
        "select pg_notify('kitchentable ' || current_schema(), message) "
        "from unnest(cast(? as text[])) as message",
        (messages,),
    )
