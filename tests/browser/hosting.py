"""`kitchentable serve` for browser tests, to be stopped and started again."""

from __future__ import annotations

import contextlib
import random
import re
import signal
import socket
import threading
import time
from pathlib import Path

from tests.fork_server import Begun, ForkServer

#: The command line, in a process that has paid for its imports.
PROGRAM = "tests.fork_parent:kitchentable"


class Hosted:
    """A server that is served on a port of its own; stopping and starting keeps its record."""

    def __init__(self, fork_server: ForkServer, folder: Path) -> None:
        self.database = folder / "table.db"
        self.port = free_port()
        self._fork_server = fork_server
        self._folder = folder
        self._process: Begun | None = None
        self._listeners: list[threading.Thread] = []
        self.printed: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.printed = []
        words = ("serve", "--data", self.database, "--host", "127.0.0.1", "--port", self.port)
        process = self._fork_server.begin(PROGRAM, *words, folder=self._folder)
        self._process = process
        self._listeners = [
            threading.Thread(target=self.printed.extend, args=[said], daemon=True)
            for said in (process.out, process.err)
        ]
        for one in self._listeners:
            one.start()
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
            except OSError:
                assert process.ended() is None, "".join(self.printed)
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the server did not open: " + "".join(self.printed))

    def stop(self) -> None:
        """As with Ctrl-C in its terminal."""
        assert self._process is not None
        self._process.send(signal.SIGINT)
        assert self._process.wait(30) == 0
        for one in self._listeners:
            one.join(15)
        self._process.close()

    def link(self, kind: str, name: str = "") -> str:
        """A link that the terminal printed: "host", or "s" on the line of that name."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            for line in self.printed:
                found = re.search(rf"http://\S+/{kind}/\S+", line)
                if found and name in line:
                    return re.sub(r"http://[^/]+", self.address, found[0])
            time.sleep(0.05)
        raise AssertionError(f"no {kind} link for {name!r} in: " + "".join(self.printed))


def free_port() -> int:
    """A port that stays free while the server is stopped, outside the ephemeral range."""
    for port in random.sample(range(20_000, 30_000), 100):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("a hundred ports in a row are taken")
