"""Who is at the table and who may know what of them: names, choices, audiences."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.rules import Entity, Table

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
