"""Somebody of Toast as the rules ask after them: levels, perks, wounds, importance, who may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.rules import (
    Change,
    Choice,
    Entity,
    Json,
    Table,
    whole,
)
from kitchentable.rulesets.toast.book import TABLES
from kitchentable.rulesets.toast.options import NO_TRAIT, capacity_key, find_trait, setting, traits

#: The classes of importance by key, highest first (toast.7.4-importance-story).
IMPORTANCE: dict[str, Any] = {rank["key"]: rank for rank in TABLES["importance"]}

#: The class of players' characters.
PC = "pc"

AWAKE = "awake"
UNCONSCIOUS = "unconscious"
#: Down, and nobody has said yet whether they live (toast.7.3-npc-deadly).
FALLEN = "down"
DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Perk:
    """A perk as it stands on a sheet: its words, what it covers, and what the GM said of it.

    `verdict` is "accepted", "refused" or "proposed"; `of_gear` tells a possession that is a perk.
    """

    text: str
    covers: str = ""
    verdict: str = "accepted"
    word: str = ""
    of_gear: bool = False


def numbers_known(entity: Entity) -> bool:
    """Whether the levels are there; on a table concealed for a player a closed foe has none."""
    return isinstance(entity.sheet.get("traits"), Mapping)


def level(entity: Entity, trait: Json) -> int:
    """The level of a trait; 0 for one the sheet does not have, and for no trait at all.

    >>> level(Entity("e", "Serk", "minion", "gm", {"traits": {"aim": 4}}, {}), "aim")
    4
    """
    levels: Any = entity.sheet.get("traits") or {}
    return whole(levels.get(str(trait), 0))


def trait_name(table: Table, trait: Json) -> str:
    """A trait's name at this table; "no trait" for none."""
    found = find_trait(table.options, trait)
    return found.name if found else "no trait"


def trait_choices(table: Table, entity: Entity | None = None) -> tuple[Choice, ...]:
    """The table's traits to choose from, with the entity's levels where they may be seen."""
    shown = entity is not None and numbers_known(entity)
    return tuple(
        Choice(
            one.key,
            f"{one.name} {level(entity, one.key)}" if entity is not None and shown else one.name,
            one.purpose,
        )
        for one in traits(table.options)
    )


def role_trait(table: Table, role: str) -> str | None:
    """The trait that plays a part in fights here: a key, "none", or None while nobody has said.

    The option holds while the list has its trait; else what was answered before the fight
    (toast.3-list-combat-roles).
    """
    answered: Any = table.own.get("roles") or {}
    for word in (setting(table.options, f"role_{role}"), answered.get(role)):
        if isinstance(word, str) and word.strip().casefold() == NO_TRAIT:
            return NO_TRAIT
        found = find_trait(table.options, word)
        if found is not None:
            return found.key
    return None


def perks(entity: Entity) -> tuple[Perk, ...]:
    """Every perk on the sheet, possessions that are perks among them, with the GM's verdict."""
    verdicts: Any = entity.state.get("perks") or {}
    rows: Any = entity.sheet.get("perks") or []
    gear: Any = entity.sheet.get("gear") or []
    found = [(row.get("text") or "", row.get("covers") or "", False) for row in rows]
    found += [
        (row.get("item") or "", row.get("note") or "", True) for row in gear if row.get("perk")
    ]
    return tuple(
        Perk(text, covers, *_verdict(entity, verdicts.get(text)), of_gear)
        for text, covers, of_gear in found
    )


def _verdict(entity: Entity, said: Any) -> tuple[str, str]:
    """The GM's word of a perk. One without a word is new while a player builds; in play only the
    GM can have written it (toast.4-perk-gm-final).
    """
    if said:
        return said.get("verdict", "proposed"), said.get("word", "")
    building = entity.is_players and entity.stage != "play"
    return ("proposed" if building else "accepted"), ""


def usable_perks(entity: Entity) -> tuple[Perk, ...]:
    """Those perks that may be called on: the accepted ones, powers of magic (toast.10-magic-perks)
    no less than others.
    """
    return tuple(perk for perk in perks(entity) if perk.verdict == "accepted")


def importance(entity: Entity) -> str:
    """The class of importance: the one assigned last, or the one the entity was made with."""
    said = entity.sheet.get("importance") or entity.kind
    return said if isinstance(said, str) and said in IMPORTANCE else PC


def is_pc(entity: Entity) -> bool:
    """Whether this is a player's character, as far as wounds and death go."""
    return importance(entity) == PC


def capacity(table: Table, entity: Entity) -> int:
    """How many wounds put the entity down: its own number, or that of its importance.

    toast.7.3-capacity, toast.7.4-monster.
    """
    own = whole(entity.sheet.get("capacity"))
    return own or whole(setting(table.options, capacity_key(importance(entity))))


def wounds(entity: Entity) -> int:
    """Wounds taken and not yet healed."""
    return whole(entity.state.get("wounds"))


def condition(entity: Entity) -> str:
    """Awake, unconscious, down with the fate undecided, or dead."""
    return str(entity.state.get("condition") or AWAKE)


def is_awake(entity: Entity) -> bool:
    """Whether the entity can act at all."""
    return condition(entity) == AWAKE


def now(entity: Entity, fact: str, value: Json) -> Change:
    """The change by which a fact of the entity's state becomes another."""
    return Change(("entities", entity.id, "state", fact), value)


def present(table: Table, *, but: str = "") -> tuple[Entity, ...]:
    """Everybody in play who is not dead, one aside."""
    return tuple(e for e in table.in_play() if e.id != but and condition(e) != DEAD)
