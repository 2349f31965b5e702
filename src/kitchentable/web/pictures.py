"""Portraits, handouts and the scene: upload, show, withdraw, and view."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.pictures import LARGEST, read_picture
from kitchentable.campaign.commands import SaveHandout, SetPortrait, ShowHandout
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.pictures import may_see
from kitchentable.dice.errors import BadInput
from kitchentable.rules.values import EVERYONE, Problem
from kitchentable.web.answers import Answer, go_to, is_script, page
from kitchentable.web.at_table import AtTable, problems_of, shown_errors
from kitchentable.web.builder import sheet_page
from kitchentable.web.builder_page import entity_in
from kitchentable.web.errors import BadForm, NoSuchPage
from kitchentable.web.forms import Form, read_form
from kitchentable.web.urls import path

_FOR_EVER = "private, max-age=31536000, immutable"
#: The bytes of a form, which takes more than a picture may have: so the page with the form can say
#: that a photo is too large.
_LARGEST_FORM = 4 * LARGEST
#: The fields of a handout's form, by the codes of their refusals.
_WRITING: Mapping[str, str] = MappingProxyType(
    {
        "name/empty": "title",
        "name/too-long": "title",
        "name/unseen": "title",
        "table/too-long": "text",
        "picture/unreadable": "file",
        "form/unreadable": "file",
    }
)


@get(path("picture"))
async def picture(request: AtTable, picture: FromPath[str]) -> Answer:
    """A picture, for those who may see it; for others, not found."""
    view = request.view
    seen = may_see(request.whole_campaign, view.table, view.me, picture)
    found = (
        await asyncio.to_thread(request.server.store.picture, request.campaign, picture)
        if seen
        else None
    )
    if found is None:
        raise NoSuchPage("There is no such picture.")
    return Answer(found.body, media_type="image/webp", headers={"Cache-Control": _FOR_EVER})


@post(path("portrait_set"), request_max_body_size=_LARGEST_FORM)
async def portrait_set(request: AtTable, entity: FromPath[str]) -> Answer:
    """Set or remove a portrait."""
    form = await read_form(request)
    view = request.view
    entity_in(view, entity)
    if not (view.is_mine(entity) or view.for_gm):
        raise NotAllowed("Only the player of this character and the GM can change its portrait.")
    try:
        sent = "" if form.ticked("remove") else await _keep(request, form, portrait=True)
        if sent is None:
            raise BadForm("Choose a picture first.")
    except shown_errors(request) as refused:
        if is_script(request):
            raise
        return sheet_page(request, entity, problems_of(refused, {"": "file"}))
    await request.do(SetPortrait(id=form.command(), entity=entity, picture=sent))
    return request.done(to="sheet", entity=entity)


@get(path("handouts"))
async def handouts(request: AtTable) -> Answer:
    """The handouts that the reader may see; the GM also writes and shows them here."""
    return _handouts_page(request)


@post(path("handout_save"), request_max_body_size=_LARGEST_FORM)
async def handout_save(request: AtTable) -> Answer:
    """Save a new or changed handout."""
    form = await read_form(request)
    request.must_be_gm()
    try:
        sent = "" if form.ticked("remove") else await _keep(request, form, portrait=False)
        command = SaveHandout(
            id=form.command(),
            handout=form.one("handout"),
            title=form.one("title"),
            text=form.one("text"),
            picture=sent,
        )
        handled = await request.do(command)
    except shown_errors(request) as refused:
        if is_script(request):
            raise
        return _handouts_page(request, problems_of(refused, _WRITING), form)
    return request.done(f"#{handled.events[0].data['handout']}", "handouts")


@post(path("handout_show"))
async def handout_show(request: AtTable, handout: FromPath[str]) -> Answer:
    """Show a handout to all, some or nobody, as the scene or only in the story."""
    form = await read_form(request)
    request.must_be_gm()
    readers = {"all": (EVERYONE,), "nobody": ()}.get(form.one("show"), form.all("to"))
    command = ShowHandout(
        id=form.command(), handout=handout, to=readers, backdrop=form.ticked("backdrop")
    )
    try:
        if form.one("show") == "some" and not readers:
            raise BadInput("Tick who may see it, or choose “Take back” to hide it from everyone.")
        await request.do(command)
    except shown_errors(request) as refused:
        return _handouts_page(request, problems_of(refused))
    return go_to(request, "handouts", f"#{handout}")


def _handouts_page(
    request: AtTable, problems: tuple[Problem, ...] = (), form: Form | None = None
) -> Answer:
    return page(
        request,
        "pages/handouts.html",
        status=422 if problems else 200,
        view=request.view,
        filled=form,
        problems=problems,
    )


async def _keep(request: AtTable, form: Form, *, portrait: bool) -> str | None:
    """Store the picture of a form; gives its id, None without a picture.

    Reading a picture and writing it down take time, so a thread does both. Errors: BadPicture,
    BadForm.
    """
    file = (form.files or {}).get("file")
    body = await file.read(LARGEST + 1) if file is not None else b""
    if not body:
        if file is not None and file.filename:
            raise BadForm("This file is empty. Choose another picture.")
        return None
    store = request.server.store

    def keep() -> str:
        picture = read_picture(body, portrait=portrait)
        store.put_picture(request.campaign, picture)
        return picture.id

    return await asyncio.to_thread(keep)
