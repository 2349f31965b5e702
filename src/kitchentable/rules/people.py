"""What every game asks of the people at its table: who is meant, who may read what, in words."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.values import EVERYONE, GM, Choice, Json


def whom(table: Table, ident: Json) -> Entity | None:
    """The entity of that id, where this table has it."""
    return table.entities.get(str(ident)) if ident else None


def known(entities: Iterable[Entity], actor: Actor) -> tuple[Entity, ...]:
    """Those of whom the actor knows: all of them for the GM, else those who are not hidden."""
    return tuple(one for one in entities if actor.is_gm or not one.hidden)


def choose(entities: Iterable[Entity]) -> tuple[Choice, ...]:
    """Entities to pick from, by name and line."""
    return tuple(Choice(one.id, one.name, one.line) for one in entities)


def is_closed(entity: Entity) -> bool:
    """Whether somebody's numbers are the GM's alone; a player's own never are."""
    return not entity.is_players and not entity.open


def card_audience(*involved: Entity) -> str:
    """For whom a card about these is: of somebody hidden only the GM may read."""
    return GM if any(one.hidden for one in involved) else EVERYONE


def number_audience(*involved: Entity) -> str:
    """For whom the numbers of these are: of a closed one they are the GM's."""
    return GM if any(is_closed(one) for one in involved) else EVERYONE


def listed(names: Iterable[str]) -> str:
    """Names in a row.

    >>> listed(["Mara"]), listed(["Mara", "Jonas", "Lene"]), listed([])
    ('Mara', 'Mara, Jonas and Lene', '')
    """
    *first, last = tuple(names) or ("",)
    return f"{', '.join(first)} and {last}" if first else last


def quoted(text: str) -> str:
    """Somebody's own words, in quotation marks.

    >>> quoted("Good with rifles")
    '“Good with rifles”'
    """
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"
