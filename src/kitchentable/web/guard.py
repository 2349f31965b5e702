"""Checks of every request, for routes and fast paths, and the responses to errors."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from kitchentable.web.answers import Answer, page, refused, wants_json
from kitchentable.web.at_table import AtTable
from kitchentable.web.auth import bearer, browser_of, host_key_of, is_host
from kitchentable.web.csrf import FIELD, HEADER, SAFE_METHODS, NotFromHere, comes_from_elsewhere
from kitchentable.web.errors import NoSeat, read_error
from kitchentable.web.forms import read_form
from kitchentable.web.site import Asked


async def admit(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Check a request before its body is read, and load its campaign into memory.

    Forms from other sites are refused. A table's routes need a seat there, except those marked
    `open`. The host's routes need the host's key. Routes marked `unread` do not load the campaign.

    Errors: NotFromHere, NotTheHost, NoSeat.
    """
    request: AtTable = connection  # type: ignore[assignment]
    guarded = is_guarded(request)
    if guarded:
        check_sent_from_here(request)
    if handler.opt.get("host"):
        host_key_of(request)
    elif request.has_table and not handler.opt.get("open"):
        request.sit()
    if guarded:
        await check_token(request)
    if request.has_table and not handler.opt.get("unread"):
        await request.tables.ready(request.campaign)


def is_guarded(request: Asked) -> bool:
    """Whether a request could change something in the name of a browser's cookies.

    No other site can make a browser send a bearer token, so programs need no CSRF token.
    """
    return request.method not in SAFE_METHODS and not bearer(request)


def check_sent_from_here(request: Asked) -> None:
    """Refuse a request that the browser marks as sent by another site. Errors: NotFromHere."""
    if comes_from_elsewhere(request.headers, request.origin.host):
        raise NotFromHere("The form was sent from another site, so nothing was done.")


async def check_token(request: Asked) -> None:
    """Refuse a form without a token that was made for this browser. Errors: NotFromHere."""
    token = request.headers.get(HEADER) or (await read_form(request)).one(FIELD)
    browser, new = browser_of(request)
    if new or not request.site.csrf.fits(token, browser):
        raise NotFromHere(
            "This page is too old, or this browser keeps no cookies. Reload the page: your text is "
            "kept."
        )


def tell(request: Asked, error: Exception) -> Answer:
    """An error as a response in the client's format."""
    if isinstance(error, NoSeat) and request.method in SAFE_METHODS and not wants_json(request):
        campaign = request.path_params.get("campaign") if is_host(request) else None
        why = "hosted" if campaign else "no-seat"
        return page(request, "pages/shut.html", status=401, why=why, hosted=campaign)
    return refused(request, read_error(error, request.scope["path"]))
