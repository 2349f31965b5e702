"""The installable app: its manifest, its service worker and its offline page."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kitchentable.web.answers import HTML, Answer, packed
from kitchentable.web.icons import SIZES, draw_icon
from kitchentable.web.site import Asked, renderer_of, site_of
from kitchentable.web.urls import path

#: Asked for by browsers without cookies: it says nothing about a campaign but its address.
_AS_IT_LIES = {"unread": True}


@get([path("manifest", 1)], include_in_schema=False)
async def manifest(request: Asked) -> Answer:
    """The app as a browser installs it, opening the list of campaigns."""
    return _manifest(request, renderer_of(request).url("home"))


@get([path("manifest")], include_in_schema=False, opt=_AS_IT_LIES)
async def campaign_manifest(request: Asked, campaign: FromPath[str]) -> Answer:
    """The app as a browser installs it at a table, opening this table."""
    return _manifest(request, renderer_of(request).url("table", campaign=campaign))


def _manifest(request: Asked, start: str) -> Answer:
    renderer = renderer_of(request)
    icon = renderer.url("asset", name=site_of(request).assets["icon.svg"].name)
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


@get(path("worker"), include_in_schema=False)
async def worker(request: Asked) -> Answer:
    """The service worker, with the addresses of the only files that it keeps."""
    renderer, assets = renderer_of(request), site_of(request).assets
    kept = (renderer.url("offline"), renderer.url("asset", name=assets["app.css"].name))
    body = assets["worker.js"].plain.replace(b"OFFLINE", " ".join(kept).encode())
    return packed(request, body, "text/javascript", headers={"Cache-Control": "no-cache"})


@get(path("icon"), include_in_schema=False)
async def icon(request: Asked, size: FromPath[str]) -> Answer:
    """The icon as PNG, in one of its sizes."""
    if size not in map(str, SIZES):
        raise NotFoundException
    body = await asyncio.to_thread(draw_icon, int(size))
    return Answer(body, media_type="image/png", headers={"Cache-Control": "max-age=86400"})


@get(path("offline"), include_in_schema=False)
async def offline(request: Asked) -> Answer:
    """The page that says that there is no connection."""
    text = renderer_of(request).render("pages/offline.html")
    return packed(request, text.encode(), HTML, headers={"Cache-Control": "no-cache"})


ROUTES = (manifest, campaign_manifest, worker, icon, offline)
