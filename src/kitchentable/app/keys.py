"""Keys: the secret part of each link and cookie; the store keeps only hashes."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import re
import secrets
import string
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from kitchentable.app.clock import Clock, on_the_loop
from kitchentable.store.errors import StoreError
from kitchentable.store.keys import in_force
from kitchentable.store.rows import Token as Token  # noqa: PLC0414 - pages get it here
from kitchentable.store.sql import Store

log = logging.getLogger("kitchentable.app")

#: 24 random bytes: 192 bits, well above the 128 that a seat's token has to have.
_BYTES = 24
_LETTERS = string.ascii_letters + string.digits
MOST_REMEMBERED = 10_000
_KEY = re.compile(r"[A-Za-z0-9_-]{32}")

#: The purposes of keys. "host-link": makes a device the host's, once, from the terminal; "host": a
#: device of the host; "join": asks for a seat in a campaign; "seat-link": opens one seat on a
#: device; "seat": a device that uses a seat.
PURPOSES = ("host-link", "host", "join", "seat-link", "seat")
#: The lifetime of keys in hours; keys of other purposes last until revoked.
LASTS: Mapping[str, float] = MappingProxyType(
    {"host-link": 7 * 24, "host": 90 * 24, "seat": 400 * 24}
)


def new_id(size: int = 12) -> str:
    """A fresh random name for a campaign, a seat or a command; not a secret.

    It has only letters and digits, so it fits anywhere, even at the start of an argument.

    >>> new_id().isalnum(), len(new_id())
    (True, 12)
    """
    return "".join([secrets.choice(_LETTERS) for _ in range(size)])


def passing_id() -> str:
    """A new id for a command sent without one; guessing it is harmless.

    >>> len(passing_id())
    18
    """
    return f"{random.getrandbits(72):018x}"


class KeyRing:
    """Issues, looks up and revokes keys."""

    def __init__(self, tokens: Store, clock: Clock) -> None:
        self._tokens = tokens
        self._clock = clock
        self._far = tokens.far
        #: By hash: tokens as last read from the store; None for unknown ones.
        self._remembered: dict[str, Token | None] = {}

    def issue(
        self,
        purpose: str,
        campaign: str | None = None,
        seat: str | None = None,
        *,
        label: str = "",
        hours: float | None = None,
        holder: str | None = None,
    ) -> str:
        """Issue a key of 192 random bits and store only its hash. The key is valid for `hours`, by
        default the lifetime of its purpose. `holder` is the hash of the key that requested it.
        Errors: KeyEnded if that key was revoked.
        """
        key = secrets.token_urlsafe(_BYTES)
        now = self._clock()
        hours = LASTS.get(purpose) if hours is None else hours
        self._tokens.put_token(
            Token(
                hash=digest(key),
                purpose=purpose,
                created=now,
                campaign=campaign,
                seat=seat,
                label=label,
                expires=_later(now, hours) if hours else None,
            ),
            holder=holder,
        )
        return key

    def open(self, key: str, *purposes: str) -> Token | None:
        """The token of a key in force with one of these purposes; None otherwise."""
        if not _KEY.fullmatch(key):
            return None
        hashed = digest(key)
        if self._far and hashed in self._remembered and on_the_loop():
            token = in_force(self._remembered[hashed], self._clock())
        else:
            token = self._look_up(hashed)
        return token if token is not None and token.purpose in purposes else None

    async def look_up(self, keys: Iterable[str]) -> None:
        """Read the tokens of these keys from a remote database, so that `open` need not wait. Call
        it at the beginning of each request, with all of its keys.
        """
        hashes = [digest(key) for key in keys if _KEY.fullmatch(key)]
        if self._far and hashes:
            await asyncio.to_thread(lambda: [self._look_up(hashed) for hashed in hashes])

    def recall(self, key: str, *purposes: str) -> Token | None:
        """The token of a key as it was last read, without reading the store.

        Another process may have revoked it since, so this is enough only for a command that is
        recorded on condition that its key is still in force (`Tables.handle`).
        """
        token = self.known(digest(key)) if _KEY.fullmatch(key) else None
        if token is None:
            return self.open(key, *purposes)
        return token if token.purpose in purposes else None

    def known(self, hashed: str) -> Token | None:
        """The token of this hash as it was last read, if it is in force; see `recall`."""
        return in_force(self._remembered.get(hashed), self._clock())

    def _look_up(self, hashed: str) -> Token | None:
        token = self._tokens.token(hashed, self._clock())
        if token is None and not self._far:
            self._remembered.pop(hashed, None)
        else:
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[hashed] = token
        return token

    def spend(self, key: str, purpose: str) -> Token | None:
        """Open a one-time key and revoke it in the same transaction."""
        if self.open(key, purpose) is None:
            return None
        return self._tokens.spend_token(digest(key), self._clock())

    def end(self, key: str) -> None:
        """Revoke one key."""
        self._tokens.revoke_token(digest(key), self._clock())

    async def ended(self, hashes: set[str]) -> set[str]:
        """The hashes among these of keys that are no longer in force.

        Empty while the database does not answer.
        """
        if not hashes:
            return hashes
        try:
            return hashes - await asyncio.to_thread(self._tokens.in_force, hashes, self._clock())
        except StoreError as error:
            log.warning("Signed-out devices are detected late: %s", error)
            return set()

    def devices(self, campaign: str | None = None, seat: str | None = None) -> list[Token]:
        """The keys in force of a seat's devices, or of the host's, oldest first."""
        purpose, now = "host" if campaign is None else "seat", self._clock()
        return [
            token
            for token in self._tokens.tokens(campaign)
            if token.purpose == purpose and token.seat == seat and in_force(token, now)
        ]

    def sign_out(self, hashed: str, campaign: str | None = None, seat: str | None = None) -> None:
        """Revoke the key of one device of a seat or of the host, and no other."""
        if any(token.hash == hashed for token in self.devices(campaign, seat)):
            self._tokens.revoke_token(hashed, self._clock())

    def end_purpose(self, purpose: str) -> None:
        """Revoke the server's keys of one purpose, such as unused links for the host."""
        for token in self._tokens.tokens(None):
            if token.purpose == purpose and token.revoked is None:
                self._tokens.revoke_token(token.hash, self._clock())


def digest(key: str) -> str:
    """The hash of a key for the store: its SHA-256 in hexadecimal.

    Keys are long and random, so a plain hash cannot be guessed; a slow one would only cost time.

    >>> len(digest("any"))
    64
    """
    return hashlib.sha256(key.encode()).hexdigest()


def _later(now: str, hours: float) -> str:
    then = datetime.fromisoformat(now) + timedelta(hours=hours)
    return then.isoformat(timespec="microseconds").replace("+00:00", "Z")
