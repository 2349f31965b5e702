"""The HTTP server of one process."""

from __future__ import annotations

import asyncio
import gc
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn
from jinja2 import BytecodeCache
from litestar import Litestar
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from kitchentable.app.attend import attend
from kitchentable.app.server import Server
from kitchentable.web.application import make_app
from kitchentable.web.assets import Assets
from kitchentable.web.connections import limited
from kitchentable.web.site import Settings, Site

#: The garbage collector stops every thread, so it looks at few objects at once; at old ones
#: seldom, because a table's values live for an evening.
_COLLECT = (2_000, 20, 2_000)
#: Seconds that one thread may keep the others waiting.
_TURN = 0.0002
#: Seconds that answers still on their way get when the server stops.
_GRACE = 3
#: Files that a server may have open, where the system allows that many: each connection is one.
_FILES = 65_536


class HttpServer(uvicorn.Server):
    """A uvicorn server that ends every feed before it stops.

    uvicorn waits for open responses before it tells the application that it stops, and a feed never
    ends by itself.
    """

    def __init__(self, config: uvicorn.Config, server: Server, site: Site) -> None:
        super().__init__(config)
        self._server = server
        self._site = site

    def run(
        self,
        sockets: list[socket.socket] | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Serve until stopped; games are loaded and templates compiled in the meantime.

        `stopped` says whether a signal to stop has come before this.
        """
        renderer = self._site.renderer(self._site.settings.root_path)

        def warm() -> None:
            # The host's page, which is often the first, needs every game.
            try:
                self._server.local_games.every()
            finally:
                renderer.warm()

        threading.Thread(target=warm, name="pages", daemon=True).start()
        # From before the loop begins: what a handler raises inside the loop can be lost in there.
        with self.capture_signals():
            if not stopped():
                super().run(sockets)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve in a running event loop, with odds solved beside it; at the end save snapshots."""
        tables = self._server.tables
        sending = self._server.webhooks.sending(private=self._site.settings.private_webhooks)
        with self._server.odds_apart(), sending:
            beside = [asyncio.create_task(one) for one in (tables.keep(), attend(tables))]
            try:
                await super().serve(sockets)
            finally:
                for task in beside:
                    task.cancel()
                await asyncio.wait(beside)
            await tables.let_go(idle=0)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal to stop: end every feed, then HTTP; the caller closes `Server`.

        uvicorn itself would raise the signal again afterwards, and nobody would come to close.
        """
        self._server.tables.hub.close()
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True


def make_http_server(
    server: Server,
    settings: Settings | None = None,
    *,
    assets: Assets | None = None,
    compiled: BytecodeCache | None = None,
    router: Litestar | None = None,
) -> HttpServer:
    """The HTTP server for a server's pages, not running yet; `serve` runs it in an event loop.

    Where uvloop and httptools are installed, they are used. The path of a request may hold a key,
    so requests are not logged. `assets`, `compiled` and `router` are for callers with many servers.
    """
    app = make_app(server, settings, assets=assets, compiled=compiled, router=router)
    config = uvicorn.Config(
        app,
        http=limited(AutoHTTPProtocol, app.site.settings, lambda: server.tables.others.servers),
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=75,
        h11_max_incomplete_event_size=64 * 1024,
    )
    return HttpServer(config, server, app.site)


def settle_down() -> None:
    """Prepare the process for serving: garbage collector, thread switching, open files.

    Objects loaded so far are never collected, collections are rarer, the writing thread gets its
    turn soon while the event loop is busy, and many connections may be open.
    """
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files < _FILES:
        wanted = _FILES if most == resource.RLIM_INFINITY else min(_FILES, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)
    sys.setswitchinterval(_TURN)
