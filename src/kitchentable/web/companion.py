"""The installable app: its manifest, its service worker and its offline page."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kitchentable.web.answers import HTML, Answer, packed
from kitchentable.web.at_table import AtTable
from kitchentable.web.icons import SIZES, draw_icon
from kitchentable.web.site import Asked
from kitchentable.web.urls import path

#: Asked for by browsers without cookies: it says nothing about a campaign but its address.
_AS_IT_LIES = {"unread": True, "open": True}


@get([path("manifest", 1)])
async def manifest(request: Asked) -> Answer:
    """The app as a browser installs it, opening the list of campaigns."""
    return _manifest(request, request.path_to("home"))


@get([path("manifest")], opt=_AS_IT_LIES)
async def campaign_manifest(request: AtTable) -> Answer:
    """The app as a browser installs it at a table, opening this table."""
    return _manifest(request, request.path_to("table"))


def _manifest(request: Asked, start: str) -> Answer:
    renderer = request.renderer
    icon = renderer.url("asset", name=request.site.assets["icon.svg"].name)
    told = {
        "id": start,
        "name": "Kitchen Table",
        "short_name": "Table",
        "start_url": start,
        "scope": renderer.url("home"),
        "display": "standalone",
        "background_color": "#e7e3d9",
        "theme_color": "#e7e3d9",
        "icons": [
            {"src": icon, "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            *(
                {
                    "src": renderer.url("icon", size=size),
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for size in SIZES
                for purpose in ("any", "maskable")
            ),
        ],
    }
    headers = {"Cache-Control": "no-cache"}
    return packed(request, msgspec.json.encode(told), "application/manifest+json", headers=headers)


@get(path("worker"))
async def worker(request: Asked) -> Answer:
    """The service worker, with the addresses of the only files that it keeps."""
    renderer, assets = request.renderer, request.site.assets
    kept = (renderer.url("offline"), renderer.url("asset", name=assets["app.css"].name))
    body = assets["worker.js"].plain.replace(b"OFFLINE", " ".join(kept).encode())
    return packed(request, body, "text/javascript", headers={"Cache-Control": "no-cache"})


@get(path("icon"))
async def icon(request: Asked, size: FromPath[str]) -> Answer:
    """The icon as PNG, in one of its sizes."""
    if size not in map(str, SIZES):
        raise NotFoundException
    body = await asyncio.to_thread(draw_icon, int(size))
    return Answer(body, media_type="image/png", headers={"Cache-Control": "max-age=86400"})


@get(path("offline"))
async def offline(request: Asked) -> Answer:
    """The page that says that there is no connection."""
    text = request.renderer.render("pages/offline.html")
    return packed(request, text.encode(), HTML, headers={"Cache-Control": "no-cache"})
