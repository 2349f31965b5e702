"""Who is at the table and who may know what of them: names, choices, audiences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kitchentable.game import EVERYONE, GM, Actor, Choice, Entity, Json, Table

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


def is_closed(entity: Entity) -> bool:
    """Whether its numbers are the GM's alone."""
    return not entity.is_players and not entity.open


def number_audience(*involved: Entity) -> str:
    """Who may see dice and numbers: the GM alone while one of those involved is closed."""
    return GM if any(is_closed(one) for one in involved) else EVERYONE


def card_audience(*involved: Entity) -> str:
    """Who may see a card: the GM alone while somebody on it is hidden."""
    return GM if any(one.hidden for one in involved) else EVERYONE


def whom(table: Table, ident: Json) -> Entity | None:
    """Somebody at the table by id; None for nobody."""
    return table.entities.get(str(ident)) if ident else None


def present(table: Table, *, but: str = "") -> tuple[Entity, ...]:
    """Everybody in play who is not dead, one aside."""
    return tuple(
        one for one in table.in_play() if one.id != but and one.state.get("condition") != DEAD
    )


def known(entities: Iterable[Entity], actor: Actor) -> tuple[Entity, ...]:
    """Those that the one who acts knows of: nobody hidden, unless it is the GM who asks."""
    return tuple(one for one in entities if actor.is_gm or not one.hidden)


def choose(entities: Iterable[Entity]) -> tuple[Choice, ...]:
    """Entities to pick from."""
    return tuple(Choice(one.id, one.name, one.line) for one in entities)


def quoted(text: str) -> str:
    """Words in the typographer's quotation marks."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"


def listed(names: Iterable[str]) -> str:
    """Names in a row.

    >>> listed(["Rhoenda", "Colin", "a thug"])
    'Rhoenda, Colin and a thug'
    """
    every = list(names)
    if len(every) < 2:
        return "".join(every)
    return f"{', '.join(every[:-1])} and {every[-1]}"


def plural(count: int, word: str, words: str = "") -> str:
    """A count with its word.

    >>> plural(1, "wound"), plural(3, "wound")
    ('1 wound', '3 wounds')
    """
    return f"{count} {word if count == 1 else words or word + 's'}"
