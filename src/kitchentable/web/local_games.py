"""Scripts, styles and pictures, and whether the server is healthy."""

from __future__ import annotations

import asyncio
import re

from litestar import get
from litestar.params import FromPath

from kitchentable.web.answers import JSON, Answer, accepts_gzip, packed
from kitchentable.web.covers import RECIPES, draw_cover
from kitchentable.web.errors import NoSuchPage
from kitchentable.web.site import Asked
from kitchentable.web.urls import path

_FOR_EVER = "public, max-age=31536000, immutable"
_SEED = re.compile(r"[0-9a-f]{12}")


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
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    return packed(request, draw_cover(recipe, seed), "image/svg+xml", headers=headers)


@get(path("health"))
async def health(request: Asked) -> Answer:
    """Whether the server answers and its database can be read, and nothing else."""
    await asyncio.to_thread(request.server.store.setting, "served-at")
    return Answer(b'{"ok":true}', media_type=JSON)


@get(path("live"))
async def live(request: Asked) -> Answer:
    """Whether the server answers, whatever its database does."""
    return Answer(b'{"ok":true}', media_type=JSON)
