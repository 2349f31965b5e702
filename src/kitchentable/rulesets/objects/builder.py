"""The builder: the six steps as sections, each opening when the one before it is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules import Choice, Entity, Field, Section, Table, choose
from kitchentable.rules.kit.sheets import read_sections
from kitchentable.rulesets.objects.options import BOOK, basics, type_of
from kitchentable.rulesets.objects.thing import HIGHEST, LOWEST, TALENT_WORDS, Talent, Thing

#: The end of a sentence; a row of points is looked at once, from its first.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++(?:\s|$)|\n\s*\n")

#: The steps of creation in the order of the book.
STEPS = BOOK.read(lambda top: read_sections(top, "step"))

#: Steps that may stay empty when somebody says so; the others have to be filled.
MAY_BE_EMPTY = frozenset({"talents", "signs", "goals"})
_SCALE = ", ".join(f"{number} {word.lower()}" for number, word in TALENT_WORDS.items())


# ---------------------------------------------------------------- how far somebody has come


def is_new(entity: Entity) -> bool:
    """Whether it has never been in play."""
    return entity.stage != "play" and "status" not in entity.state


def is_done(entity: Entity, step: str) -> bool:
    """Whether a step is filled, or marked as done.

    Goals wait for nobody without a will of its own (objects.2.6-sentient-only).
    """
    sheet = entity.sheet
    marked: Any = sheet.get("done") or {}
    if step in MAY_BE_EMPTY and isinstance(marked, Mapping) and marked.get(step):
        return True
    match step:
        case "concept" | "story":
            return bool(str(sheet.get(step) or "").strip())
        case "talents":
            levels: Any = sheet.get("basic") or {}
            return bool(sheet.get("talents")) or any(levels.values())
        case "goals":
            return bool(sheet.get("goal") or sheet.get("objectives")) or not sheet.get("sentient")
    return step == "status" or bool(sheet.get(step))


def undone(entity: Entity) -> int:
    """The number of the first step that is neither filled nor marked as done, 0 for none."""
    left = (i for i, step in enumerate(STEPS, 1) if not is_done(entity, step.key))
    return next(left, 0)


def sentences(story: str) -> int:
    """How many sentences a story has, a last one without a stop counted too.

    >>> sentences("She was born at sea. She never left it"), sentences("  ")
    (2, 0)
    """
    return len([part for part in _STOP.split(story) if part.strip()])


# ---------------------------------------------------------------- the sections


def sections(table: Table, entity: Entity) -> tuple[Section, ...]:
    """The steps that can be seen: all up to the first that is not done; in play all of them.

    objects.2-order; earlier ones stay open until play starts.
    """
    me, found = Thing(table, entity), list[Section]()
    building = is_new(entity)
    last = (undone(entity) if building and me.options.steps_in_order else 0) or len(STEPS)
    for number, step in enumerate(STEPS[:last], 1):
        title = f"Step {number} of {len(STEPS)}: {step.title}" if building else step.title
        found += _MAKERS.get(step.key, as_it_stands)(me, replace(step, title=title))
    if not building:
        return tuple(found)
    return tuple(
        replace(one, fields=(*one.fields, _done(one.key))) if one.key in MAY_BE_EMPTY else one
        for one in found
    )


def _done(step: str) -> Field:
    """The tick that says that a step may stay empty."""
    title = "Nothing more here: go on"
    return Field(
        f"done.{step}", title, "tick", default=False, required=False, rule="objects.2-order"
    )


def as_it_stands(me: Thing, step: Section) -> Iterator[Section]:
    """A step that is the same for every object (objects.2.2-story, objects.2.4-signs)."""
    yield step


def _concept(me: Thing, step: Section) -> Iterator[Section]:
    """Step 1 (objects.2.1-concept), with what the GM said of power and of what suits the game."""
    words, suits = step.help, me.options.suitable.strip()
    words += f" What suits this game: {suits}" if suits else ""
    words += f" Its power, as the GM sees it: {me.power}" if me.power else ""
    field = replace(step.fields[0], help=type_of(me.table.options, me.entity.kind).hint)
    yield replace(step, fields=(field,), help=words)


def _talents(me: Thing, step: Section) -> Iterator[Section]:
    """Step 3: basic talents as numbers, gained ones as sentences that may be other objects."""
    listed, split = basics(me.table.options, me.entity.kind), me.options.use_split
    building = is_new(me.entity)
    if listed and (building or me.stage == "play" or not me.options.basics_locked):
        fields = tuple(
            Field(
                f"basic.{one.key}", one.name, "number", default=0, low=LOWEST, high=HIGHEST,
                help=one.hint, rule=one.rule,
            )
            for one in listed
        )  # fmt: skip
        words = f"{_SCALE}. Usual are 2 to 5, and 4 is strong already."
        rule = "objects.2.3-basic-talents"
        yield Section("basic", f"{step.title}, basic", fields, words, rule)
    rows = step.fields[0]
    name, level, link = rows.columns
    columns = (name, level, replace(link, choices=_linkable(me)))
    rows = replace(rows, label=rows.label if split else "Talents", columns=columns)
    yield replace(
        step,
        title=f"{step.title}, gained" if split and listed else step.title,
        fields=(rows,),
        help=f"{step.help} {_SCALE}.",
        row_notes={f"talents.{i}": _note(one) for i, one in enumerate(me.gained)},
        in_summary=not building,
    )


def _linkable(me: Thing) -> tuple[Choice, ...]:
    """What a talent may be: any other object, and what it already is."""
    here = {one.id: one for one in me.table.entities.values() if one.stage != "gone"}
    here |= {one.id: one for one in me.parts}
    here.pop(me.id, None)
    return choose(here.values())


def _note(one: Talent) -> str:
    """How a gained talent reads, and what is to be said of its level and its state."""
    words = [f"{one.phrase}."]
    if one.level == LOWEST:
        words.append("A handicap.")
    if one.level in {1, HIGHEST}:
        words.append("Levels 1 and 6 are rare special cases.")
    if one.verdict == "not yet":
        words.append(f"Not agreed on yet{': ' + one.word.rstrip('.') if one.word else ''}.")
    elif one.verdict == "proposed":
        words.append("Proposed; the GM has not agreed yet.")
    return " ".join(words)


def _status(me: Thing, step: Section) -> Iterator[Section]:
    """Step 5: how it begins, and what a status below Good comes from (objects.2.5-status-note)."""
    if is_new(me.entity):
        yield step


_MAKERS = {"concept": _concept, "talents": _talents, "status": _status}
