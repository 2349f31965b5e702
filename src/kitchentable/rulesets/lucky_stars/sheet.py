"""The sheet: the builder, its checks, and the display for each seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kitchentable.rules import (
    Actor,
    Entity,
    Field,
    Kind,
    Number,
    Section,
    Start,
    Summary,
    Table,
    Tag,
    Track,
)
from kitchentable.rules.forms import misread
from kitchentable.rules.kit import Problems, Row
from kitchentable.rules.kit.sheets import sheet_of
from kitchentable.rules.sheet_migration import former_notes
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
)
from kitchentable.rulesets.lucky_stars.supplies import uses_in_words

KINDS = tuple(Kind(**one) for one in BOOK.tables["kind"])
SECTIONS = BOOK.sections()


def _blank(table: Table, kind: str) -> Row:
    listed = () if kind == STOCK else Options(table.options).stats
    return {"stats": {one.key: one.begins for one in listed}, "gear": [], "about": ""}


def _start(one: Person) -> Row:
    return {"trackers": {}, **one.entity.state}


# ---------------------------------------------------------------- the builder


def _sections(one: Person) -> tuple[Section, ...]:
    """The sections: stats, possessions with supply dice, description."""
    stats, gear, about = SECTIONS.values()
    if not one.has_stats:
        return (gear, replace(about, title="What is it?"))
    numbers = tuple(
        Field(
            f"stats.{each.key}", each.name, "number", default=0, low=each.low, high=each.high,
            help=each.purpose, rule="stars.9-undefined-stats",
        )
        for each in one.options.stats
    )  # fmt: skip
    return (replace(stats, fields=numbers), gear, about)


# ---------------------------------------------------------------- checks


def _check(one: Person, stage: str) -> Problems:
    """Problems of a sheet.

    The chapter has no rules for making characters: ranges are the table's own
    (stars.9-undefined-stats).
    """
    if not one.is_known:
        yield problem("no-stats")
    for stat, value in STATS.unfit(one.table, one.entity):
        key = "range" if type(value) is int else "whole"
        yield problem(key, f"stats.{stat.key}", stat=stat, value=value)
    yield from _gear_problems(one)
    for each in one.options.derived if one.has_stats else ():
        value = one.derived(each)
        if isinstance(value, str):
            yield problem("derived", why=value)


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


def _amend(actor: Actor, was: Person, one: Person) -> Problems:
    """Problems of a manual change: trackers out of range, refilled supply dice.

    stars.5.2-d100-when, stars.5.1-supply-sizes. Restocking is a move, so that the log records it
    (stars.5.1-supply-item-text). For the same reason, new rows of players begin Empty; otherwise a
    player could replace an Empty kit by a full one.
    """
    most = {DIE: 12, PERCENT: 100}
    limits = (
        Field(f"trackers.{each.key}.value", each.name, "number", low=0, high=most[each.kind])
        for each in one.trackers
        if each.kind in most
    )
    yield from misread(limits, was.entity.state, one.entity.state)
    before = {each.key: each for each in was.things if each.kind}
    for index, each in enumerate(() if actor.is_gm else one.things):
        had = before.get(each.key)
        if each.value > (had.value if had else EMPTY):
            stands = f"is {had.words}:" if had else "begins Empty:"
            yield problem("restocked", f"gear.{index}.supply", one=each, stands=stands)


# ---------------------------------------------------------------- display


def _summary(one: Person) -> Summary:
    if not one.is_known:
        return Summary(one.name, one.entity.line)
    things = tuple(one.things)
    return Summary(
        one.name,
        one.entity.line,
        tracks=tuple(_track(each) for each in (*things, *one.trackers) if each.kind),
        tags=tuple(Tag(each.name) for each in things if not each.kind),
        numbers=tuple(_numbers(one)) if one.has_stats else (),
        notes=former_notes(one.entity, STATS),
    )


def _numbers(one: Person) -> Iterator[Number]:
    for each in one.options.stats:
        starts = Start("decision", (("stat", each.key),)) if each.rolled else None
        yield Number(
            each.key, each.name, one.stat(each.key), help=each.purpose, group="Stats", starts=starts
        )
    for made in one.options.derived:
        value = one.derived(made)
        if isinstance(value, int):
            yield Number(
                made.name.casefold(), made.name, value, help=made.formula, group="Derived stats"
            )


def _track(one: Thing) -> Track:
    """A tracker, or a supply die as boxes: five for a D12, none when Empty."""
    words, value = f"{one.name}: {one.words}", one.value
    if one.kind == DIE:
        boxes, lasts = len(SIZES) - 1, f", {uses_in_words(value)} rolls on average" * bool(value)
        left, begins = boxes - SIZES.index(value), Start("supply", (("supply", one.id),))
        tone = "good" if left > 1 else "bad"
        return Track(one.name, left, boxes, f"{words}{lasts}", tone, begins)
    if one.kind == PERCENT:
        return Track(one.name, value // 10, 10, words, "good")
    return Track(one.name, 0, 0, words, "plain")


def _public(one: Person) -> Entity:
    """The public part: name and line, without stats, things and trackers."""
    return replace(one.entity, sheet={}, state={})


SHEET = sheet_of(
    Person,
    kinds=lambda table: KINDS,
    blank=_blank,
    sections=_sections,
    check=_check,
    start=_start,
    summary=_summary,
    public=_public,
    amend=_amend,
)
