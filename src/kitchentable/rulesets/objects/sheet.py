"""The sheet: a new object, the start of play, and the display for each seat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    Entity,
    Kind,
    Number,
    Seat,
    Start,
    Summary,
    Table,
    Tag,
    whole,
)
from kitchentable.rules.kit import Row
from kitchentable.rules.kit.free_order import seen_fight
from kitchentable.rules.kit.sheets import sheet_of
from kitchentable.rules.sheet_migration import former_notes
from kitchentable.rulesets.objects.basics import BASICS
from kitchentable.rulesets.objects.builder import sections
from kitchentable.rulesets.objects.checks import amend, check
from kitchentable.rulesets.objects.options import Options
from kitchentable.rulesets.objects.thing import GOOD, Talent, Thing, capped, moment


def _kinds(table: Table) -> tuple[Kind, ...]:
    """The kinds of entities; players may create objects of any kind (objects.1-any-object).

    Objects belong to a player or the GM; most are players' characters (objects.2-pc-object).
    """
    return tuple(
        Kind(
            one.key,
            one.name,
            "player",
            one.hint,
            "objects.1-any-object",
            person=one.key == "person",
        )
        for one in Options(table.options).types
    )


def _blank(table: Table, kind: str) -> Row:
    """A new sheet with all basic talents of its type and status Good (objects.2.5-status-start).

    objects.2.3-basic-talents.
    """
    options = Options(table.options)
    return {
        "concept": "",
        "story": "",
        "basic": {one.key: 0 for one in options.basics(kind)},
        "talents": [],
        "signs": [],
        "status": GOOD,
        "causes": [],
        "sentient": options.type_of(kind).sentient,
        "goal": "",
        "objectives": [],
        "done": {},
    }


def _start(me: Thing) -> Row:
    """The initial state: starting karma (objects.3.k-start), and earlier injuries."""
    sheet: Row = dict(me.sheet)
    noted = [
        {"text": row["text"], "since": moment(me.table), "status": me.status, "healed": ""}
        for row in sheet.get("causes") or ()
    ]
    return {
        "status": whole(sheet.get("status", GOOD)),
        "injuries": noted,
        "karma": capped(me.options, me.options.karma_start),
        "power": "",
        "talents": {},
        **me.entity.state,
    }


def _summary(me: Thing) -> Summary:
    """An object at a glance: its wholes, status, talents, and injuries with their times.

    Talents that are objects are links (objects.2.3-crew-as-talent); talents removed from the
    table's list are notes.
    """
    points, sheet = Number("karma", "Karma", me.karma, group="Points"), me.sheet
    signs: Any = sheet.get("signs") or []
    hurts = (f"{row['text']} ({row['since']})" for row in me.ails)
    return Summary(
        me.name,
        me.entity.line or str(sheet.get("concept") or ""),
        *me.words,
        (me.track,) if "status" in me.entity.state else (),
        (
            *(Tag(f"Part of {one.name}", "", one.id) for one in me.wholes),
            *(Tag(f"With {one.name}", "", one.id) for one in me.aboard),
            *(Tag(row["text"]) for row in signs),
        ),
        (
            *map(_number, me.talents),
            *((points,) if me.is_known and (me.has_karma or me.karma) else ()),
        ),
        (*hurts, *former_notes(me.entity, BASICS)) if me.is_known else (),
    )


def _number(one: Talent) -> Number:
    """A talent under its kind, basic or gained (objects.2.3-gained-talents)."""
    said = {"agreed": "", "not yet": "not agreed on yet", "proposed": "proposed"}[one.verdict]
    marked = said or ("a handicap" if one.level == 0 and not one.basic else "")
    words = one.phrase.removesuffix(f" ({one.level})")
    group = "Basic talents" if one.basic else "Gained talents"
    starts = None if said else Start("test", (("talent", one.name),))
    return Number(
        one.name, words, one.level, marked, leads_to=one.leads_to, group=group, starts=starts
    )


def _public(me: Thing) -> Entity:
    """The public part of a closed sheet: concept, signs, status without its causes."""
    sheet = me.sheet
    seen = {key: sheet[key] for key in ("concept", "signs") if key in sheet}
    state = {"status": me.status} if me.entity.state else {}
    return replace(me.entity, sheet=seen, state=state)


def conceal(table: Table, seat: Seat) -> Table:
    """Remove links to objects that players do not know from talents and fights.

    The player's table has no hidden objects, so a link without its object leads to a hidden one.
    """
    if seat.role in {"gm", "cogm"}:
        return table
    here = {ident: _unlinked(table, one) for ident, one in table.entities.items()}
    own = {**table.own}
    if own.get("situation"):
        own["situation"] = {**own["situation"], "rolls": []}
    return replace(table, entities=here, fight=seen_fight(table), own=own)


def _unlinked(table: Table, entity: Entity) -> Entity:
    rows: Any = entity.sheet.get("talents")
    if not isinstance(rows, list):
        return entity
    known = {*table.entities, "", None}
    shown = [row if row.get("object") in known else {**row, "object": ""} for row in rows]
    return entity if shown == rows else replace(entity, sheet={**entity.sheet, "talents": shown})


SHEET = sheet_of(
    Thing,
    kinds=_kinds,
    blank=_blank,
    sections=sections,
    check=check,
    start=_start,
    summary=_summary,
    public=_public,
    amend=amend,
)
