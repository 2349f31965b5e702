"""Messages of webhooks: entries as JSON, signed as in the Standard Webhooks specification."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import msgspec

from kitchentable.app.plaintext import tell
from kitchentable.app.shapes import plain
from kitchentable.app.webhooks import BadHook, check_scheme
from kitchentable.campaign.read_models import Entry

#: Seconds for an answer, including the connection.
_ANSWER = 10.0
#: Networks whose addresses carry an IPv4 address that may be a private one.
_CARRIERS = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16")))


@dataclass(frozen=True, slots=True)
class Message:
    """A message: its id, which stays the same when it is sent again, and its body."""

    id: str
    body: bytes

    def headers(self, secret: str, timestamp: int) -> dict[str, str]:
        """The headers of the message, with its signature at this time."""
        return {
            "content-type": "application/json",
            "user-agent": "KitchenTable",
            "webhook-id": self.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": sign(secret, self.id, timestamp, self.body),
        }


def message_of(entry: Entry, campaign: str, title: str) -> Message:
    """An entry as a message: its kind, time, text in one line, and all of its parts."""
    data = {"campaign": campaign, "title": title, "text": tell(entry, time=False)}
    told = {
        "type": f"entry.{entry.kind}",
        "timestamp": entry.time,
        "data": {**data, "entry": plain(entry)},
    }
    return Message(f"msg_{entry.cursor.rstrip('=')}", msgspec.json.encode(told))


def sign(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """The signature of a message: HMAC-SHA256 of its id, its time and its body.

    >>> sign("whsec_c2VjcmV0", "msg_1", 1700000000, b"{}")
    'v1,A5oIrJxXPB/PkULSoVu0e4khvPiqpF9vljmhkSKg0FI='
    """
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode("ascii")


def post(
    url: str, headers: Mapping[str, str], body: bytes, *, private: bool, trusted: ssl.SSLContext
) -> int:
    """Send a body and return the status of the answer, without reading its body. The host is looked
    up once, and its address is checked and connected to, so that no second look-up leads elsewhere.
    Redirects and proxies of the environment are ignored. Errors: BadHook; httpx.TransportError;
    TimeoutError, also for an answer that comes byte by byte.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    check_scheme(url, private=private)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = look_up(host, port, private=private)
    at = f"[{found}]" if ":" in found else found
    named = host if parts.port is None else f"{host}:{parts.port}"
    to = urlunsplit((parts.scheme, f"{at}:{port}", parts.path or "/", parts.query, ""))

    async def status() -> int:
        async with (
            asyncio.timeout(_ANSWER),
            # A separate client: hosts that share an address must not share a connection.
            httpx.AsyncClient(verify=trusted, timeout=_ANSWER, trust_env=False) as client,
            client.stream(
                "POST",
                to,
                content=body,
                headers={**headers, "host": named},
                extensions={"sni_hostname": host},
            ) as answer,
        ):
            return answer.status_code

    return asyncio.run(status())


def look_up(host: str, port: int, *, private: bool) -> str:
    """The IP address of a host, which must be public unless `private`. Errors: BadHook."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadHook(f"There is no server called {host}. Check the address.") from None
    addresses: list[Any] = [one[4][0] for one in found]
    if not private and not all(is_public(str(one)) for one in addresses):
        raise BadHook(
            f"{host} is in a private network. Only the server's owner can allow that: "
            "kitchentable serve --private-webhooks"
        )
    return str(addresses[0])


def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet.

    >>> [is_public(one) for one in ("93.184.215.14", "127.0.0.1", "169.254.169.254", "10.0.0.1")]
    [True, False, False, False]
    >>> [is_public(one) for one in ("2606:4700::1111", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1")]
    [True, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if any(found in one for one in _CARRIERS if one.version == found.version):
        return False
    return found.is_global and not found.is_multicast
