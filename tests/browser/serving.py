"""A server in a thread of this process, so that tests can reach its objects."""

from __future__ import annotations

import asyncio
import shlex
import socket
import threading
import time
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from kitchentable.app.scriptverbs import Stage, command
from kitchentable.app.server import Server
from kitchentable.app.table import Handled
from kitchentable.store import MemoryStore
from kitchentable.web.run import make_http_server
from kitchentable.web.site import Settings
from tests.compiled import ASSETS, COMPILED

T = TypeVar("T")
PATIENCE = 30


class Served:
    """A server in memory with its pages on a port; whoever tests them can also play at its tables.

    Everything that changes the server runs in the loop that serves it.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.server = Server(MemoryStore())
        # Listening from now on: nobody else gets the port while the pages are made ready.
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._server = make_http_server(self.server, settings, assets=ASSETS, compiled=COMPILED)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        until = time.monotonic() + PATIENCE
        while not self._server.started:
            assert time.monotonic() < until, "the server did not open"
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self.server.tables.hub.close)
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self.server.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._server.serve([self._listener]))
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def wait_for(self, doing: Coroutine[Any, Any, T]) -> T:
        """Do something in the loop that serves the server."""
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(PATIENCE)


class Played:
    """A campaign in a served server, at which a test plays line by line, as in a playthrough."""

    def __init__(self, served: Served, campaign: str) -> None:
        self.served = served
        self.stage = Stage(served.server, "toast", campaign)
        self._cookies: dict[str, str] = {}
        for seat in self._campaign().table.seats.values():
            self.stage.seats[seat.name] = seat.id

    @property
    def campaign(self) -> str:
        return self.stage.campaign

    @property
    def address(self) -> str:
        return f"{self.served.address}/t/{self.campaign}"

    def _campaign(self) -> Any:
        return self.served.server.tables.campaign(self.campaign)

    def play(self, script: str) -> Handled:
        """Do every line: `Mara> task trait=aim`. What the last one brought."""
        done = Handled((), False)
        for line in filter(None, map(str.strip, script.splitlines())):
            who, _, what = line.partition("> ")
            sent = command(self.stage, who, shlex.split(what))
            done = self.do(sent)
        return done

    def do(self, sent: Any) -> Handled:
        """Hand in one command."""
        return self.served.wait_for(self.served.server.tables.handle(self.campaign, sent))

    def entity(self, name: str) -> str:
        return self.stage.entity(name)

    def link(self, who: str) -> str:
        """A fresh link of somebody's seat."""
        key = self.served.server.keys.issue("seat-link", self.campaign, self.stage.seat(who))
        return f"{self.served.address}/s/{key}"

    def cookie(self, who: str) -> dict[str, Any]:
        """The cookie of the device that sits in somebody's seat, for a browser's context."""
        if who not in self._cookies:
            key = self.served.server.keys.issue("seat", self.campaign, self.stage.seat(who))
            self._cookies[who] = key
        return {
            "name": "kt_seat",
            "value": self._cookies[who],
            "domain": "127.0.0.1",
            "path": f"/t/{self.campaign}",
        }
