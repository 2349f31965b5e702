"""The two sample characters of the book, and a ready campaign around them.

toaster.2.samples. Every printed number of Rhoenda's follows from her sheet. Father Mallory's
Brawl is printed as 6, and no attribute of his but Aura could make it so; it is kept as the rules
have it, 4, with the printed number as a note.
"""

from __future__ import annotations

from typing import Any

from kitchentable.rules import GM, Archetype, Entity, Example, Table
from kitchentable.rulesets.toaster.book import ARCHETYPES, CAMPAIGNS, PEOPLE, TABLES, Facts
from kitchentable.rulesets.toaster.character.lines import (
    PC,
    armour_line,
    blank,
    skill_line,
    trait_line,
    weapon_line,
)
from kitchentable.rulesets.toaster.character.npcs import preset_sheet
from kitchentable.rulesets.toaster.tables import row

_TABLE = Table(options={})


def sample_sheet(key: str) -> Facts:
    """The sheet of a sample character from the table `samples`."""
    sample: Any = row(_TABLE, "samples", key)
    return blank(_TABLE, PC) | _parts(sample) | {"money": sample["money"]}


def _parts(one: Any) -> Facts:
    """The parts of a sheet from a row of a file."""
    keys = [each["key"] for each in TABLES["attributes"]]
    return {
        "attributes": dict(zip(keys, one["attributes"], strict=True)),
        "skills": [skill_line(f"s{n}", **each) for n, each in enumerate(one["skills"], 1)],
        "traits": [trait_line(f"t{n}", **each) for n, each in enumerate(one["traits"], 1)],
        "weapons": [weapon_line(f"w{n}", **each) for n, each in enumerate(one["weapons"], 1)],
        **{key: one[key] for key in ("possessions", "about")},
    }


def archetypes() -> tuple[Archetype, ...]:
    """The ready characters to begin from."""
    return tuple(
        Archetype(key, one["title"], PC, {**_parts(one), "armour": _worn(one)})
        for key, one in ARCHETYPES.items()
    )


def _worn(one: Any) -> list[Facts]:
    return [armour_line(f"a{n}", like) for n, like in enumerate(one["armour"], 1)]


def _person(one: Any) -> Entity:
    """A sample character in the hands of a player, or somebody of the GM's by a preset."""
    if "sample" in one:
        kind, owner, sheet = PC, one["owner"], sample_sheet(one["sample"])
    else:
        found: Any = row(_TABLE, "presets", one["preset"])
        kind, owner, sheet = found["kind"], GM, preset_sheet(_TABLE, one["preset"])
    return Entity(
        one["key"], one["name"], kind, owner, sheet, {}, open=kind == PC, line=one["line"]
    )


def example() -> Example:
    """The ready campaign: two sample characters, a captain and two thugs."""
    about = CAMPAIGNS["example"]
    people = tuple(map(_person, PEOPLE.values()))
    return Example(about["title"], tuple(about["players"]), people, about["notes"])
