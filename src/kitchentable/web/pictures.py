"""Portraits, handouts and the backdrop: sent, shown, taken back, and looked at."""

from __future__ import annotations

import asyncio

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.pictures import LARGEST, read_picture
from kitchentable.campaign.commands import SaveHandout, SetPortrait, ShowHandout
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.pictures import may_see
from kitchentable.rules.values import EVERYONE
from kitchentable.web.answers import Answer, page, see_other
from kitchentable.web.auth import Sitting, sit
from kitchentable.web.builder_page import entity_in
from kitchentable.web.commands import send, told_on_page
from kitchentable.web.errors import BadForm, NoSuchPage
from kitchentable.web.forms import Form, read_form
from kitchentable.web.projections import must_be_gm, view_of
from kitchentable.web.site import Asked, renderer_of, site_of
from kitchentable.web.urls import path

_FOR_EVER = "private, max-age=31536000, immutable"
#: The file, and what a form sends around it.
_LARGEST_FORM = LARGEST + 100_000


@get(path("picture"), include_in_schema=False)
async def picture(request: Asked, campaign: FromPath[str], picture: FromPath[str]) -> Answer:
    """A picture, for those who may see it; to others there is none."""
    sitting = sit(request, campaign)
    view = view_of(request, sitting)
    server = site_of(request).server
    seen = may_see(server.tables.campaign(campaign), view.table, view.me, picture)
    found = await asyncio.to_thread(server.store.picture, campaign, picture) if seen else None
    if found is None:
        raise NoSuchPage("There is no such picture.")
    return Answer(found.body, media_type="image/webp", headers={"Cache-Control": _FOR_EVER})


@post(
    path("portrait_set"),
    include_in_schema=False,
    status_code=200,
    opt={"seat": True},
    request_max_body_size=_LARGEST_FORM,
)
async def portrait_set(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """Somebody gets a portrait, or has none any more."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    view = view_of(request, sitting)
    entity_in(view, entity)
    if not view.is_mine(entity):
        raise NotAllowed("Only the player of this character and the GM can change its portrait.")
    sent = "" if form.ticked("remove") else await _keep(request, sitting, form, portrait=True)
    if sent is None:
        raise BadForm("Choose a picture first.")
    await send(request, sitting, SetPortrait(id=form.command(), entity=entity, picture=sent))
    return see_other(request, renderer_of(request).url("sheet", campaign=campaign, entity=entity))


@get(path("handouts"), include_in_schema=False)
async def handouts(request: Asked, campaign: FromPath[str]) -> Answer:
    """The handouts that the one who asks may read; the GM writes and shows them here."""
    return _handouts_page(request, sit(request, campaign))


@post(
    path("handout_save"),
    include_in_schema=False,
    status_code=200,
    opt={"seat": True},
    request_max_body_size=_LARGEST_FORM,
)
async def handout_save(request: Asked, campaign: FromPath[str]) -> Answer:
    """A handout is written, new or changed."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    must_be_gm(request, sitting)
    try:
        sent = "" if form.ticked("remove") else await _keep(request, sitting, form, portrait=False)
        command = SaveHandout(
            id=form.command(),
            handout=form.one("handout"),
            title=form.one("title"),
            text=form.one("text"),
            picture=sent,
        )
        await send(request, sitting, command)
    except told_on_page(request) as refused:
        return _handouts_page(request, sitting, form, str(refused), status=422)
    return see_other(request, renderer_of(request).url("handouts", campaign=campaign))


@post(path("handout_show"), include_in_schema=False, status_code=200)
async def handout_show(request: Asked, campaign: FromPath[str], handout: FromPath[str]) -> Answer:
    """Show a handout to all, some or nobody, as the scene or only in the story."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    must_be_gm(request, sitting)
    readers = {"all": (EVERYONE,), "nobody": ()}.get(form.one("show"), form.all("to"))
    command = ShowHandout(
        id=form.command(), handout=handout, to=readers, backdrop=form.ticked("backdrop")
    )
    try:
        await send(request, sitting, command)
    except told_on_page(request) as refused:
        return _handouts_page(request, sitting, form, str(refused), status=409)
    return see_other(request, renderer_of(request).url("handouts", campaign=campaign))


def _handouts_page(
    request: Asked,
    sitting: Sitting,
    form: Form | None = None,
    problem: str = "",
    *,
    status: int = 200,
) -> Answer:
    return page(
        request,
        "pages/handouts.html",
        status=status,
        view=view_of(request, sitting),
        filled=form,
        problem=problem,
    )


async def _keep(request: Asked, sitting: Sitting, form: Form, *, portrait: bool) -> str | None:
    """Store the picture of a form; gives its id, None without a picture.

    Reading a picture and writing it down take time, so a thread does both. Errors: BadPicture.
    """
    file = (form.files or {}).get("file")
    body = await file.read(LARGEST + 1) if file is not None else b""
    if not body:
        return None
    store = site_of(request).server.store

    def keep() -> str:
        picture = read_picture(body, portrait=portrait)
        store.put_picture(sitting.campaign, picture)
        return picture.id

    return await asyncio.to_thread(keep)


ROUTES = (picture, portrait_set, handouts, handout_save, handout_show)
