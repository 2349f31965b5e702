"""The sheet: what a new one holds, what may stand on it, and how it is shown to whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    Actor,
    Entity,
    Field,
    Json,
    Kind,
    Number,
    Problem,
    SheetRules,
    Summary,
    Table,
    Tag,
    Track,
)
from kitchentable.rules.forms import misread
from kitchentable.rules.refit import former_notes, is_agreed
from kitchentable.rulesets.lucky_stars.builder import sections
from kitchentable.rulesets.lucky_stars.character import (
    NPC,
    PC,
    STATS,
    STOCK,
    derived_value,
    formula_problem,
    has_stats,
    numbers_known,
    stat_value,
)
from kitchentable.rulesets.lucky_stars.options import derived, stats
from kitchentable.rulesets.lucky_stars.supplied import (
    DIE,
    EMPTY,
    PERCENT,
    Tracker,
    size_name,
    things,
    track_of,
    trackers,
)


def _kinds(table: Table) -> tuple[Kind, ...]:
    return (
        Kind(PC, "Character", "player", "Somebody that a player plays.", "stars.1-player"),
        Kind(NPC, "Somebody else", "gm", "Whoever the GM speaks for.", "stars.1-gm"),
        Kind(
            STOCK,
            "Common stock",
            "gm",
            "A place, a vehicle, what the party owns together: things and trackers, no stats.",
            "stars.5.1-supply-conditions",
        ),
    )


def _blank(table: Table, kind: str) -> dict[str, Json]:
    sheet: dict[str, Json] = {"gear": [], "about": ""}
    if kind == STOCK:
        return {"stats": {}, **sheet}
    return {"stats": {one.key: max(one.low, 0) for one in stats(table.options)}, **sheet}


def _start(table: Table, entity: Entity) -> dict[str, Json]:
    return {"trackers": {}, **entity.state}


def check(table: Table, entity: Entity, stage: str) -> tuple[Problem, ...]:
    """What is wrong with a sheet, or doubtful.

    The chapter has no rules for making characters: ranges are the table's own
    (stars.9-undefined-stats).
    """
    found = [*_stat_problems(table, entity), *_gear_problems(entity)]
    if has_stats(entity):
        words = (formula_problem(table, one) for one in derived(table.options))
        found += [
            Problem("stats", "stars.9-undefined-stats", sentence, refuses=False)
            for sentence in words
            if sentence
        ]
    return tuple(found)


def _stat_problems(table: Table, entity: Entity) -> list[Problem]:
    values: Any = entity.sheet.get("stats")
    if not isinstance(values, Mapping):
        return [Problem("stats", "stars.9-undefined-stats", "A sheet has a number for each stat.")]
    found = []
    for one in stats(table.options) if has_stats(entity) else ():
        value = values.get(one.key, 0)
        if isinstance(value, bool) or not isinstance(value, int):
            words = f"{one.name} is a whole number, not {value}."
        elif is_agreed(entity, STATS, one.key, value) or (value == 0 and one.key not in values):
            continue
        elif not one.low <= value <= one.high:
            words = f"{one.name} goes from {one.low} to {one.high} at this table, not {value}."
        else:
            continue
        found.append(Problem(f"stats.{one.key}", "stars.9-undefined-stats", words))
    return found


def _gear_problems(entity: Entity) -> list[Problem]:
    seen: set[str] = set()
    found = []
    for index, one in enumerate(things(entity)):
        if one.size is None:
            continue
        if one.name.casefold() in seen:
            words = f"Two supply dice are called {one.name}; name them apart."
            found.append(Problem(f"gear.{index}.item", "stars.5.1-supply-roll", words))
        seen.add(one.name.casefold())
        if not one.rolls:
            words = f"{one.name} does not say when its supply is rolled."
            rule = "stars.5.1-supply-item-text"
            found.append(Problem(f"gear.{index}.rolls", rule, words, refuses=False))
    return found


def _state(entity: Entity) -> tuple[Field, ...]:
    """What can stand on somebody's trackers (stars.5.2-d100-when, stars.5.1-supply-sizes)."""
    most = {DIE: 12, PERCENT: 100}
    return tuple(
        Field(f"trackers.{one.key}.value", one.name, "number", low=0, high=most[one.kind])
        for one in trackers(entity)
        if one.kind in most
    )


def amend(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    """What may not be done to an agreed sheet by hand: fill up a supply die unseen.

    Restocking is a move, so that the log tells of it (stars.5.1-supply-item-text). What a player
    writes down anew begins Empty for the same reason; else an Empty kit could be struck out and
    written down again as a full one.
    """
    unread = misread(_state(after), before.state, after.state)
    if actor.is_gm:
        return unread
    was = {one.key: one for one in things(before)}
    found = list(unread)
    for index, one in enumerate(things(after)):
        old = was.get(one.key)
        had = old.size if old is not None else None
        if one.size is None or one.size <= (had or EMPTY):
            continue
        stands = f"is {size_name(had)}:" if had is not None else "begins Empty:"
        words = f"{one.name} {stands} restock it, so that the log tells of it."
        found.append(Problem(f"gear.{index}.supply", "stars.5.1-supply-item-text", words))
    return tuple(found)


def _summary(table: Table, entity: Entity) -> Summary:
    if not numbers_known(entity):
        return Summary(entity.name, entity.line)
    numbers: list[Number] = []
    if has_stats(entity):
        numbers = [
            Number(one.key, one.name, stat_value(entity, one.key), help=one.purpose)
            for one in stats(table.options)
        ]
        for one in derived(table.options):
            value = derived_value(table, entity, one)
            if value is not None:
                numbers.append(Number(one.name.casefold(), one.name, value, "derived", one.formula))
    have = things(entity)
    supplies = tuple(track_of(one.name, one.size) for one in have if one.size is not None)
    return Summary(
        entity.name,
        entity.line,
        tracks=(*supplies, *(_track(one) for one in trackers(entity))),
        tags=tuple(Tag(one.name) for one in have if one.size is None),
        numbers=tuple(numbers),
        notes=former_notes(entity, STATS),
    )


def _track(one: Tracker) -> Track:
    if one.kind == DIE:
        return track_of(one.name, one.value)
    words = f"{one.name}: {one.words}"
    if one.kind == PERCENT:
        return Track(one.name, one.value // 10, 10, words, "good")
    return Track(one.name, 0, 0, words, "plain")


def _public(table: Table, entity: Entity) -> Entity:
    """Name and line: neither stats nor things nor trackers."""
    return replace(entity, sheet={}, state={})


SHEET = SheetRules(_kinds, _blank, sections, check, _start, _summary, _public, amend)
