"""Checks of a mechanic's code for operations that symbolic numbers cannot intercept.

Symbolic numbers define Python's operators. Identity (``a is b``, ``id(a)``) and exact type
(``type(a)``) bypass the operators, and an ``except`` that catches everything also catches the
solver's control flow. These checks find all three in a mechanic's code.
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

# The largest number of functions checked for a mechanic.
MOST_FUNCTIONS = 2_000
# Functions that bypass a value's operators, so that all numbers have to be enumerated.
_LOOKS = (type, callable, eval, exec, compile, vars, locals, sys.getsizeof, gc.get_referents)
# Functions of identity, which can differ for equal numbers.
_IDENTITY = (id, operator.is_, operator.is_not)
# Exceptions never raised by the solver, nor by a symbolic number in place of a plain one.
_HARMLESS = (LookupError, ArithmeticError, StopIteration, BadInput, StartingOver)
_VALUES = (int, float, complex, str, bytes, tuple, frozenset, Fraction)

_LIBRARY = str(Path(os.__file__).parent) + os.sep
_OTHERS = ("site-packages", "dist-packages")
_DICE = str(Path(__file__).parent.parent) + os.sep


@dataclass(frozen=True, slots=True)
class Look:
    """The way to solve a mechanic.

    `plain`: every number is enumerated; `eager`: every result of another mechanic is read, because
    it may be compared by identity; `guarded`: the mechanic catches exceptions, and must not catch
    those of the solver.
    """

    plain: bool
    guarded: bool
    eager: bool = False


@lru_cache(maxsize=4096)
def look_at(function: Callable[..., Any], kinds: tuple[Any, ...]) -> Look:
    """Find the way to solve a mechanic; `kinds` are the types of its arguments as in its key.

    Raises :class:`ComparedByIdentity` if the mechanic compares numbers by identity.

    >>> look_at(lambda dice: type(dice.die(6)) is int, ())
    Look(plain=True, guarded=False, eager=True)
    >>> look_at(lambda dice: dice.die(6) is dice.die(6), ())
    Traceback (most recent call last):
        ...
    kitchentable.dice.errors.ComparedByIdentity: <lambda> compares by identity ...
    """
    return _look(function, frozenset(_flatten(kinds)) - _PLAIN_KINDS)


_PLAIN_KINDS: frozenset[type] = frozenset({int, bool, str, tuple, float, type(None), Fraction})


def _flatten(kinds: Iterable[Any]) -> Iterator[type]:
    for kind in kinds:
        if isinstance(kind, tuple):
            yield from _flatten(kind)
        else:
            yield kind


@lru_cache(maxsize=4096)
def _look(function: Callable[..., Any], kinds: frozenset[type]) -> Look:
    plain = eager = guarded = False
    for one, code in _find_functions(function, kinds):
        facts = facts_of(code)
        for line, left, right in facts.identities:
            if not (_is_safe(one, left) or _is_safe(one, right)):
                raise _refusal(code, line, "`is`")
            # Only arguments are never pending results.
            own = code is function.__code__
            given = own and (_is_given(code, left) or _is_given(code, right))
            eager = eager or not given
        for line, operand in facts.uses:
            used = _resolve(one, operand)
            if any(used is asks for asks in _IDENTITY):
                raise _refusal(code, line, f"`{operand[1]}`")
            plain = plain or any(used is looks for looks in _LOOKS)
        if facts.catches_all or any(not _is_harmless(one, handler) for handler in facts.handlers):
            plain = guarded = True
        guarded = guarded or bool(facts.handlers)
    return Look(plain, guarded, eager)


def _is_given(code: CodeType, operand: Operand) -> bool:
    """Whether an operand is an argument, which cannot be a pending result."""
    how, name, _ = operand
    taken = code.co_argcount + code.co_kwonlyargcount
    return how == "local" and name in code.co_varnames[:taken] and name not in facts_of(code).stored


def _refusal(code: CodeType, line: int, how: str) -> ComparedByIdentity:
    return ComparedByIdentity(
        f"{code.co_name} compares by identity ({code.co_filename}, line {line}: {how}). In "
        f"Python, equal numbers can be different objects. Compare them with == or !=."
    )


# -- references of a mechanic ----------------------------------------------------------------


def _find_functions(
    function: Callable[..., Any], kinds: frozenset[type]
) -> Iterator[tuple[FunctionType, CodeType]]:
    """Every function that a mechanic refers to, with each of its code objects."""
    todo: list[Any] = [function, *kinds]
    seen: set[int] = set()
    names: set[str] = set()
    # Classes are searched again when more names of possible methods are known.
    classes: list[type] = []
    count = 0
    while todo and count < MOST_FUNCTIONS:
        value = todo.pop()
        if isinstance(value, type):
            if id(value) not in seen and not _is_foreign_class(value):
                seen.add(id(value))
                classes.append(value)
        elif (one := _function_in(value)) is not None and id(one.__code__) not in seen:
            seen.add(id(one.__code__))
            count += 1
            held = _closed_over(one).values()
            # Closures of this package's functions, such as `told`, run as part of the roll.
            inlined = one.__code__.co_filename.startswith(_DICE)
            todo.extend(
                getattr(value, "__wrapped__", value) if inlined else value for value in held
            )
            if not _is_foreign(one.__code__):
                for code in _codes(one.__code__):
                    meant = _globals_of(one, code)
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
    """The plain function behind a callable value, if any."""
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
            # a variable that is not assigned yet
            continue
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _globals_of(function: FunctionType, code: CodeType) -> list[Any]:
    """The global values of the names in a code object."""
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
    """The special methods of a class, and its attributes with these names."""
    for one in kind.__mro__:
        if not _is_foreign_class(one):
            for name, value in vars(one).items():
                if name in names or (name.startswith("__") and callable(value)):
                    yield value


def _is_foreign_class(kind: type) -> bool:
    module = kind.__module__
    return module.startswith("kitchentable.dice.") or module.split(".")[0] in _STANDARD


_STANDARD = sys.stdlib_module_names - {"__main__"}


def _is_foreign(code: CodeType) -> bool:
    """Whether code belongs to the standard library (or is generated by it) or to this package."""
    file = code.co_filename
    generated = file == "<string>" and code.co_qualname.startswith("__create_fn__")
    if generated or file.startswith((_DICE, "<frozen ")):
        return True
    return file.startswith(_LIBRARY) and not any(part in file for part in _OTHERS)


# -- values of operands -------------------------------------------------------------------------


def _resolve(function: FunctionType, operand: Operand) -> Any:
    how, name, inner = operand
    if how == "constant":
        return name
    if how == "global":
        return _global(function, name)
    if how == "closure":
        return _closed_over(function).get(name, MISSING)
    if how == "attribute":
        base = _resolve(function, inner)
        return MISSING if base is MISSING else getattr(base, name, MISSING)
    return MISSING


def _is_safe(function: FunctionType, operand: Operand) -> bool:
    """Whether identity with this operand is the same for thrown dice and symbolic numbers."""
    how, name, inner = operand
    if how == "attribute" and name == "__class__":
        return True
    if how == "call":
        return _resolve(function, inner) is type
    value = _resolve(function, operand)
    if value is MISSING:
        return False
    return isinstance(value, bool | Enum) or not isinstance(value, _VALUES)


def _is_harmless(function: FunctionType, operand: Operand) -> bool:
    """Whether an `except` catches no exception of the solver."""
    how, parts, _ = operand
    if how == "tuple":
        return all(_is_harmless(function, part) for part in parts)
    caught = _resolve(function, operand)
    kinds = caught if isinstance(caught, tuple) else (caught,)
    return all(
        isinstance(kind, type)
        and (
            issubclass(kind, _HARMLESS)
            or not (issubclass(kind, KitchenTableError) or kind.__module__ == "builtins")
        )
        for kind in kinds
    )
