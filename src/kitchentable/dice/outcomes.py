"""Outcomes: their order, their words, and checks of keys and numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import is_dataclass
from difflib import SequenceMatcher, get_close_matches
from enum import Enum, EnumMeta
from fractions import Fraction
from math import isfinite, isnan
from typing import Any

from kitchentable.dice.errors import NoSuchOutcome, NotANumber

#: The number of outcomes listed in a sentence.
LISTED = 12
#: Names less similar than the nearest one by at most this are also suggested.
CLOSE = 0.1


def in_order(outcomes: Any) -> list[Any]:
    """Outcomes in the order of a table: rising numbers, then words in their own order.

    >>> in_order(["miss", 3, 1, "hit"])
    [1, 3, 'hit', 'miss']
    """
    if {*map(type, outcomes)} == {int}:
        return sorted(outcomes)
    numbers = sorted(o for o in outcomes if isinstance(o, int | float | Fraction))
    others = [o for o in outcomes if not isinstance(o, int | float | Fraction)]
    first = type(others[0]) if others else None
    if isinstance(first, EnumMeta) and all(type(o) is first for o in others):
        return [*numbers, *(member for member in first if member in others)]
    try:
        return [*numbers, *sorted(others)]
    except TypeError:
        return [*numbers, *others]


def as_number(outcome: Any) -> Any:
    """The outcome, if it can be added and compared. Errors: NotANumber."""
    if isinstance(outcome, int | Fraction) or (isinstance(outcome, float) and not isnan(outcome)):
        return outcome
    raise NotANumber(f"{outcome!r} is not a number; use chance(...) or [...] instead.")


def are_numbers(outcomes: Iterable[Any]) -> bool:
    """Whether all outcomes are finite numbers; True and False are not."""
    return all(
        isinstance(o, int | Fraction | float) and type(o) is not bool and is_finite(o)
        for o in outcomes
    )


def is_finite(number: float | Fraction) -> bool:
    """Whether a number is finite; a whole number may be too long for a float."""
    return not isinstance(number, float) or isfinite(number)


def word(outcome: Any) -> str:
    """An outcome as text for a table."""
    return outcome.name.lower().replace("_", " ") if isinstance(outcome, Enum) else str(outcome)


def could_be(key: Any, outcomes: Iterable[Any]) -> bool:
    """Whether a key has the type of some outcome, so that its chance is 0, not an error.

    All numbers count as one type, and tuples as one type if their parts do. A text must be one of
    the outcomes, because it could be misspelt.

    >>> could_be(13, [2, 12]), could_be(False, [True]), could_be((7, True), [(1, False)])
    (True, True, True)
    >>> could_be("mis", ["hit", "miss"]), could_be("six", [6])
    (False, False)
    """
    kind = _kind(key)
    return any(kind == _kind(outcome) for outcome in outcomes)


def _kind(value: Any) -> Any:
    if isinstance(value, bool | Enum) or is_dataclass(value):
        return type(value)
    if isinstance(value, int | float | Fraction):
        return int
    if isinstance(value, tuple):
        return tuple([_kind(part) for part in value])
    return value


def listed(outcomes: Collection[Any]) -> str:
    """Outcomes in a sentence: a range of whole numbers, or the first few of them.

    >>> listed([2, 3, 4]), listed(["hit", "miss"])
    ('2 to 4', 'hit, miss')
    """
    found = list(outcomes)
    if len(found) > 2 and all(type(one) is int for one in found):
        return f"{found[0]} to {found[-1]}"
    words = list(dict.fromkeys(map(word, found)))
    more = f" and {len(words) - LISTED} more" if len(words) > LISTED else ""
    return ", ".join(words[:LISTED]) + more


def no_such(key: object, outcomes: Collection[Any]) -> NoSuchOutcome:
    """The error for a key that cannot be an outcome."""
    near = did_you_mean(key, map(word, outcomes)) if isinstance(key, str) else ""
    return NoSuchOutcome(
        f"No outcome is {key!r}.{near} The outcomes are: {listed(outcomes)}. "
        f"Use get({key!r}) to read 0 instead."
    )


def did_you_mean(typed: str, known: Iterable[str]) -> str:
    """A question that suggests similar names, after a blank; "" if none is similar.

    >>> did_you_mean("toste", ["toast", "toaster", "objects"])
    ' Did you mean toast or toaster?'
    >>> did_you_mean("chess", ["toast"])
    ''
    """
    near = get_close_matches(typed.casefold(), list(known), 3, 0.66)
    alike = {one: SequenceMatcher(None, one, typed.casefold()).ratio() for one in near}
    near = [one for one in near if alike[one] > max(alike.values()) - CLOSE]
    near.sort(key=lambda one: abs(len(one) - len(typed)))
    return f" Did you mean {' or '.join(near)}?" if near else ""
