"""Things on the table of every game: clocks, tables to roll on, conditions, limits, the X-card."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from kitchentable.campaign.audiences import is_gm
from kitchentable.rules.table import Seat, Table


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock or a progress track: `filled` of `of` parts; one that is not `open` is the GM's."""

    id: str
    title: str
    filled: int
    of: int
    shape: str = "clock"
    open: bool = True


@dataclass(frozen=True, slots=True)
class Oracle:
    """A table to roll on: dice, and rows of lowest and highest number and text."""

    id: str
    title: str
    dice: str
    rows: tuple[tuple[int, int, str], ...]
    open: bool = True
    ready: bool = False

    def row(self, number: int) -> str:
        """The text for a number; "" where no row has it.

        >>> Oracle("a", "A", "1d6", ((1, 3, "Rain"), (4, 6, "Sun"))).row(4)
        'Sun'
        """
        return next((text for low, high, text in self.rows if low <= number <= high), "")


@dataclass(frozen=True, slots=True)
class Limit:
    """A line ("line": it does not happen) or a veil ("veil": it happens out of sight)."""

    id: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """All of these as one seat sees them. `paused` while the X-card lies on the table."""

    clocks: tuple[Clock, ...] = ()
    oracles: tuple[Oracle, ...] = ()
    limits: tuple[Limit, ...] = ()
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    paused: bool = False


def _read_ready() -> dict[str, Oracle]:
    text = (files("kitchentable.campaign") / "oracles.toml").read_text("utf-8")
    return {
        row["key"]: Oracle(
            row["key"],
            row["title"],
            row["dice"],
            tuple((low, high, words) for low, high, words in row["rows"]),
            ready=True,
        )
        for row in tomllib.loads(text)["oracle"]
    }


#: Oracles that every campaign has, by key.
READY: Mapping[str, Oracle] = MappingProxyType(_read_ready())


def read_clock(ident: str, plain: Mapping[str, Any]) -> Clock:
    """A clock from plain data."""
    return Clock(ident, plain["title"], plain["filled"], plain["of"], plain["shape"], plain["open"])


def read_oracle(ident: str, plain: Mapping[str, Any]) -> Oracle:
    """A table to roll on from plain data."""
    rows = tuple((low, high, text) for low, high, text in plain["rows"])
    return Oracle(ident, plain["title"], plain["dice"], rows, plain["open"])


def oracle_in(tree: Mapping[str, Any], ident: str) -> Oracle | None:
    """A table of the campaign, or one that every campaign has; None for neither."""
    own = tree.get("scene", {}).get("oracles", {}).get(ident)
    return read_oracle(ident, own) if own is not None else READY.get(ident)


def scene_for(tree: Mapping[str, Any], table: Table, seat: Seat) -> Scene:
    """The scene as a seat sees it: nothing that is the GM's, and nobody that is not on its table.

    `table` is the seat's own.
    """
    kept = tree.get("scene", {})
    gm = is_gm(seat)
    clocks = (read_clock(key, one) for key, one in kept.get("clocks", {}).items())
    oracles = (read_oracle(key, one) for key, one in kept.get("oracles", {}).items())
    return Scene(
        tuple(one for one in clocks if gm or one.open),
        (*(one for one in oracles if gm or one.open), *READY.values()),
        tuple(Limit(key, one["kind"], one["text"]) for key, one in kept.get("limits", {}).items()),
        {
            entity: tuple(marks)
            for entity, marks in kept.get("marks", {}).items()
            if entity in table.entities and marks
        },
        bool(kept.get("paused", False)),
    )
