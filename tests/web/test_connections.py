"""Connections over real sockets: nobody shuts others out by opening many, or by asking slowly."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from kitchentable.app.server import Server
from kitchentable.store import MemoryStore
from kitchentable.web.connections import Limits, limited
from kitchentable.web.run import make_http_server
from kitchentable.web.site import Settings
from tests.compiled import ASSETS, COMPILED

MOST = 5
SOON = 0.2
ASK = b"GET / HTTP/1.1\r\nhost: table.example\r\n"
DONE = b"\r\n"


class Slow:
    """Answers each request once it is told to."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def __call__(self, scope, receive, send):
        await self.may_answer.wait()
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


class Client:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def says(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def hears(self) -> bytes:
        """The head of an answer; b"" where the connection was closed instead."""
        try:
            head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 60)
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""
        if b"200 OK" in head:
            await self.reader.readexactly(2)
        return head.split(b"\r\n")[0]

    async def is_closed(self) -> bool:
        """Whether nothing more comes; it waits for the end."""
        return await asyncio.wait_for(self.reader.read(), 60) == b""

    def close(self) -> None:
        self.writer.close()


class Served:
    """A server of its own, with its connections."""

    def __init__(self, app: Slow, port: int) -> None:
        self.app, self.port = app, port
        self.clients: list[Client] = []

    async def client(self, address: str = "127.0.0.1") -> Client:
        """A connection from an address of this machine."""
        both = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        self.clients.append(Client(*both))
        return self.clients[-1]


@asynccontextmanager
async def served(base: type, servers: int = 1, **limits) -> AsyncIterator[Served]:
    settings = Settings(**{"connections": MOST, "request_within": SOON} | limits)
    app = Slow()
    protocol = limited(base, settings, lambda: servers)
    config = uvicorn.Config(app, http=protocol, lifespan="off", log_level="error", ws="none")
    http = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running = asyncio.create_task(http.serve(sockets=[listener]))
        server = Served(app, listener.getsockname()[1])
        yield server
        for one in server.clients:
            one.close()
            with suppress(ConnectionError):
                await one.writer.wait_closed()
        http.should_exit = http.force_exit = True
        await running


both = pytest.mark.parametrize("base", [H11Protocol, HttpToolsProtocol])


@both
def test_one_address_has_so_many_connections_and_others_come_in(base):
    async def play() -> None:
        async with served(base, request_within=30) as server:
            mine = [await server.client() for _ in range(MOST)]
            await mine[0].says(ASK + DONE)
            assert await mine[0].hears() == b"HTTP/1.1 200 OK"
            one_more = await server.client()
            assert await one_more.hears() == b"HTTP/1.1 429 Too Many Requests"
            other = await server.client("127.0.0.2")
            await other.says(ASK + DONE)
            assert await other.hears() == b"HTTP/1.1 200 OK"
            mine[1].close()
            heard = b""
            async with asyncio.timeout(60):
                while heard != b"HTTP/1.1 200 OK":
                    again = await server.client()
                    with suppress(ConnectionError):
                        await again.says(ASK + DONE)
                    heard = await again.hears()

    asyncio.run(play())


@pytest.mark.parametrize(("most", "share"), [(30, 15), (20, 12)])
def test_servers_of_one_database_share_the_connections_of_an_address(most, share):
    async def play() -> None:
        async with served(H11Protocol, 2, connections=most, request_within=30) as server:
            for _ in range(share):
                mine = await server.client()
            await mine.says(ASK + DONE)
            assert await mine.hears() == b"HTTP/1.1 200 OK"
            assert await (await server.client()).hears() == b"HTTP/1.1 429 Too Many Requests"

    asyncio.run(play())


@both
def test_a_trusted_proxy_opens_connections_for_everybody(base):
    async def play() -> None:
        async with served(base, request_within=30, trusted=("127.0.0.0/8",)) as server:
            for one in [await server.client() for _ in range(3 * MOST)]:
                await one.says(ASK + DONE)
                assert await one.hears() == b"HTTP/1.1 200 OK"

    asyncio.run(play())


@both
@pytest.mark.parametrize("begun", [b"", b"GET", ASK])
def test_a_request_that_does_not_come_is_not_waited_for(base, begun):
    async def play() -> None:
        async with served(base) as server:
            one = await server.client()
            await one.says(begun)
            assert await one.is_closed()

    asyncio.run(play())


@both
def test_a_request_that_comes_drop_by_drop_is_not_waited_for(base):
    async def play() -> None:
        async with served(base) as server:
            one = await server.client()
            await one.says(ASK)

            async def drops() -> None:
                while True:
                    await one.says(b"x: y\r\n")
                    await asyncio.sleep(SOON / 10)

            dropping = asyncio.create_task(drops())
            assert await one.hears() == b""
            dropping.cancel()

    asyncio.run(play())


@both
def test_neither_a_slow_answer_nor_a_quiet_page_is_cut_off(base):
    async def play() -> None:
        async with served(base) as server:
            server.app.may_answer.clear()
            one = await server.client()
            await one.says(ASK + DONE)
            await asyncio.sleep(2 * SOON)
            server.app.may_answer.set()
            assert await one.hears() == b"HTTP/1.1 200 OK"
            await asyncio.sleep(2 * SOON)
            await one.says(ASK + DONE)
            assert await one.hears() == b"HTTP/1.1 200 OK", "a browser keeps it for the next"
            await one.says(b"GET")
            assert await one.is_closed(), "the next has to come in time as well"

    asyncio.run(play())


def test_a_server_runs_within_its_limits():
    server = Server(MemoryStore())
    settings = Settings(connections=7)
    http = make_http_server(server, settings, assets=ASSETS, compiled=COMPILED)
    protocol = http.config.http
    assert issubclass(protocol, Limits)
    assert protocol.settings is settings
    server.close()
