"""Facts of an entity as they stand: names, conditions, lines of its sheet, the GM's verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Entity, Problem, Table
from kitchentable.rules.kit import Being, Problems
from kitchentable.rulesets.toaster.book import Record

#: Conditions in which somebody is no longer part of the story's doings.
DEAD = "dead"


def numbers_known(entity: Entity) -> bool:
    """Whether the numbers are there; on a table concealed for a player a closed foe has none."""
    return isinstance(entity.sheet.get("attributes"), Mapping)


def is_named(entity: Entity) -> bool:
    """Whether somebody has a name in the story, and so does not fall to a single wound.

    toaster.4.unnamed-out; with the option off it makes no difference.
    """
    return entity.sheet.get("named") is not False


def present(table: Table, *, but: str = "") -> tuple[Entity, ...]:
    """Everybody in play who is not dead, one aside."""
    return tuple(
        one for one in table.in_play() if one.id != but and one.state.get("condition") != DEAD
    )


def plural(count: int, word: str, words: str = "") -> str:
    """A count with its word.

    >>> plural(1, "wound"), plural(3, "wound")
    ('1 wound', '3 wounds')
    """
    return f"{count} {word if count == 1 else words or word + 's'}"


#: The parts of a sheet that are lists of lines, with their names and the rule that asks for them.
LISTS = {
    "skills": ("Skills", "toaster.2.skills-list"),
    "traits": ("Traits", "toaster.2.traits-definition"),
    "weapons": ("Weapons", "toaster.2.creation-possessions"),
    "armour": ("Armor", "toaster.2.creation-possessions"),
}


def lines_of(entity: Entity, part: str) -> tuple[tuple[int, Record], ...]:
    """The lines of a part with their places; what is no line is passed over.

    >>> lines_of(Entity("e", "E", "pc", "gm", {"traits": [{"name": "Late"}, 5]}, {}), "traits")
    ((0, {'name': 'Late'}),)
    """
    written: Any = entity.sheet.get(part)
    if not isinstance(written, list | tuple):
        return ()
    return tuple((place, one) for place, one in enumerate(written) if isinstance(one, Mapping))


def shape_problems(entity: Entity) -> Problems:
    """Parts of a sheet that are no lists of lines, which only a program can have made so."""
    for part, (name, rule) in LISTS.items():
        written: Any = entity.sheet.get(part) or []
        if not isinstance(written, list | tuple) or len(lines_of(entity, part)) < len(written):
            yield Problem(part, rule, f"{name} are a list, one record a line.")


ACCEPTED, REFUSED, PROPOSED = "accepted", "refused", "proposed"


def verdict(entity: Entity, key: str) -> str:
    """The GM's word: accepted, refused, or proposed while there is none."""
    said: Any = entity.state.get("granted") or {}
    found = said.get(key) if isinstance(said, Mapping) else None
    return str(found.get("verdict") or PROPOSED) if isinstance(found, Mapping) else PROPOSED


def word_of(entity: Entity, key: str) -> str:
    """What the GM said beside it; "" for nothing."""
    said: Any = entity.state.get("granted") or {}
    found = said.get(key) if isinstance(said, Mapping) else None
    return str(found.get("word") or "") if isinstance(found, Mapping) else ""


def judge(one: Being, key: str, said: str, word: str = "") -> None:
    """The GM has said something of it."""
    one.write("state", "granted", key, now={"verdict": said, "word": word})


def speciality_key(skill: str, name: str) -> str:
    """Under which key the GM's word on a specialty is kept."""
    return f"speciality:{skill}/{name}"
