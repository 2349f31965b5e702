"""Workers of one server: processes that share its address and are restarted when they end."""

from __future__ import annotations

import os
import signal
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

import click

#: Seconds that must pass between two starts of a worker.
_LASTS = 1.0
_STOPS = (signal.SIGTERM, signal.SIGINT)


class Workers:
    """Runs `work` in several worker processes until SIGTERM or SIGINT.

    `work` receives the worker's number, from 0, and a function: whether a signal to stop has come,
    even if its exception was lost.
    """

    def __init__(self, count: int, work: Callable[[int, Callable[[], bool]], None]) -> None:
        self._count = count
        self._work = work
        #: By process id: the worker's number and its time of start.
        self._running: dict[int, tuple[int, float]] = {}
        self._stopping = False
        #: A pipe without data: when it closes, the workers know that this process has ended.
        self._alive = os.pipe()

    def run(self) -> None:
        """Run the workers; returns when all have ended after a signal to stop."""
        for sign in _STOPS:
            signal.signal(sign, self._stop)
        while self._running or not self._stopping:
            while len(self._running) < self._count and not self._stopping:
                self._begin()
            number, status = os.wait()
            begun = self._running.pop(number, None)
            code = os.waitstatus_to_exitcode(status)
            if begun is not None and not self._stopping:
                click.echo(f"Worker {number} has ended ({code}) and is restarted.", err=True)
                time.sleep(max(0.0, begun[1] + _LASTS - time.monotonic()))

    def _begin(self) -> None:
        # No signal may arrive between the fork and the worker's handlers.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
        taken = {one for one, _ in self._running.values()}
        mine = next(one for one in range(self._count) if one not in taken)
        try:
            number = os.fork()
            if number == 0:
                self._be_a_worker(mine, before)
            self._running[number] = (mine, time.monotonic())
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _be_a_worker(self, mine: int, before: set[signal.Signals | int]) -> NoReturn:
        code, asked = 1, threading.Event()

        try:
            os.close(self._alive[1])
            for sign in _STOPS:
                signal.signal(sign, interrupting(asked))
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            threading.Thread(target=_end_with_parent, args=(self._alive[0],), daemon=True).start()
            self._work(mine, asked.is_set)
            code = 0
        except KeyboardInterrupt:
            code = 0
        except BaseException:  # noqa: BLE001 - a forked process ends here, whatever happened
            traceback.print_exc()
        finally:
            os._exit(code)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True
        for worker in self._running:
            os.kill(worker, signal.SIGTERM)


def interrupting(asked: threading.Event) -> Callable[[int, FrameType | None], NoReturn]:
    """Make a signal handler that sets an event and raises KeyboardInterrupt.

    The event is needed, because Python drops an exception that a signal raises inside a destructor
    or the callback of a weak reference.
    """

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        asked.set()
        raise KeyboardInterrupt

    return stop


def _end_with_parent(alive: int) -> None:
    """Wait for the parent process to end, then terminate this one."""
    os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)
