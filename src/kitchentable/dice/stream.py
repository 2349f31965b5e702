"""Verifiable dice: a random stream fixed by a commitment before the session begins.

The host publishes a commitment to the seed (:func:`commit`); only then do the players add their own
words. Seed and words together key an HMAC-SHA-256 stream. The seed is revealed when the session
ends, so that anyone can recompute every die. Dice behind the GM's screen use a second secret, the
screen, which has its own commitment and stays with the GM. ``docs/fair-dice.md`` states the
properties that this proves, and specifies the bytes for other implementations.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from kitchentable.dice.errors import BadInput

SEED_BYTES = 32
LONGEST_WORDS = 1_000
MOST_RESULTS = 1 << 256
"""The number of values of HMAC-SHA-256, which a draw reads as a whole number."""


class BadStream(BadInput):
    """A seed, a contribution or a throw number that is not valid for a stream of dice."""

    code = "dice/bad-stream"


def encode(*fields: str | int | bytes) -> bytes:
    """Fields as unambiguous bytes: netstrings, one after another.

    Text is UTF-8, a whole number its decimal digits, bytes are themselves. Each field is written as
    its length in bytes, a colon, the bytes and a comma.

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
        raise BadStream(f"{one!r} contains half a character, which cannot be encoded.") from error


def commit(seed: bytes, campaign_id: str, session_no: int) -> str:
    """The commitment to a session's seed, published before the session: 64 hexadecimal digits.

    It is SHA-256 over ``encode("kitchentable/commitment/1", campaign_id, session_no, seed)``.
    Raises :class:`BadStream` unless the seed has 32 bytes.

    >>> commit(bytes(32), "harvest", 3)[:16]
    'b1939f1068b56d26'
    """
    _check_seed(seed)
    return _promise("kitchentable/commitment/1", campaign_id, session_no, seed)


def commit_screen(screen: bytes, campaign_id: str, session_no: int) -> str:
    """The commitment to a session's screen, published with the commitment to its seed.

    It is SHA-256 over ``encode("kitchentable/screen-commitment/1", campaign_id, session_no,
    screen)``. Raises :class:`BadStream` unless the screen has 32 bytes.

    >>> commit_screen(bytes(32), "harvest", 3) == commit(bytes(32), "harvest", 3)
    False
    """
    _check_seed(screen, "screen")
    return _promise("kitchentable/screen-commitment/1", campaign_id, session_no, screen)


def _promise(*fields: str | int | bytes) -> str:
    return hashlib.sha256(encode(*fields)).hexdigest()


def secrets_of(root: bytes) -> tuple[bytes, bytes]:
    """The seed and the screen of a session, derived from its stored secret.

    Both are HMAC-SHA-256 under that secret, over ``encode("kitchentable/seed/1")`` and over
    ``encode("kitchentable/screen/1")``. Neither of the two reveals the other.

    >>> seed, screen = secrets_of(bytes(32))
    >>> len(seed), len(screen), seed == screen
    (32, 32, False)
    """
    _check_seed(root)
    seed = hmac.digest(root, encode("kitchentable/seed/1"), "sha256")
    return seed, hmac.digest(root, encode("kitchentable/screen/1"), "sha256")


def check_commitment(commitment: str, seed: bytes, campaign_id: str, session_no: int) -> bool:
    """Whether a revealed seed matches the commitment for this session.

    >>> check_commitment(commit(bytes(32), "harvest", 3), bytes(32), "harvest", 3)
    True
    """
    return hmac.compare_digest(commitment.encode(), commit(seed, campaign_id, session_no).encode())


def check_screen(commitment: str, screen: bytes, campaign_id: str, session_no: int) -> bool:
    """Whether a revealed screen matches the commitment for this session.

    >>> check_screen(commit_screen(bytes(32), "harvest", 3), bytes(32), "harvest", 3)
    True
    """
    promised = commit_screen(screen, campaign_id, session_no)
    return hmac.compare_digest(commitment.encode(), promised.encode())


@dataclass(frozen=True, slots=True)
class Contribution:
    """Words that a person adds to the key of the stream, valid from a throw number on.

    `from_throw` is the first throw that these words change: 1 for people present at the start, the
    next unused throw number for people who join later.
    """

    who: str
    words: str
    from_throw: int = 1

    def __post_init__(self) -> None:
        if len(self.words) > LONGEST_WORDS or len(self.who) > LONGEST_WORDS:
            raise BadStream(f"A contribution can have at most {LONGEST_WORDS:,} characters.")
        _check_throw(self.from_throw)
        encode(self.who, self.words)


