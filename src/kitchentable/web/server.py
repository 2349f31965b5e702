"""The house as a web application: every route, one way to refuse, one door."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from jinja2 import BytecodeCache
from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from kitchentable.app import kept
from kitchentable.app.house import House
from kitchentable.web import (
    api,
    books,
    building,
    closing,
    desk,
    deskpage,
    home,
    journal,
    moving,
    seating,
    shelf,
    tablepage,
    talking,
)
from kitchentable.web.answers import Answer, page, refused, wants_json
from kitchentable.web.assets import Assets, load_assets
from kitchentable.web.auth import bearer, browser_of, must_be_host
from kitchentable.web.csrf import (
    FIELD,
    HEADER,
    SAFE_METHODS,
    Csrf,
    NotFromHere,
    comes_from_elsewhere,
)
from kitchentable.web.door import Door
from kitchentable.web.errors import NoSeat, read_error
from kitchentable.web.forms import read_form
from kitchentable.web.limits import Tries
from kitchentable.web.settings import Settings
from kitchentable.web.site import Asked, Site, origin_of, site_of

_ROOMS = (
    api,
    books,
    building,
    closing,
    desk,
    deskpage,
    home,
    journal,
    moving,
    seating,
    shelf,
    tablepage,
    talking,
)
#: Seats that one address may ask for at once, and in a minute.
_KNOCKS = 12
_KNOCKS_PER_MINUTE = 3.0


def make_app(
    house: House,
    settings: Settings | None = None,
    *,
    assets: Assets | None = None,
    clock: Callable[[], float] = time.monotonic,
    compiled: BytecodeCache | None = None,
) -> Door:
    """The whole house as one ASGI application. The house stays the caller's to close.

    Errors: MissingAsset where the browser's files are not installed.
    """
    site = make_site(house, settings, assets=assets, clock=clock, compiled=compiled)
    return Door(make_rooms(site), site)


def make_site(
    house: House,
    settings: Settings | None = None,
    *,
    assets: Assets | None = None,
    clock: Callable[[], float] = time.monotonic,
    compiled: BytecodeCache | None = None,
) -> Site:
    """A house as its pages know it. Errors: MissingAsset."""
    chosen = settings or Settings()
    site = Site(
        house=house,
        settings=chosen,
        assets=assets or load_assets(),
        csrf=Csrf(kept.secret(house, "csrf")),
        tries=Tries(burst=chosen.attempts, per_minute=chosen.attempts_per_minute, clock=clock),
        knocks=Tries(burst=_KNOCKS, per_minute=_KNOCKS_PER_MINUTE, clock=clock),
        clock=clock,
        compiled=compiled,
    )
    # Rendering once finds a fault in a template now, not in the middle of an evening.
    site.renderer(chosen.root_path)
    return site


def make_rooms(site: Site) -> Litestar:
    """All routes of a house. They find the site in the application's state, as `site`."""
    return Litestar(
        route_handlers=[route for room in _ROOMS for route in room.ROUTES],
        guards=[own_forms_only],
        exception_handlers={Exception: tell},
        state=State({"site": site}),
        request_max_body_size=site.settings.largest_form,
        openapi_config=OpenAPIConfig(
            title="Kitchen Table",
            version=version("kitchentable"),
            description=api.__doc__,
            path="/api",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
        debug=False,
    )


async def own_forms_only(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Let nothing be changed by a form that is not from one of our own pages.

    A program with a bearer token brings its right along in every request; no other site can make a
    browser send that, so it needs no token of a form. Errors: NotFromHere.
    """
    request: Asked = connection  # type: ignore[assignment]
    if request.method in SAFE_METHODS or bearer(request):
        return
    if comes_from_elsewhere(request.headers, origin_of(request).host):
        raise NotFromHere("That form was sent from another site, so nothing was done.")
    if handler.opt.get("host"):
        must_be_host(request)
    token = request.headers.get(HEADER) or (await read_form(request)).one(FIELD)
    browser, new = browser_of(request)
    if new or not site_of(request).csrf.fits(token, browser):
        raise NotFromHere(
            "That page is too old, or this browser keeps no cookies. Load the page again; what "
            "you wrote is still there."
        )


def tell(request: Asked, error: Exception) -> Answer:
    """Every error as the asker reads it."""
    if isinstance(error, NoSeat) and request.method in SAFE_METHODS and not wants_json(request):
        return page(request, "pages/shut.html", status=401, why="no-seat", campaign_title="")
    return refused(request, read_error(error, request.scope["path"]))
