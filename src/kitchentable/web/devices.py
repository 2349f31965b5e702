"""Devices that a seat or the host is signed in on: listed, and signed out one by one."""

from __future__ import annotations

import asyncio

from litestar import get, post

from kitchentable.web.answers import Answer, go_to, page
from kitchentable.web.at_table import AtTable
from kitchentable.web.auth import HOST_COOKIE, SEAT_COOKIE, host_key_of, make_cookie
from kitchentable.web.forms import read_form
from kitchentable.web.urls import paths


def _own(request: AtTable) -> tuple[str | None, str | None, str | None]:
    """The campaign, seat and key of the requesting device; the host has only a key."""
    if not request.has_table:
        return None, None, host_key_of(request).hash
    sitting = request.sitting
    return sitting.campaign, sitting.seat, sitting.key


@get(paths("devices"))
async def devices(request: AtTable) -> Answer:
    """The devices signed in to the requesting seat, or as the host."""
    campaign, seat, own = _own(request)
    return page(
        request,
        "pages/devices.html",
        view=request.view if campaign else None,
        devices=await asyncio.to_thread(request.server.keys.devices, campaign, seat),
        own=own,
        action=request.path_to("device_end"),
    )


@post(paths("device_end"))
async def device_end(request: AtTable) -> Answer:
    """Sign out a device; open pages of its seat close, and other devices reconnect."""
    campaign, seat, own = _own(request)
    device = (await read_form(request)).one("device")
    await asyncio.to_thread(request.server.keys.sign_out, device, campaign, seat)
    if campaign and seat:
        request.tables.hub.drop_everywhere(campaign, seat, "closing")
    if device != own:
        return go_to(request, "devices")
    gone = make_cookie(
        request, SEAT_COOKIE if campaign else HOST_COOKIE, "", campaign=campaign or "", hours=0
    )
    why = "signed-out" if campaign else "host-out"
    return page(request, "pages/shut.html", why=why, cookies=[gone])
