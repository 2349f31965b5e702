"""Visitors for tests of pages, each with cookies of their own, and the server they use."""

import asyncio
import functools
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx
from litestar import Litestar
from litestar.testing import TestClient

from kitchentable.app.odds import OddsProcess
from kitchentable.app.server import Server
from kitchentable.rules.moves import Question
from kitchentable.rules.table import Seat
from kitchentable.store import MemoryStore
from kitchentable.web.application import make_app
from kitchentable.web.connections import PIPE
from kitchentable.web.middleware import Middleware
from kitchentable.web.site import Settings
from tests.compiled import ASSETS, COMPILED

BASE = "http://table.example"
TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')
#: Seconds that a feed is waited for, on however busy a machine.
PATIENCE = 60
COMMAND = re.compile(r'name="command" value="([^"]+)"')


#: Routes that nobody uses just now, by the largest form they take. Making them is most of what a
#: server costs to open, and nothing of a server stays in them.
EMPTY: dict[int, list[Litestar]] = {}


class Clock:
    """Seconds that only move when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Transport(httpx.BaseTransport):
    """Takes each request to the application, in its own thread, in one step."""

    def __init__(self, client: TestClient[Middleware]) -> None:
        self._client = client

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url, host = request.url, request.headers["host"]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": url.scheme,
            "path": url.path,
            "raw_path": url.raw_path,
            "query_string": url.query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": ("testclient", 50000),
            "server": (host.partition(":")[0], url.port or 80),
        }
        with self._client.portal() as portal:
            status, headers, body = portal.call(self._answer, scope, request.read())
        stream = httpx.ByteStream(body)
        return httpx.Response(status, headers=headers, stream=stream, request=request)

    async def _answer(
        self, scope: Any, body: bytes
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        asked = [{"type": "http.request", "body": body, "more_body": False}]
        answered = asyncio.Event()
        messages: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            if not asked:
                await answered.wait()
                return {"type": "http.disconnect"}
            return asked.pop()

        async def send(message: dict[str, Any]) -> None:
            messages.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                answered.set()

        await self._client.app(scope, receive, send)
        start, *parts = messages
        return start["status"], start["headers"], b"".join(one.get("body", b"") for one in parts)


class Visitor(httpx.Client):
    """Somebody with a browser: it keeps cookies, and sends forms as our own pages do.

    Answers are not compressed, unless a test asks for it: that would be a tenth of the work.
    """

    def __init__(self, transport: httpx.BaseTransport, base: str = BASE, **headers: str) -> None:
        asks = {"accept": "text/html", "accept-encoding": "identity", **headers}
        super().__init__(transport=transport, base_url=base, headers=asks)
        self._kept: tuple[list[str | None], str] = ([], "")

    def token(self) -> str:
        """A token for a form, as a page of ours holds it."""
        return TOKEN.findall(self.get("/help").text)[0]

    def kept_token(self) -> str:
        """The token of a page that was opened before, as long as this is the same browser."""
        known = [one.value for one in self.cookies.jar if one.name == "kt_browser"]
        if not known or self._kept[0] != known:
            token = self.token()
            known = [one.value for one in self.cookies.jar if one.name == "kt_browser"]
            self._kept = (known, token)
        return self._kept[1]

    def fill(self, path: str, /, **fields: Any) -> httpx.Response:
        """Send a form of ours without a script."""
        names = {name.replace("__", "."): value for name, value in fields.items()}
        return self.post(path, data={"_csrf_token": self.kept_token(), **names})

    def script(self, method: str, path: str, /, **fields: Any) -> httpx.Response:
        """As a page's script does it."""
        names = {name.replace("__", "."): value for name, value in fields.items()}
        headers = {"hx-request": "true", "x-csrftoken": self.kept_token()}
        if method == "GET":
            return self.get(path, params=names, headers=headers)
        return self.post(path, data=names, headers=headers)


class Visited:
    """A server with the ready campaign of a game, and people who have sat down at it."""

    def __init__(
        self, server: Server, campaign: str, app: Middleware, client: TestClient[Middleware]
    ) -> None:
        self.server = server
        self.campaign = campaign
        self.app = app
        self.client = client
        self._transport = Transport(client)
        self.t = f"/t/{campaign}"

    @property
    def seats(self) -> dict[str, Seat]:
        """The seats by name."""
        return {
            one.name: one for one in self.server.tables.campaign(self.campaign).table.seats.values()
        }

    def entity(self, name: str) -> str:
        """The id of somebody in play."""
        entities = self.server.tables.campaign(self.campaign).table.entities
        return next(one.id for one in entities.values() if one.name == name)

    def stranger(self, base: str = BASE, **headers: str) -> Visitor:
        """Somebody whom nobody knows yet."""
        return Visitor(self._transport, base, **headers)

    def sits(self, name: str, base: str = BASE, **headers: str) -> Visitor:
        """Somebody who has opened the link of a seat."""
        key = self.server.keys.issue("seat-link", self.campaign, self.seats[name].id)
        one = self.stranger(base, **headers)
        assert one.get(f"/s/{key}").status_code == 303
        return one

    def host(self, base: str = BASE) -> Visitor:
        """Somebody who has opened the host's link."""
        one = self.stranger(base)
        assert one.fill("/host", key=self.server.keys.issue("host-link")).status_code == 303
        return one

    def kinds(self) -> list[str]:
        """The kinds of everything that has happened, in order."""
        return [event.kind for event in self.server.tables.campaign(self.campaign).events]


