"""Routes of the GM's desk: seats, links, options, settings, the session, facts set by hand."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import post
from litestar.params import FromPath

from kitchentable.app import kept
from kitchentable.campaign.commands import (
    BeginSession,
    CloseSession,
    Command,
    DecideSeat,
    EndSession,
    HandOver,
    Override,
    RenameSeat,
    SetOptions,
    SetRole,
    SetSettings,
    UpdateGame,
)
from kitchentable.rules.values import GM
from kitchentable.web.answers import Answer, see_other
from kitchentable.web.auth import Sitting, address_of, seat_cookie, sit
from kitchentable.web.commands import done, send, told_on_page
from kitchentable.web.desk_page import NewLink, desk_page, qr_of
from kitchentable.web.forms import Form, read_form
from kitchentable.web.moves import problems_of
from kitchentable.web.projections import must_be_gm, view_of
from kitchentable.web.site import Asked, renderer_of, site_of
from kitchentable.web.urls import path


async def _do(
    request: Asked,
    sitting: Sitting,
    command: Command,
    form: Form,
    about: str,
    anchor: str,
    to: str = "desk",
) -> Answer:
    """Send a command of the desk; if it is refused, show the desk with the answers again."""
    try:
        await send(request, sitting, command)
    except told_on_page(request) as refused:
        return await desk_page(
            request,
            sitting,
            form=form,
            problems=problems_of(refused),
            about=about,
            status=422,
        )
    return done(request, sitting.campaign, to=to, anchor=anchor)


@post(path("seat_decide"), include_in_schema=False, status_code=200)
async def seat_decide(request: Asked, campaign: FromPath[str], seat: FromPath[str]) -> Answer:
    """Yes or no to who waits; the end of a seat."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = DecideSeat(id=form.command(), of=seat, verdict=form.one("verdict"))
    if form.one("back") == "table":
        await send(request, sitting, command)
        return done(request, campaign)
    return await _do(request, sitting, command, form, "seats", "#seats")


@post(path("seat_rename"), include_in_schema=False, status_code=200)
async def seat_rename(request: Asked, campaign: FromPath[str], seat: FromPath[str]) -> Answer:
    """Another name on a seat."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = RenameSeat(id=form.command(), of=seat, name=form.one("name"))
    if view_of(request, sitting).me.role != GM:
        await send(request, sitting, command)
        return done(request, campaign)
    return await _do(request, sitting, command, form, "seats", "#seats")


@post(path("seat_role"), include_in_schema=False, status_code=200)
async def seat_role(request: Asked, campaign: FromPath[str], seat: FromPath[str]) -> Answer:
    """A seat becomes a player's, a spectator's or a co-GM's."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    role = form.one("role")
    command = SetRole(id=form.command(), of=seat, role="cogm" if role == GM else role)
    return await _do(request, sitting, command, form, "seats", "#seats")


@post(path("seat_hand_over"), include_in_schema=False, status_code=200)
async def seat_hand_over(request: Asked, campaign: FromPath[str], seat: FromPath[str]) -> Answer:
    """Revoke a seat's keys and show its new link, once."""
    site = site_of(request)
    sitting = sit(request, campaign)
    form = await read_form(request)
    handled = await send(request, sitting, HandOver(id=form.command(), of=seat))
    if handled.repeated:
        return see_other(request, renderer_of(request).url("desk", campaign=campaign))
    # The step that was recorded has ended every key there was.
    key = await asyncio.to_thread(site.server.keys.cut, "seat-link", campaign, seat)
    link = address_of(request, renderer_of(request).url("seat_key", key=key))
    name = str(handled.events[0].data["name"])
    cookies = []
    if seat == sitting.seat:
        # The GM's own keys ended too; this device stays at the desk.
        cookies = [await seat_cookie(request, campaign, seat)]
    answer = await desk_page(request, sitting, new_link=NewLink(name, link, qr_of(link)))
    for cookie in cookies:
        answer.set_cookie(cookie)
    return answer


@post(path("invite_renew"), include_in_schema=False, status_code=200)
async def invite_renew(request: Asked, campaign: FromPath[str]) -> Answer:
    """Another link to join by; the one before opens nothing any more."""
    sitting = sit(request, campaign)
    must_be_gm(request, sitting)
    await asyncio.to_thread(kept.renew_join_key, site_of(request).server, campaign)
    return see_other(request, renderer_of(request).url("desk", campaign=campaign) + "#seats")


@post(path("game_update"), include_in_schema=False, status_code=200)
async def game_update(request: Asked, campaign: FromPath[str]) -> Answer:
    """Update the campaign to another version of its game."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = UpdateGame(id=form.command(), version=form.one("version"), reason=form.one("reason"))
    return await _do(request, sitting, command, form, "update", "#rules-of")


@post(path("options_set"), include_in_schema=False, status_code=200)
async def options_set(request: Asked, campaign: FromPath[str]) -> Answer:
    """The optional rules change."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    if form.one("add"):
        return await desk_page(request, sitting, form=form, about="options")
    command = SetOptions(
        id=form.command(),
        options=form.answers("o."),
        answers=form.answers("q."),
        reason=form.one("reason"),
    )
    return await _do(request, sitting, command, form, "options", "#rules-of")


@post(path("settings_set"), include_in_schema=False, status_code=200)
async def settings_set(request: Asked, campaign: FromPath[str]) -> Answer:
    """Change the settings of the table."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = SetSettings(id=form.command(), settings=form.answers("t."))
    return await _do(request, sitting, command, form, "settings", "#run")


@post(path("session_begin"), include_in_schema=False, status_code=200)
async def session_begin(request: Asked, campaign: FromPath[str]) -> Answer:
    """The evening begins."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = BeginSession(id=form.command())
    return await _do(request, sitting, command, form, "evening", "", to="table")


@post(path("session_close"), include_in_schema=False, status_code=200)
async def session_close(request: Asked, campaign: FromPath[str]) -> Answer:
    """The table turns to the end of the evening."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = CloseSession(id=form.command())
    return await _do(request, sitting, command, form, "evening", "", to="closing")


@post(path("session_end"), include_in_schema=False, status_code=200)
async def session_end(request: Asked, campaign: FromPath[str]) -> Answer:
    """The evening is over; the dice are revealed."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = EndSession(id=form.command())
    return await _do(request, sitting, command, form, "evening", "", to="table")


@post(path("override"), include_in_schema=False, status_code=200)
async def override(request: Asked, campaign: FromPath[str]) -> Answer:
    """Set a fact by hand, with a reason that everybody can read."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = Override(
        id=form.command(),
        path=tuple(form.one("path").strip().split(".")),
        now=as_value(form.one("value")),
        reason=form.one("reason"),
    )
    return await _do(request, sitting, command, form, "override", "#hand")


def as_value(text: str) -> Any:
    """The value of a typed fact: a number, yes or no, a list, or a text.

    >>> as_value("3"), as_value(" true"), as_value("dead"), as_value('"3"')
    (3, True, 'dead', '3')
    """
    try:
        return msgspec.json.decode(text.strip())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text.strip()


ROUTES = (
    seat_decide,
    seat_rename,
    seat_role,
    seat_hand_over,
    invite_renew,
    game_update,
    options_set,
    settings_set,
    session_begin,
    session_close,
    session_end,
    override,
)
