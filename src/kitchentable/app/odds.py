"""Odds solved in a separate process within a time budget, and cached.

Pages and commands run on the event loop, which must not wait. So their code looks up cached odds;
missing odds are solved in the other process before the next look-up.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from kitchentable.app.buckets import Buckets
from kitchentable.app.odds_worker import READY
from kitchentable.app.parcels import LARGEST, pack, unpack
from kitchentable.campaign.errors import OddsNeeded
from kitchentable.campaign.throws import Solved, solve
from kitchentable.dice.errors import NotSolved, TooSlow
from kitchentable.rules.moves import Question

#: Limit for odds at a table, in seconds of processor time, so that it does not depend on load.
AT_A_TABLE = 0.2
#: The solver's own limit, a little shorter, so that the process is rarely ended.
SOLVED_WITHIN = 0.15
#: Seconds that a page and a throw wait for odds.
FOR_A_PAGE, FOR_A_THROW = 1.0, 10.0
#: Seconds that a question may wait for the processor, in addition to its own time.
_PATIENCE = 10.0
#: Cached answers and refusals.
_REMEMBERED = 2_000
#: Waiting questions of one asker.
_WAITING = 8
#: New questions of one asker: burst, and rate per second.
BURST, A_SECOND = 40, 20
#: The time limit for a new process to read its first question, in seconds.
_BEGINS = 30.0


class WorkerEnded(NotSolved):
    """The odds process ended in the middle of a question."""

    code = "dice/worker-ended"


class TooManyAsked(NotSolved):
    """One asker has too many questions waiting."""

    code = "dice/too-many-asked"


class AtOnce:
    """Odds solved in the calling thread, for processes without a server.

    >>> import asyncio
    >>> asyncio.run(AtOnce().ask("somebody", max, 3, 7, within=1.0))
    7
    """

    async def ask(
        self, asker: str, function: Callable[..., Any], *arguments: Any, within: float
    ) -> Any:
        """The result of a function, without a time limit."""
        return function(*arguments)

    def look(self, question: Question) -> Solved:
        """The odds of a question. Errors: NotSolved."""
        return solve(question)

    def watch(self) -> contextlib.AbstractContextManager[Sequence[Question]]:
        """No question is missing, because each is solved at once."""
        return contextlib.nullcontext(())

    async def work_out(
        self, asker: str, questions: Iterable[Question], seconds: float = FOR_A_PAGE
    ) -> bool:
        """Do nothing, because each question is solved at once."""
        return True


@dataclass(slots=True)
class _Job:
    """A queued question: its bytes, its limit in processor seconds, the future for its answer."""

    key: bytes
    packed: bytes
    within: float
    result: Future[Any] = field(default_factory=Future)


class _Watch:
    """Collects the questions without cached odds; a class, because each screen makes one often."""

    __slots__ = ("_watching",)

    def __init__(self, watching: threading.local) -> None:
        self._watching = watching

    def __enter__(self) -> Sequence[Question]:
        missing: list[Question] = []
        self._watching.missing = missing
        return missing

    def __exit__(self, *error: object) -> None:
        self._watching.missing = None


class OddsProcess:
    """Solves questions in another process, which starts at the first question.

    A question over its limit, `within` seconds of processor time, ends the process, and a new one
    starts. Each asker has a queue, and the queues take turns, so nobody waits for all questions of
    another asker. `paces` limits the new questions of an asker.

    >>> import asyncio
    >>> process = OddsProcess()
    >>> asyncio.run(process.ask("somebody", max, 3, 7, within=5.0))
    7
    >>> process.close()
    """

    def __init__(self, paces: Buckets | None = None) -> None:
        self._paces = paces or Buckets(BURST, A_SECOND)
        self._changed = threading.Condition()
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._jobs: dict[bytes, _Job] = {}
        self._known: OrderedDict[bytes, Any] = OrderedDict()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._line: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        #: Missing questions, noted for the thread that looked.
        self._watching = threading.local()

    async def ask(
        self, asker: str, function: Callable[..., Any], *arguments: Any, within: float
    ) -> Any:
        """The result of a function, from the other process or from memory.

        Errors: NotSolved, also for a question that took too long before; those of the function.
        """
        job = self._job(function, arguments, within)
        known, found = self._recall(job.key)
        if not known:
            if delay := self._delay(asker):
                await asyncio.sleep(delay)
            found = await self._put(asker, job)
        return _answer_in(found)

    def _delay(self, asker: str) -> float:
        """Seconds until an asker may ask a new question. Errors: TooManyAsked."""
        pace = self._paces.per_second
        if self._paces.remaining(asker) < 1 - pace:
            raise TooManyAsked(
                f"You have requested more than {pace:g} new odds per second. Wait a moment."
            )
        return max(0.0, -self._paces.take(asker) / pace)

    def look(self, question: Question) -> Solved:
        """The odds of a question. Errors: NotSolved; OddsNeeded if they are not cached yet."""
        known, found = self._recall(self._job(solve, (question, SOLVED_WITHIN), AT_A_TABLE).key)
        if not known:
            if (missing := getattr(self._watching, "missing", None)) is not None:
                missing.append(question)
            raise OddsNeeded(question)
        solved: Solved = _answer_in(found)
        return solved

    def watch(self) -> contextlib.AbstractContextManager[Sequence[Question]]:
        """The questions without cached odds in this thread; the block must not wait."""
        return _Watch(self._watching)

    async def work_out(
        self, asker: str, questions: Iterable[Question], seconds: float = FOR_A_PAGE
    ) -> bool:
        """Solve these questions; False if time ran out. Errors: TooManyAsked."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        for question in questions:
            solved = self.ask(asker, solve, question, SOLVED_WITHIN, within=AT_A_TABLE)
            try:
                await asyncio.wait_for(solved, until - loop.time())
            except TimeoutError:
                return False
            except TooManyAsked:
                raise
            except NotSolved:
                continue  # cached, and raised by the next look-up
        return True

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
        """The cached answer or refusal, and whether there is one."""
        with self._changed:
            if key not in self._known:
                return False, None
            self._known.move_to_end(key)
            return True, self._known[key]

    def _put(self, asker: str, job: _Job) -> asyncio.Future[Any]:
        """Queue a job, unless an equal one is queued. Errors: TooManyAsked."""
        with self._changed:
            if self._closed:
                raise WorkerEnded("The server is stopping, so it computes no odds.")
            waiting = self._jobs.get(job.key)
            if waiting is None:
                queue = self._queues.setdefault(asker, deque())
                if len(queue) >= _WAITING:
                    raise TooManyAsked(
                        f"You already have {_WAITING} requests for odds waiting. "
                        "Wait a moment, then try again."
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
        """The next job, taking turns between askers; None once this is closed."""
        with self._changed:
            while not self._queues and not self._closed:
                self._changed.wait()
            if self._closed:
                for job in self._jobs.values():
                    job.result.set_result(
                        WorkerEnded("The server stopped before the odds were computed.")
                    )
                return None
            asker, queue = self._queues.popitem(last=False)
            job = queue.popleft()
            if queue:
                self._queues[asker] = queue
            return job

    def _work_out(self, job: _Job) -> Any:
        """The answer to a job, or its error."""
        line = self._line or self._begin()
        too_slow = False
        try:
            line.send_bytes(pack((job.within, job.packed)))
            if not line.poll(_BEGINS):
                raise EOFError
            line.recv_bytes(len(READY))
            if too_slow := not line.poll(job.within + _PATIENCE):
                raise EOFError
            good, found = unpack(line.recv_bytes(LARGEST))
        except (EOFError, OSError):
            if self._end() == -signal.SIGPROF or too_slow:
                return _too_slow(job)
            return WorkerEnded(
                "The odds could not be computed: their process ended. The server's log says why."
            )
        if good:
            return found
        error = _error(*found)
        # The solver's own sentence is for programs.
        return _too_slow(job) if isinstance(error, TooSlow) else error

    def _begin(self) -> Connection:
        ours, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-P", "-m", "kitchentable.app.odds_worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                # Ctrl-C at a terminal is for the server, which ends this process through the
                # socket.
                process_group=0,
            )
        self._line = ours
        return ours

    def _end(self) -> int | None:
        """End the process; return its exit code, negative for the signal that ended it earlier."""
        code = None
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            code = self._process.wait()
        self._line = self._process = None
        return code


#: A source of odds.
Odds: TypeAlias = AtOnce | OddsProcess


def _too_slow(job: _Job) -> TooSlow:
    return TooSlow(
        f"These odds take longer than {job.within:g} s to work out; the dice can be thrown all the "
        "same."
    )


def _error(kind: type[Exception], arguments: tuple[Any, ...], told: dict[str, Any]) -> Exception:
    """Rebuild an error from the other process, whatever its constructor."""
    error = kind.__new__(kind)
    error.args = arguments
    vars(error).update(told)
    return error


def _answer_in(found: Any) -> Any:
    if isinstance(found, Exception):
        raise found.with_traceback(None)
    return found
