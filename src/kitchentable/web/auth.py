"""Authentication: the host by a cookie, a seat by a cookie limited to its campaign's pages.

A program uses the key of a seat's link as a bearer token instead. Cookies are never
read by scripts, never sent from other sites' forms, and limited to the path they are for.
"""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass

from litestar.datastructures import Cookie

from kitchentable.app.keys import LASTS, Token
from kitchentable.web.csrf import known_browser, new_browser
from kitchentable.web.errors import BadKey, NoSeat, NotTheHost
from kitchentable.web.proxies import Origin
from kitchentable.web.site import Asked

HOST_COOKIE = "kt_host"
SEAT_COOKIE = "kt_seat"
BROWSER_COOKIE = "kt_browser"
THEME_COOKIE = "kt_theme"
DIALECT_COOKIE = "kt_dialect"
HINTS_COOKIE = "kt_hints"
log = logging.getLogger("kitchentable.web")

#: Names of keys that are part of an address.
_KEYS = re.compile(r"(?<=/)[A-Za-z0-9_-]{32}(?=/|$)")
_A_YEAR = 365 * 24.0
#: Marks in what browsers say of themselves, the first that fits; most also say they are others.
_BROWSERS = (
    ("Firefox/", "Firefox"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_BROWSER = "kitchentable.browser"


@dataclass(frozen=True, slots=True)
class Sitting:
    """An authenticated seat: its campaign, its id, and the hash of its key."""

    campaign: str
    seat: str
    key: str | None = None


async def look_up_keys(request: Asked) -> None:
    """Look up the keys of a request in a far database, before the request is answered."""
    server, path = request.server, request.scope["path"]
    if server.store.far:
        campaign = path.split("/")[2] if path.startswith("/t/") else ""
        keys = [*_KEYS.findall(path), cookie_of(request, HOST_COOKIE), bearer(request)]
        await server.keys.look_up([*keys, cookie_of(request, SEAT_COOKIE, campaign)])


def bearer(request: Asked) -> str:
    """The key a program sends along; "" for none."""
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if kind.casefold() == "bearer" else ""


def sit(request: Asked, campaign: str, *, known: bool = False) -> Sitting:
    """The seat that a request comes from. Errors: NoSeat; TooManyTries.

    With `known`, the key's state of the last look-up is used. That is enough for sending a command,
    which is recorded only while its key is in force, but not for showing anything.
    """
    keys = request.server.keys
    look = keys.recall if known else keys.open
    key = bearer(request)
    if key:
        token = look(key, "seat", "seat-link")
    else:
        key = cookie_of(request, SEAT_COOKIE, campaign)
        token = look(key, "seat")
    if token is None or token.campaign != campaign or token.seat is None:
        if key:
            count_wrong_key(request)
        raise NoSeat(
            "This device has no seat at this table. Open the link of your seat, or ask "
            "the GM for one."
        )
    return Sitting(campaign, token.seat, token.hash)


def is_host(request: Asked) -> bool:
    """Whether the request comes from a device of the host."""
    return _host_key(request) is not None


def host_key_of(request: Asked) -> Token:
    """The key of the host's device that sent the request. Errors: NotTheHost; TooManyTries."""
    token = _host_key(request)
    if token is None:
        if cookie_of(request, HOST_COOKIE):
            count_wrong_key(request)
        raise NotTheHost(
            "Only the host can do that. Open the host's link from the server's terminal."
        )
    return token


def _host_key(request: Asked) -> Token | None:
    return request.server.keys.open(cookie_of(request, HOST_COOKIE), "host")


def count_wrong_key(request: Asked) -> None:
    """Count an invalid key. Errors: TooManyTries after too many of them.

    Valid keys are never affected: people who share an address with an attacker still get in.
    """
    site, address = request.site, request.origin.address
    site.tries.check(address)
    site.tries.count(address)
    log.warning("An invalid key came from %s.", address)


def bad_key(request: Asked) -> BadKey:
    """The response to a link that is not valid. Errors: TooManyTries."""
    count_wrong_key(request)
    return BadKey(
        "This link is not valid: it was used, revoked, or not copied completely. Ask for a new one."
    )


def browser_of(request: Asked) -> tuple[str, bool]:
    """The browser's id, and whether it is new."""
    found = cookie_of(request, BROWSER_COOKIE)
    if known_browser(found):
        return found, False
    state = request.scope["state"]
    if _BROWSER not in state:
        state[_BROWSER] = new_browser()
    name: str = state[_BROWSER]
    return name, True


def csrf_token(request: Asked) -> str:
    """A fresh CSRF token for the forms of this request's page."""
    return request.site.csrf.token(browser_of(request)[0])


async def seat_cookie(
    request: Asked, campaign: str, seat: str, holder: str | None = None
) -> Cookie:
    """A new key for this device, in a cookie that only the campaign's pages get.

    `holder` is the hash of the link's key that it is issued for. Errors: KeyEnded, where that was
    ended meanwhile.
    """
    issue = request.server.keys.issue
    label = device_of(request.headers.get("user-agent", ""))
    # In a thread, because it waits for the disk.
    key = await asyncio.to_thread(issue, "seat", campaign, seat, label=label, holder=holder)
    return make_cookie(request, SEAT_COOKIE, key, campaign=campaign, hours=LASTS["seat"])


async def new_link(request: Asked, campaign: str, seat: str) -> str:
    """A new link to a seat; earlier links stay valid."""
    key = await asyncio.to_thread(request.server.keys.issue, "seat-link", campaign, seat)
    return address_of(request, request.path_to("seat_key", key=key))


async def host_cookie(request: Asked) -> Cookie:
    """A cookie with a new host key for this device."""
    label = device_of(request.headers.get("user-agent", ""))
    key = await asyncio.to_thread(request.server.keys.issue, "host", label=label)
    return make_cookie(request, HOST_COOKIE, key, hours=LASTS["host"])


def cookie_of(request: Asked, name: str, campaign: str = "") -> str:
    """The value of a cookie; "" for none."""
    return request.cookies.get(_kept_as(request.origin, name, campaign), "")


def _kept_as(origin: Origin, name: str, campaign: str) -> str:
    """The name under which a browser keeps a cookie.

    Over HTTPS no other site of the domain can set it: `__Host-` has no path of its own, so a
    seat's names the campaign. Below a sub-path, where the address has other programs, `__Secure-`
    and the path hold instead.
    """
    if not origin.secure:
        return name
    if origin.prefix:
        return f"__Secure-{name}"
    return f"__Host-{name}-{campaign}" if campaign else f"__Host-{name}"


def make_cookie(
    request: Asked, name: str, value: str, *, campaign: str = "", hours: float = _A_YEAR
) -> Cookie:
    """A cookie for this many hours, limited to the pages of a campaign if one is named."""
    origin = request.origin
    path = f"{origin.prefix}/"
    if campaign and (origin.prefix or not origin.secure):
        path = request.path_to("table", campaign=campaign)
    return Cookie(
        key=_kept_as(origin, name, campaign),
        value=value,
        path=path,
        max_age=int(hours * 3600),
        secure=origin.secure,
        httponly=True,
        samesite="lax",
    )


def device_of(agent: str) -> str:
    """The name of a device, from its browser's headers.

    >>> device_of("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")
    'Firefox on Android'
    >>> device_of("curl/8.5.0")
    ''
    """
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    return f"{browser} on {system}" if browser and system else browser or system


def address_of(request: Asked, path: str) -> str:
    """The whole address of a path of ours (prefix included), as a link or a QR code names it."""
    origin, site = request.origin, request.site
    if site.settings.public_url:
        below = path.removeprefix(origin.prefix)
        return site.settings.public_url.rstrip("/") + below
    return f"{origin.scheme}://{origin.host}{path}"
