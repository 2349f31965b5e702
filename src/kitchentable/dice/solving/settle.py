"""Values that leave a path: no covered number and no token may hide inside them."""

import dataclasses
from collections import deque
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from types import ModuleType
from typing import Any

from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.solving.covered import Covered, Plainly
from kitchentable.dice.solving.pending import Pending
from kitchentable.dice.solving.vectors import CoveredVector

PLAIN: frozenset[type] = frozenset(
    {int, bool, str, bytes, float, complex, type(None), Fraction, type(Ellipsis), range, type}
)


def settled(value: Any, where: str) -> Any:
    """The value with every covered number in it looked at.

    Tuples and dataclasses are rebuilt. A token makes its mechanic be solved by
    iteration; one inside an object that cannot be opened is refused, and so is a covered number
    there, by solving the mechanic in plain sight.
    """
    kind = type(value)
    if kind in PLAIN or kind is Mechanic or issubclass(kind, Enum):
        return value
    if kind is Covered or kind is CoveredVector:
        return value.read()
    if kind is Pending:
        return settled(value.pending_look(), where)
    if issubclass(kind, tuple):
        return _tuple(value, kind, where)
    if dataclasses.is_dataclass(value):
        return _dataclass(value, where)
    _look_inside(value, where)
    return value


def _tuple(value: Any, kind: type, where: str) -> Any:
    items = [item if type(item) in PLAIN else settled(item, where) for item in value]
    if kind is not tuple:
        _look_inside(getattr(value, "__dict__", None), where)
    if all(new is old for new, old in zip(items, value, strict=True)):
        return value
    if kind is tuple:
        return tuple(items)
    if getattr(kind, "_make", None) is None or getattr(value, "__dict__", None):
        raise Plainly("A covered number hides in a kind of tuple.")
    return tuple.__new__(kind, items)


@lru_cache(maxsize=1024)
def _slots(kind: type) -> tuple[str, ...]:
    """The names of the attributes that a class keeps outside `__dict__`."""
    found: list[str] = []
    for one in kind.__mro__:
        own = vars(one).get("__slots__", ())
        names = (own,) if isinstance(own, str) else own
        found.extend(
            f"_{one.__name__.lstrip('_')}{name}"
            if name.startswith("__") and not name.endswith("__")
            else name
            for name in names
        )
    return tuple(name for name in found if name not in {"__dict__", "__weakref__"})


def _attributes(value: Any) -> dict[str, Any]:
    """All that an object holds by name."""
    held = dict(getattr(value, "__dict__", {}))
    for name in _slots(type(value)):  # type: ignore[arg-type]
        if hasattr(value, name):
            held[name] = getattr(value, name)
    return held


def _dataclass(value: Any, where: str) -> Any:
    held = _attributes(value)
    changed = {}
    for name, old in held.items():
        if type(old) not in PLAIN:
            new = settled(old, where)
            if new is not old:
                changed[name] = new
    if not changed:
        return value
    # Made without __init__ and __post_init__, which have reckoned with the covered numbers.
    try:
        settled_value = object.__new__(type(value))
    except TypeError as error:
        raise Plainly("A covered number hides in an object that only C can make.") from error
    for name, new in {**held, **changed}.items():
        object.__setattr__(settled_value, name, new)
    return settled_value


def _look_inside(value: Any, where: str) -> None:
    """Refuse tokens in an object that cannot be rebuilt; let covered numbers there be seen."""
    todo, seen = [value], set()
    while todo:
        one = todo.pop()
        kind = type(one)
        if kind is Pending:
            raise Plainly("A pending result hides in an object.")
        if kind is Covered or kind is CoveredVector or kind.__module__ == _HANDFULS:
            raise Plainly("A covered number hides in an object.")
        if kind in PLAIN or id(one) in seen or kind.__module__.startswith(_OWN):
            continue
        if isinstance(one, Enum | type | ModuleType):
            continue
        seen.add(id(one))
        if isinstance(one, Mapping):
            todo.extend((*one.keys(), *one.values()))
        elif isinstance(one, list | tuple | set | frozenset | deque):
            todo.extend(one)
        todo.extend(_attributes(one).values())


_OWN = "kitchentable.dice"
_HANDFULS = f"{_OWN}.solving.handful"
