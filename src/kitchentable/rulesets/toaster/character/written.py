"""What was written on a sheet, read so that nothing that stands there can trip anybody up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kitchentable.rules import Entity, Problem

#: The parts of a sheet that are lists of lines, with their names and the rule that asks for them.
LISTS = {
    "skills": ("Skills", "toaster.2.skills-list"),
    "traits": ("Traits", "toaster.2.traits-definition"),
    "weapons": ("Weapons", "toaster.2.creation-possessions"),
    "armour": ("Armor", "toaster.2.creation-possessions"),
}


def lines_of(entity: Entity, part: str) -> tuple[tuple[int, Mapping[str, Any]], ...]:
    """The lines of a part with their places; what is no line is passed over.

    >>> lines_of(Entity("e", "E", "pc", "gm", {"traits": [{"name": "Late"}, 5]}, {}), "traits")
    ((0, {'name': 'Late'}),)
    """
    written: Any = entity.sheet.get(part)
    if not isinstance(written, list | tuple):
        return ()
    return tuple((place, one) for place, one in enumerate(written) if isinstance(one, Mapping))


def shape_problems(entity: Entity) -> Iterator[Problem]:
    """Parts of a sheet that are no lists of lines, which only a program can have made so."""
    for part, (name, rule) in LISTS.items():
        written: Any = entity.sheet.get(part) or []
        if not isinstance(written, list | tuple) or len(lines_of(entity, part)) < len(written):
            yield Problem(part, rule, f"{name} are a list, one record a line.")
