"""Every error is a sentence for the person who can act, below one base, with a stable code."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import kitchentable
from kitchentable.dice.errors import KitchenTableError


def modules() -> Iterator[ModuleType]:
    for info in pkgutil.walk_packages(kitchentable.__path__, "kitchentable."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def own_errors() -> list[type[BaseException]]:
    found = {
        value
        for module in modules()
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, BaseException)
        and value.__module__.startswith("kitchentable")
    }
    return sorted(found, key=full_name)


def full_name(error: type[BaseException]) -> str:
    return f"{error.__module__}.{error.__qualname__}"


def test_every_error_stands_below_the_one_base():
    astray = [
        full_name(error) for error in own_errors() if not issubclass(error, KitchenTableError)
    ]
    assert not astray, f"not below KitchenTableError: {astray}"


def test_every_error_has_a_stable_code():
    owners: dict[str, str] = {}
    for error in own_errors():
        name, code = full_name(error), getattr(error, "code", None)
        assert isinstance(code, str), f"{name} has no code"
        assert re.fullmatch(r"[a-z-]+/[a-z0-9-]+", code), f"{name}: {code!r}"
        if "code" in vars(error):
            other = owners.setdefault(code, name)
            assert other == name, f"{other} and {name} share {code!r}"
    assert len(owners) > 40


def test_every_error_says_who_it_is_for():
    silent = [full_name(error) for error in own_errors() if not (error.__doc__ or "").strip()]
    assert not silent, f"a first line is missing: {silent}"
