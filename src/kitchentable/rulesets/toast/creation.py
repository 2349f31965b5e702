"""What a sheet may hold: the points and perks of a new character, and what no hand may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    Actor,
    Choice,
    Entity,
    Field,
    Problem,
    Table,
    quoted,
    whole,
)
from kitchentable.rules.forms import misread
from kitchentable.rulesets.toast.character import (
    AWAKE,
    DEAD,
    FALLEN,
    UNCONSCIOUS,
    capacity,
    condition,
    is_pc,
    level,
    perks,
    usable_perks,
)
from kitchentable.rulesets.toast.lost import POINTS_PER_TRAIT
from kitchentable.rulesets.toast.options import find_trait, setting, traits

#: No trait of a starting character is above this (toast.3.1-max9), and any may stay at 0
#: (toast.3.1-zero-ok).
HIGHEST_AT_FIRST = 9
#: Perks a character can start with (toast.4-perk-creation).
PERKS_AT_FIRST = 5
#: Above this many wounds the sheet asks the GM to be sparing (toast.7.4-monster-caution).
MANY_WOUNDS = 4


def budget(table: Table) -> int:
    """Start points: four for each trait on the list (toast.3.1-points, toast.3.1-recount)."""
    return POINTS_PER_TRAIT * len(traits(table.options))


def is_new(entity: Entity) -> bool:
    """Whether this is a player's character that has never been in play."""
    return is_pc(entity) and entity.stage != "play" and "condition" not in entity.state


def spent(table: Table, entity: Entity) -> int:
    """Points spent: the sum of all levels."""
    return sum(level(entity, one.key) for one in traits(table.options))


def check(table: Table, entity: Entity, stage: str) -> tuple[Problem, ...]:
    """What is wrong with a sheet, or doubtful, at creation or in play."""
    found = [*_level_problems(table, entity), *_perk_problems(table, entity)]
    if stage == "creation" and is_pc(entity):
        found += _creation_problems(table, entity)
    own = whole(entity.sheet.get("capacity"))
    if own > MANY_WOUNDS:
        found.append(
            Problem(
                "capacity",
                "toast.7.4-monster-caution",
                f"{own} wounds make for a long fight; do not overdo it.",
                refuses=False,
            )
        )
    required = setting(table.options, "equipment_lists") == "required"
    if required and is_pc(entity) and not entity.sheet.get("gear"):
        found.append(
            Problem(
                "gear",
                "toast.9-equipment-list",
                "This table asks for a list of possessions, and there is none.",
                refuses=False,
            )
        )
    return tuple(found)


def _level_problems(table: Table, entity: Entity) -> list[Problem]:
    levels: Any = entity.sheet.get("traits")
    if not isinstance(levels, Mapping):
        return [Problem("traits", "toast.3-traits-define", "A sheet has a level for each trait.")]
    known = {one.key: one for one in traits(table.options)}
    found = []
    for key, value in levels.items():
        where = f"traits.{key}"
        if key not in known:
            found.append(
                Problem(
                    where, "toast.3-same-list", f"{key!r} is not on this table's list of traits."
                )
            )
        elif isinstance(value, bool) or not isinstance(value, int) or value < 0:
            found.append(
                Problem(
                    where,
                    "toast.3.1-distribute",
                    f"{known[key].name} has a whole level of 0 or more, not {value}.",
                )
            )
    return found


def _perk_problems(table: Table, entity: Entity) -> list[Problem]:
    found, seen = [], set()
    for index, perk in enumerate(perks(entity)):
        where = "gear" if perk.of_gear else f"perks.{index}.text"
        if perk.text in seen:
            found.append(
                Problem(where, "toast.4-perk-once", f"{quoted(perk.text)} is there twice.")
            )
        seen.add(perk.text)
        if find_trait(table.options, perk.text) is not None:
            found.append(
                Problem(
                    where,
                    "toast.4-perk-focus",
                    f"{quoted(perk.text)} is as wide as the trait itself; a perk is narrower.",
                    refuses=False,
                )
            )
        if perk.verdict == "refused":
            found.append(
                Problem(
                    where,
                    "toast.4-perk-gm-final",
                    f"The GM has refused {quoted(perk.text)}: {perk.word or 'no reason given'}",
                    refuses=False,
                )
            )
    return found


