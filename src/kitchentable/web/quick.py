"""Quick rolls: a roll with its answers, stored under a name with its character."""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath

from kitchentable.campaign.commands import KeepQuick
from kitchentable.campaign.errors import CannotBe
from kitchentable.web.answers import Answer, page
from kitchentable.web.auth import sit
from kitchentable.web.commands import done, send
from kitchentable.web.forms import read_form, read_query
from kitchentable.web.panel import fields_with, moves_of, only
from kitchentable.web.projections import projection_of, view_in
from kitchentable.web.site import Asked
from kitchentable.web.urls import path


@get(path("quick"), include_in_schema=False)
async def quick(request: Asked, campaign: FromPath[str]) -> Answer:
    """The page that names a quick roll."""
    projection = projection_of(request, sit(request, campaign))
    view, query = view_in(projection), read_query(request)
    entity = query.one("entity")
    seen = next(
        (one for one in moves_of(projection, entity) if one.name == query.one("move")), None
    )
    if seen is None or not seen.entity or not view.is_mine(entity):
        raise CannotBe("Only a roll of a character of yours can be kept.", code="quick/not-yours")
    answers = only(seen, query.answers())
    fields = fields_with(projection, seen, answers)
    labels = [
        choice.label
        for field in fields
        for choice in field.choices
        if choice.value and choice.value == answers.get(field.name)
    ]
    name = ", ".join(labels)[:60] or seen.title
    return page(request, "pages/quick.html", view=view, seen=seen, answers=answers, name=name)


@post(path("quick"), include_in_schema=False, status_code=200)
async def quick_keep(request: Asked, campaign: FromPath[str]) -> Answer:
    """Keep it, or remove one."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = KeepQuick(
        id=form.command(),
        entity=form.one("entity"),
        label=form.one("label"),
        move=form.one("move"),
        answers=form.answers(),
        gone=form.ticked("gone"),
    )
    await send(request, sitting, command)
    return done(request, campaign, "#sheet")


ROUTES = (quick, quick_keep)
