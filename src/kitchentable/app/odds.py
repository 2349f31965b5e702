"""Odds worked out in a separate process within a time budget, and remembered.

A page is made and a command decided on the event loop, which waits for nobody; so whoever needs
odds there looks whether they are known, and what is missing is worked out before it looks again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import os
import subprocess
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Protocol

from kitchentable.app.odds_worker import READY
from kitchentable.app.parcels import LARGEST, pack, unpack
from kitchentable.campaign.errors import OddsNeeded
from kitchentable.campaign.throwing import Solved, solve
from kitchentable.dice.errors import NotSolved, TooSlow
from kitchentable.rules.moves import Question

#: Seconds that odds at a table may take, and all that one page or step asks for together.
AT_A_TABLE = 0.2
#: The solver gives up by itself before that, which costs no process.
SOLVED_WITHIN = 0.15
_TOGETHER = 1.0
#: Answers and refusals that are remembered.
_REMEMBERED = 2_000
#: Questions of one asker that may wait at once.
_WAITING = 8
#: Seconds until a process that was begun must have read its first question.
_BEGINS = 30.0


class WorkerEnded(NotSolved):
    """The process that works out odds ended in the middle of a question."""

    code = "dice/worker-ended"


class TooManyAsked(NotSolved):
    """One asker wants more odds at once than are worked out for one asker."""

    code = "dice/too-many-asked"


class Odds(Protocol):
    """A source of odds."""

    async def ask(
        self, asker: str, function: Callable[..., Any], *arguments: Any, within: float
    ) -> Any:
        """The result of a function within so many seconds. Errors: NotSolved."""
        ...

    def look(self, question: Question) -> Solved:
        """The odds of a question. Errors: NotSolved; OddsNeeded where they are not known yet."""
        ...

    def watch(self) -> contextlib.AbstractContextManager[Sequence[Question]]:
        """The questions found missing until the block ends."""
        ...

    async def work_out(self, asker: str, questions: Iterable[Question]) -> None:
        """Work out what was looked for, as far as there is time. Errors: TooManyAsked."""
        ...


class AtOnce:
    """Odds solved in the calling thread, for a process that serves nobody.

    >>> import asyncio
    >>> asyncio.run(AtOnce().ask("somebody", max, 3, 7, within=1.0))
    7
    """

    async def ask(
        self, asker: str, function: Callable[..., Any], *arguments: Any, within: float
    ) -> Any:
        """What a function gives, however long it takes."""
        return function(*arguments)

    def look(self, question: Question) -> Solved:
        """The odds of a question. Errors: NotSolved."""
        return solve(question)

    @contextlib.contextmanager
    def watch(self) -> Iterator[Sequence[Question]]:
        """No question is missing, because each is solved at once."""
        yield ()

    async def work_out(self, asker: str, questions: Iterable[Question]) -> None:
        """Do nothing, because each question is solved at once."""


@dataclass(slots=True)
class _Job:
    """A question on its way: its bytes, the seconds it may take, and who waits for the answer."""

    key: bytes
    packed: bytes
    within: float
    result: Future[Any] = field(default_factory=Future)


class OddsProcess:
    """Works out what is asked for in another process, which begins when something is asked.

    Whatever takes longer than it may ends that process, and another begins. Each asker has its own
    queue, and the queues take turns, so nobody waits for all that somebody else has asked.

    >>> import asyncio
    >>> process = OddsProcess()
    >>> asyncio.run(process.ask("somebody", max, 3, 7, within=5.0))
    7
    >>> process.close()
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._jobs: dict[bytes, _Job] = {}
        self._known: OrderedDict[bytes, Any] = OrderedDict()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._line: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        #: What is looked for in vain is noted for the thread that looks.
        self._watching = threading.local()

    async def ask(
        self, asker: str, function: Callable[..., Any], *arguments: Any, within: float
    ) -> Any:
        """What a function gives, worked out in at most so many seconds, or remembered.

        Errors: NotSolved, also for what took too long before; those of the function.
        """
        job = self._job(function, arguments, within)
        known, found = self._recall(job.key)
        return _given(found if known else await self._put(asker, job))

    def look(self, question: Question) -> Solved:
        """The odds of a question. Errors: NotSolved; OddsNeeded where they are not known yet."""
        known, found = self._recall(self._job(solve, (question, SOLVED_WITHIN), AT_A_TABLE).key)
        if not known:
            if (missing := getattr(self._watching, "missing", None)) is not None:
                missing.append(question)
            raise OddsNeeded(question)
        solved: Solved = _given(found)
        return solved

    @contextlib.contextmanager
    def watch(self) -> Iterator[Sequence[Question]]:
        """The questions this thread finds missing until the block ends, which must not wait."""
        missing = self._watching.missing = list[Question]()
        try:
            yield missing
        finally:
            self._watching.missing = None

    async def work_out(self, asker: str, questions: Iterable[Question]) -> None:
        """Work out what was looked for, as far as there is time. Errors: TooManyAsked."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _TOGETHER
        for question in questions:
            if loop.time() > until:
                return
            try:
                await self.ask(asker, solve, question, SOLVED_WITHIN, within=AT_A_TABLE)
            except TooManyAsked:
                raise
            except NotSolved:
                continue  # remembered, and told where it is looked for

    def close(self) -> None:
        """End the process and release everyone who waits."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            if self._process is not None:
                self._process.kill()
        if self._thread is not None:
            self._thread.join()

    def _job(self, function: Callable[..., Any], arguments: tuple[Any, ...], within: float) -> _Job:
        packed = pack((function, arguments))
        return _Job(hashlib.blake2b(packed, digest_size=20).digest(), packed, within)

    def _recall(self, key: bytes) -> tuple[bool, Any]:
        """Whether an answer or a refusal is remembered, and which."""
        with self._changed:
            if key not in self._known:
                return False, None
            self._known.move_to_end(key)
            return True, self._known[key]

    def _put(self, asker: str, job: _Job) -> asyncio.Future[Any]:
        """Queue a job, unless the same is queued already. Errors: TooManyAsked."""
        with self._changed:
            if self._closed:
                raise WorkerEnded("The server is stopping, so no odds are worked out.")
            waiting = self._jobs.get(job.key)
            if waiting is None:
                queue = self._queues.setdefault(asker, deque())
                if len(queue) >= _WAITING:
                    raise TooManyAsked(
                        f"You have asked for odds {_WAITING} times at once. "
                        "Wait a moment, and ask again."
                    )
                queue.append(job)
                waiting = self._jobs[job.key] = job
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="odds", daemon=True)
                    self._thread.start()
                self._changed.notify()
        return asyncio.shield(asyncio.wrap_future(waiting.result))

    def _run(self) -> None:
        while (job := self._next()) is not None:
            found = self._work_out(job)
            with self._changed:
                del self._jobs[job.key]
                self._known[job.key] = found
                while len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
            job.result.set_result(found)
            if self._line is None and not self._closed:
                self._begin()
        self._end()

    def _next(self) -> _Job | None:
        """The next job: that of the asker whose turn it is. None when this was closed."""
        with self._changed:
            while not self._queues and not self._closed:
                self._changed.wait()
            if self._closed:
                for job in self._jobs.values():
                    job.result.set_result(WorkerEnded("The server stopped too early."))
                return None
            asker, queue = self._queues.popitem(last=False)
            job = queue.popleft()
            if queue:
                self._queues[asker] = queue
            return job

    def _work_out(self, job: _Job) -> Any:
        """What a job gives, or the error that refuses it."""
        line = self._line or self._begin()
        try:
            line.send_bytes(pack((math.ceil(_BEGINS + job.within) + 1, job.packed)))
            if not line.poll(_BEGINS):
                raise EOFError
            line.recv_bytes(len(READY))
            if not line.poll(job.within):
                self._end()
                return TooSlow(
                    f"These odds take longer than {job.within:g} s to work out; the dice can be "
                    "thrown all the same."
                )
            good, found = unpack(line.recv_bytes(LARGEST))
        except (EOFError, OSError):
            self._end()
            return WorkerEnded(
                "The odds could not be worked out: their process ended. The host's log says why."
            )
        return found if good else _error(*found)

    def _begin(self) -> Connection:
        ours, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-P", "-m", "kitchentable.app.odds_worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        self._line = ours
        return ours

    def _end(self) -> None:
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._line = self._process = None


def _error(kind: type[Exception], arguments: tuple[Any, ...], told: dict[str, Any]) -> Exception:
    """An error as it was raised in the other process, whatever it is made with."""
    error = kind.__new__(kind)
    error.args = arguments
    vars(error).update(told)
    return error


def _given(found: Any) -> Any:
    if isinstance(found, Exception):
        raise found.with_traceback(None)
    return found
