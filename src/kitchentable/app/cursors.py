"""Opaque cursors: positions in a log that reveal nothing about hidden events.

An event's number would reveal how many hidden events lie between two visible ones. So the server
sends the number encrypted with its secret: an entry always has the same string, which nobody else
can read or make. The construction is deterministic encryption with a synthetic nonce (as in RFC
5297): the nonce is a keyed hash of campaign and number, and serves as the seal.

The end of the log gets a different string each time. Otherwise a string that differs from the last
entry's would reveal that something hidden has happened since.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import hmac
import secrets

from kitchentable.dice.errors import BadInput

_SEAL = 12
_NUMBER = 6
#: Random bytes that make each cursor of a place different.
_SALT = 6
_MOST_SEALED = 4096


class BadCursor(BadInput):
    """A cursor was not made by this server."""

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
        """The cursor of event `number` (0: the beginning)."""
        return self._sealed(campaign, number)

    def place(self, campaign: str, number: int) -> str:
        """A cursor after event `number`, which cannot be compared with any other."""
        return self._written(campaign, _bytes(number) + secrets.token_bytes(_SALT))

    def open(self, campaign: str, cursor: str) -> int:
        """The number behind a cursor. Errors: BadCursor for a forged one."""
        try:
            raw = base64.urlsafe_b64decode(cursor.encode("ascii"))
        except (binascii.Error, UnicodeEncodeError, ValueError):
            raw = b""
        seal, hidden = raw[:_SEAL], raw[_SEAL:]
        told = self._xor_mask(seal, hidden) if len(hidden) in {_NUMBER, _NUMBER + _SALT} else b""
        if not told or not hmac.compare_digest(seal, self._seal_of(campaign, told)):
            raise BadCursor("This position in the log is unknown. Load the log again.")
        return int.from_bytes(told[:_NUMBER], "big")

    def open_entry(self, campaign: str, cursor: str) -> int:
        """The number of an entry by its cursor. Errors: BadCursor, also for a place."""
        number = self.open(campaign, cursor)
        if cursor != self.seal(campaign, number):
            raise BadCursor("This entry of the log is unknown. Load the log again.")
        return number

    def _seal(self, campaign: str, number: int) -> str:
        return self._written(campaign, _bytes(number))

    def _written(self, campaign: str, told: bytes) -> str:
        seal = self._seal_of(campaign, told)
        return base64.urlsafe_b64encode(seal + self._xor_mask(seal, told)).decode("ascii")

    def _seal_of(self, campaign: str, told: bytes) -> bytes:
        return _digest(self._sealing, campaign.encode() + b"\0" + told)[:_SEAL]

    def _xor_mask(self, seal: bytes, told: bytes) -> bytes:
        """XOR a cursor's bytes with the mask of its seal; a second call restores them."""
        mask = _digest(self._hiding, seal)[: len(told)]
        hidden = int.from_bytes(told, "big") ^ int.from_bytes(mask, "big")
        return hidden.to_bytes(len(told), "big")


def _bytes(number: int) -> bytes:
    return number.to_bytes(_NUMBER, "big")


def _keyed(secret: bytes, purpose: bytes) -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=32, key=secret, person=purpose)


def _digest(keyed: hashlib.blake2b, data: bytes) -> bytes:
    own = keyed.copy()
    own.update(data)
    return own.digest()
