"""Weapons and armor on a sheet: rows of the table's lists, or things of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kitchentable.rules import Json, Table
from kitchentable.rulesets.toaster.book import Record, Row, Words, read_row, row
from kitchentable.rulesets.toaster.character.traits import Traited

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

    id: str = ""
    name: str = "Weapon"
    wc: int = 0
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
class Armor:
    """Something worn: its AC before halving, and the areas it covers; none means all of them."""

    name: str = "Armor"
    ac: int = 0
    areas: Words = ()
    worn: bool = True


class Equipped(Traited):
    """Somebody with weapons and armor."""

    @property
    def weapons(self) -> list[Weapon]:
        """What somebody can fight with: what is on the sheet, and the fist and kick of everybody.

        What a sheet leaves open is taken from the table's list, so that a change of the list
        reaches every new attack (toaster.1.customisable).
        """
        own = [self._weapon(line, f"w{place + 1}") for place, line in self.lines("weapons")]
        return [*own, *(self._weapon({"like": key}, key) for key in BARE)]

    def weapon(self, ident: str) -> Weapon | None:
        """One of somebody's weapons by its id; None where there is none."""
        return next((one for one in self.weapons if one.id == ident), None)

    def _weapon(self, line: Record, ident: str) -> Weapon:
        """A weapon from its line on a sheet, filled up from the table's list."""
        full = filled(_listed_weapon(self.table, line.get("like")), line)
        known = str(line.get("id") or ident)
        return read_row(Weapon, {"length": full.get("reach"), **full}, id=known)

    @property
    def armor(self) -> list[Armor]:
        """Everything that protects somebody and stands on the sheet, worn or not."""
        return [_armor(self.table, line) for _, line in self.lines("armour")]

    @property
    def worn(self) -> list[Armor]:
        """The armor that protects somebody now."""
        return [one for one in self.armor if one.worn]


def filled(listed: Record, line: Record) -> Row:
    """A line of a sheet, filled up from a row of a list; what is not ticked is left to the list."""
    own = {key: one for key, one in line.items() if one not in (None, "") and one is not False}
    return {**listed, **own}


def _listed_weapon(table: Table, key: Any) -> Row:
    """The row of the table's weapons with this key, and which skill wields it; {} for none.

    How weapons are put together into skills is the table's to say
    (toaster.2.skill-weapon-groups).
    """
    hand, missile = row(table, "weapon", key), row(table, "missile", key)
    group, found = row(table, "weapon_skills", key), hand or missile
    if found is None:
        return {}
    return {"skill": group["skill"] if group else "", "ranged": hand is None, **found}


def _armor(table: Table, line: Record) -> Armor:
    full = filled(row(table, "armour", line.get("like")) or {}, line)
    worn = line.get("worn") is not False and not line.get("stowed")
    return read_row(Armor, full, areas=_areas(full.get("areas")), worn=worn)


def _areas(written: Json) -> Words:
    """Areas as a list, or as people write them: "Head/Neck, Torso"."""
    parts: Any = written.split(",") if isinstance(written, str) else written
    if not isinstance(parts, list | tuple):
        return ()
    return tuple(str(one).strip() for one in parts if str(one).strip())
