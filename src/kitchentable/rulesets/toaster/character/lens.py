"""One door to everything that can be asked of a sheet: attributes, skills, armour, luck, names.

Other chapters import from here and need not know which module works something out.
"""

from __future__ import annotations

from kitchentable.rules import (
    Choice,
    Entity,
    Table,
    card_audience,
    number_audience,
)
from kitchentable.rulesets.toaster.book import Choices, rows
from kitchentable.rulesets.toaster.character.attributes import (
    armour_class,
    attribute,
    attribute_for,
    attribute_name,
    attribute_word,
    attributes,
    average,
    initiative_bonus,
    luck_at_start,
    luck_left,
    thresholds,
    weapon_class,
)
from kitchentable.rulesets.toaster.character.gear import (
    Weapon,
    weapon,
    weapons,
)
from kitchentable.rulesets.toaster.character.listing import (
    is_on_list,
    key_of,
    members,
    names_of,
    skill_key,
    skill_list,
    skill_name,
)
from kitchentable.rulesets.toaster.character.people import is_named, numbers_known, plural, present
from kitchentable.rulesets.toaster.character.skills import (
    Skill,
    find_skill,
    skill_base,
    skill_rank,
    skill_words,
    skills,
    untrained_ranks,
)
from kitchentable.rulesets.toaster.character.traits import (
    handicaps,
    impossible,
    reasons,
    traits,
)

__all__ = [
    "Skill",
    "Weapon",
    "armour_class",
    "aspect_choices",
    "attribute",
    "attribute_choices",
    "attribute_for",
    "attribute_name",
    "attribute_word",
    "attributes",
    "average",
    "card_audience",
    "find_skill",
    "handicaps",
    "impossible",
    "initiative_bonus",
    "is_named",
    "is_on_list",
    "key_of",
    "luck_at_start",
    "luck_left",
    "members",
    "names_of",
    "number_audience",
    "numbers_known",
    "plural",
    "present",
    "reasons",
    "skill_base",
    "skill_choices",
    "skill_key",
    "skill_list",
    "skill_name",
    "skill_rank",
    "skill_words",
    "skills",
    "thresholds",
    "traits",
    "weapon",
    "weapon_class",
    "weapons",
]


def skill_choices(table: Table, entity: Entity | None = None) -> Choices:
    """Skills to pick from: what somebody has learned, then all the others of the list.

    Ranks stand beside the names where they may be seen. Groups are there only as the members
    that somebody has learned.
    """
    shown = entity is not None and numbers_known(entity)
    own = skills(table, entity) if entity is not None and shown else ()
    learned = tuple(Choice(one.key, f"{one.name} {one.rank}") for one in own)
    keys = {one.key for one in own}
    left = [one for one in skill_list(table) if not one["group"] and one["key"] not in keys]
    if entity is None or not shown:
        return (*learned, *(Choice(one["key"], str(one["name"])) for one in left))
    ranks = untrained_ranks(table, entity, [one["key"] for one in left])
    others = (
        Choice(one["key"], f"{one['name']} {ranks[one['key']]}", "never learned") for one in left
    )
    return (*learned, *others)


def attribute_choices(table: Table, entity: Entity | None = None) -> Choices:
    """Attributes to pick from, with ranks where they may be seen."""
    shown = entity is not None and numbers_known(entity)
    return tuple(
        Choice(
            one["key"],
            f"{one['name']} {attribute(table, entity, one['key'])}"
            if entity is not None and shown
            else one["name"],
            str(one.get("covers") or ""),
        )
        for one in attributes(table)
    )


def aspect_choices(table: Table, key: str) -> Choices:
    """The parts of an attribute: "Strength" of Physique."""
    return tuple(
        Choice(one["key"], one["name"]) for one in rows(table, "aspects") if one["attribute"] == key
    )
