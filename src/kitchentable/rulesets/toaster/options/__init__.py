"""Every optional rule and every number of Toaster that a table may set: one module a chapter.

The modules `characters`, `dice`, `actions`, `combat` and `harm` hold OPTIONS and import nothing
from here but `making`; whatever has to look a setting up imports `reading`. What the book puts in
parentheses is one switch each, off to begin with (toaster.1.optional-rules-are-switches).
"""

from __future__ import annotations

from kitchentable.rules import Option
from kitchentable.rulesets.toaster.options import actions, characters, combat, dice, harm

#: All options, in the order of the book.
OPTIONS: tuple[Option, ...] = (
    *characters.OPTIONS,
    *dice.OPTIONS,
    *actions.OPTIONS,
    *combat.OPTIONS,
    *harm.OPTIONS,
)
