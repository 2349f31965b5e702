"""A look at a mechanic's code before its first solving, for uses of numbers that cannot be seen.

Covered numbers answer whatever Python asks them. It does not ask them for their identity
(``a is b``, ``id(a)``) nor for their type (``type(a)``), and an ``except`` that catches everything
catches the solver's signals too. The code says beforehand whether a mechanic does any of this.
"""

import builtins
import gc
import operator
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from kitchentable.dice.errors import BadInput, ComparedByIdentity, KitchenTableError, StartingOver
from kitchentable.dice.solving.bytecode import MISSING, Operand, facts_of

# A mechanic that refers to more functions than this is looked at so far and no further.
MOST_FUNCTIONS = 2_000
# What looks at a value past its operators: the numbers have to lie in plain sight.
_LOOKS = (type, callable, eval, exec, compile, vars, locals, sys.getsizeof, gc.get_referents)
# What asks which object a value is; equal numbers may be one object or two.
_IDENTITY = (id, operator.is_, operator.is_not)
# Exceptions that neither the solver raises nor a covered number where a plain one would not.
_HARMLESS = (LookupError, ArithmeticError, StopIteration, BadInput, StartingOver)
_VALUES = (int, float, complex, str, bytes, tuple, frozenset, Fraction)

_LIBRARY = str(Path(os.__file__).parent) + os.sep
_OTHERS = ("site-packages", "dist-packages")
_DICE = str(Path(__file__).parent.parent) + os.sep


@dataclass(frozen=True, slots=True)
class Look:
    """How a mechanic has to be solved.

    `plain`: with every number in plain sight; `eager`: with every result of another mechanic looked
    at, because it may be compared by identity; `guarded`: it catches exceptions, and must not catch
    the solver's own.
    """

    plain: bool
    guarded: bool
    eager: bool = False


def look_at(function: Callable[..., Any], args: Iterable[Any]) -> Look:
    """How a mechanic has to be solved that is called with these arguments.

    Raises :class:`ComparedByIdentity` where it asks whether two values are one object.

    >>> look_at(lambda dice: type(dice.die(6)) is int, ())
    Look(plain=True, guarded=False, eager=True)
    >>> look_at(lambda dice: dice.die(6) is dice.die(6), ())
    Traceback (most recent call last):
        ...
    kitchentable.dice.errors.ComparedByIdentity: <lambda> compares by identity ...
    """
    kinds: set[type] = set()
    for value in args:
        if isinstance(value, tuple):
            kinds.update(map(type, value))
        kinds.add(type(value))
    return _look(function, frozenset(kinds - _PLAIN_KINDS))


_PLAIN_KINDS: frozenset[type] = frozenset({int, bool, str, tuple, float, type(None), Fraction})


@lru_cache(maxsize=4096)
def _look(function: Callable[..., Any], kinds: frozenset[type]) -> Look:
    plain = eager = guarded = False
    for one, code in _reached(function, kinds):
        facts = facts_of(code)
        for line, left, right in facts.identities:
            if not (_safe(one, left) or _safe(one, right)):
                raise _refusal(code, line, "`is`")
            # Only the mechanic's own arguments hold no pending results.
            own = code is function.__code__
            given = own and (_is_given(code, left) or _is_given(code, right))
            eager = eager or not given
        for line, operand in facts.uses:
            used = _resolved(one, operand)
            if any(used is asks for asks in _IDENTITY):
                raise _refusal(code, line, f"`{operand[1]}`")
            plain = plain or any(used is looks for looks in _LOOKS)
        if facts.catches_all or any(not _harmless(one, handler) for handler in facts.handlers):
            plain = guarded = True
        guarded = guarded or bool(facts.handlers)
    return Look(plain, guarded, eager)


def _is_given(code: CodeType, operand: Operand) -> bool:
    """Whether an operand is an argument, which holds no pending result."""
    how, name, _ = operand
    taken = code.co_argcount + code.co_kwonlyargcount
    return how == "local" and name in code.co_varnames[:taken] and name not in facts_of(code).stored


def _refusal(code: CodeType, line: int, how: str) -> ComparedByIdentity:
    return ComparedByIdentity(
        f"{code.co_name} compares by identity ({code.co_filename}, line {line}: {how}). Whether "
        f"two equal numbers are one object is an accident of Python. Compare them with == or !=."
    )


# -- what a mechanic refers to -----------------------------------------------------------------


