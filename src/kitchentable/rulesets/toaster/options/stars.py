"""The settings about dice as mechanics take them."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.rules import (
    Json,
)
from kitchentable.rulesets.toaster.mechanics.stars import NO_LIMIT, Extended
from kitchentable.rulesets.toaster.options import Options

#: What a d10* is thrown for. Actions are attacks and defences too, and luck rolls.
ACTION, DAMAGE, PROTECTION, HEALING, MORTALITY, LUCK = (
    "action",
    "damage",
    "protection",
    "healing",
    "mortality",
    "luck",
)

_TRIED = frozenset({ACTION, HEALING, LUCK})
_CALLABLE = {MORTALITY: "fours_mortality", HEALING: "fours_healing", LUCK: "fours_luck_roll"}


def extended(given: Mapping[str, Json], scope: str = ACTION) -> Extended:
    """Which extreme results a die for this purpose can have.

    A 0 matters only where something is tried: damage, protection and mortality have none of the
    zero rule (toaster.3.zeros-scope). toaster.3.nines-scope.

    >>> extended({"rolling_nines": True, "rolling_zeros": True}, "damage")
    Extended(nines=1, zeros=False)
    >>> extended({"rolling_nines": True, "nines_limit": 0})
    Extended(nines=-1, zeros=False)
    """
    options, nines = Options(given), 0
    if options.rolling_nines:
        everywhere = options.nines_scope == "all"
        if everywhere or scope in {ACTION, LUCK}:
            nines = options.nines_limit or NO_LIMIT
    return Extended(nines, options.rolling_zeros and scope in _TRIED)


def may_call(given: Mapping[str, Json], scope: str = ACTION) -> bool:
    """Whether a 4 may be called instead of throwing.

    For actions, damage and protection where the option is on, for the rest only where the table
    says so (toaster.3.call4-damage, toaster.3.call4-before).

    >>> may_call({"calling_fours": True}), may_call({"calling_fours": True}, "mortality")
    (True, False)
    """
    options = Options(given)
    if not options.calling_fours:
        return False
    return scope not in _CALLABLE or bool(options[_CALLABLE[scope]])
