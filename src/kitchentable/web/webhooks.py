"""The page on which the GM adds, removes and restarts the webhooks of a campaign."""

from __future__ import annotations

import asyncio
from datetime import datetime

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.webhooks import BadHook, Hook, Progress
from kitchentable.rules.values import Problem
from kitchentable.web.answers import Answer, go_to, page
from kitchentable.web.at_table import AtTable, problems_of, shown_errors
from kitchentable.web.forms import Form, read_form
from kitchentable.web.urls import path


@get(path("webhooks"))
async def webhooks(request: AtTable) -> Answer:
    """The webhooks of a campaign, each with its secret and how far it has come."""
    request.must_be_gm()
    return await _page(request)


@post(path("webhooks"))
async def webhook_add(request: AtTable) -> Answer:
    """Add a webhook with the knowledge of every player, or with that of this seat."""
    request.must_be_gm()
    form = await read_form(request)
    server = request.server
    seat = request.sitting.seat if form.one("knows") == "mine" else ""
    sent = request.whole_campaign.number
    try:
        await asyncio.to_thread(
            server.webhooks.hooks.add,
            request.campaign,
            form.one("url"),
            sent=sent,
            seat=seat,
            private=request.site.settings.private_webhooks,
        )
    except shown_errors(request, BadHook) as refused:
        return await _page(request, form, problems_of(refused, {"": "url"}))
    await asyncio.to_thread(server.webhooks.changed)
    return go_to(request, "webhooks")


@post(path("webhook_change"))
async def webhook_change(request: AtTable, hook: FromPath[str]) -> Answer:
    """Remove a webhook, or restart it: from its last event, or from now on."""
    request.must_be_gm()
    server, form = request.server, await read_form(request)
    hooks, do = server.webhooks.hooks, form.one("do")
    if do in {"again", "skip"}:
        sent = request.whole_campaign.number if do == "skip" else None
        await asyncio.to_thread(hooks.resume, request.campaign, hook, sent=sent)
    else:
        await asyncio.to_thread(hooks.remove, request.campaign, hook)
    await asyncio.to_thread(server.webhooks.changed)
    return go_to(request, "webhooks")


async def _page(
    request: AtTable, form: Form | None = None, problems: tuple[Problem, ...] = ()
) -> Answer:
    view, server = request.view, request.server
    hooks, next_try = server.webhooks.hooks, server.webhooks.next_try

    def progressed() -> list[tuple[Hook, Progress, datetime | None]]:
        known = [(one, hooks.progress(one.id)) for one in hooks.of(request.campaign)]
        return [(one, at, next_try(at)) for one, at in known]

    known = await asyncio.to_thread(progressed)
    number = request.whole_campaign.number
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