@functools.cache
def ready_record(game: str) -> MemoryStore:
    """The record of a server in which a game's example has just been opened."""
    server = Server(MemoryStore())
    asyncio.run(server.open_example(game))
    server.tables.dice_sources.put_back()
    return server.store


class PatientOdds(OddsProcess):
    """Odds that a page waits for, however busy the machine is."""

    async def work_out(
        self, asker: str, questions: Iterable[Question], seconds: float = 60.0
    ) -> bool:
        return await super().work_out(asker, questions, max(seconds, 60.0))


@functools.cache
def odds_apart() -> OddsProcess:
    """Works out the odds of every server that is visited, as a running server does."""
    return PatientOdds()


@contextmanager
def visit(
    settings: Settings | None = None,
    clock: Callable[[], float] | None = None,
    server: Server | None = None,
    game: str = "toast",
) -> Iterator[Visited]:
    """A server, in memory if need be, with a game's ready campaign, open to visitors."""
    server = server or Server(MemoryStore(ready_record(game)))
    server.tables.odds = server.aside = odds_apart()
    campaign = asyncio.run(server.open_example(game))
    empty = EMPTY.setdefault((settings or Settings()).largest_form, [])
    app = make_app(
        server,
        settings,
        assets=ASSETS,
        clock=clock or Clock(),
        compiled=COMPILED,
        router=empty.pop() if empty else None,
    )
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield Visited(server, campaign, app, client)
    empty.append(app.router)
    server.close()


class Feed:
    """An open feed, read message by message."""

    def __init__(self, messages: "asyncio.Queue[dict[str, Any]]") -> None:
        self._messages = messages
        self._rest = ""
        self.status = 0
        self.headers: dict[str, str] = {}

    async def opened(self) -> "Feed":
        """Wait until the answer has begun."""
        start = await asyncio.wait_for(self._messages.get(), PATIENCE)
        self.status = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return self

    async def message(self, within: float = PATIENCE) -> dict[str, str]:
        """The next message: its event ("" for none), its data and its id."""
        while "\n\n" not in self._rest:
            part = await asyncio.wait_for(self._messages.get(), within)
            if not part.get("more_body"):
                raise EOFError
            self._rest += part["body"].decode()
        text, self._rest = self._rest.split("\n\n", 1)
        found = {"event": "", "data": "", "id": ""}
        for line in text.split("\n"):
            name, _, value = line.partition(": ")
            found[name] = f"{found[name]}\n{value}" if name == "data" and found["data"] else value
        return found

    async def until(self, event: str) -> list[dict[str, str]]:
        """Every message up to and with one of that event."""
        found = [await self.message()]
        while found[-1]["event"] != event:
            found.append(await self.message())
        return found

    async def silent(self, seconds: float) -> bool:
        """Whether nothing comes for so long."""
        try:
            await self.message(seconds)
        except TimeoutError:
            return True
        return False


@asynccontextmanager
async def feed(
    app: Middleware,
    path: str,
    cookies: str,
    last: str = "",
    takes: Callable[[], bool] = lambda: True,
) -> AsyncIterator[Feed]:
    """Open a feed straight at the application, as a browser with these cookies does.

    `takes` says whether the connection takes a message at once, or it has to be awaited.
    """
    path, _, query = path.partition("?")
    headers = [(b"host", b"table.example"), (b"cookie", cookies.encode())]
    if last:
        headers.append((b"last-event-id", last.encode()))
    gone = asyncio.Event()
    messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    class AtOnce:
        """Stands for the connection's `Pipe`."""

        def write(self, piece: bytes) -> bool:
            if taken := takes():
                message = {"type": "http.response.body", "body": piece, "more_body": True}
                messages.put_nowait(message)
            return taken

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "extensions": {PIPE: AtOnce()},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("192.0.2.1", 40000),
        "server": ("table.example", 80),
    }
    task = asyncio.create_task(app(scope, receive, messages.put))
    try:
        yield await Feed(messages).opened()
    finally:
        gone.set()
        await asyncio.wait_for(task, PATIENCE)


def cookies_of(visitor: Visitor) -> str:
    """A visitor's cookies, whatever path they are for."""
    return "; ".join(f"{one.name}={one.value}" for one in visitor.cookies.jar)
