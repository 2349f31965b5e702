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
from kitchentable.web.at_table import AtTable, told_on_page
from kitchentable.web.auth import address_of, seat_cookie
from kitchentable.web.desk_page import NewLink, desk_page, qr_of
from kitchentable.web.forms import Form, read_form
from kitchentable.web.moves import problems_of
from kitchentable.web.urls import path


async def _do(
    request: AtTable,
    command: Command,
    form: Form,
    about: str,
    anchor: str,
    to: str = "desk",
) -> Answer:
    """Send a command of the desk; if it is refused, show the desk with the answers again."""
    try:
        await request.do(command)
    except told_on_page(request) as refused:
        return await desk_page(
            request,
            form=form,
            problems=problems_of(refused),
            about=about,
            status=422,
        )
    return request.done(to=to, anchor=anchor)


@post(path("seat_decide"))
async def seat_decide(request: AtTable, seat: FromPath[str]) -> Answer:
    """Yes or no to who waits; the end of a seat."""
    form = await read_form(request)
    command = DecideSeat(id=form.command(), of=seat, verdict=form.one("verdict"))
    if form.one("back") == "table":
        await request.do(command)
        return request.done()
    return await _do(request, command, form, "seats", "#seats")


@post(path("seat_rename"))
async def seat_rename(request: AtTable, seat: FromPath[str]) -> Answer:
    """Another name on a seat."""
    form = await read_form(request)
    command = RenameSeat(id=form.command(), of=seat, name=form.one("name"))
    if request.view.me.role != GM:
        await request.do(command)
        return request.done()
    return await _do(request, command, form, "seats", "#seats")


@post(path("seat_role"))
async def seat_role(request: AtTable, seat: FromPath[str]) -> Answer:
    """A seat becomes a player's, a spectator's or a co-GM's."""
    form = await read_form(request)
    role = form.one("role")
    command = SetRole(id=form.command(), of=seat, role="cogm" if role == GM else role)
    return await _do(request, command, form, "seats", "#seats")


@post(path("seat_hand_over"))
async def seat_hand_over(request: AtTable, seat: FromPath[str]) -> Answer:
    """Revoke a seat's keys and show its new link, once."""
    site = request.site
    form = await read_form(request)
    handled = await request.do(HandOver(id=form.command(), of=seat))
    if handled.repeated:
        return see_other(request, request.path_to("desk"))
    # The step that was recorded has ended every key there was.
    key = await asyncio.to_thread(site.server.keys.cut, "seat-link", request.campaign, seat)
    link = address_of(request, request.path_to("seat_key", key=key))
    name = str(handled.events[0].data["name"])
    cookies = []
    if seat == request.sitting.seat:
        # The GM's own keys ended too; this device stays at the desk.
        cookies = [await seat_cookie(request, request.campaign, seat)]
    answer = await desk_page(request, new_link=NewLink(name, link, qr_of(link)))
    for cookie in cookies:
        answer.set_cookie(cookie)
    return answer


@post(path("invite_renew"))
async def invite_renew(request: AtTable) -> Answer:
    """Another link to join by; the one before opens nothing any more."""
    request.must_be_gm()
    await asyncio.to_thread(kept.renew_join_key, request.server, request.campaign)
    return see_other(request, request.path_to("desk") + "#seats")


@post(path("game_update"))
async def game_update(request: AtTable) -> Answer:
    """Update the campaign to another version of its game."""
    form = await read_form(request)
    command = UpdateGame(id=form.command(), version=form.one("version"), reason=form.one("reason"))
    return await _do(request, command, form, "update", "#rules-of")


@post(path("options_set"))
async def options_set(request: AtTable) -> Answer:
    """The optional rules change."""
    form = await read_form(request)
    if form.one("add"):
        return await desk_page(request, form=form, about="options")
    command = SetOptions(
        id=form.command(),
        options=form.answers("o."),
        answers=form.answers("q."),
        reason=form.one("reason"),
    )
    return await _do(request, command, form, "options", "#rules-of")


@post(path("settings_set"))
async def settings_set(request: AtTable) -> Answer:
    """Change the settings of the table."""
    form = await read_form(request)
    command = SetSettings(id=form.command(), settings=form.answers("t."))
    return await _do(request, command, form, "settings", "#run")


@post(path("session_begin"))
async def session_begin(request: AtTable) -> Answer:
    """The evening begins."""
    form = await read_form(request)
    command = BeginSession(id=form.command())
    return await _do(request, command, form, "evening", "", to="table")


@post(path("session_close"))
async def session_close(request: AtTable) -> Answer:
    """The table turns to the end of the evening."""
    form = await read_form(request)
    command = CloseSession(id=form.command())
    return await _do(request, command, form, "evening", "", to="closing")


@post(path("session_end"))
async def session_end(request: AtTable) -> Answer:
    """The evening is over; the dice are revealed."""
    form = await read_form(request)
    command = EndSession(id=form.command())
    return await _do(request, command, form, "evening", "", to="table")


@post(path("override"))
async def override(request: AtTable) -> Answer:
    """Set a fact by hand, with a reason that everybody can read."""
    form = await read_form(request)
    command = Override(
        id=form.command(),
        path=tuple(form.one("path").strip().split(".")),
        now=as_value(form.one("value")),
        reason=form.one("reason"),
    )
    return await _do(request, command, form, "override", "#hand")


def as_value(text: str) -> Any:
    """The value of a typed fact: a number, yes or no, a list, or a text.

    >>> as_value("3"), as_value(" true"), as_value("dead"), as_value('"3"')
    (3, True, 'dead', '3')
    """
    try:
        return msgspec.json.decode(text.strip())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text.strip()
