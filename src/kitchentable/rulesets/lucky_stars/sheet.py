"""The sheet: the builder, its checks, and the display for each seat."""

from __future__ import annotations

from collections.abc import Iterator
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
    Section,
    SheetRules,
    Start,
    Summary,
    Table,
    Tag,
    Track,
)
from kitchentable.rules.forms import misread
from kitchentable.rules.kit import Problems
from kitchentable.rules.kit.sheets import read_sections
from kitchentable.rules.sheet_migration import former_notes, is_agreed
from kitchentable.rulesets.lucky_stars.mechanics import SIZES
from kitchentable.rulesets.lucky_stars.options import BOOK, Options, problem
from kitchentable.rulesets.lucky_stars.people import (
    DIE,
    EMPTY,
    PERCENT,
    STATS,
    STOCK,
    Person,
    Thing,
    formula_problem,
)
from kitchentable.rulesets.lucky_stars.supplies import uses_in_words

KINDS = tuple(Kind(**one) for one in BOOK.tables["kind"])
SECTIONS = {one.key: one for one in BOOK.read(lambda top: read_sections(top, "section"))}


def _blank(table: Table, kind: str) -> dict[str, Json]:
    listed = () if kind == STOCK else Options(table.options).stat_list
    return {"stats": {one.key: max(one.low, 0) for one in listed}, "gear": [], "about": ""}


def _start(table: Table, entity: Entity) -> dict[str, Json]:
    return {"trackers": {}, **entity.state}


# ---------------------------------------------------------------- the builder


def _sections(table: Table, entity: Entity) -> tuple[Section, ...]:
    """The sections: stats, possessions with supply dice, description."""
    stats, gear, about = SECTIONS.values()
    if entity.kind == STOCK:
        return (gear, replace(about, title="What is it?"))
    numbers = tuple(
        Field(
            f"stats.{one.key}", one.name, "number", default=0, low=one.low, high=one.high,
            help=one.purpose, rule="stars.9-undefined-stats",
        )
        for one in Options(table.options).stat_list
    )  # fmt: skip
    return (replace(stats, fields=numbers), gear, about)


# ---------------------------------------------------------------- checks


def _check(table: Table, entity: Entity, stage: str) -> tuple[Problem, ...]:
    """Problems of a sheet.

    The chapter has no rules for making characters: ranges are the table's own
    (stars.9-undefined-stats).
    """
    one = Person(table, entity)
    return (*_stat_problems(one), *_gear_problems(one), *_derived_problems(one))


def _stat_problems(one: Person) -> Problems:
    values: Any = one.entity.sheet.get("stats")
    if not one.is_known:
        yield problem("no-stats")
        return
    for each in one.options.stat_list if one.has_stats else ():
        value, where = values.get(each.key, 0), f"stats.{each.key}"
        if isinstance(value, bool) or not isinstance(value, int):
            yield problem("whole", where, stat=each, value=value)
        elif each.low <= value <= each.high or is_agreed(one.entity, STATS, each.key, value):
            continue
        elif value or each.key in values:
            yield problem("range", where, stat=each, value=value)


def _gear_problems(one: Person) -> Problems:
    seen: set[str] = set()
    for index, each in enumerate(one.things):
        if each.kind != DIE:
            continue
        if each.name.casefold() in seen:
            yield problem("same-name", f"gear.{index}.item", one=each)
        seen.add(each.name.casefold())
        if not each.rolls:
            yield problem("unsaid", f"gear.{index}.rolls", one=each)


def _derived_problems(one: Person) -> Problems:
    for each in one.options.derived_numbers if one.has_stats else ():
        why = formula_problem(one.table, each)
        if why:
            yield problem("derived", why=why)


def _state(one: Person) -> tuple[Field, ...]:
    """The fields of trackers with a limit (stars.5.2-d100-when, stars.5.1-supply-sizes)."""
    most = {DIE: 12, PERCENT: 100}
    return tuple(
        Field(f"trackers.{each.key}.value", each.name, "number", low=0, high=most[each.kind])
        for each in one.trackers
        if each.kind in most
    )


def _amend(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    """Problems of a change by hand: refilling a supply die without a restock.

    Restocking is a move, so that the log tells of it (stars.5.1-supply-item-text). What a player
    writes down anew begins Empty for the same reason; else an Empty kit could be struck out and
    written down again as a full one.
    """
    one = Person(table, after)
    found = list(misread(_state(one), before.state, after.state))
    was = {each.key: each for each in Person(table, before).things if each.kind}
    for index, each in enumerate(() if actor.is_gm else one.things):
        had = was.get(each.key)
        if each.value <= (had.value if had else EMPTY):
            continue
        stands = f"is {had.words}:" if had else "begins Empty:"
        found.append(problem("restocked", f"gear.{index}.supply", one=each, stands=stands))
    return tuple(found)


# ---------------------------------------------------------------- display


def _summary(table: Table, entity: Entity) -> Summary:
    one = Person(table, entity)
    if not one.is_known:
        return Summary(entity.name, entity.line)
    things = tuple(one.things)
    return Summary(
        entity.name,
        entity.line,
        tracks=tuple(_track(each) for each in (*things, *one.trackers) if each.kind),
        tags=tuple(Tag(each.name) for each in things if not each.kind),
        numbers=tuple(_numbers(one)) if one.has_stats else (),
        notes=former_notes(entity, STATS),
    )


def _numbers(one: Person) -> Iterator[Number]:
    for each in one.options.stat_list:
        starts = Start("decision", (("stat", each.key),)) if each.rolled else None
        yield Number(
            each.key, each.name, one.stat(each.key), help=each.purpose, group="Stats", starts=starts
        )
    for made in one.options.derived_numbers:
        value = one.derived(made)
        if value is not None:
            yield Number(
                made.name.casefold(), made.name, value, help=made.formula, group="Derived stats"
            )


def _track(one: Thing) -> Track:
    """A tracker, or a supply die as a row of boxes: five while it is a D12, none when Empty."""
    words, value = f"{one.name}: {one.words}", one.value
    if one.kind == DIE:
        boxes, lasts = len(SIZES) - 1, f", {uses_in_words(value)} rolls on average" * bool(value)
        left, begins = boxes - SIZES.index(value), Start("supply", (("supply", one.id),))
        tone = "good" if left > 1 else "bad"
        return Track(one.name, left, boxes, f"{words}{lasts}", tone, begins)
    if one.kind == PERCENT:
        return Track(one.name, value // 10, 10, words, "good")
    return Track(one.name, 0, 0, words, "plain")


def _public(table: Table, entity: Entity) -> Entity:
    """The public part: name and line, without stats, things and trackers."""
    return replace(entity, sheet={}, state={})


SHEET = SheetRules(
    lambda table: KINDS, _blank, _sections, _check, _start, _summary, _public, _amend
)
