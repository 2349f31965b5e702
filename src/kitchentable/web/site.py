"""The values that every route needs: the server, addresses, templates and locks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ParamSpec, TypeVar

from jinja2 import BytecodeCache
from litestar import Request

from kitchentable.app.odds import FOR_A_THROW, TooManyAsked
from kitchentable.app.server import Server
from kitchentable.app.table import Tables
from kitchentable.rules.errors import GameFault, UnknownGame
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Question
from kitchentable.web.assets import Assets
from kitchentable.web.csrf import Csrf
from kitchentable.web.limits import Tries
from kitchentable.web.proxies import Origin
from kitchentable.web.pulse import Pulse
from kitchentable.web.render import Renderer
from kitchentable.web.urls import is_at_table

#: Under these names `mark` puts the site, and a request's `Origin`, into the scope.
SITE = "kitchentable.site"
ORIGIN = "kitchentable.origin"

P = ParamSpec("P")
T = TypeVar("T")

#: This many pages of tables are remembered.
_MOST_SHOWN = 100
#: This many sub-paths are remembered; a server has one, or two while it moves.
_MOST_PREFIXES = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the web server.

    `root_path` is the path below which the server is reached ("" or "/table"). `public_url` is the
    address that links and QR codes name; left out, it is the one a request came to. `trusted` are
    the networks of reverse proxies whose word about the client is taken ("*": anybody's, for a
    socket that only the proxy can reach). `keep_alive` is how many seconds a quiet stream lets pass
    between two signs of life. `largest_form` is in bytes.

    >>> Settings(root_path="/table").root_path
    '/table'
    """

    root_path: str = ""
    public_url: str = ""
    trusted: tuple[str, ...] = ()
    keep_alive: float = 20.0
    largest_form: int = 512_000
    #: Whether webhooks may go to addresses in private networks.
    private_webhooks: bool = False
    #: Wrong keys that one address may present at once, and how many it gets back in a minute.
    attempts: int = 20
    attempts_per_minute: float = 10.0
    #: Connections that one address may hold at once; six for each browser that plays there.
    connections: int = 200
    #: Seconds until the head of a request has come.
    request_within: float = 15.0


@dataclass(frozen=True, slots=True)
class Site:
    """The values that every route needs."""

    server: Server
    settings: Settings
    assets: Assets
    csrf: Csrf
    tries: Tries
    knocks: Tries
    #: Heartbeats of all streams.
    pulse: Pulse
    compiled: BytecodeCache | None = None
    #: What the headers of pages say, for the fast path.
    pages: dict[Hashable, Any] = field(default_factory=dict)
    #: The regions of the last pages of a table, by their cursors, until their streams begin.
    shown: dict[str | None, dict[str, Any]] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _renderers: dict[str, Renderer] = field(default_factory=dict)
    #: One thread: however many pages are asked for, the loop shares the processor with one.
    _drawing: ThreadPoolExecutor = field(
        default_factory=partial(ThreadPoolExecutor, 1, thread_name_prefix="drawing")
    )
    #: One thread for work of seconds, so that it keeps no thread that reads the database.
    _working: ThreadPoolExecutor = field(
        default_factory=partial(ThreadPoolExecutor, 1, thread_name_prefix="working")
    )

    async def beside(self, draw: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> T:
        """The result of `draw`, run in the thread that renders pages."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._drawing, partial(draw, *arguments, **named))

    async def at_length(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> T:
        """The result of `work` of seconds, run in the thread for such work, one after another."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._working, partial(work, *arguments, **named))

    def solve_later(self, campaign: str, seat: str, questions: Sequence[Question]) -> None:
        """Solve odds for which no request waits; the seat's pages then show them."""

        async def solve() -> None:
            odds = self.server.tables.odds
            with suppress(TooManyAsked):
                if await odds.work_out(f"{campaign}/{seat}", questions, FOR_A_THROW):
                    self.pulse.look_again(campaign, seat)

        task = asyncio.create_task(solve())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def remember(self, cursor: str, regions: dict[str, Any]) -> None:
        """Keep the regions of a page until its stream begins, which then sends the changed ones."""
        self.shown[cursor] = regions
        while len(self.shown) > _MOST_SHOWN:
            del self.shown[next(iter(self.shown))]

    def renderer(self, prefix: str) -> Renderer:
        """The pages below a prefix; of those that are used, the last few are remembered."""
        found = self._renderers.get(prefix)
        if found is None:
            found = Renderer(self.assets, prefix, compiled=self.compiled, find_game=self._game)
            self._renderers[prefix] = found
            while len(self._renderers) > _MOST_PREFIXES:
                del self._renderers[next(iter(self._renderers))]
        return found

    def _game(self, name: str) -> Game | None:
        """A game; none where it is not to be read."""
        try:
            return self.server.local_games.load(name)
        except (GameFault, UnknownGame):
            return None


def mark(scope: Any, site: Site, origin: Origin) -> None:
    """Put the site and the origin into the scope of a request, and its path below the prefix.

    A proxy may have taken the prefix off already.
    """
    path, prefix = scope["path"], origin.prefix
    if prefix and (path == prefix or path.startswith(f"{prefix}/")):
        path = path[len(prefix) :] or "/"
    scope[SITE], scope[ORIGIN], scope["scheme"] = site, origin, origin.scheme
    scope["path"], scope["root_path"] = path, ""


class Asked(Request[Any, Any, Any]):
    """A request as our routes get it, with the site that it came to."""

    @property
    def site(self) -> Site:
        """The values that every route needs."""
        scope: Any = self.scope
        site: Site = scope[SITE]
        return site

    @property
    def server(self) -> Server:
        """The server's work outside of play, and its tables."""
        return self.site.server

    @property
    def tables(self) -> Tables:
        """Every campaign of the server."""
        return self.site.server.tables

    @property
    def origin(self) -> Origin:
        """The request's way in."""
        scope: Any = self.scope
        origin: Origin = scope[ORIGIN]
        return origin

    @property
    def renderer(self) -> Renderer:
        """The pages as this request's browser addresses them."""
        return self.site.renderer(self.origin.prefix)

    def path_to(self, name: str, /, **parameters: Any) -> str:
        """The path of a page; one at this request's table, where both have to do with a table."""
        if is_at_table(name):
            parameters = {
                "campaign": self.scope.get("path_params", {}).get("campaign"),
                **parameters,
            }
        return self.renderer.url(name, **parameters)
