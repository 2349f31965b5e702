"""The writing thread: collects waiting jobs, commits them together, then reports them done."""

import asyncio
import queue
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec

from kitchentable.store.batch import append_batch
from kitchentable.store.errors import StoreError, explain, kind_of, store_closed
from kitchentable.store.rows import Append

T = TypeVar("T")

MAX_BATCH = 256
_PAUSE = 0.001

Work = Callable[[sqlite3.Connection], T]
AnyFuture: TypeAlias = "Future[Any] | asyncio.Future[Any]"


class Job(msgspec.Struct, frozen=True, eq=False):
    """A job to write, with the future of a waiting thread or task.

    An `alone` job is refused before it changes anything. A job that only records the single row of
    `new` can be done together with others.
    """

    work: Work[Any]
    future: "AnyFuture"
    alone: bool = False
    new: Append | None = None


class Outcome(msgspec.Struct, frozen=True, eq=False):
    """The outcome of a job: an answer, or an error to raise in the caller."""

    answer: Any = None
    error: Exception | None = None


class Writer:
    """Runs jobs on one connection, as many per commit as are waiting.

    A job has its own savepoint unless it is `alone`, so a refused job changes nothing and the
    others are committed. Callers get their answers only after the commit; if the commit fails, or
    an `alone` job fails after a change, all of them get the error.
    """

    def __init__(self, database: sqlite3.Connection, path: Path, wait: float) -> None:
        # SQLite's own wait sleeps longer each time, so a busy process could starve others.
        database.execute("pragma busy_timeout = 0")
        self._database = database
        self._path = path
        self._wait = wait
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._broken: StoreError | None = None
        self.commits = 0
        self.jobs = 0
        self._thread = threading.Thread(target=self._run, name="kitchentable-writer", daemon=True)
        self._thread.start()

    def call(self, work: Work[T], *, alone: bool = False) -> T:
        """Write, and wait in this thread until it is on disk."""
        future: Future[T] = Future()
        self._put(Job(work, future, alone))
        return future.result()

    def later(
        self, work: Work[T], *, alone: bool = False, new: Append | None = None
    ) -> asyncio.Future[T]:
        """Write; the running event loop's future is done once it is on disk."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(Job(work, future, alone, new))
        return future

    def close(self) -> None:
        """Write all waiting jobs, then end the thread and close the connection."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _put(self, job: Job) -> None:
        with self._lock:
            if self._closed:
                raise store_closed()
            self._queue.put(job)

    def _run(self) -> None:
        try:
            while batch := self._gather():
                self._tell(batch, self._commit(batch))
        finally:
            with self._lock:
                self._closed = True
            while not self._queue.empty():
                if (job := self._queue.get()) is not None:
                    self._tell([job], [Outcome(error=store_closed())])
            self._database.close()

    def _gather(self) -> list[Job]:
        """Wait for a job and take all waiting ones; an empty list after the last one."""
        first = self._queue.get()
        batch: list[Job] = []
        while first is not None:
            batch.append(first)
            if len(batch) == MAX_BATCH:
                return batch
            try:
                first = self._queue.get_nowait()
            except queue.Empty:
                return batch
        if batch:
            self._queue.put(None)
        return batch

    def _commit(self, batch: list[Job]) -> list[Outcome]:
        database = self._database
        if self._broken is not None:
            return self._failed(batch, self._broken)
        try:
            self._begin()
            outcomes = self._all(batch)
            database.execute("commit")
        except Exception as error:  # noqa: BLE001 - whoever waits is told; the thread lives on
            self._roll_back()
            return self._failed(batch, error)
        self.commits += 1
        self.jobs += len(batch)
        return outcomes

    def _all(self, batch: list[Job]) -> list[Outcome]:
        """Do the jobs in order, with neighbours combined if possible."""
        outcomes: list[Outcome] = []
        for several, some in groupby(batch, lambda job: job.new is not None):
            jobs = list(some)
            done = None
            if several and len(jobs) > 1:
                done = append_batch(self._database, [job.new for job in jobs if job.new])
            if done is not None:
                outcomes += map(Outcome, done)
            else:
                outcomes += [self._one(job) for job in jobs]
        return outcomes

    def _begin(self) -> None:
        """Take the write lock, trying often while another process may hold it."""
        deadline = time.monotonic() + self._wait
        while True:
            try:
                self._database.execute("begin immediate")
            except sqlite3.OperationalError as error:
                if kind_of(error) != sqlite3.SQLITE_BUSY:
                    raise
                if time.monotonic() >= deadline:
                    raise
                time.sleep(_PAUSE)
            else:
                return

    def _failed(self, batch: list[Job], error: Exception) -> list[Outcome]:
        return [Outcome(error=self._sentence(error)) for _ in batch]

    def _sentence(self, error: Exception) -> Exception:
        return explain(error, self._path) if isinstance(error, sqlite3.Error) else error

    def _one(self, job: Job) -> Outcome:
        database = self._database
        # Each statement lets the event loop's thread go first, so a job has as few as possible.
        changes = database.total_changes
        if not job.alone:
            database.execute("savepoint job")
        try:
            answer = job.work(database)
        except Exception as error:
            if not database.in_transaction:
                raise  # SQLite has rolled back the whole transaction, so no job was done
            if job.alone and database.total_changes != changes:
                raise
            if not job.alone:
                database.execute("rollback to job")
                database.execute("release job")
            return Outcome(error=self._sentence(error))
        if not job.alone:
            database.execute("release job")
        return Outcome(answer)

    def _roll_back(self) -> None:
        if self._database.in_transaction:
            try:
                self._database.execute("rollback")
            except sqlite3.Error as error:
                # Without a rollback the next commit would include the refused changes.
                self._broken = explain(error, self._path)

    def _tell(self, batch: list[Job], outcomes: list[Outcome]) -> None:
        """Settle every future, with one call into each event loop."""
        threads: list[tuple[AnyFuture, Outcome]] = []
        loops: defaultdict[asyncio.AbstractEventLoop, list[tuple[AnyFuture, Outcome]]]
        loops = defaultdict(list)
        for job, outcome in zip(batch, outcomes, strict=True):
            future = job.future
            waiting = loops[future.get_loop()] if isinstance(future, asyncio.Future) else threads
            waiting.append((future, outcome))
        _settle(threads)
        for loop, waiting in loops.items():
            try:
                loop.call_soon_threadsafe(_settle, waiting)
            except RuntimeError:
                # The loop is closed: the step is on disk, and no caller is left.
                continue


def _settle(waiting: list[tuple[AnyFuture, Outcome]]) -> None:
    for future, outcome in waiting:
        if future.done():
            continue
        if outcome.error is not None:
            future.set_exception(outcome.error)
        else:
            future.set_result(outcome.answer)
