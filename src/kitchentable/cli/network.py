"""The network addresses of a server, and the sockets that listen on them."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Sequence

import httpx

from kitchentable.dice.errors import BadInput

#: Addresses of other machines: only the route is looked up, nothing is sent.
_ELSEWHERE = (("10.254.254.254", socket.AF_INET), ("fd00::fefe", socket.AF_INET6))
#: Addresses of private overlay networks (RFC 6598), such as Tailscale's.
_SHARED = ipaddress.ip_network("100.64.0.0/10")
_BACKLOG = 2048
#: Wildcard addresses, which cannot be part of a link.
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - what the host may ask for, never what we choose


class CannotListen(BadInput):
    """The address or the port cannot be used."""

    code = "serve/cannot-listen"


def home_address() -> str | None:
    """Find this machine's address in its network, if that network is private.

    Nothing is sent. A public address is never returned, because unencrypted pages belong on the
    internet only if the host decides so.
    """
    for elsewhere, family in _ELSEWHERE:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
            except OSError:
                continue
            found = str(probe.getsockname()[0])
        if is_home(found):
            return found
    return None


def is_home(address: str) -> bool:
    """Whether an address is in a home network: private, and reachable from other machines.

    >>> [is_home(one) for one in ("192.168.1.7", "100.101.1.2", "127.0.0.1", "8.8.8.8", "fd12::1")]
    [True, True, False, False, True]
    """
    found = ipaddress.ip_address(address)
    if found.is_loopback or found.is_unspecified or found.is_link_local:
        return False
    return found.is_private or found in _SHARED


def listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Open sockets that listen on one port of each address; port 0 takes any free port.

    Errors: CannotListen.
    """
    sockets: list[socket.socket] = []
    for host in hosts:
        try:
            sockets.append(_listen(host, port))
        except (OSError, UnicodeError) as error:
            for one in sockets:
                one.close()
            raise CannotListen(_sentence(error, host, port)) from error
        port = port or int(sockets[0].getsockname()[1])
    return sockets


def _listen(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    # From now on the system queues connections, so links may be printed.
    return socket.create_server(address, family=family, backlog=_BACKLOG, dualstack_ipv6=both)


def _sentence(error: OSError | UnicodeError, host: str, port: int) -> str:
    if isinstance(error, socket.gaierror | UnicodeError):
        return f"{host!r} is not a known address. Use an address of this machine."
    match error.errno:
        case errno.EADDRINUSE:
            return (
                f"Port {port} is in use by another program, perhaps this server. Stop that "
                f"program, or choose another port, such as {port + 1}."
            )
        case errno.EACCES:
            return f"Port {port} is reserved by the system. Choose one above 1023, such as 8000."
        case errno.EADDRNOTAVAIL:
            return f"{host} is not an address of this machine. Use one that is."
    return f"The system refuses to listen on {host}, port {port}: {error.strerror}."


def answers(base: str) -> bool:
    """Whether a server answers at an address within a second."""
    try:
        return httpx.get(f"{base}/health", timeout=1.0).is_success
    except (httpx.HTTPError, httpx.InvalidURL):
        return False


def at(host: str, port: int) -> str:
    """Write host and port as in an address.

    >>> at("192.168.1.7", 8000), at("fd12::1", 80)
    ('192.168.1.7:8000', '[fd12::1]')
    """
    name = f"[{host}]" if ":" in host else host
    return name if port == 80 else f"{name}:{port}"
