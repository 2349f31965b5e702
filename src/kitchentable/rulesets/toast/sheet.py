"""The sheet: what a new one holds, how play begins, and how it is shown to whom."""

from __future__ import annotations

from dataclasses import replace

from kitchentable.rules import Entity, Json, Kind, Number, SheetRules, Summary, Table, Tag, Track
from kitchentable.rulesets.toast.book import TABLES
from kitchentable.rulesets.toast.builder import sections
from kitchentable.rulesets.toast.character import (
    AWAKE,
    DEAD,
    FALLEN,
    IMPORTANCE,
    PC,
    UNCONSCIOUS,
    capacity,
    condition,
    importance,
    is_pc,
    level,
    numbers_known,
    perks,
    wounds,
)
from kitchentable.rulesets.toast.creation import amend, check
from kitchentable.rulesets.toast.lost import former_notes
from kitchentable.rulesets.toast.old_rolls import uses
from kitchentable.rulesets.toast.options import traits


def _kinds(table: Table) -> tuple[Kind, ...]:
    return tuple(
        Kind(
            rank["key"],
            rank["name"],
            "player" if rank.get("players") else "gm",
            f"Importance: {rank['rank'].lower()}.",
            f"toast.7.4-wounds-{rank['key']}",
        )
        for rank in TABLES["importance"]
    )


def _blank(table: Table, kind: str) -> dict[str, Json]:
    sheet: dict[str, Json] = {
        "traits": {one.key: 0 for one in traits(table.options)},
        "perks": [],
        "gear": [],
        "about": "",
    }
    if kind != PC:
        sheet |= {"importance": kind, "capacity": None}
    return sheet


def _start(table: Table, entity: Entity) -> dict[str, Json]:
    """Unhurt and awake; perks that the GM has not refused are accepted with the sheet."""
    verdicts: dict[str, Json] = {
        perk.text: {
            "verdict": "refused" if perk.verdict == "refused" else "accepted",
            "word": perk.word,
        }
        for perk in perks(entity)
    }
    return {"wounds": 0, "condition": AWAKE, **entity.state, "perks": verdicts}


_STATUS = {
    AWAKE: ("", "plain"),
    UNCONSCIOUS: ("Unconscious: needs first aid", "bad"),
    FALLEN: ("Down, fate undecided", "bad"),
    DEAD: ("Dead", "bad"),
}


def wound_track(table: Table, entity: Entity) -> Track:
    """Wounds as boxes."""
    taken, most = wounds(entity), capacity(table, entity)
    return Track("Wounds", taken, most, f"{taken or 'no'} wound{'s' * (taken != 1)} of {most}")


def status(entity: Entity) -> tuple[str, str]:
    """How somebody is, as words and a tone."""
    return _STATUS.get(condition(entity), ("", "plain"))


def _summary(table: Table, entity: Entity) -> Summary:
    words, tone = status(entity)
    used = uses(table, entity.id)
    numbers = tuple(
        Number(
            one.key,
            one.name,
            level(entity, one.key),
            "noted for advancement tonight" if one.key in used else "",
            one.purpose,
        )
        for one in traits(table.options)
    )
    tags = tuple(
        Tag(perk.text, "" if perk.verdict == "accepted" else perk.verdict) for perk in perks(entity)
    )
    return Summary(
        entity.name,
        entity.line or (IMPORTANCE[importance(entity)]["name"] if not is_pc(entity) else ""),
        words,
        tone,
        (wound_track(table, entity),),
        tags,
        numbers if numbers_known(entity) else (),
        former_notes(entity) if numbers_known(entity) else (),
    )


def _public(table: Table, entity: Entity) -> Entity:
    """Name, line, importance, how many boxes of wounds and how they are: no levels, no perks."""
    return replace(
        entity,
        sheet={"importance": importance(entity), "capacity": capacity(table, entity)},
        state={"wounds": wounds(entity), "condition": condition(entity)},
    )


SHEET = SheetRules(_kinds, _blank, sections, check, _start, _summary, _public, amend)
