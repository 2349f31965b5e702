"""Checks of every request, for routes and fast paths, and the responses to errors."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from kitchentable.web.answers import Answer, page, refused, wants_json
from kitchentable.web.auth import bearer, browser_of, must_be_host, sit
from kitchentable.web.csrf import FIELD, HEADER, SAFE_METHODS, NotFromHere, comes_from_elsewhere
from kitchentable.web.errors import NoSeat, read_error
from kitchentable.web.forms import read_form
from kitchentable.web.site import Asked, origin_of, site_of


async def own_forms_only(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuse forms from other sites, and the host's routes to everybody else.

    Errors: NotFromHere, NotTheHost.
    """
    request: Asked = connection  # type: ignore[assignment]
    if not is_guarded(request):
        return
    check_sent_from_here(request)
    if handler.opt.get("host"):
        must_be_host(request)
    if handler.opt.get("seat"):
        # A large file is read from people at the table alone.
        sit(request, request.path_params["campaign"])
    await check_token(request)


def is_guarded(request: Asked) -> bool:
    """Whether a request could change something in the name of a browser's cookies.

    A program with a bearer token brings its right along in every request; no other site can make a
    browser send that, so it needs no token of a form.
    """
    return request.method not in SAFE_METHODS and not bearer(request)


def check_sent_from_here(request: Asked) -> None:
    """Refuse a request that the browser marks as sent by another site. Errors: NotFromHere."""
    if comes_from_elsewhere(request.headers, origin_of(request).host):
        raise NotFromHere("That form was sent from another site, so nothing was done.")


async def check_token(request: Asked) -> None:
    """Refuse a form without a token that was made for this browser. Errors: NotFromHere."""
    token = request.headers.get(HEADER) or (await read_form(request)).one(FIELD)
    browser, new = browser_of(request)
    if new or not site_of(request).csrf.fits(token, browser):
        raise NotFromHere(
            "That page is too old, or this browser keeps no cookies. Load the page again; what "
            "you wrote is still there."
        )


async def read_campaign(request: Asked) -> None:
    """Have the campaign that a request is about read before its pages are made of it.

    What is done with a campaign as it lies in the record says so: `unread`.
    """
    campaign = request.path_params.get("campaign")
    if campaign is not None and not request.route_handler.opt.get("unread"):
        await site_of(request).server.tables.ready(campaign)


def tell(request: Asked, error: Exception) -> Answer:
    """Every error as the asker reads it."""
    if isinstance(error, NoSeat) and request.method in SAFE_METHODS and not wants_json(request):
        return page(request, "pages/shut.html", status=401, why="no-seat", campaign_title="")
    return refused(request, read_error(error, request.scope["path"]))
