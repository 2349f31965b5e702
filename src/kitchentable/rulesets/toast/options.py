"""What a table may set; the options themselves stand in data.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kitchentable.rules import Json
from kitchentable.rules.kit.books import open_book
from kitchentable.rules.kit.settings import Settings, read_options

#: Toast's book as it lies in this folder: tables, rulebook, golden evening.
BOOK = open_book("kitchentable.rulesets.toast")

#: What stands for "no trait" where a trait is asked for: it brings level 0.
NO_TRAIT = "none"

#: The points that a trait on the list is worth (toast.3.1-points, toast.3.1-recount).
POINTS_PER_TRAIT = 4

#: The parts that traits play in a fight (toast.3-list-combat-roles).
ROLES = ("initiative", "aim", "attack", "defense")

OPTIONS = BOOK.read(read_options)


class Options(Settings, options=OPTIONS):
    """The options that this code reads by name, with their types."""

    traits: list[dict[str, Any]]
    new_trait_grant: bool
    difficulty_shown: str
    refill_perks: bool
    initiative_each_round: bool
    initiative_perk: bool
    initiative_flub_moves: bool
    actions_per_turn: int
    move_hint: str
    house_rules: str
    magic_defense: str
    first_aid_action: bool
    npc_numbers: str
    advancement_rolls: str
    perk_every_sessions: int
    petitions_open: bool
    equipment_lists: str
    tone: str


@dataclass(frozen=True, slots=True)
class Trait:
    """A line of the table's list: its key, name and purpose, and whether it is a kind of magic."""

    key: str
    name: str
    purpose: str = ""
    magic: bool = False


NONE = Trait(NO_TRAIT, "no trait")


def capacity_key(importance: str) -> str:
    """The option that holds the wounds of a class of importance: "wounds_elite_minion"."""
    return f"wounds_{importance.replace('-', '_')}"


def wounds_of(capacity: Json) -> str:
    """A capacity in words.

    >>> wounds_of(1), wounds_of(3)
    ('1 wound', '3 wounds')
    """
    return f"{capacity} wound{'s' * (capacity != 1)}"


def traits(options: Mapping[str, Json]) -> tuple[Trait, ...]:
    """The table's list of traits, in order. A row without a key gets one from its name.

    >>> rows = [{"name": "Deep lore"}, {"id": "aim", "name": "Aim"}]
    >>> [one.key for one in traits({"traits": rows})]
    ['deep-lore', 'aim']
    """
    return _traits(
        tuple(
            (row.get("id") or "", row["name"], row.get("purpose") or "", bool(row.get("magic")))
            for row in Options(options).traits
        )
    )


@lru_cache(maxsize=256)
def _traits(rows: tuple[tuple[str, str, str, bool], ...]) -> tuple[Trait, ...]:
    """Kept, because every form, sheet and roll of a table asks for its list again and again."""
    taken = {key for key, *_ in rows if key}
    found = []
    for key, name, purpose, magic in rows:
        own = key or _fresh_key(name, taken)
        taken.add(own)
        found.append(Trait(own, name, purpose, magic))
    return tuple(found)


def _fresh_key(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "trait"
    key, number = plain, 2
    while key in taken or key == NO_TRAIT:
        key, number = f"{plain}-{number}", number + 1
    return key


def find_trait(options: Mapping[str, Json], word: Json) -> Trait | None:
    """The trait of that key or name, capitals not minded; None where the list has none such."""
    wanted = str(word or "").strip().casefold()
    for one in traits(options):
        if wanted in {one.key.casefold(), one.name.casefold()}:
            return one
    return None
