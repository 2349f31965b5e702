"""Tools of every game: clocks, roll tables, conditions, lines and veils, and the X-card."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from kitchentable.campaign.audiences import is_gm
from kitchentable.rules.table import Seat, Table

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock or a progress track: `filled` of `of` parts; only the GM sees it unless `open`."""

    id: str
    title: str
    filled: int
    of: int
    shape: str = "clock"
    open: bool = True


@dataclass(frozen=True, slots=True)
class Oracle:
    """A roll table: dice, and rows of lowest number, highest number and text."""

    id: str
    title: str
    dice: str
    rows: tuple[tuple[int, int, str], ...]
    open: bool = True
    ready: bool = False

    def row(self, number: int) -> str:
        """Return the text for a number; "" if no row has it.

        >>> Oracle("a", "A", "1d6", ((1, 3, "Rain"), (4, 6, "Sun"))).row(4)
        'Sun'
        """
        return next((text for low, high, text in self.rows if low <= number <= high), "")


@dataclass(frozen=True, slots=True)
class Limit:
    """A line ("line": it does not happen) or a veil ("veil": it happens off screen)."""

    id: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """The tools as one seat sees them. `paused` while the X-card is on the table."""

    clocks: tuple[Clock, ...] = ()
    oracles: tuple[Oracle, ...] = ()
    limits: tuple[Limit, ...] = ()
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    paused: bool = False


#: Oracles that every campaign has, by id.
READY: Mapping[str, Oracle] = MappingProxyType(
    {
        plain["id"]: msgspec.convert({**plain, "ready": True}, Oracle)
        for plain in tomllib.loads(
            (files("kitchentable.campaign") / "oracles.toml").read_text("utf-8")
        )["oracle"]
    }
)


def _read(kind: type[T], kept: Mapping[str, Any]) -> Iterator[T]:
    """Yield values of a type from plain data, a mapping by id."""
    return (msgspec.convert({"id": key, **one}, kind) for key, one in kept.items())


def oracle_in(tree: Mapping[str, Any], ident: str) -> Oracle | None:
    """Return a roll table of the campaign, or one of `READY`; None for neither."""
    kept = tree.get("scene", {}).get("oracles", {})
    own = {ident: kept[ident]} if ident in kept else {}
    return next(_read(Oracle, own), READY.get(ident))


def scene_for(tree: Mapping[str, Any], table: Table, seat: Seat) -> Scene:
    """Return the scene as a seat sees it, without the GM's tools and unknown entities.

    `table` is the seat's own.
    """
    kept = tree.get("scene", {})
    gm = is_gm(seat)
    oracles = (one for one in _read(Oracle, kept.get("oracles", {})) if gm or one.open)
    return Scene(
        tuple(one for one in _read(Clock, kept.get("clocks", {})) if gm or one.open),
        (*oracles, *READY.values()),
        tuple(_read(Limit, kept.get("limits", {}))),
        {
            entity: tuple(marks)
            for entity, marks in kept.get("marks", {}).items()
            if entity in table.entities and marks
        },
        bool(kept.get("paused", False)),
    )
