"""The origin of a request behind trusted reverse proxies."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

#: The headers that describe the origin of a request.
ORIGIN_HEADERS = frozenset(
    {b"host", b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-prefix"}
)
#: The length of the headers of an origin that is remembered.
_SHORT = 400
_PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)+")
_HOST = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a request: the client's address, scheme and host, and the path's prefix."""

    address: str
    scheme: str
    host: str
    prefix: str

    @property
    def secure(self) -> bool:
        """Whether the person's connection is encrypted."""
        return self.scheme == "https"

    @property
    def base(self) -> str:
        """The address of the server as the person's browser knows it."""
        return f"{self.scheme}://{self.host}{self.prefix}"


def read_origin(
    headers: tuple[tuple[bytes, bytes], ...],
    peer: str,
    scheme: str,
    prefix: str,
    trusted: tuple[str, ...],
) -> Origin:
    """The origin that a request states; headers of a proxy count only if it is trusted.

    `headers` are those of `ORIGIN_HEADERS`, which are the same in every request of a browser.

    >>> said = ((b"host", b"inner"), (b"x-forwarded-for", b"203.0.113.9"))
    >>> read_origin(said, "127.0.0.1", "http", "", ("127.0.0.1",))
    Origin(address='203.0.113.9', scheme='http', host='inner', prefix='')
    >>> read_origin(said, "127.0.0.1", "http", "", ())
    Origin(address='127.0.0.1', scheme='http', host='inner', prefix='')
    """
    # Only attackers send long headers, so these are not cached.
    short = sum([len(value) for _, value in headers]) <= _SHORT
    return (_read if short else _read.__wrapped__)(headers, peer, scheme, prefix, trusted)


@lru_cache(maxsize=1024)
def _read(
    headers: tuple[tuple[bytes, bytes], ...],
    peer: str,
    scheme: str,
    prefix: str,
    trusted: tuple[str, ...],
) -> Origin:
    given = {name.decode(): value.decode("latin-1") for name, value in headers}
    host = given.get("host", "")
    address = peer
    if is_trusted(peer, trusted):
        address = _client(given.get("x-forwarded-for", ""), peer, trusted)
        said = given.get("x-forwarded-proto", "").split(",")[0].strip()
        scheme = said if said in {"http", "https"} else scheme
        host = given.get("x-forwarded-host", "").split(",")[0].strip() or host
        before = given.get("x-forwarded-prefix", "").split(",")[0].strip().rstrip("/")
        prefix = before if _PREFIX.fullmatch(before) else prefix
    return Origin(address, scheme, host if _HOST.fullmatch(host) else "localhost", prefix)


def is_trusted(address: str, trusted: Sequence[str]) -> bool:
    """Whether an address is in one of the networks; "*" takes in everybody.

    >>> is_trusted("10.1.2.3", ["10.0.0.0/8"]), is_trusted("10.1.2.3", []), is_trusted("", ["*"])
    (True, False, True)
    """
    return "*" in trusted or _is_within(address, tuple(trusted))


@lru_cache(maxsize=1024)
def _is_within(address: str, networks: tuple[str, ...]) -> bool:
    """Whether an address is in one of the networks; each browser asks again for every line."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in ipaddress.ip_network(network, strict=False) for network in networks)


def _client(forwarded: str, peer: str, trusted: Sequence[str]) -> str:
    """The last address of the chain that no trusted proxy has; each proxy adds one at the end."""
    chain = [part.strip() for part in forwarded.split(",") if part.strip()]
    if "*" in trusted:
        return chain[-1] if chain else peer
    for address in reversed(chain):
        if not is_trusted(address, trusted):
            return address
    return chain[0] if chain else peer
