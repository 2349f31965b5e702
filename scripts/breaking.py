"""A pytest plugin: breaks the code that cites a rule, and reports whether the rule's tests fail.

`--break FILE` reads {rule id: [[target, ...], ...]} as JSON, and replaces it with {rule id: {name:
"noticed", "green" or "not run"}}. The first group of targets that the tests run is used. All tests
are collected once; each broken target has its own process, in which the rule's tests run until one
fails.
"""

from __future__ import annotations

import gc
import json
import os
import signal
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import _lru_cache_wrapper
from inspect import CO_VARARGS, CO_VARKEYWORDS
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NoReturn

import pytest

from scripts.reach import Target

#: The limit of processor time for the tests of one rule, in seconds; broken code may never end.
LONGEST = 60
GREEN, NOTICED, NOT_RUN = 0, 1, 2
WORDS = {GREEN: "green", NOTICED: "noticed", NOT_RUN: "not run"}


class BrokenOnPurposeError(Exception):
    """The error for a result that cannot be changed into another one."""


def alter(value: Any) -> Any:
    """Change a result into another one of its kind.

    >>> alter(3), alter(True), alter("hit"), alter((1, 2)), alter({"a": 1})
    (4, False, 'broken tih', (1,), {'a': 2})
    """
    if isinstance(value, Enum):
        others = [one for one in type(value) if one is not value]
        return others[0] if others else _give_up(value)
    if isinstance(value, int | float | Fraction):
        return not value if isinstance(value, bool) else value + 1
    if isinstance(value, str):
        return f"broken {value[::-1]}" if value else "broken"
    if isinstance(value, Mapping):
        return {**value, **_altered(value)}
    if isinstance(value, tuple | list | set | frozenset) and value:
        return type(value)(list(value)[:-1])
    if isinstance(value, Iterator):
        return iter(alter(list(value)))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **_altered({f.name: getattr(value, f.name) for f in fields(value)}))
    return _give_up(value)


def _altered(parts: Mapping[Any, Any]) -> dict[Any, Any]:
    """All parts that can be altered, in altered form; at least one."""
    found = {}
    for key, one in parts.items():
        try:
            found[key] = alter(one)
        except BrokenOnPurposeError:
            continue
    return found or _give_up(parts)


def _give_up(value: Any) -> NoReturn:
    raise BrokenOnPurposeError(repr(value))


def break_function(function: FunctionType) -> list[None]:
    """Break a function wherever it is referenced; each call adds to the list.

    A function without results then does nothing; any other gives a changed result.
    """
    code, calls = function.__code__, list[None]()
    whole = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    whole.__kwdefaults__ = function.__kwdefaults__
    silent = function.__annotations__.get("return") in {None, "None"}

    def broken(*args: Any, **kwargs: Any) -> Any:
        calls.append(None)
        return None if silent else alter(whole(*args, **kwargs))

    name = f"_broken_{id(function)}"
    function.__globals__[name] = broken
    function.__code__ = _calling(name, code)
    return calls


def _calling(name: str, code: CodeType) -> CodeType:
    """The code of a function with the same arguments that passes them to a global function."""
    names = code.co_varnames
    end = code.co_argcount
    only = names[end : end + code.co_kwonlyargcount]
    rest = list(names[end + len(only) :])
    taken, given = list(names[:end]), list(names[:end])
    if code.co_posonlyargcount:
        taken.insert(code.co_posonlyargcount, "/")
    if code.co_flags & CO_VARARGS:
        star = f"*{rest.pop(0)}"
        taken.append(star)
        given.append(star)
    elif only:
        taken.append("*")
    taken += only
    given += [f"{one}={one}" for one in only]
    if code.co_flags & CO_VARKEYWORDS:
        taken.append(f"**{rest[0]}")
        given.append(f"**{rest[0]}")
    free = code.co_freevars
    text = f"def outer({', '.join(free)}):\n def f({', '.join(taken)}):\n"
    text += f"  {', '.join(free)}\n" if free else ""
    text += f"  return {name}({', '.join(given)})\n return f\n"
    space: dict[str, Any] = {}
    exec(compile(text, code.co_filename, "exec"), space)  # noqa: S102 - written just above
    made: FunctionType = space["outer"](*free)
    return made.__code__.replace(co_name=code.co_name, co_qualname=code.co_qualname)


# ---------------------------------------------------------------- the plugin


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("rules of the games").addoption("--break", dest="breaks", type=Path)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run each rule's own tests against broken code, instead of all tests."""
    path: Path | None = session.config.getoption("breaks")
    if path is None:
        return None
    asked: dict[str, list[list[Target]]] = json.loads(path.read_text(encoding="utf-8"))
    tests = defaultdict(list)
    for item in session.items:
        for rule in dict.fromkeys(r for mark in item.iter_markers("rule") for r in mark.args):
            tests[rule].append(item)
    functions, caches = _held()
    found = {}
    for rule, groups in asked.items():
        tried: dict[str, str] = {}
        for group in groups:
            for target in group:
                broken = [one for one in functions[target[0]] if _is_in(one, target)]
                how = _in_a_process(tests[rule], broken, caches) if broken else NOT_RUN
                tried[target[1]] = WORDS[how]
                if how == NOTICED:
                    break
            if {*tried.values()} - {WORDS[NOT_RUN]}:
                break
        found[rule] = tried
    path.write_text(json.dumps(found), encoding="utf-8")
    return True


def _held() -> tuple[Mapping[str, list[FunctionType]], list[Any]]:
    """All existing functions, by their file, and all caches of results."""
    gc.unfreeze()
    functions, caches = defaultdict(list), []
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            functions[one.__code__.co_filename].append(one)
        elif isinstance(one, _lru_cache_wrapper):
            caches.append(one)
    gc.freeze()
    return functions, caches


def _is_in(function: FunctionType, target: Target) -> bool:
    """Whether a function is the target, inside it, or a lambda in a value."""
    _, name, first, last = target
    code = function.__code__
    inside = code.co_qualname.startswith(f"{name}.<locals>.") or code.co_name == "<lambda>"
    return code.co_qualname == name or (inside and first <= code.co_firstlineno <= last)


def _in_a_process(
    tests: list[pytest.Item],
    functions: list[FunctionType],
    caches: Iterable[_lru_cache_wrapper[Any]],
) -> int:
    """Whether tests notice broken functions; a process that hangs or dies counts as noticed."""
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        return os.WEXITSTATUS(status) if os.WIFEXITED(status) else NOTICED
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    for one in caches:
        one.cache_clear()
    calls = [break_function(one) for one in functions]
    config = tests[0].config
    config.pluginmanager.unregister(name="terminalreporter")
    config.pluginmanager.register(_Noticing())
    for item, following in zip(tests, [*tests[1:], None], strict=True):
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    os._exit(GREEN if any(calls) else NOT_RUN)


class _Noticing:
    """Ends the process with the first test that fails."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(NOTICED)
