"""Connections below HTTP: limits for each address and request, and a fast path for streams.

uvicorn has no such limits. Its `limit_concurrency` counts the idle connections and open feeds of
all clients together, so one client with many connections could lock out all others.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

from kitchentable.web.limits import network
from kitchentable.web.proxies import is_trusted
from kitchentable.web.site import Settings

#: An address may hold this many connections on each of however many servers: two browsers' worth.
_FEWEST = 12
_SENTENCE = "Your address has too many open connections. Close some pages, then reload this one."
_REFUSAL = (
    "HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\n"
    "content-type: text/plain; charset=utf-8\r\n"
    f"content-length: {len(_SENTENCE)}\r\nretry-after: 10\r\n\r\n{_SENTENCE}"
).encode("ascii")


#: The extension of a request's scope that writes pieces of a streamed response at once.
PIPE = "kitchentable.pipe"


class Pipe:
    """Writes pieces of a chunked response after its head, while the client keeps up."""

    __slots__ = ("_flow", "_transport")

    def __init__(self, transport: asyncio.Transport, flow: Any) -> None:
        self._transport, self._flow = transport, flow

    def write(self, piece: bytes) -> bool:
        """Write a piece; False where the client is behind or gone, and nothing was written."""
        if self._flow.write_paused or self._transport.is_closing():
            return False
        self._transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        return True


def pipe_of(scope: Any) -> Pipe | None:
    """The pipe of a request, where the server has one."""
    pipe: Pipe | None = (scope.get("extensions") or {}).get(PIPE)
    return pipe


class Limits(asyncio.Protocol):
    """A connection of one address, over uvicorn's protocol; closed when its request takes too long.

    The base class is uvicorn's, which defines the attributes declared here without a value.
    """

    settings: Settings
    servers: Callable[[], int]
    held: Counter[str]
    client: tuple[str, int] | None
    cycle: Any
    flow: Any
    scope: dict[str, Any]
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport

    _address = ""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, unless a proxy opens it for others; refuse one too many."""
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        if peer and not is_trusted(peer, self.settings.trusted):
            self._address = network(peer)
            self.held[self._address] += 1
        if self.held[self._address] > self._most():
            self.transport.write(_REFUSAL)
            self.transport.close()
        else:
            self._set_deadline()

    def data_received(self, data: bytes) -> None:
        """Read on; between two requests, the next one has so long again."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._unset_deadline()
        elif self._deadline is None:
            self._set_deadline()

    def on_message_begin(self) -> None:
        """Begin a request that httptools reads, with the short way for streams."""
        above: Any = super()
        above.on_message_begin()
        # Kept in the scope: with more than 30 attributes each connection takes 2 kB more.
        self.scope["extensions"] = {PIPE: Pipe(self.transport, self.flow)}

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._unset_deadline()
        if self._address:
            self.held[self._address] -= 1
            if not self.held[self._address]:
                del self.held[self._address]
        super().connection_lost(exc)

    def _most(self) -> int:
        """The share of this server in the connections that an address may hold."""
        most, servers = self.settings.connections, self.servers()
        return most if servers == 1 else max(_FEWEST, most // servers)

    def _set_deadline(self) -> None:
        within = self.settings.request_within
        self._deadline = self.loop.call_later(within, self.transport.close)

    def _unset_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def limited(
    base: type[asyncio.Protocol], settings: Settings, servers: Callable[[], int] = lambda: 1
) -> type[asyncio.Protocol]:
    """A subclass of one of uvicorn's protocols, with the limits of a server's settings.

    `servers` gives the number of servers that share the limit on connections.
    """
    own = {"settings": settings, "servers": staticmethod(servers), "held": Counter()}
    return type("Limited", (Limits, base), own)
