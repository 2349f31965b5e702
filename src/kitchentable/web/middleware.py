"""ASGI middleware around all routes: the origin of a request, and the headers of every response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litestar import Litestar
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kitchentable.web.auth import look_up_keys
from kitchentable.web.fast_path import answer_again, answer_fast
from kitchentable.web.proxies import ORIGIN_HEADERS, Origin, read_origin
from kitchentable.web.security import with_own_headers
from kitchentable.web.site import ORIGIN, Asked, Site, mark


@dataclass(frozen=True, slots=True)
class Middleware:
    """The ASGI application of a server; `router` has its routes."""

    router: Litestar
    site: Site

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request in, and its answer out."""
        if scope["type"] != "http":
            await self.router(scope, receive, send)
            return
        answer = await answer_again(self.site, scope, receive, send)
        if answer is not None:
            await answer(scope, receive, send)
            return
        mark(scope, self.site, self._origin(scope))
        if scope["method"] == "HEAD":
            await _head(self._answer, scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer on the fast path, or else by a route."""
        answer = await answer_fast(scope, receive, send)
        if answer is not None:
            await answer(scope, receive, send)
            return
        await look_up_keys(Asked(scope))
        await self.router(scope, receive, with_own_headers(send, secure=scope[ORIGIN].secure))

    def _origin(self, scope: Scope) -> Origin:
        client = scope.get("client")
        return read_origin(
            tuple([header for header in scope["headers"] if header[0] in ORIGIN_HEADERS]),
            client[0] if client else "",
            scope["scheme"],
            scope.get("root_path") or self.site.settings.root_path,
            tuple(self.site.settings.trusted),
        )


async def _head(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer HEAD as GET without the body; a stream ends at once."""
    started = False

    async def listen() -> Any:
        return {"type": "http.disconnect"} if started else await receive()

    async def bodiless(message: Message) -> None:
        nonlocal started
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            started = True

    # Without extensions: nothing is written past `bodiless`.
    await app({**scope, "method": "GET", "extensions": {}}, listen, bodiless)  # type: ignore[arg-type]
