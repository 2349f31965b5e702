"""Dice notation: from typed text such as ``4d6kh3+2`` to a mechanic with rolls, odds and trace.

A text is cut into tokens, read into a frozen tree, and played by one mechanic whose argument is
that tree; ``docs/notation.md`` is the manual.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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

#: Names that are loaded when they are first used, by module.
_LATER = MappingProxyType(
    {
        "check_odds": "kitchentable.dice.notation.effort",
        "odds_of_notation": "kitchentable.dice.notation.exact",
    }
)


def __getattr__(name: str) -> Any:
    """A name that is loaded on first use (PEP 562)."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LATER[name]), name)
    return value
