"""What every roll of Toast shares: its fields, the sides on its card, the note of a perk used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kitchentable.rules import (
    Change,
    Choice,
    Entity,
    Field,
    Json,
    Part,
    Side,
    Table,
    number_audience,
    quoted,
    whole,
)
from kitchentable.rulesets.toast.character import (
    is_pc,
    level,
    trait_choices,
    trait_name,
    usable_perks,
)
from kitchentable.rulesets.toast.mechanics import PERK_BONUS, Announced
from kitchentable.rulesets.toast.options import NO_TRAIT, find_trait


def trait_field(
    table: Table,
    entity: Entity | None,
    *,
    name: str = "trait",
    label: str = "Trait",
    set_by: str = "actor",
    choices: tuple[Choice, ...] = (),
    default: str = "",
    rule: str = "toast.5-trait-gm",
) -> Field:
    """Which trait a roll is made on: proposed by who makes it, confirmed by the GM."""
    choices = choices or trait_choices(table, entity)
    return Field(
        name,
        label,
        "choice",
        choices,
        default=default or choices[0].value,
        set_by=set_by,
        needs_yes=True,
        rule=rule,
    )


def perk_field(
    entity: Entity | None, *, name: str = "perk", label: str = "Perk", set_by: str = "actor"
) -> Field:
    """One perk or none. Its owner chooses; the GM may turn it down, and not put one there."""
    own = usable_perks(entity) if entity is not None else ()
    return Field(
        name,
        label,
        "choice",
        (
            Choice("", "No perk"),
            *(Choice(one.text, f"{one.text}, +{PERK_BONUS}", one.covers) for one in own),
        ),
        default="",
        required=False,
        set_by=set_by,
        needs_yes=True,
        veto_only=True,
        rule="toast.5-perk-player",
    )


def what_field() -> Field:
    """What the character does, in the player's words."""
    return Field("what", "What do you do?", required=False, default="", longest=400)


def side(
    table: Table, entity: Entity, label: str, trait: Json, perk: Json, announced: Announced
) -> Side:
    """One party on a card: the die, trait and perk by name, the total; flub and kick have none."""
    number = announced if isinstance(announced, int) else None
    return Side(
        entity.name,
        label,
        parts(table, entity, trait, perk) if number is not None else (),
        number,
        "" if isinstance(announced, int) else announced.value,
        number_audience(entity),
    )


def parts(table: Table, entity: Entity, trait: Json, perk: Json) -> tuple[Part, ...]:
    """What is added to the die, by name."""
    bonus = (Part(f"perk: {perk}", PERK_BONUS),) if perk else ()
    return (Part(trait_name(table, trait), level(entity, trait)), *bonus)


def noted(table: Table, entity: Entity, trait: Json, perk: Json) -> tuple[Change, ...]:
    """The note that this trait was used with a perk: for players' characters, in a session.

    It is made whatever the die shows (toast.8.2-note, toast.8.2-players-only). Levels that are not
    on the list cannot be learnt.
    """
    known = trait != NO_TRAIT and find_trait(table.options, trait) is not None
    if (
        not (perk and known and is_pc(entity) and entity.is_players)
        or table.session.phase == "none"
    ):
        return ()
    before = uses(table, entity.id).get(str(trait), 0)
    return (Change(("session", "notes", "uses", entity.id, str(trait)), before + 1),)


def uses(table: Table, entity: str) -> dict[str, int]:
    """How often each trait was used with a perk this session, for one entity."""
    every: Any = table.session.notes.get("uses") or {}
    mine: Mapping[str, Json] = every.get(entity) or {}
    return {trait: whole(times) for trait, times in mine.items()}


def saying(words: str) -> Callable[[Mapping[str, Any]], str]:
    """Odds that are always put in the same words."""

    def say(shares: Mapping[str, Any]) -> str:
        return words

    return say


def with_perk(title: str, perk: Json) -> str:
    """A card's title: "Perception, with “Good with rifles”"."""
    return f"{title}, with {quoted(str(perk))}" if perk else title
