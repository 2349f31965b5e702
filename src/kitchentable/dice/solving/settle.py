"""Values that leave a path: no covered number and no token may hide inside them."""

import dataclasses
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import Any

from kitchentable.dice.errors import HiddenPending
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
    if kind in PLAIN or issubclass(kind, Enum):
        return value
    if kind is Covered or kind is CoveredVector:
        return value.read()
    if kind is Pending:
        value.need()
    if issubclass(kind, tuple):
        return _tuple(value, kind, where)
    if kind is frozenset:
        # Its members were hashed, so no covered number is among them.
        return value
    if dataclasses.is_dataclass(value):
        return _dataclass(value, where)
    _look_inside(value, where)
    return value


def _tuple(value: Any, kind: type, where: str) -> Any:
    items = [item if type(item) in PLAIN else settled(item, where) for item in value]
    if all(new is old for new, old in zip(items, value, strict=True)):
        return value
    make: Callable[..., Any] = getattr(kind, "_make", kind)
    return make(items)


def _dataclass(value: Any, where: str) -> Any:
    changed = {}
    for field in dataclasses.fields(value):
        old = getattr(value, field.name)
        if type(old) in PLAIN:
            continue
        new = settled(old, where)
        if new is not old:
            if not field.init:
                raise Plainly("A covered number hides in a computed field.")
            changed[field.name] = new
    return dataclasses.replace(value, **changed) if changed else value


def _look_inside(value: Any, where: str) -> None:
    slots: list[str] = []
    for kind in type(value).__mro__:
        own = getattr(kind, "__slots__", ())
        slots.extend((own,) if isinstance(own, str) else own)
    names = [*getattr(value, "__dict__", {}).values()]
    names.extend(getattr(value, slot) for slot in slots if hasattr(value, slot))
    for inner in names:
        if type(inner) is Pending:
            raise HiddenPending(
                f"{where} puts the result of a mechanic that is still being solved inside a "
                f"{type(value).__name__}, where the solver cannot see it. Return the result "
                f"itself, or keep it in a tuple or a frozen dataclass."
            )
        if type(inner) is Covered or type(inner) is CoveredVector:
            raise Plainly("A covered number hides in an object.")
