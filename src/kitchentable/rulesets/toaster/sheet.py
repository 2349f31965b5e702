"""The sheet as a whole: what a new one holds, how play begins, and how it is shown to whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from operator import is_
from typing import Any

from kitchentable.rules import Entity, Kind, Number, SheetRules, Start, Summary, Table, Tag
from kitchentable.rules.sheet_migration import former_notes
from kitchentable.rulesets.toaster.book import Facts, row
from kitchentable.rulesets.toaster.character.attributes import (
    armour_class,
    attribute,
    attribute_for,
    attribute_word,
    attributes,
    initiative_bonus,
    luck_at_start,
    luck_left,
    thresholds,
    weapon_class,
)
from kitchentable.rulesets.toaster.character.builder import sections
from kitchentable.rulesets.toaster.character.by_hand import amend
from kitchentable.rulesets.toaster.character.checks import check
from kitchentable.rulesets.toaster.character.editing import ATTRIBUTES
from kitchentable.rulesets.toaster.character.gear import weapons
from kitchentable.rulesets.toaster.character.people import is_named, numbers_known
from kitchentable.rulesets.toaster.character.presets import CREATURE, NPC, PC, UNNAMED, blank
from kitchentable.rulesets.toaster.character.skills import Skill, skill_words, skills
from kitchentable.rulesets.toaster.character.traits import trait_sum, trait_word, traits
from kitchentable.rulesets.toaster.harm import showing
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.options import Options

#: Numbers that follow from others.
_DERIVED = "Defense and limits"


def _kinds(table: Table) -> tuple[Kind, ...]:
    return (
        Kind(PC, "Character", "player", "A player's own.", "toaster.2.creation-interactive"),
        Kind(NPC, "Somebody of the GM's", "gm", "With a name in the story."),
        Kind(UNNAMED, "Somebody unnamed", "gm", "One of many.", "toaster.4.unnamed-out"),
        Kind(CREATURE, "Creature", "gm", "Of any size.", "toaster.2.trait-size-human-limit"),
    )


def _start(table: Table, entity: Entity) -> Facts:
    """Hale, with full luck; and the sum of the traits as it was approved.

    What the GM has not refused of specialties is accepted with the sheet
    (toaster.2.specialty-gm-approval).
    """
    return {
        "stun": 0,
        "wounds": [],
        "condition": harm.AWAKE,
        "luck": luck_at_start(table, entity),
        "xp": 0,
        "used": [],
        **entity.state,
        "trait_sum": trait_sum(entity),
    }


def _status(table: Table, entity: Entity, *, shown: bool) -> tuple[str, str]:
    """The condition for everybody; the penalty or the countdown where numbers may be seen."""
    words = showing.status(table, entity) if shown else showing.visible_words(entity)
    return words[:1].upper() + words[1:], "plain" if harm.is_awake(entity) else "bad"


def numbers(table: Table, entity: Entity) -> tuple[Number, ...]:
    """Attributes, what follows from them, weapons in these hands, and the rank of every skill."""
    ranks = [
        Number(
            f"attributes.{one['key']}",
            str(one["name"]),
            rank := attribute(table, entity, one["key"]),
            help=attribute_word(table, rank),
            group="Attributes",
            starts=Start("task", (("on", f"attribute:{one['key']}"),)),
        )
        for one in attributes(table)
    ]
    stun, wound = thresholds(table, entity)
    derived = [
        Number("ac", "Armor class", armour_class(table, entity), group=_DERIVED),
        Number(
            "initiative", "Initiative, d10 and", initiative_bonus(table, entity), group=_DERIVED
        ),
        Number("stun", "Stun threshold", stun, group=_DERIVED),
        Number("wound", "Wound threshold", wound, group=_DERIVED),
        *(
            Number(
                f"weapons.{one.id}",
                f"{one.name}, WC",
                weapon_class(table, entity, one),
                group="Weapons",
                starts=Start("attack", (("arm", one.id),)),
            )
            for one in weapons(table, entity)
        ),
    ]
    derived += _tests(table, entity)
    if Options(table.options).luck_points:
        derived.append(Number("luck", "Luck points", luck_left(table, entity), group=_DERIVED))
    used: Any = entity.state.get("used") or []
    learned = [
        Number(
            f"skills.{one.key}",
            _label(one),
            one.rank,
            "used in this adventure" if one.key in used else "",
            skill_words(table, one.rank),
            group="Skills",
            starts=Start("task", (("on", f"skill:{one.key}"),)),
        )
        for one in skills(table, entity)
    ]
    return (*ranks, *derived, *learned)


def _tests(table: Table, entity: Entity) -> Iterator[Number]:
    """Endurance and will, where a trait sets them apart from their attribute.

    toaster.2.trait-attribute-sub, toaster.2.attributes-changeable.
    """
    for use in ("endurance", "will"):
        found, rank = row(table, "uses", use), attribute_for(table, entity, use)
        if found is not None and rank != attribute(table, entity, str(found["attribute"])):
            yield Number(f"uses.{use}", str(found["name"]), rank, group=_DERIVED)


def _label(skill: Skill) -> str:
    """A skill with its base, and what it is especially good for: "Throw (base 9; knives +2)"."""
    special = [f"{one.name} +{one.bonus}" for one in skill.specialties]
    return f"{skill.name} ({'; '.join([f'base {skill.base}', *special])})"


class _Seen:
    """What a summary is made from, as a key: the same values in memory, which never change."""

    __slots__ = ("entity", "parts")

    def __init__(self, table: Table, entity: Entity) -> None:
        self.entity = entity
        self.parts = (entity, table.options, table.own.get("data"), harm.this_round(table))

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.parts)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Seen) and all(map(is_, self.parts, other.parts))

    @property
    def table(self) -> Table:
        """No more of the table than this, so that no former one is kept in memory."""
        _, options, edits, number = self.parts
        return Table(options, own={"data": edits}, fight={"round": number} if number else None)


@lru_cache(maxsize=512)
def _summary_of(seen: _Seen) -> Summary:
    """Somebody's summary; made once, as long as neither they nor the table's rules change."""
    table, entity = seen.table, seen.entity
    shown = numbers_known(entity)
    words, tone = _status(table, entity, shown=shown)
    tags = (
        *(showing.tags(table, entity) if shown else ()),
        *(Tag(f"{one.name} {one.rank:+}", trait_word(table, one)) for one in traits(entity)),
    )
    return Summary(
        entity.name,
        entity.line or ("" if is_named(entity) else "Unnamed"),
        words,
        tone,
        showing.tracks(table, entity) if shown else (),
        tags if shown else (),
        numbers(table, entity) if shown else (),
        former_notes(entity, ATTRIBUTES) if shown else (),
    )


def _public(table: Table, entity: Entity) -> Entity:
    """How somebody is and whether they are wounded: 1 wound stands for any number, anywhere."""
    state = {key: entity.state[key] for key in ("condition", "stance") if key in entity.state}
    state["wounds"] = [{"n": 1}] if harm.wounds(entity) else []
    return replace(entity, sheet={"named": is_named(entity)}, state=state)


SHEET = SheetRules(
    _kinds,
    blank,
    sections,
    check,
    _start,
    lambda table, entity: _summary_of(_Seen(table, entity)),
    _public,
    amend,
)
