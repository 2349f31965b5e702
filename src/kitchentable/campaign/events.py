"""Events: facts about what happened at a table, complete enough to be applied without rules.

An event says who did what, when and under which version of the game; what the log shows of it
(`data`); which facts of the campaign changed (`changes`, with what was there before, so that every
step can be taken back); and what was thrown (`throw`). `extra` holds what a later version wrote and
this one does not know; it is kept (see `campaign.codec`). Folding events never runs a rule, so
mending a rule never rewrites history. The reasons are told in ARCHITECTURE.md.
"""

from __future__ import annotations

from typing import Any

import msgspec

#: The version of the event form. Older forms are lifted by `campaign.codec`.
FORMAT = 2


class Recorded(msgspec.Struct, frozen=True, forbid_unknown_fields=False, omit_defaults=True):
    """A changed fact: the path into the campaign, what was there, what is there now.

    `new`: nothing was there before. `gone`: nothing is there any more. `made`: how many steps of
    the way to a new fact were not there before either.
    """

    path: tuple[str, ...]
    was: Any = None
    now: Any = None
    new: bool = False
    gone: bool = False
    made: int = 0
    extra: dict[str, Any] = {}


class Thrown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The dice of an event: the number of the throw in its session's stream (0: no session, the
    operating system's entropy), whether a person typed the faces in, every physical die, the odds
    the throw had (band -> numerator and denominator as text), and the labels of those dice that
    only the GM may see. `mechanic` and `arguments` say what was thrown, for an audit. In a session
    with a screen the dice of closed labels came from behind it, and where it is `screened` all did.
    """

    trace: list[dict[str, Any]]
    number: int = 0
    session: int = 0
    typed: bool = False
    odds: dict[str, tuple[str, str]] = {}
    odds_audience: str = "all"
    closed: tuple[str, ...] = ()
    screened: bool = False
    mechanic: str = ""
    arguments: list[Any] = []
    unresolved: tuple[str, str] = ("0", "1")
    extra: dict[str, Any] = {}


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened. `number` counts from 1 in each campaign without gaps.

    `kind` is one of `campaign.kinds.KINDS`; `seat` and `name` say who did it (the name as it was
    then); `command` is the id of the command it came from; `audience` is "all", "gm" or a seat's id
    (that seat and the GM).
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
