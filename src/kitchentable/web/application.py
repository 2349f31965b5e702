"""The web application: all routes, middleware and error responses."""

from __future__ import annotations

import time
from collections.abc import Iterable
from types import ModuleType

from jinja2 import BytecodeCache
from litestar import Litestar, Router
from litestar.handlers import HTTPRouteHandler

from kitchentable.app import kept
from kitchentable.app.buckets import shared
from kitchentable.app.clock import Seconds
from kitchentable.app.server import Server
from kitchentable.web import (
    api,
    api_events,
    books,
    builder,
    cards,
    carry,
    chat,
    command_forms,
    desk,
    devices,
    dice_page,
    files,
    find,
    forecast,
    home,
    journal,
    lab,
    making,
    moves,
    openapi,
    pictures,
    prints,
    recap,
    seats,
    table_page,
    webhooks,
    wrap_up,
)
from kitchentable.web.assets import Assets, load_assets
from kitchentable.web.at_table import AtTable
from kitchentable.web.csrf import Csrf
from kitchentable.web.guard import admit, tell
from kitchentable.web.limits import Tries
from kitchentable.web.middleware import Middleware
from kitchentable.web.pulse import Pulse
from kitchentable.web.site import Settings, Site

_PAGES = (
    webhooks,
    openapi,
    books,
    builder,
    cards,
    carry,
    making,
    wrap_up,
    desk,
    devices,
    dice_page,
    find,
    forecast,
    home,
    journal,
    moves,
    lab,
    recap,
    seats,
    files,
    pictures,
    prints,
    table_page,
    chat,
)
#: Requests for seats that one address may make at once, and per minute.
_KNOCKS = 12
_KNOCKS_PER_MINUTE = 3.0


def make_app(
    server: Server,
    settings: Settings | None = None,
    *,
    assets: Assets | None = None,
    clock: Seconds = time.monotonic,
    compiled: BytecodeCache | None = None,
    router: Litestar | None = None,
) -> Middleware:
    """The ASGI application for a server. The caller closes the server.

    `router` are the routes of a closed server with equal settings, reused for this one.
    Errors: MissingAsset if the files of the pages are not installed.
    """
    chosen = settings or Settings()

    def tries(name: str, burst: int, per_minute: float) -> Tries:
        return Tries(shared(server.tables.others, name, burst, per_minute / 60, clock))

    site = Site(
        server=server,
        settings=chosen,
        assets=assets or load_assets(),
        csrf=Csrf(kept.secret(server, "csrf")),
        tries=tries("tries", chosen.attempts, chosen.attempts_per_minute),
        knocks=tries("knocks", _KNOCKS, _KNOCKS_PER_MINUTE),
        pulse=Pulse(server.keys, chosen.keep_alive),
        compiled=compiled,
    )
    # Rendering once finds a fault in a template at the start, not in the middle of a session.
    site.renderer(chosen.root_path)
    return Middleware(router or _make_router(chosen), site)


def _routes_in(modules: Iterable[ModuleType]) -> list[HTTPRouteHandler]:
    """The routes defined in these modules."""
    every = (vars(module).values() for module in modules)
    return [one for values in every for one in values if isinstance(one, HTTPRouteHandler)]


def _make_router(settings: Settings) -> Litestar:
    """All routes; they read the site from the request's scope, where `Middleware` puts it."""
    return Litestar(
        route_handlers=[
            Router("/", route_handlers=_routes_in((api, api_events))),
            Router(
                "/",
                route_handlers=[*_routes_in(_PAGES), *command_forms.ROUTES],
                include_in_schema=False,
            ),
        ],
        request_class=AtTable,
        guards=[admit],
        exception_handlers={Exception: tell},  # type: ignore[dict-item] # requests are AtTable
        request_max_body_size=settings.largest_form,
        openapi_config=openapi.CONFIG,
        logging_config=None,
        debug=False,
    )