def _creation_problems(table: Table, entity: Entity) -> list[Problem]:
    """What binds while a character is built, and not in play (toast.3.1-max9-start-only)."""
    found = [
        Problem(
            f"traits.{one.key}",
            "toast.3.1-max9",
            f"{one.name} starts at {HIGHEST_AT_FIRST} at most, not {level(entity, one.key)}.",
        )
        for one in traits(table.options)
        if level(entity, one.key) > HIGHEST_AT_FIRST
    ]
    left = budget(table) - spent(table, entity)
    if left:
        points = f"{abs(left)} point{'s' if abs(left) != 1 else ''}"
        words = f"{points} left to spend." if left > 0 else f"{points} more than there are."
        found.append(Problem("traits", "toast.3.1-distribute", words, counted=True))
    many = len(perks(entity))
    if many > PERKS_AT_FIRST:
        found.append(
            Problem(
                "perks",
                "toast.4-perk-creation",
                f"A character starts with {PERKS_AT_FIRST} perks at most, not {many}.",
            )
        )
    return found


def _state(table: Table, entity: Entity) -> tuple[Field, ...]:
    """What somebody's wounds and condition can be (toast.7.3-wound-cap)."""
    most = capacity(table, entity)
    words = tuple(Choice(word, word) for word in (AWAKE, UNCONSCIOUS, FALLEN, DEAD))
    return (
        Field("wounds", "Wounds", "number", low=0, high=most, rule="toast.7.3-wound-cap"),
        Field("condition", "The condition", "choice", words),
    )


def amend(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    """What nobody may do to a finished sheet by hand.

    A player's perks are written by the player, and an accepted one goes only if its player drops
    it; new ones come by petition; levels rise by advancement; and nobody but the player kills a
    player's character. A sheet that the GM sent back is its player's to build again.
    """
    found = list(misread(_state(table, after), before.state, after.state))
    kept = {perk.text for perk in usable_perks(after)}
    lost = [perk.text for perk in usable_perks(before) if perk.text not in kept]
    mine = actor.seat == before.owner or (actor.is_gm and not before.is_players)
    if before.is_players and lost and not mine:
        words = quoted(lost[0])
        found.append(
            Problem(
                "perks",
                "toast.4-perk-no-nullify",
                f"{words} is {before.name}'s for good: only its player can drop a perk.",
            )
        )
    known = {perk.text for perk in perks(before)}
    new = [perk.text for perk in perks(after) if perk.text not in known]
    if before.is_players and new and not mine:
        found.append(
            Problem(
                "perks",
                "toast.4-perk-player-chooses",
                f"{quoted(new[0])}: a player's perks are written by the player.",
            )
        )
    if is_pc(before) and condition(after) == DEAD != condition(before) and not mine:
        found.append(
            Problem(
                "condition",
                "toast.7.5-pc-death-consent",
                f"{before.name} dies only if the player says so: ask for it.",
            )
        )
    if before.stage == "play" and before.is_players and mine and not actor.is_gm:
        found += _players_own(table, before, after)
    return tuple(found)


def _players_own(table: Table, before: Entity, after: Entity) -> list[Problem]:
    known = {perk.text for perk in perks(before)}
    found = [
        Problem(
            "perks",
            "toast.8.1-petition",
            f"{quoted(perk.text)} is new: ask for it when a session closes.",
        )
        for perk in perks(after)
        if perk.text not in known
    ]
    if any(level(before, one.key) != level(after, one.key) for one in traits(table.options)):
        found.append(
            Problem("traits", "toast.8.2-roll-each", "Levels rise by advancement, not by hand.")
        )
    return found
