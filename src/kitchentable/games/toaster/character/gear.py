"""Weapons and armour on a sheet: rows of the table's lists, or things of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.game import Entity, Table
from kitchentable.games.toaster.book import TABLES
from kitchentable.games.toaster.options.reading import whole
from kitchentable.games.toaster.tables import row, rows


@dataclass(frozen=True, slots=True)
class Weapon:
    """Something to fight with, as somebody has it.

    `like` is the key of the row of the table of weapons it is made after, "" for one of its own.
    `skill` is the key of the skill that wields it: "weapon-skill:Sword", "throw", "brawl".
    `strength` is what it asks for, `length` where it stands among longer and shorter ones, and
    `modifier` what it adds to every roll with it. `shotgun` ones lose force with distance.
    """

    id: str
    name: str
    wc: int
    skill: str = ""
    muscle: bool = False
    unarmed: bool = False
    ranged: bool = False
    thrown: bool = False
    shotgun: bool = False
    strength: int = 0
    length: int = 0
    modifier: int = 0
    like: str = ""


@dataclass(frozen=True, slots=True)
class Armour:
    """Something worn: its AC before halving, and the areas it covers; none means all of them."""

    id: str
    name: str
    ac: int
    areas: tuple[str, ...] = ()
    worn: bool = True
    like: str = ""


def weapons(table: Table, entity: Entity) -> tuple[Weapon, ...]:
    """What somebody can fight with: fist and kick, which everybody has, and what is on the sheet.

    What a sheet leaves open is taken from the table's list, so that a change of the list reaches
    every new attack (toaster.1.customisable).
    """
    carried: Any = entity.sheet.get("weapons") or []
    own = [
        weapon_of(table, line, f"w{place + 1}")
        for place, line in enumerate(carried)
        if isinstance(line, Mapping)
    ]
    bare = [
        weapon_of(table, {"id": one["key"], "like": one["key"]}, one["key"])
        for one in (rows(table, "weapons") if "weapons" in TABLES else ())
        if one.get("everybody")
    ]
    return (*own, *bare)


def weapon(table: Table, entity: Entity, ident: str) -> Weapon | None:
    """One of somebody's weapons by its id; None where there is none."""
    return next((one for one in weapons(table, entity) if one.id == ident), None)


def weapon_of(table: Table, line: Mapping[str, Any], ident: str = "") -> Weapon:
    """A weapon from its line on a sheet, filled up from the table's list."""
    like = str(line.get("like") or "")
    listed = (row(table, "weapons", like) if like else None) or {}
    full = {
        **listed,
        **{key: value for key, value in line.items() if value is not None and value != ""},
    }
    return Weapon(
        id=str(line.get("id") or ident),
        name=str(full.get("name") or "Weapon"),
        wc=whole(full.get("wc")),
        skill=str(full.get("skill") or ""),
        muscle=bool(full.get("muscle")),
        unarmed=bool(full.get("unarmed")),
        ranged=bool(full.get("ranged")),
        thrown=bool(full.get("thrown")),
        shotgun=bool(full.get("shotgun")),
        strength=whole(full.get("strength")),
        length=whole(full.get("length")),
        modifier=whole(full.get("modifier")),
        like=like,
    )


def armour(table: Table, entity: Entity) -> tuple[Armour, ...]:
    """Everything that protects somebody and stands on the sheet, worn or not."""
    carried: Any = entity.sheet.get("armour") or []
    return tuple(
        _armour_of(table, line, f"a{place + 1}")
        for place, line in enumerate(carried)
        if isinstance(line, Mapping)
    )


def _armour_of(table: Table, line: Mapping[str, Any], ident: str) -> Armour:
    like = str(line.get("like") or "")
    listed = (row(table, "armour", like) if like else None) or {}
    full = {
        **listed,
        **{key: value for key, value in line.items() if value is not None and value != ""},
    }
    areas: Any = full.get("areas") or []
    return Armour(
        id=str(line.get("id") or ident),
        name=str(full.get("name") or "Armour"),
        ac=whole(full.get("ac")),
        areas=tuple(str(one) for one in areas),
        worn=line.get("worn") is not False,
        like=like,
    )
