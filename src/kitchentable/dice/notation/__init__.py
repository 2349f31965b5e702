"""Dice notation: typed text such as ``4d6kh3+2``, compiled to a mechanic with odds and traces.

A text is split into tokens, parsed into an immutable tree, and evaluated by one mechanic whose
argument is this tree; ``docs/notation.md`` is the manual.
"""

from typing import TYPE_CHECKING

from kitchentable.dice.lazy import import_later
from kitchentable.dice.notation.dialects.maths import in_decimals
from kitchentable.dice.notation.dialects.reading import DIALECTS, Dialect, UnknownDialect
from kitchentable.dice.notation.errors import NotationError, Suggestion
from kitchentable.dice.notation.parse import parse
from kitchentable.dice.notation.play import notation
from kitchentable.dice.notation.reading import compile_notation, roll_notation
from kitchentable.dice.notation.speak import speak
from kitchentable.dice.notation.tally import tally
from kitchentable.dice.notation.translate import translate
from kitchentable.dice.notation.tree import Expression

if TYPE_CHECKING:
    from kitchentable.dice.notation.effort import check_odds
    from kitchentable.dice.notation.exact import odds_of_notation

__all__ = [
    "DIALECTS",
    "Dialect",
    "Expression",
    "NotationError",
    "Suggestion",
    "UnknownDialect",
    "check_odds",
    "compile_notation",
    "in_decimals",
    "notation",
    "odds_of_notation",
    "parse",
    "roll_notation",
    "speak",
    "tally",
    "translate",
]

#: Names loaded on first use, by module.
__getattr__ = import_later(
    __name__,
    {
        "check_odds": "kitchentable.dice.notation.effort",
        "odds_of_notation": "kitchentable.dice.notation.exact",
    },
)
