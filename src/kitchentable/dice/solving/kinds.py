"""Types of outcomes, which distinguish equal values such as 1, 1.0 and True."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from math import copysign
from typing import Any

#: Types with values that equal no value of another type.
ALONE: frozenset[type] = frozenset({str, bytes, type(None)})
#: Types without parts that could differ.
_SURE: frozenset[type] = frozenset({int, bool, str, bytes, type(None)})


def find_kind(value: Any) -> Any:
    """The type of a value, with the types of all values in it.

    >>> find_kind((1, True)) == find_kind((1, 1)), find_kind(0.0) == find_kind(-0.0)
    (False, False)
    """
    kind = type(value)
    if kind in _SURE:
        return kind
    if kind is float:
        return kind, copysign(1, value)
    if isinstance(value, tuple):
        return kind, *map(find_kind, value)
    if isinstance(value, frozenset):
        return kind, frozenset((one, find_kind(one)) for one in value)
    if is_dataclass(value):
        return kind, *(find_kind(getattr(value, one.name, None)) for one in fields(value))
    return kind


def are_mixed(one: Any, other: Any) -> bool:
    """Whether two equal values differ in the type of any part.

    >>> are_mixed(0, False), are_mixed(("a", 1), ("a", 1))
    (True, False)
    """
    if one is other:
        return False
    kind = type(one)
    if kind is type(other) and kind in _SURE:
        return False
    return bool(find_kind(one) != find_kind(other))


def is_whole(value: Any) -> bool:
    """Whether a value equals a whole number.

    >>> [is_whole(one) for one in (3, True, 2.0, 2.5, float("inf"), "2")]
    [True, True, True, False, False, False]
    """
    if type(value) is int:
        return True
    return isinstance(value, int | Fraction | float) and bool(value == value // 1)


def find_mixed(firsts: dict[Any, Any], outcomes: Iterable[Any]) -> tuple[Any, Any] | None:
    """Find two equal outcomes of different types; add new outcomes to `firsts`.

    >>> find_mixed({}, [0, "miss", 1, False])
    (0, False)
    """
    for outcome in outcomes:
        first = firsts.setdefault(outcome, outcome)
        if first is not outcome and are_mixed(first, outcome):
            return first, outcome
    return None
