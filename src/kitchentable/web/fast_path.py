"""Fast path for chat lines and the event stream, handled below litestar's router.

Both make up nearly all of the traffic. They pass the same guard, the same functions and the same
refusals as the routes. All other requests go on to the routes, as does a chat line from a page
without its script, which is answered with a page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from litestar.types import ASGIApp, Receive, Send

from kitchentable.dice.errors import BadInput
from kitchentable.web.answers import is_script
from kitchentable.web.at_table import AtTable, what_follows
from kitchentable.web.auth import look_up_keys
from kitchentable.web.chat import speak
from kitchentable.web.connections import pipe_of
from kitchentable.web.errors import BadForm
from kitchentable.web.feed import QueueScreen, Screen, watcher_of
from kitchentable.web.forms import keep_form, read_query
from kitchentable.web.guard import (
    check_sent_from_here,
    check_token,
    is_guarded,
    tell,
)
from kitchentable.web.security import dressed, headers_once, with_headers
from kitchentable.web.site import ORIGIN, Asked
from kitchentable.web.streams import Stream, check_screens
from kitchentable.web.urls import pattern

_SAY, _FEED = pattern("say"), pattern("table_feed")
_LASTING = ("type", "http_version", "method", "client", "path", "query_string")
_FORM = "application/x-www-form-urlencoded"
_EMPTY = ((b"content-length", b"0"), (b"content-type", b"text/html; charset=utf-8"))


class Caller(AtTable):
    """A request on the fast path.

    Its headers are read once; of a name that comes twice the first value counts, as in the routes.
    """

    __slots__ = ("_told",)

    def __init__(self, scope: Any, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._told = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in reversed(scope["headers"])
        }

    @property
    def headers(self) -> Any:
        """The headers by their names, in small letters."""
        return self._told


async def answer_fast(scope: Any, receive: Receive, send: Send) -> ASGIApp | None:
    """The response on the fast path, refusals included; None for a request that a route answers."""
    method, path = scope["method"], scope["path"]
    handing: Callable[[AtTable, str], Awaitable[ASGIApp]]
    if method == "POST" and (found := _SAY.fullmatch(path)):
        handing = take_line
    elif method == "GET" and (found := _FEED.fullmatch(path)):
        handing = give_news
    else:
        return None
    campaign = found[1]
    scope["path_params"], scope["state"] = {"campaign": campaign}, {}
    request = Caller(scope, receive, send)
    if handing is take_line and not _is_a_scripts(request):
        return None
    try:
        return await handing(request, campaign)
    except Exception as error:  # noqa: BLE001 - whatever it was, whoever asked is told
        return _told(tell(request, error).to_asgi_response(None, request))


async def take_line(request: AtTable, campaign: str) -> ASGIApp:
    """Take a chat line; pages get the result from the feed."""
    keep_form(request, await _body(request.receive))
    if is_guarded(request):
        check_sent_from_here(request)
        await check_token(request)
    request.sit(known=True)
    await request.server.tables.load(campaign)
    try:
        cookie = await speak(request)
    except BadInput:
        # A refusal may tell of the table: it is for those alone whose key is in force now.
        await look_up_keys(request)
        request.sit()
        raise
    if cookie is not None:
        # The page shows it where dice are typed.
        return _empty({"HX-Refresh": "true", "Set-Cookie": cookie.to_header(header="")})
    return _empty(what_follows(request, campaign))


async def give_news(request: AtTable, campaign: str) -> ASGIApp:
    """The live feed, from where this browser stopped."""
    await look_up_keys(request)
    watcher = watcher_of(request, request.sit())
    await watcher.site.server.tables.ready(campaign)
    check_screens(watcher)
    asked = read_query(request)
    cursor = request.headers.get("last-event-id") or asked.one("after") or None
    screen = (QueueScreen if asked.ticked("queue") else Screen)(watcher)
    pipe = pipe_of(request.scope)
    stream = Stream(screen, cursor, secure=request.origin.secure, pipe=pipe)
    _strip(request.scope)
    return stream


def _strip(scope: Any) -> None:
    """Drop what neither a stream nor a log of requests needs; it would be kept for hours."""
    scope["headers"].clear()
    kept = {name: scope[name] for name in _LASTING}
    scope.clear()
    scope.update(kept)


def _is_a_scripts(request: Asked) -> bool:
    """Whether a page's script sent a form, of a length that it says and that the server takes."""
    headers = request.headers
    length = headers.get("content-length", "")
    return (
        is_script(request)
        and headers.get("content-type", "").partition(";")[0].strip().lower() == _FORM
        and length.isascii()
        and length.isdigit()
        and int(length) <= request.site.settings.largest_form
    )


async def _body(receive: Receive) -> bytes:
    """All that was sent. Errors: BadForm where the sender went away in the middle."""
    body = b""
    more = True
    while more:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            raise BadForm("That form did not arrive whole, so nothing was done.")
        body += message["body"]
        more = message["more_body"]
    return body


def _told(app: ASGIApp) -> ASGIApp:
    """A refusal, with the headers that every answer has."""

    async def answer(scope: Any, receive: Receive, send: Send) -> None:
        await app(scope, receive, dressed(send, secure=scope[ORIGIN].secure))

    return answer


def _empty(headers: Mapping[str, str]) -> ASGIApp:
    """A response without a body."""
    said = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def answer(scope: Any, receive: Receive, send: Send) -> None:
        await _start(send, (*_EMPTY, *said), scope)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return answer


async def _start(send: Send, headers: tuple[tuple[bytes, bytes], ...], scope: Any) -> None:
    secure = scope[ORIGIN].secure
    told = (headers_once if headers == _EMPTY else with_headers)(headers, secure=secure)
    await send({"type": "http.response.start", "status": 200, "headers": told})
