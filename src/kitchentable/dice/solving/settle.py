"""Removal of symbolic numbers and pending results from values that leave a path."""

import dataclasses
from collections import deque
from collections.abc import Mapping
from enum import Enum
from types import ModuleType
from typing import Any

from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.solving.keys import Plainly
from kitchentable.dice.solving.lines import Terms
from kitchentable.dice.solving.marginals import factor_of
from kitchentable.dice.solving.pending import Pending
from kitchentable.dice.solving.shapes import (
    PLAIN,
    Hole,
    Words,
    attributes_of,
    mapped,
    take_apart,
)
from kitchentable.dice.solving.symbolic import Symbolic
from kitchentable.dice.solving.vectors import SymbolicVector
from kitchentable.dice.solving.walk import Walk

# The number of cached values without symbolic numbers.
MOST_CLEAN = 16


def settled(value: Any, where: str) -> Any:
    """Read every symbolic number in a value.

    Tuples and dataclasses are rebuilt. A pending result is read, so a recursive mechanic is solved
    by iteration. Other objects cannot be rebuilt: if one contains a symbolic number or a pending
    result, the mechanic is solved with every number enumerated.
    """
    kind = type(value)
    if kind in PLAIN or kind is Mechanic or issubclass(kind, Enum):
        return value
    if kind is Symbolic or kind is SymbolicVector:
        return value.read()
    if kind is Pending:
        return settled(value.pending_look(), where)
    if issubclass(kind, tuple):
        return _tuple(value, kind, where)
    if dataclasses.is_dataclass(value):
        return _dataclass(value, where)
    _look_inside(value, where)
    return value


def settle_argument(walk: Walk, value: Any) -> Any:
    """An argument for a mechanic, without symbolic numbers; checked values are cached."""
    looked_through = (*walk.args, *walk.kwargs.values(), *walk.clean)
    if type(value) in PLAIN or any(value is one for one in looked_through):
        return value
    known = settled(value, walk.place)
    if known is value and len(walk.clean) < MOST_CLEAN:
        walk.clean.append(value)
    return known


def find_words(value: Any) -> tuple[Words, Terms] | None:
    """The template of a value, and the linear form of which its symbolic numbers are multiples.

    The form is () if no number is symbolic. Returns None if the numbers depend on several forms, or
    if the value may contain other symbolic values.
    """
    if type(value) is tuple:  # a common case: a tuple of dice
        first = {part.terms[0][0] for part in value if type(part) is Symbolic}
        if len(first) > 1:
            return None
    forms: list[Terms] = []
    for part in take_apart(value)[1]:
        kind = type(part)
        if kind is Symbolic:
            forms.append(part.terms)
        elif kind not in PLAIN and not issubclass(kind, Enum):
            return None
    form = min(forms, key=lambda terms: abs(terms[0][1]), default=())
    factors = {terms: factor_of(terms, form) for terms in forms}
    if None in factors.values():
        return None

    def bare(part: Any) -> Any:
        return Hole(factors[part.terms] or 1, part.const) if type(part) is Symbolic else part

    try:
        return Words(mapped(value, bare) if form else value), form
    except TypeError:  # the value cannot be rebuilt, or cannot be a key
        return None


def _tuple(value: Any, kind: type, where: str) -> Any:
    if kind is tuple and PLAIN.issuperset(map(type, value)):
        return value
    items = [item if type(item) in PLAIN else settled(item, where) for item in value]
    if kind is not tuple:
        _look_inside(getattr(value, "__dict__", None), where)
    if all(new is old for new, old in zip(items, value, strict=True)):
        return value
    if kind is tuple:
        return tuple(items)
    if getattr(kind, "_make", None) is None or getattr(value, "__dict__", None):
        raise Plainly("A special type of tuple contains a symbolic number.")
    return tuple.__new__(kind, items)


def _dataclass(value: Any, where: str) -> Any:
    held = attributes_of(value)
    changed = {}
    for name, old in held.items():
        if type(old) not in PLAIN:
            new = settled(old, where)
            if new is not old:
                changed[name] = new
    if not changed:
        return value
    # Made without __init__ and __post_init__, which have already computed with the symbolic
    # numbers.
    try:
        settled_value = object.__new__(type(value))
    except TypeError as error:
        raise Plainly("An object that only C code can make contains a symbolic number.") from error
    for name, new in {**held, **changed}.items():
        object.__setattr__(settled_value, name, new)
    return settled_value


def _look_inside(value: Any, where: str) -> None:
    """Raise Plainly if an object that cannot be rebuilt contains a symbolic or pending value."""
    todo, seen = [value], set()
    while todo:
        one = todo.pop()
        kind = type(one)
        if kind is Pending:
            raise Plainly("An object contains a pending result.")
        if kind is Symbolic or kind is SymbolicVector or kind.__module__ == _HANDFULS:
            raise Plainly("An object contains a symbolic number.")
        if kind in PLAIN or id(one) in seen or kind.__module__.startswith(_OWN):
            continue
        if isinstance(one, Enum | type | ModuleType):
            continue
        seen.add(id(one))
        if isinstance(one, Mapping):
            todo.extend((*one.keys(), *one.values()))
        elif isinstance(one, list | tuple | set | frozenset | deque):
            todo.extend(one)
        todo.extend(attributes_of(one).values())


_OWN = "kitchentable.dice"
_HANDFULS = f"{_OWN}.solving.handful"
