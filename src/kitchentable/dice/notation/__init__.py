"""Dice notation: typed text such as ``4d6kh3+2``, compiled to a mechanic with odds and traces.

A text is split into tokens and parsed into an immutable tree, the argument of one mechanic.
``docs/notation.md`` is the manual.
"""

from typing import TYPE_CHECKING

from kitchentable.dice.lazy import import_later
from kitchentable.dice.notation.errors import NotationError, Suggestion
from kitchentable.dice.notation.parse import parse
from kitchentable.dice.notation.play import notation
from kitchentable.dice.notation.speak import speak
from kitchentable.dice.notation.tree import Expression

if TYPE_CHECKING:
    from kitchentable.dice.notation.card_line import tally
    from kitchentable.dice.notation.dialects.maths import in_decimals
    from kitchentable.dice.notation.dialects.reading import (
        DIALECTS,
        Dialect,
        UnknownDialect,
        compile_notation,
    )
    from kitchentable.dice.notation.translation import translate

__all__ = [
    "DIALECTS",
    "Dialect",
    "Expression",
    "NotationError",
    "Suggestion",
    "UnknownDialect",
    "compile_notation",
    "in_decimals",
    "notation",
    "parse",
    "speak",
    "tally",
    "translate",
]

_DIALECTS = "kitchentable.dice.notation.dialects.reading"
#: Names imported on first use, so that throwing dice does not import the other dialects.
__getattr__ = import_later(
    __name__,
    {
        "DIALECTS": _DIALECTS,
        "Dialect": _DIALECTS,
        "UnknownDialect": _DIALECTS,
        "compile_notation": _DIALECTS,
        "in_decimals": "kitchentable.dice.notation.dialects.maths",
        "tally": "kitchentable.dice.notation.card_line",
        "translate": "kitchentable.dice.notation.translation",
    },
)