def _reached(
    function: Callable[..., Any], kinds: frozenset[type]
) -> Iterator[tuple[FunctionType, CodeType]]:
    """Every function that a mechanic refers to, with each code in it."""
    todo: list[Any] = [function, *kinds]
    seen: set[int] = set()
    names: set[str] = set()
    # Classes are looked at again when more names are known that may be their methods.
    classes: list[type] = []
    count = 0
    while todo and count < MOST_FUNCTIONS:
        value = todo.pop()
        if isinstance(value, type):
            if id(value) not in seen and not _foreign_class(value):
                seen.add(id(value))
                classes.append(value)
        elif (one := _function_in(value)) is not None and id(one.__code__) not in seen:
            seen.add(id(one.__code__))
            count += 1
            held = _closed_over(one).values()
            # What the dice's own functions hold, as `told` does, they run as a part of the roll.
            inlined = one.__code__.co_filename.startswith(_DICE)
            todo.extend(
                getattr(value, "__wrapped__", value) if inlined else value for value in held
            )
            if not _foreign(one.__code__):
                for code in _codes(one.__code__):
                    meant = _meant(one, code)
                    names.update(code.co_names)
                    todo.extend(meant)
                    todo.extend(_attributes(meant, code.co_names))
                    yield one, code
        if not todo:
            todo = [
                method
                for kind in classes
                for method in _methods(kind, names)
                if (inner := _function_in(method)) and id(inner.__code__) not in seen
            ]


def _function_in(value: Any) -> FunctionType | None:
    """The plain function that a value calls, if it calls one."""
    for _ in range(10):
        if type(value) is FunctionType:
            return value
        if isinstance(value, partial):
            value = value.func
        elif isinstance(value, property):
            value = value.fget
        elif isinstance(value, staticmethod | classmethod | MethodType):
            value = value.__func__
        elif type(value).__module__ == "functools" and hasattr(value, "__wrapped__"):
            value = value.__wrapped__
        elif type(value).__module__ == "functools" and hasattr(value, "func"):
            value = value.func
        else:
            return None
    return None


def _closed_over(function: FunctionType) -> dict[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            # Assigned later: nothing is known of it yet.
            continue
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _meant(function: FunctionType, code: CodeType) -> list[Any]:
    """What the names in a code mean where they are global."""
    return [_global(function, name) for name in code.co_names]


def _global(function: FunctionType, name: str) -> Any:
    known = function.__globals__
    return known[name] if name in known else getattr(builtins, name, MISSING)


def _attributes(values: Iterable[Any], names: Iterable[str]) -> Iterator[Any]:
    """The named attributes of modules, and the classes of other values."""
    for value in values:
        if value is MISSING:
            continue
        if isinstance(value, ModuleType):
            space = vars(value)
            yield from (space[name] for name in names if name in space)
        elif not isinstance(value, type | FunctionType):
            yield type(value)
            if hasattr(type(value), "remembered") and "__wrapped__" in names:
                yield value.__wrapped__


def _methods(kind: type, names: set[str]) -> Iterator[Any]:
    """What a class does by itself or when one of the names is asked of it."""
    for one in kind.__mro__:
        if not _foreign_class(one):
            for name, value in vars(one).items():
                if name in names or (name.startswith("__") and callable(value)):
                    yield value


def _foreign_class(kind: type) -> bool:
    module = kind.__module__
    return module.startswith("kitchentable.dice.") or module.split(".")[0] in _STANDARD


_STANDARD = sys.stdlib_module_names - {"__main__"}


def _foreign(code: CodeType) -> bool:
    """Whether a code is the standard library's (what a dataclass generates too) or the dice's."""
    file = code.co_filename
    generated = file == "<string>" and code.co_qualname.startswith("__create_fn__")
    if generated or file.startswith((_DICE, "<frozen ")):
        return True
    return file.startswith(_LIBRARY) and not any(part in file for part in _OTHERS)


# -- what an operand is -------------------------------------------------------------------------


def _resolved(function: FunctionType, operand: Operand) -> Any:
    how, name, inner = operand
    if how == "constant":
        return name
    if how == "global":
        return _global(function, name)
    if how == "closure":
        return _closed_over(function).get(name, MISSING)
    if how == "attribute":
        base = _resolved(function, inner)
        return MISSING if base is MISSING else getattr(base, name, MISSING)
    return MISSING


def _safe(function: FunctionType, operand: Operand) -> bool:
    """Whether identity with an operand says the same of thrown dice and of solved ones."""
    how, name, inner = operand
    if how == "attribute" and name == "__class__":
        return True
    if how == "call":
        return _resolved(function, inner) is type
    value = _resolved(function, operand)
    if value is MISSING:
        return False
    return isinstance(value, bool | Enum) or not isinstance(value, _VALUES)


def _harmless(function: FunctionType, operand: Operand) -> bool:
    """Whether an `except` catches nothing that only solving raises."""
    how, parts, _ = operand
    if how == "tuple":
        return all(_harmless(function, part) for part in parts)
    caught = _resolved(function, operand)
    kinds = caught if isinstance(caught, tuple) else (caught,)
    return all(
        isinstance(kind, type)
        and (
            issubclass(kind, _HARMLESS)
            or not (issubclass(kind, KitchenTableError) or kind.__module__ == "builtins")
        )
        for kind in kinds
    )
