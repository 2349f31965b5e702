"""Weapons and armor on a sheet: rows of the table's lists, or things of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kitchentable.rules import (
    Entity,
    Json,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import Record, Row, Words, row
from kitchentable.rulesets.toaster.character.people import lines_of

#: What everybody can fight with (keys of the table of weapons).
BARE = ("bare-fist", "kick")


@dataclass(frozen=True, slots=True)
class Weapon:
    """Something to fight with, as somebody has it.

    `like` is the key of the row of the table of weapons it is made after, "" for one of its own.
    `skill` is the key of the skill that wields it: "weapon-skill:Sword", "throw", "brawl".
    `ranged` is whatever strikes from afar, `thrown` those that the hand throws. `strength` is what
    it asks for, `length` where it stands among longer and shorter ones, and `modifier` what it
    adds to every roll with it. `spread` is the WC lost at each step of distance.
    """

    id: str
    name: str
    wc: int
    skill: str = ""
    muscle: bool = False
    unarmed: bool = False
    ranged: bool = False
    thrown: bool = False
    strength: int = 0
    length: int = 0
    modifier: int = 0
    spread: int = 0
    like: str = ""


@dataclass(frozen=True, slots=True)
class Armour:
    """Something worn: its AC before halving, and the areas it covers; none means all of them."""

    id: str
    name: str
    ac: int
    areas: Words = ()
    worn: bool = True
    like: str = ""


def weapons(table: Table, entity: Entity) -> tuple[Weapon, ...]:
    """What somebody can fight with: fist and kick, which everybody has, and what is on the sheet.

    What a sheet leaves open is taken from the table's list, so that a change of the list reaches
    every new attack (toaster.1.customisable).
    """
    own = [weapon_of(table, line, f"w{place + 1}") for place, line in lines_of(entity, "weapons")]
    return (*own, *(weapon_of(table, {"id": key, "like": key}) for key in BARE))


def weapon(table: Table, entity: Entity, ident: str) -> Weapon | None:
    """One of somebody's weapons by its id; None where there is none."""
    return next((one for one in weapons(table, entity) if one.id == ident), None)


def weapon_of(table: Table, line: Record, ident: str = "") -> Weapon:
    """A weapon from its line on a sheet, filled up from the table's list."""
    full = filled(listed_weapon(table, str(line.get("like") or "")), line)
    return Weapon(
        id=str(line.get("id") or ident),
        name=str(full.get("name") or "Weapon"),
        wc=whole(full.get("wc")),
        skill=str(full.get("skill") or ""),
        muscle=bool(full.get("muscle")),
        unarmed=bool(full.get("unarmed")),
        ranged=bool(full.get("ranged")),
        thrown=bool(full.get("thrown")),
        strength=whole(full.get("strength")),
        length=whole(full.get("length", full.get("reach"))),
        modifier=whole(full.get("modifier")),
        spread=whole(full.get("spread")),
        like=str(line.get("like") or ""),
    )


def filled(listed: Record, line: Record) -> Row:
    """A line of a sheet, filled up from a row of a list; what is not ticked is left to the list."""
    own = {key: one for key, one in line.items() if one not in (None, "") and one is not False}
    return {**listed, **own}


def listed_weapon(table: Table, key: str) -> Row:
    """The row of the table's weapons with this key, and which skill wields it; {} for none.

    How weapons are put together into skills is the table's to say
    (toaster.2.skill-weapon-groups).
    """
    hand, missile = row(table, "weapon", key), row(table, "missile", key)
    found = hand or missile
    if not key or found is None:
        return {}
    group = row(table, "weapon_skills", key)
    skill = group["skill"] if group else ""
    return {"skill": skill, "ranged": hand is None, **found}


def armour(table: Table, entity: Entity) -> tuple[Armour, ...]:
    """Everything that protects somebody and stands on the sheet, worn or not."""
    return tuple(
        _armour_of(table, line, f"a{place + 1}") for place, line in lines_of(entity, "armour")
    )


def _armour_of(table: Table, line: Record, ident: str) -> Armour:
    like = str(line.get("like") or "")
    full = filled(row(table, "armour", like) or {}, line)
    return Armour(
        id=str(line.get("id") or ident),
        name=str(full.get("name") or "Armor"),
        ac=whole(full.get("ac")),
        areas=_areas(full.get("areas")),
        worn=line.get("worn") is not False and not line.get("stowed"),
        like=like,
    )


def _areas(written: Json) -> Words:
    """Areas as a list, or as people write them: "Head/Neck, Torso"."""
    parts: Any = written.split(",") if isinstance(written, str) else written
    if not isinstance(parts, list | tuple):
        return ()
    return tuple(str(one).strip() for one in parts if str(one).strip())
