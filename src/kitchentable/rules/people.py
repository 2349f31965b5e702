"""Helpers for entities at a table: choices, audiences, and names in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules.table import Entity
from kitchentable.rules.values import EVERYONE, GM, Choice


def choose(entities: Iterable[Entity]) -> tuple[Choice, ...]:
    """Choices to pick from these entities, by name and line."""
    return tuple(Choice(one.id, one.name, one.line) for one in entities)


def is_closed(entity: Entity) -> bool:
    """Whether only the GM may see an entity's numbers; false for players' entities."""
    return not entity.is_players and not entity.open


def card_audience(*involved: Entity) -> str:
    """The audience of a card about these entities: only the GM if one is hidden."""
    return GM if any(one.hidden for one in involved) else EVERYONE


def number_audience(*involved: Entity) -> str:
    """The audience of these entities' numbers: only the GM if one is closed or hidden.

    >>> number_audience(Entity("e1", "Umbra", "npc", GM, {}, {}, hidden=True))
    'gm'
    """
    return GM if any(one.hidden or is_closed(one) for one in involved) else EVERYONE


def listed(names: Iterable[str]) -> str:
    """Names in a list: "A, B and C".

    >>> listed(["Mara"]), listed(["Mara", "Jonas", "Lene"]), listed([])
    ('Mara', 'Mara, Jonas and Lene', '')
    """
    *first, last = tuple(names) or ("",)
    return f"{', '.join(first)} and {last}" if first else last


def plural(count: int, word: str) -> str:
    """A count with its noun.

    >>> plural(1, "wound"), plural(3, "wound")
    ('1 wound', '3 wounds')
    """
    return f"{count} {noun(count, word)}"


def noun(count: int, word: str) -> str:
    """A noun in the singular or plural.

    >>> noun(1, "wound"), noun(0, "wound")
    ('wound', 'wounds')
    """
    return word if count == 1 else f"{word}s"


def or_better(face: int) -> str:
    """A face of a die or a higher one, with its article.

    >>> or_better(7), or_better(8)
    ('a 7 or better', 'an 8 or better')
    """
    return f"{'an' if face == 8 else 'a'} {face} or better"


def with_stop(text: str) -> str:
    """A person's words with a full stop, unless they are empty or end with a mark.

    >>> with_stop("Off we go"), with_stop("Really?"), with_stop("“So.”"), with_stop("")
    ('Off we go.', 'Really?', '“So.”', '')
    """
    ends = text.rstrip("”\"')").endswith((".", "!", "?", "…", ":"))
    return text if ends or not text else f"{text}."


def quoted(text: str) -> str:
    """A person's words in quotation marks.

    >>> quoted("Good with rifles")
    '“Good with rifles”'
    """
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"
