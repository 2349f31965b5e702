"""Settings of the server: its secrets, its address, and the invitation link of each campaign.

The key of an invitation is stored in clear, unlike every other key, so that the GM's page can show
it again: it only lets people ask for a seat, which the GM grants or refuses.
"""

from __future__ import annotations

import secrets

from kitchentable.app.server import Server

_SECRET_BYTES = 32


def secret(server: Server, name: str) -> bytes:
    """A secret of the server, created once and stored."""
    return server.store.keep_setting(f"secret-{name}", secrets.token_bytes(_SECRET_BYTES))


def join_key(server: Server, campaign: str) -> str:
    """The key of the invitation link; created if none is in force."""
    known = server.store.setting(_name(campaign))
    if known is not None:
        key = known.decode("ascii")
        if server.keys.open(key, "join") is not None:
            return key
    return renew_join_key(server, campaign)


def renew_join_key(server: Server, campaign: str) -> str:
    """A new key for the invitation link; the former one stops working."""
    known = server.store.setting(_name(campaign))
    if known is not None:
        server.keys.end(known.decode("ascii"))
    key = server.keys.issue("join", campaign)
    server.store.put_setting(_name(campaign), key.encode("ascii"))
    return key


def served_at(server: Server) -> list[str]:
    """The last address of the server, and the other addresses at which it was running."""
    return (server.store.setting("served-at") or b"").decode().split()


def remember_served_at(server: Server, *bases: str) -> None:
    """Store the addresses at which the server runs, the newest first."""
    server.store.put_setting("served-at", "\n".join(bases).encode())


def _name(campaign: str) -> str:
    return f"join-{campaign}"
