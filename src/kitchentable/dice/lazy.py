"""Import of a package's names on first use."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def import_later(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package (PEP 562); `names` gives the module of each name."""

    def load(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(names[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
