"""Serialization of questions and answers for the odds process.

Pickle stores functions by name and refuses functions made inside others, which games use for a
roll's words. Both ends run the same code, so such a function is sent as its code with its closure.
Both ends are our own processes.
"""

from __future__ import annotations

import importlib
import io
import marshal
import pickle
from types import CellType, CodeType, FunctionType, MappingProxyType
from typing import Any

from kitchentable.dice.errors import NotSolved

#: The marshal version whose bytes do not depend on shared references.
_PLAINEST = 0
#: The size limit of a question in bytes, beyond any question of a table.
LARGEST = 1_000_000


class TooLarge(NotSolved):
    """A question or an answer is too large to send."""

    code = "dice/too-large"


def pack(value: Any) -> bytes:
    """A value as bytes; equal values built alike give equal bytes. Errors: TooLarge, NotSolved.

    >>> def adding(bonus):
    ...     return lambda total: total + bonus
    >>> unpack(pack(adding(3)))(4)
    7
    """
    out = io.BytesIO()
    pickler = _Packer(out, pickle.HIGHEST_PROTOCOL)
    # Without pickle's memo, so that bytes depend on values and not on identities.
    pickler.fast = True
    try:
        pickler.dump(value)
    except (pickle.PicklingError, TypeError, ValueError, RecursionError) as error:
        raise NotSolved(
            f"The odds cannot be computed in another process: {error}. A game's question may "
            "contain only numbers, texts, tuples and functions."
        ) from error
    packed = out.getvalue()
    if len(packed) > LARGEST:
        raise TooLarge(f"The question or the answer for these odds exceeds {LARGEST:,} bytes.")
    return packed


def unpack(packed: bytes) -> Any:
    """The value from bytes of `pack`, in this process or another."""
    return pickle.loads(packed)  # noqa: S301 - both ends are ours


class _Packer(pickle.Pickler):
    """Pickle, extended to unnamed functions."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, MappingProxyType):
            return _frozen, (dict(value),)
        if not isinstance(value, FunctionType) or _look_up(value) is value:
            return NotImplemented
        cells = tuple(cell.cell_contents for cell in value.__closure__ or ())
        code = marshal.dumps(value.__code__, _PLAINEST)
        names = (value.__module__, value.__name__, value.__qualname__)
        return _rebuild, (code, names, value.__defaults__, value.__kwdefaults__, cells)


def _frozen(value: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(value)


def _look_up(function: FunctionType) -> Any:
    found: Any = importlib.import_module(function.__module__)
    for step in function.__qualname__.split("."):
        found = getattr(found, step, None)
    return found


def _rebuild(
    code: bytes,
    names: tuple[str, str, str],
    defaults: tuple[Any, ...] | None,
    named: dict[str, Any] | None,
    held: tuple[Any, ...],
) -> FunctionType:
    module, name, qualname = names
    around = vars(importlib.import_module(module))
    read: CodeType = marshal.loads(code)  # noqa: S302 - both ends are ours
    function = FunctionType(read, around, name, defaults, tuple(map(CellType, held)))
    function.__module__, function.__qualname__, function.__kwdefaults__ = module, qualname, named
    return function
