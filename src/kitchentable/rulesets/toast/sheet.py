"""The sheet: a new one, its checks, the builder, and the display."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kitchentable.rules import (
    Actor,
    Budget,
    Choice,
    Entity,
    Field,
    Kind,
    Number,
    Section,
    Start,
    Summary,
    Table,
    Tag,
    quoted,
)
from kitchentable.rules.forms import misread
from kitchentable.rules.kit import Problems, Row
from kitchentable.rules.kit.levels import Levels
from kitchentable.rules.kit.listings import name_of
from kitchentable.rules.kit.sheets import sheet_of
from kitchentable.rulesets.toast.options import (
    BOOK,
    POINTS_PER_TRAIT,
    Options,
    problem,
)
from kitchentable.rulesets.toast.people import (
    AWAKE,
    CONDITIONS,
    DEAD,
    IMPORTANCE,
    PC,
    PERKS_AT_FIRST,
    Person,
    classes,
    many_wounds,
)


def levels_of(table: Table) -> Levels:
    """The levels of the table's traits.

    Starting levels are at most 9, and may be 0 (toast.3.1-zero-ok).
    """
    listed = [(one.key, one.name, one.purpose) for one in Options(table.options).traits]
    rules, points = BOOK.tables["levels"], POINTS_PER_TRAIT * len(listed)
    return Levels(listed, rules, points, 9, outside="{name} starts at {high} at most, not {value}.")


# ---------------------------------------------------------------- a new sheet


def kinds(table: Table) -> tuple[Kind, ...]:
    return tuple(
        Kind(
            key,
            rank["name"],
            "player" if key == PC else "gm",
            f"Importance: {rank['rank'].lower()}.",
            f"toast.7.4-wounds-{key}",
        )
        for key, rank in IMPORTANCE.items()
    )


def blank(table: Table, kind: str) -> Row:
    levels = {one.key: 0 for one in Options(table.options).traits}
    sheet: Row = {"traits": levels, "perks": [], "gear": [], "about": ""}
    return sheet if kind == PC else {**sheet, "importance": kind, "capacity": None}


def start(one: Person) -> Row:
    """The initial state: unhurt, awake, with all perks accepted that the GM did not refuse."""
    verdicts = {
        perk.text: {
            "verdict": "refused" if perk.verdict == "refused" else "accepted",
            "word": perk.word,
        }
        for perk in one.perks
    }
    return {"wounds": 0, "condition": AWAKE, **one.entity.state, "perks": verdicts}


# ---------------------------------------------------------------- checks


def check(one: Person, stage: str) -> Problems:
    """Problems of a sheet, at creation or in play.

    Points and the highest level apply only during creation (toast.3.1-max9-start-only).
    """
    new = stage == "creation" and one.is_pc
    yield from levels_of(one.table).problems(one.levels, new=new)
    if not one.is_known:
        yield problem("no-traits")
    many = len(one.perks)
    yield from _perks(one)
    if new and many > PERKS_AT_FIRST:
        yield problem("many-perks", most=PERKS_AT_FIRST, many=many)
    yield from many_wounds(one.sheet.get("capacity"))
    required = one.options.equipment_lists == "required"
    if required and one.is_pc and not one.sheet.get("gear"):
        yield problem("no-gear")


def _perks(one: Person) -> Problems:
    seen = set()
    for index, perk in enumerate(one.perks):
        where, said = "gear" if perk.of_gear else f"perks.{index}.text", quoted(perk.text)
        if not perk.text.strip():
            yield problem("blank", where)
        if perk.text in seen:
            yield problem("twice", where, perk=said)
        seen.add(perk.text)
        if one.options.traits.find(perk.text) is not None:
            yield problem("wide", where, perk=said)
        if perk.verdict == "refused":
            yield problem("refused", where, perk=said, word=perk.word or "no reason given")


# ---------------------------------------------------------------- changes by hand


def amend(actor: Actor, one: Person, then: Person) -> Problems:
    """Problems of a manual change to a finished sheet.

    Players write their own perks, and only they can drop an accepted one. New perks come by
    petition, and levels rise by advancement. Only the player can let a player's character die, even
    while the GM plays it. Players may rebuild sheets that the GM sent back.
    """
    words = tuple(Choice(word, word) for word in CONDITIONS)
    state = (
        Field("wounds", "Wounds", "number", low=0, high=then.capacity, rule="toast.7.3-wound-cap"),
        Field("condition", "The condition", "choice", words),
    )
    mine = actor.seat == one.owner or (actor.is_gm and not one.is_pc and not one.is_players)
    kept, known = {perk.text for perk in then.usable_perks()}, {perk.text for perk in one.perks}
    lost = [perk.text for perk in one.usable_perks() if perk.text not in kept]
    new = [perk.text for perk in then.perks if perk.text not in known]
    yield from misread(state, one.entity.state, then.entity.state)
    if not mine:
        yield from _by_others(one, then, lost, new)
    elif not actor.is_gm and one.stage == "play":
        yield from _by_player(one, then, new)


def _by_others(one: Person, then: Person, lost: list[str], new: list[str]) -> Problems:
    if lost:
        yield problem("for-good", one=one, perk=quoted(lost[0]))
    if new:
        yield problem("by-player", perk=quoted(new[0]))
    if one.is_pc and then.condition == DEAD != one.condition:
        yield problem("no-death", one=one)


def _by_player(one: Person, then: Person, new: list[str]) -> Problems:
    for text in new:
        yield problem("by-petition", perk=quoted(text))
    if any(one.levels.get(t.key) != then.levels.get(t.key) for t in one.options.traits):
        yield problem("by-advancement")


# ---------------------------------------------------------------- the builder


SECTIONS = BOOK.sections()


def sections(one: Person) -> tuple[Section, ...]:
    """The sections of a sheet; during creation, with the points left to spend."""
    building = one.is_pc and one.stage != "play" and "condition" not in one.entity.state
    samples = "; ".join(quoted(each["text"]) for each in BOOK.tables["sample_perk"])
    traits_part, perks_part, gear_part = (SECTIONS[key] for key in ("traits", "perks", "gear"))
    required = one.options.equipment_lists == "required"
    return (
        *(() if one.is_pc else (_importance(one),)),
        levels_of(one.table).section(traits_part, one.levels, new=building),
        replace(
            perks_part,
            help=f"{perks_part.help} For example: {samples}." if building else "",
            budget=Budget("Perks", len(one.perks), PERKS_AT_FIRST) if building else None,
            row_notes=_verdicts(one) if one.is_players else {},
        ),
        replace(gear_part, help="Your table asks for a list.") if required else gear_part,
        SECTIONS["about"],
    )


def _verdicts(one: Person) -> dict[str, str]:
    """The GM's verdicts, by the rows of their perks."""
    words = {"refused": "refused", "proposed": "waits for the GM", "accepted": "accepted"}
    return {
        f"perks.{index}": f"{words[perk.verdict]}{': ' + perk.word if perk.word else ''}"
        for index, perk in enumerate(one.perks)
        if not perk.of_gear
    }


