"""The two sample characters of the book, and a ready campaign around them.

toaster.2.samples. Every printed number of Rhoenda's follows from her sheet. Father Mallory's
Brawl is printed as 6, and no attribute of his but Aura could make it so; it is kept as the rules
have it, 4, with the printed number as a note.
"""

from __future__ import annotations

from typing import Any

from kitchentable.rules import GM, Entity, Example, Table
from kitchentable.rulesets.toaster.book import CAMPAIGNS, PEOPLE, TABLES, Facts
from kitchentable.rulesets.toaster.character.lines import (
    PC,
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
    keys = [one["key"] for one in TABLES["attributes"]]
    return blank(_TABLE, PC) | {
        "attributes": dict(zip(keys, sample["attributes"], strict=True)),
        "skills": [skill_line(f"s{n}", **one) for n, one in enumerate(sample["skills"], 1)],
        "traits": [trait_line(f"t{n}", **one) for n, one in enumerate(sample["traits"], 1)],
        "weapons": [weapon_line(f"w{n}", **one) for n, one in enumerate(sample["weapons"], 1)],
        **{key: sample[key] for key in ("possessions", "money", "about")},
    }


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
