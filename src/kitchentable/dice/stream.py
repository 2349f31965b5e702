"""Dice that nobody can have chosen: a stream promised by a hash before the session begins.

The host's seed is promised by a published :func:`commit`; only then do the players add words of
their own. Seed and words together key an HMAC-SHA-256 stream, and the seed is shown when the
session ends, so that anyone can compute every die again. ``docs/fair-dice.md`` says what this
proves and what it does not, and gives the bytes for a reader who writes it anew.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field

from kitchentable.dice.errors import BadInput

SEED_BYTES = 32
LONGEST_WORDS = 1_000
MOST_RESULTS = 1 << 256
"""A draw reads one HMAC-SHA-256 value as a whole number below this."""


class BadStream(BadInput):
    """A seed, a contribution or a throw number that no stream of dice can be made of."""

    code = "dice/bad-stream"


def encode(*fields: str | int | bytes) -> bytes:
    """Fields as bytes that can be read back in one way only: netstrings, one after another.

    Text is UTF-8, a whole number its decimal digits, bytes are themselves; each field is written
    as its length in bytes, a colon, the bytes and a comma.

    >>> encode("d", 20, b"!")
    b'1:d,2:20,1:!,'
    """
    parts = []
    for one in fields:
        raw = one if isinstance(one, bytes) else _as_text(one)
        parts.append(b"%d:%b," % (len(raw), raw))
    return b"".join(parts)


def _as_text(one: str | int) -> bytes:
    try:
        return str(one).encode()
    except UnicodeEncodeError as error:
        raise BadStream(f"{one!r} holds half a character, which no text can hold.") from error


def commit(seed: bytes, campaign_id: str, session_no: int) -> str:
    """The promise that is shown before a session: 64 hexadecimal digits that bind its seed.

    It is SHA-256 over ``encode("kitchentable/commitment/1", campaign_id, session_no, seed)``.
    Raises :class:`BadStream` unless the seed has 32 bytes.

    >>> commit(bytes(32), "harvest", 3)[:16]
    'b1939f1068b56d26'
    """
    _check_seed(seed)
    promised = encode("kitchentable/commitment/1", campaign_id, session_no, seed)
    return hashlib.sha256(promised).hexdigest()


def check_commitment(commitment: str, seed: bytes, campaign_id: str, session_no: int) -> bool:
    """Say whether a shown seed is the one that was promised for this session.

    >>> check_commitment(commit(bytes(32), "harvest", 3), bytes(32), "harvest", 3)
    True
    """
    return hmac.compare_digest(commitment.encode(), commit(seed, campaign_id, session_no).encode())


@dataclass(frozen=True, slots=True)
class Contribution:
    """What someone at the table adds to the dice: any words, from a throw on.

    `from_throw` is the first throw number that these words change; it is 1 for those who are
    there at the start, and the next unused throw number for those who join later.
    """

    who: str
    words: str
    from_throw: int = 1

    def __post_init__(self) -> None:
        if len(self.words) > LONGEST_WORDS or len(self.who) > LONGEST_WORDS:
            raise BadStream(f"A contribution has at most {LONGEST_WORDS:,} characters.")
        _check_throw(self.from_throw)
        encode(self.who, self.words)


@dataclass(frozen=True, slots=True)
class SessionStream:
    """The dice of one session, addressed by throw number: the same number, the same dice.

    Contributions count in the order given, each from its own throw number on. A throw number is
    reserved once for each roll; asking again for the same number replays the same dice.

    >>> stream = SessionStream(bytes(32), (Contribution("Ada", "tea and rain"),))
    >>> dice = stream.throw(1)
    >>> [dice.below(6) + 1 for _ in range(5)]
    [2, 2, 2, 5, 4]
    >>> again = stream.throw(1)
    >>> [again.below(6) + 1 for _ in range(5)]
    [2, 2, 2, 5, 4]
    """

    seed: bytes = field(repr=False)
    contributions: tuple[Contribution, ...] = ()

    def __post_init__(self) -> None:
        _check_seed(self.seed)
        starts = [one.from_throw for one in self.contributions]
        if starts != sorted(starts):
            raise BadStream(
                "Contributions stand in the order in which they were made, so none can count "
                "from an earlier throw than the one before it."
            )

    def throw(self, number: int) -> ThrowSource:
        """The source of one throw, from its first die on."""
        _check_throw(number)
        counted = [one for one in self.contributions if one.from_throw <= number]
        return ThrowSource(_key(self.seed, counted), number)


class ThrowSource:
    """The source of one throw: draw 0 is its first die, draw 1 its second, and so on."""

    __slots__ = ("_key", "_next", "_throw")

    def __init__(self, key: bytes, throw: int) -> None:
        self._key = key
        self._throw = throw
        self._next = 0

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1, each exactly as likely as the others; n is at most 2**256."""
        drawn = draw(self._key, self._throw, self._next, n)
        self._next += 1
        return drawn


def draw(key: bytes, throw: int, index: int, n: int) -> int:
    """Draw number `index` of a throw: a whole number from 0 to n - 1 without modulo bias.

    Attempt a reads HMAC-SHA-256(key, ``encode("kitchentable/draw/1", throw, index, a)``) as a
    big-endian whole number below 2**256. Values from the greatest multiple of n on are rejected
    and the next attempt is read; the remainder of the first other value by n is the result.
    """
    if not 1 <= n <= MOST_RESULTS:
        raise BadStream(f"A draw is made among 1 to 2**256 results, not among {n}.")
    limit = MOST_RESULTS - MOST_RESULTS % n
    attempt = 0
    while True:
        block = hmac.digest(key, encode("kitchentable/draw/1", throw, index, attempt), "sha256")
        value = int.from_bytes(block, "big")
        if value < limit:
            return value % n
        attempt += 1


def _key(seed: bytes, contributions: Iterable[Contribution]) -> bytes:
    """HMAC-SHA-256 of every contribution that counts, in order, under the seed."""
    counted = list(contributions)
    message = encode("kitchentable/key/1", len(counted)) + b"".join(
        encode(one.who, one.words, one.from_throw) for one in counted
    )
    return hmac.digest(seed, message, "sha256")


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise BadStream(f"A session's seed has {SEED_BYTES} bytes, not {len(seed)}.")


def _check_throw(number: int) -> None:
    if number < 1:
        raise BadStream(f"Throws are numbered from 1 on, not {number}.")
