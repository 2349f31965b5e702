"""Devices that a seat or the host is signed in on: listed, and signed out one by one."""

from __future__ import annotations

import asyncio

from litestar import get, post

from kitchentable.web.answers import Answer, go_to, page
from kitchentable.web.at_table import AtTable
from kitchentable.web.auth import HOST_COOKIE, SEAT_COOKIE, host_key_of, no_cookie
from kitchentable.web.forms import read_form
from kitchentable.web.site import Asked
from kitchentable.web.urls import path


@get(path("devices"))
async def devices(request: AtTable) -> Answer:
    """The devices that sit in somebody's own seat."""
    keys = request.server.keys
    return page(
        request,
        "pages/devices.html",
        view=request.view,
        devices=await asyncio.to_thread(keys.devices, request.campaign, request.sitting.seat),
        own=request.sitting.key,
        action=request.path_to("device_end"),
    )


@post(path("device_end"))
async def device_end(request: AtTable) -> Answer:
    """A device leaves the seat; its open pages are let go, and the seat's others come again."""
    device = (await read_form(request)).one("device")
    server, sitting = request.server, request.sitting
    await asyncio.to_thread(server.keys.sign_out, device, sitting.campaign, sitting.seat)
    server.tables.hub.drop_everywhere(sitting.campaign, sitting.seat, "closing")
    if device == sitting.key:
        return _signed_out(request, SEAT_COOKIE, sitting.campaign)
    return go_to(request, "devices")


@get(path("devices", 1))
async def host_devices(request: Asked) -> Answer:
    """The devices that are the host's."""
    own = host_key_of(request)
    return page(
        request,
        "pages/devices.html",
        devices=await asyncio.to_thread(request.server.keys.devices),
        own=own.hash,
        action=request.path_to("device_end"),
    )


@post(path("device_end", 1))
async def host_device_end(request: Asked) -> Answer:
    """A device is the host's no longer."""
    own = host_key_of(request)
    device = (await read_form(request)).one("device")
    await asyncio.to_thread(request.server.keys.sign_out, device)
    if device == own.hash:
        return _signed_out(request, HOST_COOKIE)
    return go_to(request, "devices")


def _signed_out(request: Asked, cookie: str, campaign: str = "") -> Answer:
    """The page of a device that has just signed out."""
    gone = no_cookie(request, cookie, campaign)
    return page(request, "pages/shut.html", why="signed-out", campaign_title="", cookies=[gone])
