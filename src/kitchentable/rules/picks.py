"""Picks on sheets: the places where one entity's sheet refers to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

from kitchentable.rules.forms import look, put
from kitchentable.rules.sheets import Section
from kitchentable.rules.values import Json


def with_ids(
    sections: Sequence[Section], sheet: Mapping[str, Json], ids: Mapping[str, str]
) -> dict[str, Json]:
    """A sheet with the ids in its picks replaced, as when an example becomes a real table.

    Only fields and columns of kind "entity" are replaced; ids missing from `ids` stay.

    >>> from kitchentable.rules.values import Field
    >>> columns = (Field("name", "Name"), Field("who", "Is", "entity"))
    >>> crew = Section("crew", "Crew", (Field("crew", "Crew", "rows", columns=columns),))
    >>> with_ids([crew], {"crew": [{"name": "mara", "who": "mara"}]}, {"mara": "pc-7"})
    {'crew': [{'name': 'mara', 'who': 'pc-7'}]}
    """
    new: dict[str, Json] = deepcopy(dict(sheet))
    for field in (field for section in sections for field in section.fields):
        value = look(new, field.name)
        if field.kind == "entity" and value in ids:
            put(new, field.name, ids[value])
        if field.kind == "rows" and isinstance(value, list):
            for column in (one.name for one in field.columns if one.kind == "entity"):
                for row in value:
                    row[column] = ids.get(row.get(column), row.get(column))
    return new
