"""Outcomes: their order, and conversion to plain data and back for cards that store rolls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.values import Json


class Ordered:
    """An outcome that is sorted by its `order`, the smallest first."""

    __slots__ = ()

    def order(self) -> Any:
        """The values that are compared."""
        raise NotImplementedError

    def __lt__(self, other: object) -> bool:
        return bool(self.order() < other.order()) if isinstance(other, Ordered) else NotImplemented


class CannotRead(KitchenTableError):
    """The error for plain data that is not an outcome of the expected type."""

    code = "move/outcome"


def write_outcome(value: Any) -> Json:
    """An outcome as plain data: dataclasses as dicts, enums by value, tuples as lists.

    >>> from fractions import Fraction
    >>> write_outcome((1, None, "hit"))
    [1, None, 'hit']
    """
    if isinstance(value, Enum):
        return write_outcome(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: write_outcome(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): write_outcome(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [write_outcome(one) for one in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    raise CannotRead(f"{value!r} cannot be stored on a card.")


def read_outcome(kind: Any, plain: Json) -> Any:
    """The outcome of this type from plain data made by `write_outcome`. Errors: CannotRead.

    >>> read_outcome(tuple[int, ...], [3, 4]), read_outcome(int | None, None)
    ((3, 4), None)
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return plain
    if origin in {Union, UnionType}:
        return _first(inner, plain)
    if origin is tuple and isinstance(plain, list):
        kinds = [inner[0]] * len(plain) if inner[-1:] == (Ellipsis,) else list(inner)
        if len(kinds) == len(plain):
            return tuple(read_outcome(one, each) for one, each in zip(kinds, plain, strict=True))
    elif origin is not None and issubclass(origin, Mapping) and isinstance(plain, Mapping):
        return {read_outcome(inner[0], k): read_outcome(inner[1], v) for k, v in plain.items()}
    elif isinstance(kind, type):
        return _of_class(kind, plain)
    raise CannotRead(f"{plain!r} cannot be read as {kind}.")


def _of_class(kind: type, plain: Json) -> Any:
    if kind is NoneType or kind in {bool, int, str}:
        if type(plain) is kind:
            return plain
    elif issubclass(kind, Enum):
        for one in kind:
            if write_outcome(one.value) == plain:
                return one
    elif is_dataclass(kind) and isinstance(plain, Mapping):
        hints = get_type_hints(kind)
        if plain.keys() == {one.name for one in fields(kind)}:
            return kind(**{name: read_outcome(hints[name], one) for name, one in plain.items()})
    raise CannotRead(f"{plain!r} cannot be read as {kind.__name__}.")


def _first(kinds: Sequence[Any], plain: Json) -> Any:
    for kind in kinds:
        with suppress(CannotRead):
            return read_outcome(kind, plain)
    raise CannotRead(f"{plain!r} cannot be read as one of {kinds}.")
