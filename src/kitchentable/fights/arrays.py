"""numpy where it is installed: the extra `fights` brings it, and everything works without it."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from typing import Any


@cache
def find_numpy() -> Any:
    """The module numpy, None where it is not installed. It is imported when first asked for."""
    return importlib.import_module("numpy") if importlib.util.find_spec("numpy") else None
