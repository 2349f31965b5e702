"""Processes that start with their imports done.

A program that a test begins takes a second before its first line, for Python and its imports. Here
a parent takes that second once, and each process is a fork of it: with a folder, an environment,
output, signals and an end of its own.
"""

import array
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parent.parent


@dataclass
class Begun:
    """A process that was begun: `out` and `err` are what it says, line by line."""

    number: int
    out: IO[str]
    err: IO[str]
    fork_server: "ForkServer"
    code: int | None = None

    def send(self, sign: signal.Signals) -> None:
        if self.ended() is None:
            os.kill(self.number, sign)

    def ended(self) -> int | None:
        """The code it ended with, below zero for a signal; None while it runs."""
        if self.code is None:
            self.code = self.fork_server.ask({"ended": self.number})
        return self.code

    def wait(self, seconds: float) -> int:
        """The code it ends with; an error if it takes longer."""
        until = time.monotonic() + seconds
        while self.ended() is None:
            assert time.monotonic() < until, "the process did not end"
            time.sleep(0.005)
        assert self.code is not None
        return self.code

    def close(self) -> None:
        """End it if it still runs."""
        self.send(signal.SIGKILL)
        self.wait(30)
        self.out.close()
        self.err.close()


class ForkServer:
    """The client of the parent of processes."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._answers = line.makefile("r")

    def ask(self, order: Mapping[str, Any], lent: Sequence[int] = ()) -> Any:
        """Give the parent an order, with open files that it may use, and hear its answer."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", lent))] if lent else []
        text = json.dumps(order).encode() + b"\n"
        sent = self._line.sendmsg([text], rights)
        self._line.sendall(text[sent:])
        return json.loads(self._answers.readline())

    def begin(
        self, call: str, *words: object, lent: Sequence[int] = (), folder: Path, **environ: str
    ) -> Begun:
        """Call a function, ``package.module:name``, in a process of its own.

        It gets the words as text, then the numbers of the open files that were lent to it. What is
        named here stands in its environment beside what stands in ours.
        """
        out, out_end = os.pipe()
        err, err_end = os.pipe()
        order = {
            "call": call,
            "words": [str(word) for word in words],
            "folder": str(folder),
            "environ": {**os.environ, **environ},
        }
        number = self.ask(order, [out_end, err_end, *lent])
        os.close(out_end)
        os.close(err_end)
        return Begun(number, os.fdopen(out), os.fdopen(err), self)

    @contextmanager
    def begun(
        self, call: str, *words: object, lent: Sequence[int] = (), folder: Path, **environ: str
    ) -> Iterator[Begun]:
        """As `begin`; the process does not outlive the block."""
        one = self.begin(call, *words, lent=lent, folder=folder, **environ)
        try:
            yield one
        finally:
            one.close()

    def close(self) -> None:
        """The parent ends when the connection is closed."""
        self._answers.close()
        self._line.close()


@contextmanager
def a_fork_server() -> Iterator[ForkServer]:
    """A parent with all that is ours in its memory."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "tests.fork_parent", str(theirs.fileno())]
    with theirs:
        parent = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
        )
    fork_server = ForkServer(ours)
    try:
        yield fork_server
    finally:
        fork_server.close()
        with suppress(subprocess.TimeoutExpired):
            parent.wait(10)
        parent.kill()
        parent.wait()
