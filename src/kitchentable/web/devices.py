"""Devices that a seat or the host is signed in on: listed, and signed out one by one."""

from __future__ import annotations

import asyncio

from litestar import get, post
from litestar.params import FromPath

from kitchentable.web.answers import Answer, page, see_other
from kitchentable.web.auth import HOST_COOKIE, SEAT_COOKIE, host_key_of, no_cookie, sit
from kitchentable.web.forms import read_form
from kitchentable.web.projections import view_of
from kitchentable.web.site import Asked, renderer_of, site_of
from kitchentable.web.urls import path


@get(path("devices"), include_in_schema=False)
async def devices(request: Asked, campaign: FromPath[str]) -> Answer:
    """The devices that sit in somebody's own seat."""
    sitting = sit(request, campaign)
    keys = site_of(request).server.keys
    return page(
        request,
        "pages/devices.html",
        view=view_of(request, sitting),
        devices=await asyncio.to_thread(keys.devices, campaign, sitting.seat),
        own=sitting.key,
        action=renderer_of(request).url("device_end", campaign=campaign),
    )


@post(path("device_end"), include_in_schema=False, status_code=200)
async def device_end(request: Asked, campaign: FromPath[str]) -> Answer:
    """A device leaves the seat; its open pages are let go, and the seat's others come again."""
    sitting = sit(request, campaign)
    device = (await read_form(request)).one("device")
    server = site_of(request).server
    await asyncio.to_thread(server.keys.sign_out, device, campaign, sitting.seat)
    server.tables.hub.drop_everywhere(campaign, sitting.seat, "closing")
    if device == sitting.key:
        return _signed_out(request, SEAT_COOKIE, campaign)
    return see_other(request, renderer_of(request).url("devices", campaign=campaign))


@get(path("devices", 1), include_in_schema=False)
async def host_devices(request: Asked) -> Answer:
    """The devices that are the host's."""
    own = host_key_of(request)
    return page(
        request,
        "pages/devices.html",
        devices=await asyncio.to_thread(site_of(request).server.keys.devices),
        own=own.hash,
        action=renderer_of(request).url("device_end"),
    )


@post(path("device_end", 1), include_in_schema=False, status_code=200)
async def host_device_end(request: Asked) -> Answer:
    """A device is the host's no longer."""
    own = host_key_of(request)
    device = (await read_form(request)).one("device")
    await asyncio.to_thread(site_of(request).server.keys.sign_out, device)
    if device == own.hash:
        return _signed_out(request, HOST_COOKIE)
    return see_other(request, renderer_of(request).url("devices"))


def _signed_out(request: Asked, cookie: str, campaign: str = "") -> Answer:
    """The page of a device that has just signed out."""
    gone = no_cookie(request, cookie, campaign)
    return page(request, "pages/shut.html", why="signed-out", campaign_title="", cookies=[gone])


ROUTES = (devices, device_end, host_devices, host_device_end)
