"""HTTP responses: pages, fragments, redirects and JSON, compressed where the browser accepts it."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from litestar import Response
from litestar.datastructures import Cookie

from kitchentable.campaign.read_models import View
from kitchentable.web.auth import (
    BROWSER_COOKIE,
    THEME_COOKIE,
    browser_of,
    cookie_of,
    csrf_token,
    make_cookie,
)
from kitchentable.web.errors import Refusal
from kitchentable.web.site import Asked

HTML = "text/html"
JSON = "application/json"
_WORTH_PACKING = 1000
_THEMES = frozenset({"light", "dark"})

Answer = Response[bytes]


def page(
    request: Asked,
    template: str,
    *,
    status: int = 200,
    cookies: Iterable[Cookie] = (),
    view: View | None = None,
    notices: Iterable[tuple[str, str]] = (),
    **context: Any,
) -> Answer:
    """A page, or only its main part if a dialog requested it."""
    theme = cookie_of(request, THEME_COOKIE)
    frame = {
        "theme": theme if theme in _THEMES else "auto",
        "csrf": csrf_token(request),
        "here": here(request),
        "view": view,
        "game_title": request.tables.load_game(view.game).title if view else "",
        "notices": tuple(notices),
        "fragment": "kt-fragment" in request.headers,
    }
    text = request.renderer.render(template, **{**frame, **context})
    name, new = browser_of(request)
    return html(
        request,
        text,
        status=status,
        cookies=[*cookies, *([make_cookie(request, BROWSER_COOKIE, name)] if new else [])],
    )


def piece(request: Asked, template: str, *, status: int = 200, **context: Any) -> Answer:
    """A part of a page, for its script."""
    text = request.renderer.render(template, csrf=csrf_token(request), **context)
    return html(request, text, status=status)


def html(request: Asked, text: str, *, status: int = 200, cookies: Iterable[Cookie] = ()) -> Answer:
    """HTML as bytes, compressed if that saves enough."""
    return packed(request, text.encode(), HTML, status=status, cookies=cookies)


def packed(
    request: Asked,
    body: bytes,
    media_type: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    cookies: Iterable[Cookie] = (),
) -> Answer:
    """A response, compressed if the browser accepts it."""
    own = {"Vary": "Accept-Encoding, Cookie", **(headers or {})}
    if len(body) >= _WORTH_PACKING and accepts_gzip(request):
        body = gzip.compress(body, compresslevel=6, mtime=0)
        own["Content-Encoding"] = "gzip"
    return Response(
        body, media_type=media_type, status_code=status, headers=own, cookies=list(cookies)
    )


def as_file(title: str, end: str) -> dict[str, str]:
    """The header of a response that browsers save as a file, under a name that every system takes.

    >>> as_file("The Salt Road: day 2", ".zip")
    {'Content-Disposition': 'attachment; filename="The-Salt-Road-day-2.zip"'}
    """
    plain = "".join(one if one.isascii() and one.isalnum() else " " for one in title)
    name = "-".join(plain.split())[:60] or "kitchen-table"
    return {"Content-Disposition": f'attachment; filename="{name}{end}"'}


def see_other(request: Asked, path: str, *, cookies: Iterable[Cookie] = ()) -> Answer:
    """A redirect to another page of the server; for a script, by loading the whole page."""
    status, header = (200, "HX-Redirect") if is_script(request) else (303, "Location")
    return Response(
        b"", media_type=HTML, status_code=status, headers={header: path}, cookies=list(cookies)
    )


def go_to(
    request: Asked,
    name: str,
    anchor: str = "",
    *,
    cookies: Iterable[Cookie] = (),
    **parameters: str,
) -> Answer:
    """A redirect to the page of this name."""
    return see_other(request, request.path_to(name, **parameters) + anchor, cookies=cookies)


def as_json(request: Asked, value: Any, *, status: int = 200) -> Answer:
    """JSON for a program."""
    return packed(request, msgspec.json.encode(value), JSON, status=status)


def refused(request: Asked, refusal: Refusal) -> Answer:
    """A refusal in the format that the client reads: JSON, a sentence for the script, or a page."""
    details: dict[str, Any] = {
        "status": refusal.status,
        "code": refusal.code,
        "sentence": refusal.sentence,
    }
    if wants_json(request):
        answer = as_json(request, refusal.data, status=refusal.status)
    elif is_script(request):
        answer = piece(request, "parts/problem.html", **details)
    else:
        at_table = "campaign" in request.scope.get("path_params", {})
        back = request.path_to("table" if at_table else "home")
        again = request.method == "GET" and here(request) == back
        answer = page(request, "pages/error.html", back=back, again=again, **details)
    if refusal.wait:
        answer.headers["Retry-After"] = str(refusal.wait)
    return answer


def is_script(request: Asked) -> bool:
    """Whether the page's script sent the request, not the browser itself."""
    return request.headers.get("hx-request") == "true"


def wants_json(request: Asked) -> bool:
    """Whether a program sent the request."""
    accept = request.headers.get("accept", "")
    return "/api/" in request.scope["path"] or (
        "application/json" in accept and "text/html" not in accept
    )


def accepts_gzip(request: Asked) -> bool:
    """Whether the browser accepts gzip."""
    return any(
        part.partition(";")[0].strip() in {"gzip", "*"} and "q=0" not in part.replace("q=0.", "")
        for part in request.headers.get("accept-encoding", "").split(",")
    )


def here(request: Asked) -> str:
    """The path of this page, with its query, as its own links spell it."""
    query = request.scope["query_string"].decode("latin-1")
    path = request.renderer.url.prefix + request.scope["path"]
    return f"{path}?{query}" if query else path
