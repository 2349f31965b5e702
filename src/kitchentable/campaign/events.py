"""Events: recorded steps of a campaign, complete enough to be applied without rules.

An event records who did what, when, and with which version of the game; the data of its log entry
(`data`); the changed facts (`changes`, with the former values, so that every step can be undone);
and the thrown dice (`throw`). `extra` keeps fields of later versions (see `campaign.codec`).
Applying events never runs a rule, so a corrected rule never changes the past. ARCHITECTURE.md gives
the reasons.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec
from msgspec.structs import force_setattr

#: The version of the event form. `campaign.codec` converts older forms.
FORMAT = 2


#: Fields that have few different values in a campaign.
_REPEATED = ("kind", "seat", "name", "game", "version", "audience")


class Recorded(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A changed fact: its path in the campaign, its former value and its new value.

    `new`: the fact did not exist before. `gone`: it was removed. `made`: number of parents that
    were created with a new fact.
    """

    path: tuple[str, ...]
    was: Any = None
    now: Any = None
    new: bool = False
    gone: bool = False
    made: int = 0
    extra: dict[str, Any] = {}


class Thrown(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The dice of an event, with the odds of the throw.

    `number` is the number of the throw in the stream of `session` (0: the operating system's
    entropy); `typed` marks typed-in faces; `trace` has every physical die; `odds` has numerator and
    denominator as text by band; `fell` is the band of the outcome; `closed` lists the labels of
    dice that only the GM may see. `mechanic` and `arguments` describe the roll for an audit. In a
    session with a secret stream, dice of closed labels came from that stream; with `screened`, all
    dice did.
    """

    trace: list[dict[str, Any]]
    number: int = 0
    session: int = 0
    typed: bool = False
    odds: dict[str, tuple[str, str]] = {}
    fell: str = ""
    odds_audience: str = "all"
    closed: tuple[str, ...] = ()
    screened: bool = False
    mechanic: str = ""
    arguments: list[Any] = []
    unresolved: tuple[str, str] = ("0", "1")
    extra: dict[str, Any] = {}


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One recorded step. `number` counts from 1 in each campaign without gaps.

    `kind` is one of `campaign.kinds.KINDS`; `seat` and `name` say who did it (with the name of that
    time); `command` is the id of its command; `audience` is "all", "gm" or a seat's id (that seat
    and the GM).
    """

    number: int
    kind: str
    time: str
    seat: str
    name: str
    command: str
    game: str
    version: str
    audience: str = "all"
    reason: str = ""
    data: dict[str, Any] = {}
    changes: tuple[Recorded, ...] = ()
    throw: Thrown | None = None
    v: int = FORMAT
    extra: dict[str, Any] = {}


def sharing_names(event: Event) -> Event:
    """Return the event with interned names, so that equal names share memory."""
    for name in _REPEATED:
        force_setattr(event, name, sys.intern(getattr(event, name)))
    return event
