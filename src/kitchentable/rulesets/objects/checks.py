"""What a sheet may hold, at creation and in play. Most of it warns; little is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    Actor,
    Entity,
    Problem,
    Table,
    quoted,
    whole,
)
from kitchentable.rulesets.objects.options import setting
from kitchentable.rulesets.objects.steps import STEPS, is_done, sentences, undone
from kitchentable.rulesets.objects.thing import (
    GOOD,
    HIGHEST,
    LOWEST,
    basic_talents,
    gained_rows,
    talents,
)


def check(table: Table, entity: Entity, stage: str) -> tuple[Problem, ...]:
    """What is wrong with a sheet, or doubtful, at creation or in play."""
    found = [*_told(table, entity), *_talents(table, entity)]
    if stage == "creation":
        found += _status(entity)
        found += _steps(entity)
    if entity.sheet.get("sentient") and not str(entity.sheet.get("goal") or "").strip():
        sentence = f"{entity.name} has a will of its own, and no goal yet."
        found.append(Problem("goal", "objects.2.6-goal", sentence, refuses=False))
    return tuple(found)


def _told(table: Table, entity: Entity) -> list[Problem]:
    """Concept and story: an empty one is refused, a short story gets a warning."""
    found = []
    if not is_done(entity, "concept"):
        sentence = "Say in a line what it is at heart."
        found.append(Problem("concept", "objects.2.1-concept", sentence))
    many = sentences(str(entity.sheet.get("story") or ""))
    least = whole(setting(table.options, "story_sentences"))
    if many == 0:
        found.append(Problem("story", "objects.2.2-story", "The story is still empty."))
    elif many < least:
        words = f"The story is very short; {least} sentences or more tell enough to go by."
        found.append(Problem("story", "objects.2.2-story", words, refuses=False))
    return found


def _talents(table: Table, entity: Entity) -> list[Problem]:
    rows: Any = entity.sheet.get("talents")
    levels: Any = entity.sheet.get("basic", {})
    if not isinstance(rows, list) or not isinstance(levels, Mapping):
        return [Problem("talents", "objects.2.3-talent", "A sheet has a list of talents.")]
    found, seen = [], {one.name.casefold() for one in basic_talents(table, entity)}
    for key, value in levels.items():
        found += _level(f"basic.{key}", key, value)
    for index, row in enumerate(gained_rows(entity)):
        name = str(row.get("name") or "").strip()
        where = f"talents.{index}"
        if not name:
            sentence = "A talent is a phrase of your own and a level."
            found.append(Problem(f"{where}.name", "objects.2.3-talent", sentence))
        elif name.casefold() in seen:
            sentence = f"{quoted(name)} is there twice."
            found.append(Problem(f"{where}.name", "objects.2.3-talent", sentence))
        seen.add(name.casefold())
        found += _level(f"{where}.level", name, row.get("level"))
        if row.get("object") == entity.id:
            sentence = f"{entity.name} cannot be a talent of its own."
            found.append(Problem(f"{where}.object", "objects.2.3-crew-as-talent", sentence))
    return [*found, *_many_sixes(table, entity)]


def _level(where: str, name: str, value: Any) -> list[Problem]:
    """A whole number from 0 to 6 (objects.2.3-talent), 0 being a handicap that is allowed
    (objects.2.3-zero-handicap).
    """
    if isinstance(value, int) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST:
        return []
    sentence = f"{quoted(name)} has a whole level from {LOWEST} to {HIGHEST}, not {value}."
    return [Problem(where, "objects.2.3-talent", sentence)]


def _many_sixes(table: Table, entity: Entity) -> list[Problem]:
    """A warning, never a refusal (objects.2.3-many-sixes)."""
    many = [one for one in talents(table, entity) if one.level == HIGHEST]
    if len(many) < whole(setting(table.options, "many_sixes")):
        return []
    sentence = f"{len(many)} talents at {HIGHEST}: is the concept more powerful than it says?"
    return [Problem("talents", "objects.2.3-many-sixes", sentence, refuses=False)]


def _status(entity: Entity) -> list[Problem]:
    value = entity.sheet.get("status", GOOD)
    good = isinstance(value, int) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST
    if not good:
        sentence = f"Status goes from {LOWEST} to {HIGHEST}; {value} does not."
        return [Problem("status", "objects.2.5-status-range", sentence)]
    if whole(value) < GOOD and not entity.sheet.get("causes"):
        sentence = "It is not well: write down what happened, and what is broken."
        return [Problem("causes", "objects.2.5-status-note", sentence)]
    return []


def _steps(entity: Entity) -> list[Problem]:
    """The first step that is still open (objects.2-order)."""
    step = undone(entity)
    if not step or step in {"concept", "story"}:
        return []
    number = list(STEPS).index(step) + 1
    sentence = f"Step {number}, {STEPS[step]}, is open: fill it, or say that nothing belongs there."
    return [Problem(step, "objects.2-order", sentence)]


def amend(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    """What nobody may do by hand to an object in play.

    The GM may change a basic talent, openly (objects.2.3-basic-talents); nobody sets a status that
    the scale does not have, or karma below nothing.
    """
    found = []
    locked = bool(setting(table.options, "basics_locked"))
    if locked and not actor.is_gm and basic_talents(table, before) != basic_talents(table, after):
        sentence = "Basic talents do not change in play; only the GM can change one."
        found.append(Problem("basic", "objects.2.3-basic-talents", sentence))
    value = after.state.get("status", GOOD)
    if not isinstance(value, int) or not LOWEST <= value <= HIGHEST:
        sentence = f"Status goes from {LOWEST} to {HIGHEST}; {value} does not."
        found.append(Problem("status", "objects.2.5-status-range", sentence))
    points = after.state.get("karma", 0)
    if not isinstance(points, int) or points < 0:
        sentence = f"Karma is a whole number of points, not {points}."
        found.append(Problem("karma", "objects.3.k-limit", sentence))
    return tuple(found)
