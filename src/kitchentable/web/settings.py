"""How a server is reached over the network: addresses, proxies, limits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the web server.

    `root_path` is the path below which the server is reached ("" or "/table"). `public_url` is the
    address that links and QR codes name; left out, it is the one a request came to. `trusted` are
    the networks of reverse proxies whose word about the client is taken ("*": anybody's, for a
    socket that only the proxy can reach). `keep_alive` is how many seconds a quiet stream lets pass
    between two signs of life. `largest_form` is in bytes.

    >>> Settings(root_path="/table").root_path
    '/table'
    """

    root_path: str = ""
    public_url: str = ""
    trusted: tuple[str, ...] = ()
    keep_alive: float = 20.0
    largest_form: int = 512_000
    #: Whether webhooks may go to addresses in private networks.
    private_webhooks: bool = False
    #: Wrong keys that one address may present at once, and how many it gets back in a minute.
    attempts: int = 20
    attempts_per_minute: float = 10.0
    #: Connections that one address may hold at once; six for each browser that plays there.
    connections: int = 200
    #: Seconds until the head of a request has come.
    request_within: float = 15.0
