"""The real thing for browser tests: `kitchentable serve`, to be stopped and started again."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path


class Hosted:
    """A house that is served on a port of its own; stopping and starting keeps its record."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.database = folder / "house.db"
        self.port = free_port()
        self._more = more
        self._process: subprocess.Popen[str] | None = None
        self._listener: threading.Thread | None = None
        self.printed: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        served = [sys.executable, "-m", "kitchentable.cli", "serve", "--data", str(self.database)]
        return [*served, "--host", "127.0.0.1", "--port", str(self.port), *self._more]

    def start(self) -> None:
        self.printed = []
        self._process = subprocess.Popen(
            self.command(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
            except OSError:
                assert self._process.poll() is None, "".join(self.printed)
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the house did not open: " + "".join(self.printed))

    def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        with self._process.stdout as said:
            for line in said:
                self.printed.append(line)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(30)
        assert self._listener is not None
        self._listener.join(15)

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
    """A port that stays free while its house is closed: none of those that a system hands out."""
    for port in random.sample(range(20_000, 30_000), 100):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("a hundred ports in a row are taken")
