"""Static files and drawings, the installable app, and whether the server is healthy."""

from __future__ import annotations

import asyncio
import re

import msgspec
from litestar import get
from litestar.params import FromPath

from kitchentable.web.answers import HTML, JSON, Answer, accepts_gzip, packed
from kitchentable.web.at_table import AtTable
from kitchentable.web.covers import RECIPES, draw_cover
from kitchentable.web.errors import NoSuchPage
from kitchentable.web.site import Asked
from kitchentable.web.urls import path, paths

_FOR_EVER = "public, max-age=31536000, immutable"
_SEED = re.compile(r"[0-9a-f]{12}")
#: The sizes of `icon.svg` as PNG that browsers ask for: iOS, and Android's home and start screens.
SIZES = (180, 192, 512)


@get(path("asset"))
async def asset(request: Asked, name: FromPath[str]) -> Answer:
    """A static file by its name with a content hash; such a file never changes."""
    assets = request.site.assets
    found = assets.hashed(name)
    kept = _FOR_EVER
    if found is None:
        # A page from before an update asks for what it knew; it gets what is there now.
        found, kept = assets.current(name), "no-cache"
    if found is None:
        raise NoSuchPage("There is no such file.")
    headers = {"Cache-Control": kept, "ETag": found.tag, "Vary": "Accept-Encoding"}
    if found.tag in request.headers.get("if-none-match", ""):
        return Answer(b"", status_code=304, media_type=found.media_type, headers=headers)
    body = found.plain
    if found.packed and accepts_gzip(request):
        body, headers["Content-Encoding"] = found.packed, "gzip"
    return Answer(body, media_type=found.media_type, headers=headers)


@get(path("cover"))
async def cover(request: Asked, recipe: FromPath[str], seed: FromPath[str]) -> Answer:
    """A cover, which is the same for ever."""
    if recipe not in RECIPES or not _SEED.fullmatch(seed):
        raise NoSuchPage("There is no such cover.")
    drawn = await request.site.beside(draw_cover, request.renderer.render, recipe, seed)
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    return packed(request, drawn.encode(), "image/svg+xml", headers=headers)


@get(path("health"))
async def health(request: Asked) -> Answer:
    """Whether the server answers and its database can be read, and nothing else."""
    await asyncio.to_thread(request.server.store.setting, "served-at")
    return Answer(b'{"ok":true}', media_type=JSON)


@get(path("live"))
async def live(request: Asked) -> Answer:
    """Whether the server answers, whatever its database does."""
    return Answer(b'{"ok":true}', media_type=JSON)


#: Asked for by browsers without cookies: it says nothing about a campaign but its address.
_AS_IT_LIES = {"unread": True, "open": True}


@get(paths("manifest"), opt=_AS_IT_LIES)
async def manifest(request: AtTable) -> Answer:
    """The app as a browser installs it, opening the table that it was found at, or the list."""
    renderer, start = request.renderer, request.path_to("table" if request.has_table else "home")
    icon = renderer.url("asset", name=request.site.assets["icon.svg"].name)
    described = {
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
    return packed(
        request, msgspec.json.encode(described), "application/manifest+json", headers=headers
    )


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
        raise NoSuchPage("There is no icon of this size.")
    body = request.site.assets[f"icon-{size}.png"].plain
    return Answer(body, media_type="image/png", headers={"Cache-Control": "max-age=86400"})


@get(path("offline"))
async def offline(request: Asked) -> Answer:
    """The page that says that there is no connection."""
    text = request.renderer.render("pages/offline.html")
    return packed(request, text.encode(), HTML, headers={"Cache-Control": "no-cache"})
