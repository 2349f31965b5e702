"""The two sample characters of the book, and a ready campaign around them.

toaster.2.samples. Every printed number of Rhoenda's follows from her sheet. Father Mallory's
Brawl is printed as 6, and no attribute of his but Aura could make it so; it is kept as the rules
have it, 4, with the printed number as a note.
"""

from __future__ import annotations

from kitchentable.rules import GM, Entity, Example, Json, Table
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.character.npcs import (
    preset_sheet,
    skill_line,
    trait_line,
    weapon_line,
)
from kitchentable.rulesets.toaster.options import OPTIONS

PC = "pc"
_TABLE = Table(options={option.key: option.field.default for option in OPTIONS})

_NOTES = """The Imperial Authorities have put a price on a swordswoman's head, and in a harbour \
town that is on no map of his a priest from Boston wakes up under a foreign sky. Two thugs have \
been paid to bring either of them to Captain Voss, who asks no questions. Optional rules are all \
off to begin with; the page of options says what each of them does."""


def sample_sheet(key: str) -> dict[str, Json]:
    """The sheet of a sample character from the table `samples`."""
    sample = next(one for one in TABLES["samples"] if one["key"] == key)
    keys = [one["key"] for one in TABLES["attributes"]]
    return {
        "attributes": dict(zip(keys, sample["attributes"], strict=True)),
        "skills": [skill_line(f"s{n}", **one) for n, one in enumerate(sample["skills"], 1)],
        "traits": [trait_line(f"t{n}", **one) for n, one in enumerate(sample["traits"], 1)],
        "weapons": [weapon_line(f"w{n}", **one) for n, one in enumerate(sample["weapons"], 1)],
        "armour": [],
        "shield": "",
        "hide": 0,
        "supernatural": False,
        "height": "",
        "weight": "",
        "possessions": sample["possessions"],
        "money": sample["money"],
        "about": sample["about"],
    }


def _hero(key: str, name: str, player: str, line: str) -> Entity:
    return Entity(key, name, PC, player, sample_sheet(key), {}, line=line)


def _foe(ident: str, name: str, preset: str, line: str) -> Entity:
    kind = next(one["kind"] for one in TABLES["presets"] if one["key"] == preset)
    sheet = preset_sheet(_TABLE, preset)
    return Entity(ident, name, kind, GM, sheet, {}, open=False, line=line)


def example() -> Example:
    """Rhoenda Dumas and Father Colin Mallory, a captain and two thugs."""
    people = (
        _hero("rhoenda", "Rhoenda Dumas", "Rita", "Rogue, vagabond, wanted"),
        _hero("mallory", "Father Colin Mallory", "Paul", "Priest with a strong left hook"),
        _foe("voss", "Captain Voss", "officer", "Of the harbour watch"),
        _foe("thug-1", "Thug with a cap", "thug", "Paid by the day"),
        _foe("thug-2", "Thug with a scarf", "thug", "Paid by the day"),
    )
    return Example("Under a Foreign Sky", ("Rita", "Paul"), people, _NOTES)
