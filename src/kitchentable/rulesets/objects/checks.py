"""Checks of a sheet, at creation and in play; most of them only warn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Actor, Entity, Field, quoted
from kitchentable.rules.forms import misread
from kitchentable.rules.kit import Problems
from kitchentable.rulesets.objects.builder import STEPS, is_done, sentences, undone
from kitchentable.rulesets.objects.options import problem
from kitchentable.rulesets.objects.thing import GOOD, HIGHEST, LOWEST, Thing

#: The allowed values of facts changed manually.
_STATE = (
    Field("status", "Status", "number", low=LOWEST, high=GOOD, rule="objects.2.5-status-range"),
    Field("karma", "Karma", "number", low=0, rule="objects.3.k-limit"),
)


def check(me: Thing, stage: str) -> Problems:
    """Problems of a sheet, at creation or in play."""
    sheet = me.sheet
    yield from _texts(me)
    yield from _talents(me)
    if stage == "creation":
        yield from _status(sheet)
        yield from _steps(me.entity)
    if sheet.get("sentient") and not str(sheet.get("goal") or "").strip():
        yield problem("goal", me=me)


def _texts(me: Thing) -> Problems:
    """Problems of concept and story: refuse an empty one, warn of a short story."""
    if not is_done(me.entity, "concept"):
        yield problem("concept")
    many, least = sentences(str(me.sheet.get("story") or "")), me.options.story_sentences
    if many == 0:
        yield problem("no-story")
    elif many < least:
        yield problem("short-story", least=least)


def _talents(me: Thing) -> Problems:
    """Problems of talents: missing or repeated phrases, bad levels, many at the highest.

    objects.2.3-many-sixes.
    """
    levels = me.sheet.get("basic", {})
    if not me.is_known or not isinstance(levels, Mapping):
        yield problem("no-talents")
        return
    for key, value in levels.items():
        yield from _level(f"basic.{key}", key, value)
    seen = {one.name.casefold() for one in me.basic}
    for index, row in enumerate(me.rows):
        name, where = str(row.get("name") or "").strip(), f"talents.{index}"
        if not name:
            yield problem("no-phrase", f"{where}.name")
        elif name.casefold() in seen:
            yield problem("twice", f"{where}.name", name=quoted(name))
        seen.add(name.casefold())
        yield from _level(f"{where}.level", name, row.get("level"))
        if row.get("object") == me.id:
            yield problem("itself", f"{where}.object", me=me)
    many = sum(one.level == HIGHEST for one in me.talents)
    if many >= me.options.many_sixes:
        yield problem("many-sixes", many=many)


def _on_scale(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST


def _level(where: str, name: str, value: Any) -> Problems:
    """Problems of a level, which is an integer from 0 to 6 (objects.2.3-talent).

    Level 0 is a handicap (objects.2.3-zero-handicap).
    """
    if not _on_scale(value):
        yield problem("level", where, name=quoted(name), value=value)


def _status(sheet: Mapping[str, Any]) -> Problems:
    value = sheet.get("status", GOOD)
    if not _on_scale(value):
        yield problem("off-scale", value=value)
    elif value < GOOD and not sheet.get("causes"):
        yield problem("cause")


def _steps(entity: Entity) -> Problems:
    """A problem for the first open step (objects.2-order)."""
    number = undone(entity)
    step = STEPS[number - 1]
    if number and step.key not in {"concept", "story"}:
        yield problem("open-step", step.key, number=number, step=step)


def amend(actor: Actor, old: Thing, new: Thing) -> Problems:
    """Problems of a manual change to an object in play.

    The GM may change a basic talent openly (objects.2.3-basic-talents). Nobody can set a status
    outside the scale, or negative karma.
    """
    if old.options.basics_locked and not actor.is_gm and old.basic != new.basic:
        yield problem("locked")
    yield from misread(_STATE, old.entity.state, new.entity.state)
