"""Compiling and rolling dice notation in one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.notation.dialects.reading import (
    AnyExpression,
    compile_dialect,
)
from kitchentable.dice.runs import Roll, load, roll
from kitchentable.dice.source import Source

Compiled: TypeAlias = tuple[Mechanic[..., Any], AnyExpression]


def compile_notation(text: str, dialect: str = "house") -> Compiled:
    """The mechanic for a text and its argument, ready to be rolled or solved.

    Texts with the same canonical spelling give equal values, apart from the note after ``#``, so
    their odds are solved once.

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
    return compile_dialect(text, dialect)


def roll_notation(
    text: str,
    *,
    source: Source | None = None,
    faces: Iterable[int | str] | None = None,
    dialect: str = "house",
) -> Roll[Any]:
    """Throw notation with the system's entropy, a source, or typed-in faces.

    The outcome is a whole number; with a target (``(2d6)>=7``) it is true or false. `dialect` names
    the program whose notation it is; some dialects have decimal results. Raises
    :class:`NotationError` for a text that cannot be read, ``WrongFaces`` for faces that do not fit.

    >>> roll_notation("2d6!+3", faces=[2, 6, 4]).outcome
    15
    >>> roll_notation("4d6k3", faces=[1, 5, 6, 3], dialect="roll20").outcome
    14
    """
    mechanic, expression = compile_notation(text, dialect)
    if faces is not None:
        return load(mechanic, expression, faces=faces)
    return roll(mechanic, expression, source=source)
