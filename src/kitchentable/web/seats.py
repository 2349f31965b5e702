"""Signing in by link: the host's, a seat's and the invitation, and the wait for the GM."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.keys import new_id
from kitchentable.app.shapes import Knocked
from kitchentable.campaign.commands import AskForSeat
from kitchentable.campaign.errors import CannotBe
from kitchentable.rules.table import Seat
from kitchentable.web.answers import Answer, go_to, is_script, page, piece
from kitchentable.web.at_table import AtTable, problems_of, shown_errors
from kitchentable.web.auth import (
    SEAT_COOKIE,
    bad_key,
    browser_of,
    cookie_of,
    host_cookie,
    seat_cookie,
)
from kitchentable.web.errors import NoSeat
from kitchentable.web.forms import read_form
from kitchentable.web.site import Asked
from kitchentable.web.urls import path

#: The name shown for the GM to a device that must not learn more.
_NOBODY = "The GM"


@get(path("host_key"))
async def host_key(request: Asked, key: FromPath[str]) -> Answer:
    """The page of the host's link from the terminal; a preview does not use up the link."""
    if request.server.keys.open(key, "host-link") is None:
        raise bad_key(request)
    return page(request, "pages/host_key.html", key=key)


@post(path("host_open"))
async def host_open(request: Asked) -> Answer:
    """The host's link works once and makes this device the host's."""
    form = await read_form(request)
    keys = request.server.keys
    if await asyncio.to_thread(keys.spend, form.one("key"), "host-link") is None:
        raise bad_key(request)
    return go_to(request, "home", cookies=[await host_cookie(request)])


@get(path("seat_key"))
async def seat_key(request: Asked, key: FromPath[str]) -> Answer:
    """Sign in this device by the link of a seat, and remove the key from the address bar."""
    token = request.server.keys.open(key, "seat-link")
    if token is None or token.campaign is None or token.seat is None:
        raise bad_key(request)
    return go_to(
        request,
        "table",
        campaign=token.campaign,
        cookies=[await seat_cookie(request, token.campaign, token.seat, token.hash)],
    )


@get(path("join"))
async def join(request: Asked, key: FromPath[str]) -> Answer:
    """The page of an invitation link."""
    campaign = await _invited_to(request, key)
    closed = request.tables.campaign(campaign).settings.get("joining") == "closed"
    return _join_page(request, campaign, state="closed" if closed else "ask", key=key)


@post(path("join_ask"))
async def join_ask(request: Asked) -> Answer:
    """Ask for a seat with the name and the role of the form."""
    form = await read_form(request)
    key = form.one("key")
    campaign = await _may_knock(request, key)
    # Only the same browser can send this form again and be given the same seat.
    sender = f"join-{browser_of(request)[0]}"
    role = form.one("role", "player")
    try:
        seat, _ = await _ask(request, campaign, form.command(), form.one("name"), role, sender)
    except shown_errors(request) as refused:
        problems = problems_of(refused, {"": "name"})
        return _join_page(
            request, campaign, state="ask", key=key, name=form.one("name"), problems=problems
        )
    return go_to(
        request,
        "table",
        campaign=campaign,
        cookies=[await seat_cookie(request, campaign, seat)],
    )


async def knock(request: Asked, key: str, command: str, name: str, role: str) -> Knocked:
    """A program asks for a seat, and is given a key of its own for it.

    Whoever else has the invitation may send the same id, so a repeated one gets no key.
    Errors: BadKey, CannotBe; those of the table.
    """
    campaign = await _may_knock(request, key)
    seat, repeated = await _ask(request, campaign, command, name, role, "knock")
    if repeated:
        raise CannotBe(
            "This id was already used to knock. Knock with a new one.",
            code="command/id-taken",
        )
    keys = request.server.keys
    own = await asyncio.to_thread(keys.issue, "seat", campaign, seat, label="Program")
    return Knocked(campaign=campaign, seat=seat, key=own)


async def _may_knock(request: Asked, key: str) -> str:
    """The campaign of an invitation, for an address that has knocks left. Errors: BadKey and
    TooManyTries.
    """
    campaign = await _invited_to(request, key)
    request.site.knocks.check(request.origin.address)
    return campaign


async def _ask(
    request: Asked, campaign: str, command: str, name: str, role: str, sender: str
) -> tuple[str, bool]:
    """Ask for a seat; gives its id, and whether that was asked before."""
    asked = AskForSeat(id=f"{sender}.{command}", new_seat=new_id(), name=name, role=role)
    done = await request.tables.handle(campaign, asked)
    request.site.knocks.count(request.origin.address)
    return str(done.events[0].data["of"]), done.repeated


@get(path("join_wait"), opt={"open": True})
async def join_wait(request: AtTable) -> Answer:
    """The page that waits for the GM's approval."""
    seat = _knocked(request)
    if seat is None:
        return page(request, "pages/shut.html", status=403, why="revoked")
    if seat.is_seated:
        return go_to(request, "table")
    return _join_page(request, request.campaign, state="waiting", name=seat.name)


@get(path("join_check"), opt={"open": True})
async def join_check(request: AtTable) -> Answer:
    """Whether the GM has decided; the waiting page requests this every few seconds."""
    seat = _knocked(request)
    if seat is None:
        return piece(request, "parts/join_state.html", state="refused", name="", gm_name=_NOBODY)
    if seat.is_seated:
        return go_to(request, "table")
    if not is_script(request):
        return go_to(request, "join_wait")
    gm_name = request.whole_campaign.table.gm.name
    return piece(request, "parts/join_state.html", state="waiting", name=seat.name, gm_name=gm_name)


def _knocked(request: AtTable) -> Seat | None:
    """The seat that a device waits for or sits in; None where its key was taken back.

    Whoever is told so learns nothing else. Errors: NoSeat for a device that never knocked.
    """
    try:
        return request.seat
    except NoSeat:
        if not cookie_of(request, SEAT_COOKIE, request.campaign):
            raise
        return None


async def _invited_to(request: Asked, key: str) -> str:
    site = request.site
    await site.server.keys.look_up([key])
    token = site.server.keys.open(key, "join")
    if token is None or token.campaign is None:
        raise bad_key(request)
    await site.server.tables.ready(token.campaign)
    return token.campaign


def _join_page(request: Asked, campaign: str, *, state: str, **context: Any) -> Answer:
    """The public facts of a campaign for everybody with its invitation link."""
    known = request.tables.campaign(campaign)
    fields: dict[str, Any] = {"name": "", "problems": (), "key": "", **context}
    return page(
        request,
        "pages/join.html",
        status=422 if fields["problems"] else 200,
        campaign_title=known.title,
        game_title=request.tables.game_of(known).title,
        gm_name=known.table.gm.name,
        tone=known.settings.get("tone", ""),
        state=state,
        check=request.path_to("join_check", campaign=campaign),
        **fields,
    )
