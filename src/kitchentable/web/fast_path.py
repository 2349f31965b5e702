"""Fast path for chat lines and the event stream, handled below litestar's router.

Both make up nearly all of the traffic. They use the same guard, functions and refusals as the
routes. All other requests go to the routes, as does a chat line from a page without scripts, which
is answered with a page.

The headers of a page's lines are the same, except for the length. So they are read and checked
once (`Page`), and looked up by their bytes for the next line.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from litestar.types import ASGIApp, Receive, Send

from kitchentable.dice.errors import BadInput
from kitchentable.web.answers import is_script
from kitchentable.web.at_table import AtTable, what_follows
from kitchentable.web.auth import Sitting, look_up_keys
from kitchentable.web.chat import speak
from kitchentable.web.connections import pipe_of
from kitchentable.web.csrf import HEADER
from kitchentable.web.errors import BadForm
from kitchentable.web.feed import QueueScreen, Screen, Shown, watcher_of
from kitchentable.web.forms import keep_form, read_query
from kitchentable.web.guard import (
    check_sent_from_here,
    check_token,
    is_guarded,
    tell,
)
from kitchentable.web.proxies import Origin
from kitchentable.web.security import with_headers, with_own_headers
from kitchentable.web.site import Asked, Site, mark
from kitchentable.web.streams import Stream, check_screens
from kitchentable.web.urls import pattern

_SAY, _FEED = pattern("say"), pattern("table_feed")
#: The end of a line's path, and the name under which a scope has its `Page`'s key.
_END, CAME_AS = "/say", "kitchentable.came-as"
_LASTING = ("type", "http_version", "method", "client", "path", "query_string", "headers")
_FORM = "application/x-www-form-urlencoded"
#: This many pages are remembered, and the most characters of their headers.
_MOST_PAGES, _LONGEST_HEADERS = 1000, 4000
_EMPTY = ((b"content-length", b"0"), (b"content-type", b"text/html; charset=utf-8"))


@dataclass(frozen=True, slots=True)
class Page:
    """The headers that all lines of a page share, after they have passed the guard."""

    campaign: str
    headers: Mapping[str, str]
    cookies: dict[str, str]
    origin: Origin
    sitting: Sitting
    #: The response to a line with which nothing else is to do.
    response: ASGIApp


class Caller(AtTable):
    """A request on the fast path.

    Its headers are read once; of a name that comes twice the first value counts, as in the routes.
    """

    __slots__ = ("_told",)

    def __init__(self, scope: Any, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._told: Mapping[str, str] = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in reversed(scope["headers"])
        }

    @property
    def headers(self) -> Any:
        """The headers by their names, in small letters."""
        return self._told


class Line(Caller):
    """A line of a page that has sent one before: the parts of a request that a line needs."""

    __slots__ = ()

    def __init__(self, scope: Any, receive: Receive, send: Send, page: Page) -> None:
        self.scope, self.receive, self.send = scope, receive, send
        self._told, self._cookies, self._sitting = page.headers, page.cookies, page.sitting


async def answer_again(site: Site, scope: Any, receive: Receive, send: Send) -> ASGIApp | None:
    """The response to a line of a page that has sent one before; None for any other request."""
    if scope["method"] != "POST" or not scope["path"].endswith(_END):
        return None
    key, length = _read_headers(scope)
    scope[CAME_AS] = key
    page: Page | None = site.pages.get(key)
    if page is None or not _is_bounded(length, site):
        return None
    if page.sitting.key is None or site.server.keys.known(page.sitting.key) is None:
        return None
    mark(scope, site, page.origin)
    scope["path_params"], scope["state"] = {"campaign": page.campaign}, {}
    request = Line(scope, receive, send, page)
    try:
        keep_form(request, await _body(receive))
        return await _speak(request, page.response)
    except Exception as error:  # noqa: BLE001 - every error becomes a response
        return _refusal(Caller(scope, receive, send), error)


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
    except Exception as error:  # noqa: BLE001 - every error becomes a response
        return _refusal(request, error)


async def take_line(request: AtTable, campaign: str) -> ASGIApp:
    """Take a chat line; pages get the result from the feed."""
    keep_form(request, await _body(request.receive))
    if is_guarded(request):
        check_sent_from_here(request)
        await check_token(request)
    await look_up_keys(request)
    sitting = request.sit(known=True)
    origin, follows = request.origin, what_follows(request, campaign)
    response = _empty(tuple(follows.items()), origin.secure)
    # A token in the form, and not in a header, is checked for each line.
    if HEADER in request.headers or not is_guarded(request):
        headers, cookies = request.headers, request.cookies
        page = Page(campaign, headers, cookies, origin, sitting, response)
        _remember(request.site, request.scope, page)
    return await _speak(request, response)


async def _speak(request: AtTable, response: ASGIApp) -> ASGIApp:
    """Run the line of a form that has passed the guard; `response` is for one that is done."""
    tables = request.server.tables
    if tables.known(request.campaign) is None:
        await tables.load(request.campaign)
    try:
        cookie = await speak(request)
    except BadInput:
        # A refusal may tell of the table: it is for those alone whose key is in force now.
        request = Caller(request.scope, request.receive, request.send)
        await look_up_keys(request)
        request.sit()
        raise
    if cookie is None:
        return response
    # The page shows it where dice are typed.
    said = (("HX-Refresh", "true"), ("Set-Cookie", cookie.to_header(header="")))
    return _empty(said, request.origin.secure)


async def give_news(request: AtTable, campaign: str) -> ASGIApp:
    """The live feed, from where this browser stopped."""
    await look_up_keys(request)
    watcher = watcher_of(request, request.sit())
    await watcher.site.server.tables.ready(campaign)
    check_screens(watcher)
    asked = read_query(request)
    cursor = request.headers.get("last-event-id") or asked.one("after") or None
    screen: Shown = QueueScreen(watcher)
    if not asked.ticked("queue"):
        # What the page shows is known where it was made here; a stream that goes on is told all.
        screen = Screen(watcher, request.site.shown.pop(cursor, {}))
    pipe = pipe_of(request.scope)
    stream = Stream(screen, cursor, secure=request.origin.secure, pipe=pipe)
    _strip(request.scope)
    return stream


def _strip(scope: Any) -> None:
    """Drop all that neither a stream nor a log of requests needs, as streams last for hours.

    uvicorn looks for headers when the response begins, so their list stays, without any.
    """
    scope["headers"].clear()
    kept = {name: scope[name] for name in _LASTING}
    scope.clear()
    scope.update(kept)


def _read_headers(scope: Any) -> tuple[Hashable, bytes]:
    """The parts of a request that are the same in each line of a page, and the length it says."""
    length, said = b"", [scope["path"], scope["root_path"], scope["scheme"], scope["client"]]
    said[-1] = said[-1] and said[-1][0]
    for header in scope["headers"]:
        if header[0] == b"content-length" and not length:
            length = header[1]
        else:
            said.append(header)
    return tuple(said), length


def _remember(site: Site, scope: Any, page: Page) -> None:
    """Keep a page for its next lines; headers longer than those of any browser are not kept."""
    if sum([len(name) + len(value) for name, value in scope["headers"]]) > _LONGEST_HEADERS:
        return
    if len(site.pages) >= _MOST_PAGES:
        site.pages.clear()
    if CAME_AS in scope:
        site.pages[scope[CAME_AS]] = page


def _is_a_scripts(request: Asked) -> bool:
    """Whether a page's script sent a form, of a length that it says and that the server takes."""
    headers = request.headers
    return (
        is_script(request)
        and headers.get("content-type", "").partition(";")[0].strip().lower() == _FORM
        and _is_bounded(headers.get("content-length", "").encode("latin-1"), request.site)
    )


def _is_bounded(length: bytes, site: Site) -> bool:
    return length.isdigit() and int(length) <= site.settings.largest_form


async def _body(receive: Receive) -> bytes:
    """All that was sent. Errors: BadForm where the sender went away in the middle."""
    body = b""
    more = True
    while more:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            raise BadForm("The form did not arrive completely, so nothing was done. Send it again.")
        body += message["body"]
        more = message["more_body"]
    return body


def _refusal(request: Asked, error: Exception) -> ASGIApp:
    """A refusal, with the headers that every response has."""
    app = tell(request, error).to_asgi_response(None, request)

    async def answer(scope: Any, receive: Receive, send: Send) -> None:
        await app(scope, receive, with_own_headers(send, secure=request.origin.secure))

    return answer


@lru_cache(maxsize=64)
def _empty(headers: tuple[tuple[str, str], ...], secure: bool) -> ASGIApp:
    """A response without a body."""
    own = [(name.lower().encode(), value.encode()) for name, value in headers]
    head = with_headers((*_EMPTY, *own), secure=secure)

    async def answer(scope: Any, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return answer
