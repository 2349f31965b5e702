"""The builder: the six steps as sections, each opened when the previous one is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules import Choice, Entity, Field, Section, choose
from kitchentable.rulesets.objects.options import BOOK
from kitchentable.rulesets.objects.thing import HIGHEST, LOWEST, TALENT_WORDS, Talent, Thing

#: The end of a sentence; several full stops in a row match once.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++(?:\s|$)|\n\s*\n")

#: The steps of creation in the order of the book.
STEPS = tuple(BOOK.sections("step").values())

#: Steps that may stay empty if marked as done; the others must be filled.
MAY_BE_EMPTY = frozenset({"talents", "signs", "goals"})
_SCALE = ", ".join(f"{number} {word.lower()}" for number, word in TALENT_WORDS.items())


# ---------------------------------------------------------------- progress


def is_new(entity: Entity) -> bool:
    """Whether the object has never been in play."""
    return entity.stage != "play" and "status" not in entity.state


def is_done(entity: Entity, step: str) -> bool:
    """Whether a step is filled, or marked as done.

    Objects without a will of their own need no goals (objects.2.6-sentient-only).
    """
    sheet, marked = entity.sheet, entity.sheet.get("done") or {}
    levels: Any = sheet.get("basic") or {}
    filled = {
        "concept": str(sheet.get("concept") or "").strip(),
        "story": str(sheet.get("story") or "").strip(),
        "talents": sheet.get("talents") or any(levels.values()),
        "signs": sheet.get("signs"),
        "status": True,
        "goals": sheet.get("goal") or sheet.get("objectives") or not sheet.get("sentient"),
    }
    says_so = step in MAY_BE_EMPTY and isinstance(marked, Mapping) and marked.get(step)
    return bool(filled[step] or says_so)


def undone(entity: Entity) -> int:
    """The number of the first step neither filled nor marked as done, 0 for none."""
    left = (i for i, step in enumerate(STEPS, 1) if not is_done(entity, step.key))
    return next(left, 0)


def sentences(story: str) -> int:
    """The number of sentences of a story, including a last one without a full stop.

    >>> sentences("She was born at sea. She never left it"), sentences("  ")
    (2, 0)
    """
    return len([part for part in _STOP.split(story) if part.strip()])


# ---------------------------------------------------------------- the sections


def sections(me: Thing) -> Iterator[Section]:
    """The visible steps: up to the first undone one, or all in play.

    objects.2-order; earlier steps stay open until play starts.
    """
    building = is_new(me.entity)
    last = (undone(me.entity) if building and me.options.steps_in_order else 0) or len(STEPS)
    for number, step in enumerate(STEPS[:last], 1):
        title = f"Step {number} of {len(STEPS)}: {step.title}" if building else step.title
        # In play, a separate move changes the status.
        make = _MAKERS.get(step.key, as_it_stands)
        for one in make(me, replace(step, title=title)) if building or step.key != "status" else ():
            done = Field(
                f"done.{one.key}", "Nothing more here: go on", "tick",
                default=False, required=False, rule="objects.2-order",
            )  # fmt: skip
            may_be_empty = building and one.key in MAY_BE_EMPTY
            yield replace(one, fields=(*one.fields, done)) if may_be_empty else one


def as_it_stands(me: Thing, step: Section) -> Iterator[Section]:
    """A step with the same fields for every object (objects.2.2-story, objects.2.4-signs)."""
    yield step


def _concept(me: Thing, step: Section) -> Iterator[Section]:
    """Step 1, the concept (objects.2.1-concept), with the GM's verdict on power and fit."""
    words, suits = step.help, me.options.suitable.strip()
    words += f" What suits this game: {suits}" if suits else ""
    words += f" Its power, as the GM sees it: {me.power}" if me.power else ""
    field = replace(step.fields[0], help=me.options.type_of(me.entity.kind).hint)
    yield replace(step, fields=(field,), help=words)


def _talents(me: Thing, step: Section) -> Iterator[Section]:
    """Step 3: basic talents as numbers, gained ones as sentences; these may be other objects."""
    listed, split = me.options.basics(me.entity.kind), me.options.use_split
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
    """The objects that a talent may be: all others, and its present one."""
    here = {one.id: one for one in me.table.entities.values() if one.stage != "gone"}
    here |= {one.id: one for one in me.parts}
    here.pop(me.id, None)
    return choose(here.values())


def _note(one: Talent) -> str:
    """A gained talent in words, with remarks on its level and verdict."""
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


_MAKERS = {"concept": _concept, "talents": _talents}
