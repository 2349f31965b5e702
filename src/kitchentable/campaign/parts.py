"""The changed parts of a sheet, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kitchentable.campaign.words import listed, value_in_words
from kitchentable.rules.forms import look
from kitchentable.rules.sheets import Section
from kitchentable.rules.table import Entity
from kitchentable.rules.values import Field

_MOST_NAMED = 5


def changed_parts(sections: Iterable[Section], before: Entity, after: Entity) -> list[str]:
    """The labels of the changed parts of a sheet, with old and new numbers."""
    told = []
    if before.name != after.name:
        told.append("the name")
    if before.line != after.line:
        told.append("the line under it")
    for section in sections:
        told += _section(section, before.sheet, after.sheet)
    return told


def _section(
    section: Section, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[str]:
    for field in section.fields:
        was, now = look(before, field.name), look(after, field.name)
        if was == now:
            continue
        if field.kind == "number":
            yield f"{field.label} {value_in_words(was)}, now {value_in_words(now)}"
        elif field.kind == "rows" and (rows := _rows(field, was or [], now or [])):
            yield f"{field.label} ({listed(rows)})"
        else:
            yield field.label


def _rows(field: Field, was: Any, now: Any) -> list[str]:
    """Return new, removed and changed rows, named by their first filled column."""
    column = next((one.name for one in field.columns if _is_named(one)), "")
    if not column:
        return []
    rows = (*(row for row in now if row not in was), *(row for row in was if row not in now))
    names = list(dict.fromkeys(str(row.get(column) or "") for row in rows))
    names = [name for name in names if name]
    more = len(names) - _MOST_NAMED
    return [*names[:_MOST_NAMED], f"{more} more"] if more > 0 else names


def _is_named(column: Field) -> bool:
    return column.kind == "text" and column.name != "id"
