"""Parsing of texts in any dialect, with their meaning in that program."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from kitchentable.dice.errors import BadInput
from kitchentable.dice.mechanic import AnyMechanic
from kitchentable.dice.notation.dialects.anydice import ANYDICE
from kitchentable.dice.notation.dialects.avrae import AVRAE
from kitchentable.dice.notation.dialects.diceroller import RPG_DICE_ROLLER
from kitchentable.dice.notation.dialects.foundry import FOUNDRY
from kitchentable.dice.notation.dialects.lowering import lower, lower_root
from kitchentable.dice.notation.dialects.nodes import FOREIGN, Apply, ForeignExpression
from kitchentable.dice.notation.dialects.play import foreign
from kitchentable.dice.notation.dialects.reader import Reader, Table
from kitchentable.dice.notation.dialects.roll20 import ROLL20
from kitchentable.dice.notation.dialects.spans import is_whole
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.parse import parse
from kitchentable.dice.notation.play import notation
from kitchentable.dice.notation.tree import Expression, Target

Dialect: TypeAlias = Literal["house", "roll20", "foundry", "avrae", "rpg-dice-roller", "anydice"]
"""The supported notations; ``house`` is this project's own."""

DIALECTS: tuple[str, ...] = get_args(Dialect)

TABLES: Mapping[str, Table] = MappingProxyType(
    {table.key: table for table in (ROLL20, FOUNDRY, AVRAE, RPG_DICE_ROLLER, ANYDICE)}
)

AnyExpression: TypeAlias = Expression | ForeignExpression


class UnknownDialect(BadInput):
    """The dialect is not supported."""

    code = "notation/unknown-dialect"


def table_of(dialect: str) -> Table | None:
    """The table of a dialect; None for the house notation. Errors: UnknownDialect.

    >>> table_of("avrae").name
    'Avrae'
    """
    if dialect == "house":
        return None
    if dialect not in TABLES:
        known = ", ".join(DIALECTS)
        raise UnknownDialect(f"The dialect {dialect!r} is unknown. Choose one of {known}.")
    return TABLES[dialect]


def read(text: str, dialect: str = "house") -> AnyExpression:
    """Parse a text in a dialect, into the house tree if possible.

    Raises :class:`NotationError` for a text that is wrong or unsupported, and ``UnknownDialect``.

    >>> str(read("4d6k3", "roll20")), str(read("15 / 2", "avrae"))
    ('4d6kh3', '15/2')
    """
    return read_with_place(text, dialect)[0]


def read_with_place(text: str, dialect: str) -> tuple[AnyExpression, int]:
    """Like :func:`read`, with the position of the first part without a house spelling."""
    table = table_of(dialect)
    if table is None:
        return parse(text), 0
    reader = Reader(text, table)
    term, comment = reader.read()
    root = lower_root(term)
    if table.finish and not isinstance(root, Target) and not is_whole(root):
        root = lower(Apply(table.finish, (term,)))
    if not isinstance(root, FOREIGN):
        return Expression(root, comment), 0
    place = next((at for part, at in reader.places if isinstance(lower(part), FOREIGN)), 0)
    return ForeignExpression(root, comment), place


def compile_notation(text: str, dialect: str = "house") -> tuple[AnyMechanic, AnyExpression]:
    """Parse a text into a mechanic and its argument, ready to roll or solve.

    Texts with the same canonical spelling give equal values, whatever their note, so their odds
    are solved once.

    >>> from kitchentable.dice import mechanic, odds, roll
    >>> odds(*compile_notation("4d6kh3"))[18]
    Fraction(7, 432)
    >>> 3 <= roll(*compile_notation("4d6kh3")).outcome <= 18
    True
    >>> @mechanic
    ... def best_of_two(dice) -> int:
    ...     return dice.total(2, compile_notation("1d6+1"), keep_highest=1)
    >>> odds(best_of_two)[7]
    Fraction(11, 36)
    """
    expression = read(text, dialect)
    if isinstance(expression, ForeignExpression):
        return foreign, ForeignExpression(expression.root)
    return notation, Expression(expression.root)


def refuse_spelling(text: str, dialect: str, place: int) -> NotationError:
    """Make the error for an expression that has no spelling in a dialect."""
    table = table_of(dialect)
    where = "The house notation" if table is None else f"{table.name}'s notation"
    return NotationError(
        "notation/no-spelling",
        f"{where} has no spelling for this. Throw it in its own dialect.",
        text,
        place,
    )