@dataclass(frozen=True, slots=True)
class SessionStream:
    """The dice of one session, addressed by throw number: equal numbers give equal dice.

    Contributions count in the order given, each from its own throw number on. A throw number is
    reserved for one roll. With a `screen`, dice of a throw can be drawn from a second source,
    behind the screen.

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
    screen: bytes | None = field(default=None, repr=False)
    #: Keys by the number of contributions that count.
    _keys: dict[int, bytes] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_seed(self.seed)
        if self.screen is not None:
            _check_seed(self.screen, "screen")
        starts = [one.from_throw for one in self.contributions]
        if starts != sorted(starts):
            raise BadStream(
                "Contributions must be in the order in which they were made, so that none "
                "counts from an earlier throw than the one before it."
            )

    def throw(self, number: int) -> ThrowSource:
        """The source of one throw, starting at its first die."""
        return ThrowSource(self._key_of(number), number)

    def behind(self, number: int) -> ThrowSource:
        """The source of those dice of one throw that are thrown behind the screen.

        Its key is HMAC-SHA-256 of the throw's own key under the screen. Raises :class:`BadStream`
        for a session without a screen.
        """
        if self.screen is None:
            raise BadStream("This session has no screen for hidden dice.")
        screened = encode("kitchentable/screened-key/1", self._key_of(number))
        return ThrowSource(hmac.digest(self.screen, screened, "sha256"), number)

    def _key_of(self, number: int) -> bytes:
        _check_throw(number)
        counted = sum(one.from_throw <= number for one in self.contributions)
        key = self._keys.get(counted)
        if key is None:
            key = self._keys[counted] = _key(self.seed, self.contributions[:counted])
        return key


class ThrowSource:
    """The source of one throw: draw 0 is its first die, draw 1 its second, and so on.

    `drawn` is the number of dice drawn so far.
    """

    __slots__ = ("_begun", "drawn")

    def __init__(self, key: bytes, throw: int) -> None:
        self._begun = _of_throw(key, throw)
        self.drawn = 0

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1, all exactly equally likely; n is at most 2**256."""
        drawn = _drawn(self._begun, self.drawn, n)
        self.drawn += 1
        return drawn


def draw(key: bytes, throw: int, index: int, n: int) -> int:
    """Draw number `index` of a throw: a whole number from 0 to n - 1 without modulo bias.

    Attempt a reads HMAC-SHA-256(key, ``encode("kitchentable/draw/1", throw, index, a)``) as a
    big-endian whole number below 2**256. Values from the greatest multiple of n on are rejected,
    and the next attempt is read. The result is the first accepted value modulo n.
    """
    return _drawn(_of_throw(key, throw), index, n)


def _of_throw(key: bytes, throw: int) -> hmac.HMAC:
    """The hash state shared by all draws of a throw."""
    return hmac.new(key, encode("kitchentable/draw/1", throw), "sha256")


def _drawn(begun: hmac.HMAC, index: int, n: int) -> int:
    if not 1 <= n <= MOST_RESULTS:
        raise BadStream(f"A draw must have 1 to 2**256 possible results, not {n}.")
    limit = MOST_RESULTS - MOST_RESULTS % n
    attempt = 0
    while True:
        block = begun.copy()
        block.update(_encode_draw(index, attempt))
        value = int.from_bytes(block.digest(), "big")
        if value < limit:
            return value % n
        attempt += 1


@lru_cache(maxsize=1024)
def _encode_draw(index: int, attempt: int) -> bytes:
    """A draw of any throw; most throws have few."""
    return encode(index, attempt)


def _key(seed: bytes, counted: Sequence[Contribution]) -> bytes:
    """HMAC-SHA-256 of every contribution that counts, in order, under the seed."""
    message = encode("kitchentable/key/1", len(counted)) + b"".join(
        encode(one.who, one.words, one.from_throw) for one in counted
    )
    return hmac.digest(seed, message, "sha256")


def _check_seed(seed: bytes, what: str = "seed") -> None:
    if len(seed) != SEED_BYTES:
        raise BadStream(f"A session's {what} must have {SEED_BYTES} bytes, not {len(seed)}.")


def _check_throw(number: int) -> None:
    if number < 1:
        raise BadStream(f"A throw number must be at least 1, not {number}.")
