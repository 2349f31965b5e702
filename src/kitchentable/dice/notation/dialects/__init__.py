"""Other programs' dice notation: how each reads an expression, and what it means here.

:mod:`~kitchentable.dice.notation.dialects.reading` is the door; ``docs/dialects.md`` the manual.
The sentences about forms that the house refuses are in ``refusals``.
"""

from kitchentable.dice.notation.dialects.refusals import (
    COMPOUND,
    COUNT_IN_BRACKETS,
    EXPLODE_EQUALS,
    EXPLODE_NUMBER,
    GROUP_TARGET,
    PENETRATE,
    POOL_STRICT,
    POOL_TARGET,
    REFUSED_WORDS,
    STRICT,
)

__all__ = [
    "COMPOUND",
    "COUNT_IN_BRACKETS",
    "EXPLODE_EQUALS",
    "EXPLODE_NUMBER",
    "GROUP_TARGET",
    "PENETRATE",
    "POOL_STRICT",
    "POOL_TARGET",
    "REFUSED_WORDS",
    "STRICT",
]
