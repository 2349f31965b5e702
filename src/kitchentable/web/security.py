"""The security headers of every response."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from litestar.types import Send

#: All files come from the server itself; nothing is inline and nothing evaluates.
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "manifest-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_CLOSED = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
_PERMISSIONS = ", ".join(f"{what}=()" for what in _CLOSED)

_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", _PERMISSIONS.encode()),
)
_HSTS = (b"strict-transport-security", b"max-age=31536000")
#: Responses without their own cache headers are not cached.
_NOT_KEPT = (b"cache-control", b"no-store, private")
_PLAIN = (*_HEADERS, _NOT_KEPT)
_SECURE = (*_PLAIN, _HSTS)


def with_headers(
    headers: Iterable[tuple[bytes, bytes]], *, secure: bool
) -> list[tuple[bytes, bytes]]:
    """A response's headers with those that every response has; its own take precedence.

    >>> (b"x-frame-options", b"DENY") in with_headers([], secure=False)
    True
    >>> with_headers([(b"cache-control", b"no-cache")], secure=True)[0]
    (b'cache-control', b'no-cache')
    """
    own = [(name.lower(), value) for name, value in headers]
    said = {name for name, _ in own}
    return own + [one for one in (_SECURE if secure else _PLAIN) if one[0] not in said]


@lru_cache(maxsize=8)
def headers_once(
    headers: tuple[tuple[bytes, bytes], ...], *, secure: bool
) -> list[tuple[bytes, bytes]]:
    """As `with_headers`, made once for headers that come often; not to be changed."""
    return with_headers(headers, secure=secure)


def with_own_headers(send: Send, *, secure: bool) -> Send:
    """Sends an answer on with the headers that every answer has."""

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": with_headers(message["headers"], secure=secure)}
        await send(message)

    return sending
