"""What the house remembers beside its tables: its own secrets, and the link that invites.

The key of an invitation is kept as it is, unlike every other key, so that the GM's desk can show it
again: it opens nothing but the door, behind which the GM says yes or no.
"""

from __future__ import annotations

import secrets

from kitchentable.app.house import House

_SECRET_BYTES = 32


def secret(house: House, name: str) -> bytes:
    """A secret of the house, the same for as long as the house stands."""
    return house.store.keep_setting(f"secret-{name}", secrets.token_bytes(_SECRET_BYTES))


def join_key(house: House, campaign: str) -> str:
    """The key of the link by which people ask for a seat; made where there is none in force."""
    known = house.store.setting(_name(campaign))
    if known is not None:
        key = known.decode("ascii")
        if house.keys.open(key, "join") is not None:
            return key
    return renew_join_key(house, campaign)


def renew_join_key(house: House, campaign: str) -> str:
    """A new key for that link; the one before opens nothing from now on."""
    known = house.store.setting(_name(campaign))
    if known is not None:
        house.keys.end(known.decode("ascii"))
    key = house.keys.cut("join", campaign)
    house.store.put_setting(_name(campaign), key.encode("ascii"))
    return key


def served_at(house: House) -> str | None:
    """The address the house was served at last; None before the first time."""
    known = house.store.setting("served-at")
    return known.decode() if known is not None else None


def remember_served_at(house: House, base: str) -> None:
    """Keep the address the house is served at."""
    house.store.put_setting("served-at", base.encode())


def _name(campaign: str) -> str:
    return f"join-{campaign}"