def _importance(one: Person) -> Section:
    part = SECTIONS["importance"]
    rank, own = part.fields
    rank = replace(rank, choices=classes(one.options), default=one.entity.kind)
    return replace(part, fields=(rank, own))


# ---------------------------------------------------------------- display


def summary(one: Person) -> Summary:
    words, tone = one.status
    used = one.used
    numbers = tuple(
        Number(
            trait.key,
            trait.name,
            one.level(trait),
            "noted for advancement tonight" if trait.key in used else "",
            trait.purpose,
            group="Traits",
            starts=Start("task", (("trait", trait.key),)),
        )
        for trait in (one.options.traits if one.is_known else ())
    )
    tags = tuple(
        Tag(perk.text, starts=Start("task", (("perk", perk.text),)))
        if perk.verdict == "accepted"
        else Tag(perk.text, perk.verdict)
        for perk in one.perks
    )
    rank = "" if one.is_pc or not one.is_known else IMPORTANCE[one.importance]["name"]
    line = one.entity.line or rank
    tracks = (one.track,) if one.is_known else ()
    notes = tuple(_former(one)) if one.is_known else ()
    return Summary(one.name, line, words, tone, tracks, tags, numbers, notes)


def _former(one: Person) -> Iterator[str]:
    """The stored levels of removed traits, in sentences."""
    names: Row = {trait.key: trait.name for trait in Options({}).traits}
    for key, level in one.former.items():
        if level:
            name = names.get(key) or name_of(key)
            yield f"{name} was {level}, before it was struck out."


def public(one: Person) -> Entity:
    """The public part: name, line, condition, and 1 wound for any number of wounds."""
    state = {"wounds": min(1, one.wounds), "condition": one.condition}
    return replace(one.entity, sheet={}, state=state)


SHEET = sheet_of(
    Person,
    kinds=kinds,
    blank=blank,
    sections=sections,
    check=check,
    start=start,
    summary=summary,
    public=public,
    amend=amend,
)
