"""When the list of attributes changes in mid-campaign: added, split, struck out, switched off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.game import Change, Entity, Json, Result, Table, joined, whole
from kitchentable.game.refit import Numbers, Place, refit, refit_move
from kitchentable.games.toaster.book import TABLES
from kitchentable.games.toaster.character.attributes import attributes
from kitchentable.games.toaster.character.people import numbers_known
from kitchentable.games.toaster.character.points import style
from kitchentable.games.toaster.character.traits import ATTRIBUTES as CHANGES_ATTRIBUTES
from kitchentable.games.toaster.options.reading import setting

#: An average person's rank, at which the GM's people begin.
_AVERAGE = 4
_FOUR = len(TABLES["attributes"])


def _places(table: Table, entity: Entity) -> tuple[Place, ...] | None:
    ranks = entity.sheet.get("attributes")
    if not numbers_known(entity) or not isinstance(ranks, Mapping):
        return None
    start = _brought(table, entity) if entity.is_players else _AVERAGE
    return tuple(
        Place(str(one["key"]), str(one["name"]), 0, 99, start) for one in attributes(table)
    )


def _brought(table: Table, entity: Entity) -> int:
    """The points that one attribute more brings a character (toaster.2.extra-attributes-points)."""
    said = setting(table.options, "extra_attribute_points")
    if said is None:
        return whole(style(table, entity)["attribute_points"]) // _FOUR
    return whole(said) // max(1, len(attributes(table)) - _FOUR)


def _moved(entity: Entity, was: str, now: str) -> Entity:
    """Skills that lean on an attribute, and traits that change it, follow it to another.

    Where it is gone, a skill leans on what the list says for it.
    """
    skills = [_leaning(line, was, now) for line in _rows(entity, "skills")]
    traits = [_changing(line, was, now) for line in _rows(entity, "traits")]
    return replace(entity, sheet={**entity.sheet, "skills": skills, "traits": traits})


def _rows(entity: Entity, part: str) -> list[Any]:
    rows = entity.sheet.get(part)
    return list(rows) if isinstance(rows, list) else []


def _leaning(line: Any, was: str, now: str) -> Any:
    if not isinstance(line, Mapping):
        return line
    columns = ("attribute", "attribute2", "attribute3")
    return {**line, **{one: now for one in columns if line.get(one) == was}}


def _changing(line: Any, was: str, now: str) -> Any:
    if not now or not isinstance(line, Mapping) or line.get("kind") != CHANGES_ATTRIBUTES:
        return line
    return {**line, "of": now} if str(line.get("of")).strip().casefold() == was else line


ATTRIBUTES = Numbers("attributes", _places, "toaster.2.attributes-changeable", moved=_moved)
REFIT = refit_move((ATTRIBUTES,))


def options_changed(table: Table, was: Mapping[str, Json]) -> Result:
    """Further attributes are switched on or off: the GM says where they begin, or what stays.

    toaster.2.option-extra-attributes, toaster.2.option-split-attributes.
    """
    return _asked(table, replace(table, options=was))


def _asked(table: Table, before: Table) -> Result:
    names = {f"{ATTRIBUTES.key}.{one['key']}": str(one["name"]) for one in attributes(before)}
    return refit(table, (ATTRIBUTES,), names, "Attributes")


def edited(before: Table, result: Result) -> Result:
    """What an edit of the table of attributes brings: one that is new, split off or struck out."""
    edits = [one for one in result.changes if one.path[:3] == ("own", "data", "attributes")]
    if not edits:
        return result
    own: dict[str, Any] = dict(before.own)
    for one in edits:
        own = _put(own, one.path[1:], one)
    return joined(result, _asked(replace(before, own=own), before))


def _put(facts: Mapping[str, Any], path: tuple[str, ...], change: Change) -> dict[str, Any]:
    key, *rest = path
    below = facts.get(key)
    kept = below if isinstance(below, Mapping) else {}
    return {**facts, key: _put(kept, tuple(rest), change) if rest else change.now}
