"""When the list of attributes changes in mid-campaign: added, split, struck out, switched off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules import Change, Entity, Json, Result, Table, listed, whole
from kitchentable.rules.kit import Values
from kitchentable.rules.sheet_migration import Numbers, Place, refit, refit_move
from kitchentable.rulesets.toaster.book import TABLES, Record, Row, Words
from kitchentable.rulesets.toaster.character.attributes import attributes
from kitchentable.rulesets.toaster.character.people import numbers_known
from kitchentable.rulesets.toaster.character.points import style
from kitchentable.rulesets.toaster.character.traits import ATTRIBUTES as CHANGES_ATTRIBUTES
from kitchentable.rulesets.toaster.options import Options

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
    said = Options(table.options).extra_attribute_points
    if said is None:
        return whole(style(table, entity)["attribute_points"]) // _FOUR
    return said // max(1, len(attributes(table)) - _FOUR)


def _moved(entity: Entity, was: str, name: str, now: str) -> tuple[Entity, str]:
    """Skills that lean on an attribute, and traits that change it, follow it to another.

    Where it is gone, a skill leans on what the list says for it, and a trait lies idle: it keeps
    its rank, changes nothing, and works again should the attribute come back.
    """
    skills = [_leaning(line, was, now) for line in _rows(entity, "skills")]
    before = _rows(entity, "traits")
    traits = [_changing(line, {was.casefold(), name.casefold()}, now) for line in before]
    after = replace(entity, sheet={**entity.sheet, "skills": skills, "traits": traits})
    if now:
        return after, ""
    idle = [
        str(line.get("name") or "a trait without a name")
        for line, old in zip(traits, before, strict=True)
        if line != old
    ]
    if not idle:
        return after, ""
    changes = "changes" if len(idle) == 1 else "change"
    return after, f"{listed(idle)} changed it, and {changes} nothing now."


def _rows(entity: Entity, part: str) -> list[Any]:
    rows = entity.sheet.get(part)
    return list(rows) if isinstance(rows, list) else []


def _leaning(line: Any, was: str, now: str) -> Any:
    if not isinstance(line, Mapping):
        return line
    columns = ("attribute", "attribute2", "attribute3")
    return {**line, **{one: now for one in columns if line.get(one) == was}}


def _changing(line: Any, was: set[str], now: str) -> Any:
    """A trait that changed an attribute: it changes the other one, or says which one it lost."""
    if not isinstance(line, Mapping) or line.get("kind") != CHANGES_ATTRIBUTES:
        return line
    if str(line.get("of")).strip().casefold() not in was:
        return line
    return {**line, "of": now} if now else {**line, "lost": line.get("of")}


ATTRIBUTES = Numbers("attributes", _places, "toaster.2.attributes-changeable", moved=_moved)
REFIT = refit_move((ATTRIBUTES,))


def options_changed(table: Table, was: Values) -> Result:
    """Further attributes are switched on or off: the GM says where they begin, or what stays.

    toaster.2.option-extra-attributes, toaster.2.option-split-attributes.
    """
    return _asked(table, replace(table, options=was))


def _asked(table: Table, before: Table) -> Result:
    names = {f"{ATTRIBUTES.key}.{one['key']}": str(one["name"]) for one in attributes(before)}
    return refit(table, (ATTRIBUTES,), names, "Attributes")


def edited(before: Table, change: Change) -> Result:
    """What an edit of the table of attributes brings: one that is new, split off or struck out."""
    if change.path[:3] != ("own", "data", "attributes"):
        return Result()
    return _asked(replace(before, own=_put(before.own, change.path[1:], change.now)), before)


def _put(facts: Record, path: Words, now: Json) -> Row:
    key, *rest = path
    below = facts.get(key)
    kept = below if isinstance(below, Mapping) else {}
    return {**facts, key: _put(kept, tuple(rest), now) if rest else now}
