"""Checks of a sheet, at creation and in play; most of them only warn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Actor, Entity, Problem, Table, quoted
from kitchentable.rules.kit import Problems
from kitchentable.rulesets.objects.builder import STEPS, is_done, sentences, undone
from kitchentable.rulesets.objects.thing import GOOD, HIGHEST, LOWEST, Thing


def check(table: Table, entity: Entity, stage: str) -> tuple[Problem, ...]:
    """Problems of a sheet, at creation or in play."""
    return tuple(_problems(Thing(table, entity), stage))


def _problems(me: Thing, stage: str) -> Problems:
    sheet = me.entity.sheet
    yield from _told(me)
    yield from _talents(me)
    if stage == "creation":
        yield from _status(sheet)
        yield from _steps(me.entity)
    if sheet.get("sentient") and not str(sheet.get("goal") or "").strip():
        words = f"{me.name} has a will of its own, and no goal yet."
        yield Problem("goal", "objects.2.6-goal", words, refuses=False)


def _told(me: Thing) -> Problems:
    """Problems of concept and story: refuse an empty one, warn of a short story."""
    if not is_done(me.entity, "concept"):
        yield Problem("concept", "objects.2.1-concept", "Say in a line what it is at heart.")
    many, least = sentences(str(me.entity.sheet.get("story") or "")), me.options.story_sentences
    if many == 0:
        yield Problem("story", "objects.2.2-story", "The story is still empty.")
    elif many < least:
        words = f"The story is very short; {least} sentences or more tell enough to go by."
        yield Problem("story", "objects.2.2-story", words, refuses=False)


def _talents(me: Thing) -> Problems:
    """Problems of talents: missing or repeated phrases, bad levels, many at the highest.

    objects.2.3-many-sixes.
    """
    rule, levels = "objects.2.3-talent", me.entity.sheet.get("basic", {})
    if not me.is_known or not isinstance(levels, Mapping):
        yield Problem("talents", rule, "A sheet has a list of talents.")
        return
    for key, value in levels.items():
        yield from _level(f"basic.{key}", key, value)
    seen = {one.name.casefold() for one in me.basic}
    for index, row in enumerate(me.rows):
        name, where = str(row.get("name") or "").strip(), f"talents.{index}"
        if not name:
            yield Problem(f"{where}.name", rule, "A talent is a phrase of your own and a level.")
        elif name.casefold() in seen:
            yield Problem(f"{where}.name", rule, f"{quoted(name)} is there twice.")
        seen.add(name.casefold())
        yield from _level(f"{where}.level", name, row.get("level"))
        if row.get("object") == me.id:
            words = f"{me.name} cannot be a talent of its own."
            yield Problem(f"{where}.object", "objects.2.3-crew-as-talent", words)
    many = sum(one.level == HIGHEST for one in me.talents)
    if many >= me.options.many_sixes:
        words = f"{many} talents at {HIGHEST}: is the concept more powerful than it says?"
        yield Problem("talents", "objects.2.3-many-sixes", words, refuses=False)


def _on_scale(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST


def _level(where: str, name: str, value: Any) -> Problems:
    """Problems of a level: it is an integer from 0 to 6 (objects.2.3-talent), 0 a handicap
    (objects.2.3-zero-handicap).
    """
    if not _on_scale(value):
        words = f"{quoted(name)} has a whole level from {LOWEST} to {HIGHEST}, not {value}."
        yield Problem(where, "objects.2.3-talent", words)


def _status(sheet: Mapping[str, Any]) -> Problems:
    value = sheet.get("status", GOOD)
    if not _on_scale(value):
        yield _off_scale(value)
    elif value < GOOD and not sheet.get("causes"):
        words = "It is not well: write down what happened, and what is broken."
        yield Problem("causes", "objects.2.5-status-note", words)


def _off_scale(value: Any) -> Problem:
    words = f"Status goes from {LOWEST} to {HIGHEST}; {value} does not."
    return Problem("status", "objects.2.5-status-range", words)


def _steps(entity: Entity) -> Problems:
    """A problem for the first open step (objects.2-order)."""
    number = undone(entity)
    step = STEPS[number - 1]
    if number and step.key not in {"concept", "story"}:
        open_step = f"Step {number}, {step.title}, is open"
        words = f"{open_step}: fill it, or say that nothing belongs there."
        yield Problem(step.key, "objects.2-order", words)


def amend(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    """Problems of a change by hand to an object in play.

    The GM may change a basic talent, openly (objects.2.3-basic-talents); nobody sets a status that
    the scale does not have, or karma below nothing.
    """
    old, new, found = Thing(table, before), Thing(table, after), []
    if old.options.basics_locked and not actor.is_gm and old.basic != new.basic:
        words = "Basic talents do not change in play; only the GM can change one."
        found.append(Problem("basic", "objects.2.3-basic-talents", words))
    value, points = after.state.get("status", GOOD), after.state.get("karma", 0)
    if not isinstance(value, int) or not LOWEST <= value <= HIGHEST:
        found.append(_off_scale(value))
    if not isinstance(points, int) or points < 0:
        words = f"Karma is a whole number of points, not {points}."
        found.append(Problem("karma", "objects.3.k-limit", words))
    return tuple(found)
