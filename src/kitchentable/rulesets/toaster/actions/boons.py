"""Boons: a bonus that a critical has left behind, for some days, on a skill of whoever uses it.

toaster.3.critical-meaning: an engine that runs like new helps whoever drives, for about a week.
They lie in `own.boons`: id, name, value, skill ("" for any), and the last day they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.rules import (
    Change,
    Table,
    fresh,
    whole,
)


@dataclass(frozen=True, slots=True)
class Boon:
    """A bonus that lasts some days."""

    id: str
    name: str
    value: int
    skill: str = ""
    until: int = 0


def boons(table: Table, skill: str = "") -> tuple[Boon, ...]:
    """The boons that still hold for a skill, by its key.

    >>> kept = {"b1": {"name": "tuned engine", "value": 1, "skill": "drive", "until": 7}}
    >>> [one.name for one in boons(Table(options={}, day=7, own={"boons": kept}), "drive")]
    ['tuned engine']
    >>> boons(Table(options={}, day=8, own={"boons": kept}), "drive")
    ()
    """
    every: Any = table.own.get("boons") or {}
    found = (
        Boon(
            ident,
            str(one.get("name") or "a boon"),
            whole(one.get("value")),
            str(one.get("skill") or ""),
            whole(one.get("until")),
        )
        for ident, one in every.items()
        if isinstance(one, Mapping)
    )
    return tuple(
        one for one in found if one.until >= table.day and one.skill in {"", skill} and one.value
    )


def boon(table: Table, ident: str) -> Boon | None:
    """The boon with this id, while it holds."""
    every: Any = table.own.get("boons") or {}
    skill = str((every.get(ident) or {}).get("skill") or "")
    return next((one for one in boons(table, skill) if one.id == ident), None)


def new_boon(table: Table, name: str, value: int, skill: str, days: int) -> Change:
    """The change that leaves a boon behind, and what is spent of older ones stays as a record."""
    plain = {"name": name, "value": value, "skill": skill, "until": table.day + days}
    return Change(("own", "boons", fresh(table, "boon")), plain)
