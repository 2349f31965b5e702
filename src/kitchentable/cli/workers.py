"""Several workers of one server: processes that share its address, each begun again if it ends."""

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

#: Seconds that a worker has to last, or else its successor waits for the rest of them.
_LASTS = 1.0
_STOPS = (signal.SIGTERM, signal.SIGINT)


class Workers:
    """Keeps a number of workers at `work` until SIGTERM or SIGINT stops all of them.

    `work` gets the worker's number, from 0, and is told whether a signal to stop has come, in case
    the exception for it was lost.
    """

    def __init__(self, count: int, work: Callable[[int, Callable[[], bool]], None]) -> None:
        self._count = count
        self._work = work
        #: By process number: the worker's number, and when it was begun.
        self._running: dict[int, tuple[int, float]] = {}
        self._stopping = False
        #: Nobody writes to it; its end tells the workers that this process has ended.
        self._alive = os.pipe()

    def run(self) -> None:
        """Start the workers; returns when all have ended after a signal to stop."""
        for sign in _STOPS:
            signal.signal(sign, self._stop)
        while self._running or not self._stopping:
            while len(self._running) < self._count and not self._stopping:
                self._begin()
            number, status = os.wait()
            begun = self._running.pop(number, None)
            code = os.waitstatus_to_exitcode(status)
            if begun is not None and not self._stopping:
                click.echo(f"Worker {number} has ended ({code}) and is begun again.", err=True)
                time.sleep(max(0.0, begun[1] + _LASTS - time.monotonic()))

    def _begin(self) -> None:
        # No signal may come between the fork and the handlers of the worker.
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
    """A handler of a signal that sets an event and interrupts as Ctrl-C does.

    The event counts, because Python drops the exception of a signal that comes while it calls a
    destructor or a weak reference's callback.
    """

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        asked.set()
        raise KeyboardInterrupt

    return stop


def _end_with_parent(alive: int) -> None:
    """End this process when the one that began it has ended."""
    os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)
