"""The page of a campaign's webhooks, for the GM: added, removed, switched on again."""

from __future__ import annotations

import asyncio

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.webhooks import BadHook, Hook, Progress
from kitchentable.rules.values import Problem
from kitchentable.web.answers import Answer, page, see_other
from kitchentable.web.auth import Sitting, sit
from kitchentable.web.commands import told_on_page
from kitchentable.web.forms import Form, read_form
from kitchentable.web.projections import must_be_gm, view_of
from kitchentable.web.site import Asked, renderer_of, site_of
from kitchentable.web.urls import path


@get(path("webhooks"), include_in_schema=False)
async def webhooks(request: Asked, campaign: FromPath[str]) -> Answer:
    """The webhooks of a campaign, each with its secret and how far it has come."""
    sitting = sit(request, campaign)
    must_be_gm(request, sitting)
    return await _page(request, sitting)


@post(path("webhooks"), include_in_schema=False, status_code=200)
async def webhook_add(request: Asked, campaign: FromPath[str]) -> Answer:
    """Add a webhook, which gets what every player may know, or what this seat may know."""
    sitting = sit(request, campaign)
    must_be_gm(request, sitting)
    form = await read_form(request)
    server = site_of(request).server
    seat = sitting.seat if form.one("knows") == "mine" else ""
    sent = server.tables.campaign(campaign).number
    try:
        await asyncio.to_thread(
            server.webhooks.hooks.add, campaign, form.one("url"), sent=sent, seat=seat
        )
    except told_on_page(request, BadHook) as refused:
        problems = (Problem("url", "", str(refused)),)
        return await _page(request, sitting, form, problems)
    await asyncio.to_thread(server.webhooks.changed)
    return see_other(request, renderer_of(request).url("webhooks", campaign=campaign))


@post(path("webhook_change"), include_in_schema=False, status_code=200)
async def webhook_change(request: Asked, campaign: FromPath[str], hook: FromPath[str]) -> Answer:
    """A webhook is removed, or switched on again from now on."""
    sitting = sit(request, campaign)
    must_be_gm(request, sitting)
    server, form = site_of(request).server, await read_form(request)
    if form.one("do") == "resume":
        sent = server.tables.campaign(campaign).number
        await asyncio.to_thread(server.webhooks.hooks.resume, campaign, hook, sent=sent)
    else:
        await asyncio.to_thread(server.webhooks.hooks.remove, campaign, hook)
    await asyncio.to_thread(server.webhooks.changed)
    return see_other(request, renderer_of(request).url("webhooks", campaign=campaign))


async def _page(
    request: Asked, sitting: Sitting, form: Form | None = None, problems: tuple[Problem, ...] = ()
) -> Answer:
    view, server = view_of(request, sitting), site_of(request).server
    hooks = server.webhooks.hooks

    def progressed() -> list[tuple[Hook, Progress]]:
        return [(one, hooks.progress(one.id)) for one in hooks.of(sitting.campaign)]

    known = await asyncio.to_thread(progressed)
    number = server.tables.campaign(sitting.campaign).number
    return page(
        request,
        "pages/webhooks.html",
        status=422 if problems else 200,
        view=view,
        hooks=known,
        number=number,
        typed=form.one("url") if form is not None else "",
        problems=problems,
    )


ROUTES = (webhooks, webhook_add, webhook_change)
