"""Opaque cursors: positions in a log that reveal nothing about hidden events.

An event's number would tell a player how many hidden events lie between two visible ones. So the
server gives out the number sealed with its secret: one position always has the same string, and
nobody else can read or make one. The construction is deterministic encryption with a synthetic
nonce (as in RFC 5297): the nonce is a keyed hash of campaign and number, and serves as the seal.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import hmac

from kitchentable.dice.errors import BadInput

_SEAL = 12
_NUMBER = 6
_MOST_SEALED = 4096


class BadCursor(BadInput):
    """A cursor that this server did not make."""

    code = "feed/bad-cursor"


class Cursors:
    """Makes and reads cursors; `secret` has 16 to 64 bytes and is stored with the server.

    >>> cursors = Cursors(b"sixteen bytes at the least")
    >>> cursors.open("salt-road", cursors.seal("salt-road", 41))
    41
    """

    def __init__(self, secret: bytes) -> None:
        # Copies of keyed hashes save hashing the key again for each cursor.
        self._sealing = _keyed(secret, b"seal")
        self._hiding = _keyed(secret, b"hide")
        #: Every seat's screen asks for the same positions, so recent cursors are cached.
        self._sealed = functools.lru_cache(_MOST_SEALED)(self._seal)

    def seal(self, campaign: str, number: int) -> str:
        """The cursor after event `number` (0: the beginning)."""
        return self._sealed(campaign, number)

    def _seal(self, campaign: str, number: int) -> str:
        seal = self._seal_of(campaign, number)
        hidden = number ^ self._mask(seal)
        return base64.urlsafe_b64encode(seal + hidden.to_bytes(_NUMBER, "big")).decode("ascii")

    def open(self, campaign: str, cursor: str) -> int:
        """The number behind a cursor. Errors: BadCursor for a forged one."""
        try:
            raw = base64.urlsafe_b64decode(cursor.encode("ascii"))
        except (binascii.Error, UnicodeEncodeError, ValueError):
            raw = b""
        seal, hidden = raw[:_SEAL], raw[_SEAL:]
        number = int.from_bytes(hidden[:_NUMBER], "big") ^ self._mask(seal)
        true = self._seal_of(campaign, number)
        if len(hidden) != _NUMBER or not hmac.compare_digest(seal, true):
            raise BadCursor("This position in the log is unknown. Load the page again.")
        return number

    def _seal_of(self, campaign: str, number: int) -> bytes:
        data = campaign.encode() + b"\0" + number.to_bytes(_NUMBER, "big")
        return _digest(self._sealing, data)[:_SEAL]

    def _mask(self, seal: bytes) -> int:
        """The number that hides the number of an event."""
        return int.from_bytes(_digest(self._hiding, seal)[:_NUMBER], "big")


def _keyed(secret: bytes, purpose: bytes) -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=32, key=secret, person=purpose)


def _digest(keyed: hashlib.blake2b, data: bytes) -> bytes:
    own = keyed.copy()
    own.update(data)
    return own.digest()
