"""The data types of the store. Times are ISO-8601 in UTC, bodies are JSON.

Types used by each append are msgspec structs, for speed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

Ordinal = Annotated[int, msgspec.Meta(ge=1)]
"""A number counted from 1."""


class NewRow(msgspec.Struct, frozen=True):
    """An event to be recorded, before it has a number.

    `time` is ISO-8601 UTC ending in ``Z``, `kind` names the event, `body` is one JSON object on
    one line; it is kept byte for byte.

    >>> NewRow(time="2026-11-21T19:30:00Z", kind="said", body=b'{"text":"Hello"}').kind
    'said'
    """

    time: str
    kind: str
    body: bytes


class Row(msgspec.Struct, frozen=True):
    """A recorded event, number `number` of its campaign, counted from 1 without gaps.

    The rows of one command follow each other and carry the same `command`.
    """

    campaign: str
    number: int
    command: str
    time: str
    kind: str
    body: bytes


class Append(msgspec.Struct, frozen=True):
    """A command's rows to be recorded after row `expected`, all or none.

    `expected` is 0 for an empty campaign. `entry` writes the campaign's line in the directory in
    the same step: pass it with the first command of a campaign and whenever the title or the
    archive changes. `next_throw_of` is a session; its next throw number is reserved in the same
    step, as by `reserve` without a command. `key` is the hash of the sender's key: the command is
    recorded only if that key is not revoked, which is checked in the same step. All keys of the
    seats in `end_keys_of` are revoked in the same step. If nothing is recorded, none of this
    happens.
    """

    campaign: str
    expected: int
    command: str
    rows: Sequence[NewRow]
    entry: CampaignEntry | None = None
    next_throw_of: int | None = None
    key: str | None = None
    end_keys_of: Sequence[str] = ()


class Appended(msgspec.Struct, frozen=True):
    """The result for a new command: its rows, now on disk.

    `next_throw` is the throw number reserved in the same step, if requested.
    """

    rows: tuple[Row, ...]
    next_throw: int | None = None


class AlreadyDone(msgspec.Struct, frozen=True):
    """The result for a command recorded before: its earlier rows. Nothing was added."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    """A campaign's line in the directory; `archived` is the time of its archiving, or None."""

    id: str
    title: str
    game: str
    created: str
    archived: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a campaign after event `number`, derived from its log.

    `form` is the version of the event form that it was derived with. Another version ignores it.
    """

    campaign: str
    number: int
    form: int
    body: bytes


@dataclass(frozen=True, slots=True)
class IndexedEvent:
    """The marks and words by which an event is found: letters and digits, without capitals.

    `readers` are the names of readers who may know of it. Words are found only by the readers that
    they are listed under.
    """

    number: int
    marks: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]
    readers: tuple[str, ...] = ("all",)


@dataclass(frozen=True, slots=True)
class Token:
    """A key to a seat or to the server, known only by its hash.

    `hash` is the SHA-256 of the key in 64 lower-case hexadecimal digits; the key itself is never
    stored. `purpose` is set by the caller (such as ``link``, ``device``, ``host``). A token of the
    server has no campaign and no seat. A token is invalid once `expires` has passed or it is
    revoked.
    """

    hash: str
    purpose: str
    created: str
    campaign: str | None = None
    seat: str | None = None
    label: str = ""
    expires: str | None = None
    revoked: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A form that was begun and not sent; `body` is kept byte for byte."""

    campaign: str
    seat: str
    key: str
    body: bytes
    saved: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a campaign; `id` is the hash of its bytes."""

    id: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Seed:
    """The secret seed of one session's dice."""

    session: Ordinal
    seed: bytes


@dataclass(frozen=True, slots=True)
class Throw:
    """A reserved throw number, and its command (None for no command)."""

    session: Ordinal
    number: Ordinal
    command: str | None


@dataclass(frozen=True, slots=True)
class ExportData:
    """The data of a campaign beyond its journal, so that play continues on another server."""

    seeds: tuple[Seed, ...] = ()
    throws: tuple[Throw, ...] = ()
    drafts: tuple[Draft, ...] = ()
