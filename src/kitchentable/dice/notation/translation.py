"""Translation between dialects of dice notation."""

from __future__ import annotations

import re

from kitchentable.dice.notation.dialects.nodes import Apply, ForeignExpression, nesting
from kitchentable.dice.notation.dialects.raising import raised
from kitchentable.dice.notation.dialects.reader import DEEPEST_TREE
from kitchentable.dice.notation.dialects.reading import (
    AnyExpression,
    Dialect,
    read,
    read_with_place,
    refuse_spelling,
    table_of,
)
from kitchentable.dice.notation.dialects.writing import NoSpelling, spell
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.parse import parse

_DROP = re.compile(r"(\d+)d(\d+|F)d([hl])(\d+)")

__all__ = ["Dialect", "translate"]


def translate(text: str, dialect: Dialect | str, to: Dialect | str = "house") -> str:
    """Translate a roll to another dialect; ``house`` is the notation used here.

    The result parses to the same dice. Raises :class:`NotationError` for a text that is invalid in
    its dialect or impossible in the other one, and ``UnknownDialect``.

    >>> translate("4d6k3", "roll20"), translate("10d6>5", "roll20")
    ('4d6kh3', '10d6 hits>=5')
    >>> translate("2d6r<3", "foundry"), translate("10d6cs>4", "foundry", to="anydice")
    ('2d6ro<=2', '[count {5,6} in 10d6]')
    >>> translate("[highest 3 of 4d6]", "anydice", to="avrae")
    '4d6kh3'
    """
    target = table_of(to)
    found, place = read_with_place(text, dialect)
    if target is None:
        return _in_house(text, found, place)
    note = ""
    if found.comment:
        note = f' named "{found.comment}"' if to == "anydice" else f" # {found.comment}"
    try:
        whole = root = raised(found.root)
        if isinstance(root, Apply) and root.name == target.finish:
            root = root.args[0]
        if nesting(root) > DEEPEST_TREE:
            raise NoSpelling("The roll has too many operations that build on each other.")
        spelled = spell(root, target) + note
        back = read(spelled, to)
        same = _meaning(back) == _meaning(found) or raised(back.root) == whole
    except (NoSpelling, NotationError) as error:
        raise refuse_spelling(text, to, place) from error
    if not same or back.comment != found.comment:
        raise refuse_spelling(text, to, place)
    return spelled


def _in_house(text: str, found: AnyExpression, place: int) -> str:
    if isinstance(found, ForeignExpression):
        raise refuse_spelling(text, "house", place)
    try:
        return str(parse(str(found)))
    except NotationError as error:
        raise NotationError(error.code, error.message, text, place) from error


def _meaning(found: AnyExpression) -> object:
    """The expression in a normal form, in which dropping the lowest is keeping the highest."""
    if isinstance(found, ForeignExpression):
        return found.root
    return _DROP.sub(_kept, str(found.root))


def _kept(drop: re.Match[str]) -> str:
    count, sides, end, number = drop.groups()
    return f"{count}d{sides}k{'h' if end == 'l' else 'l'}{int(count) - int(number)}"
