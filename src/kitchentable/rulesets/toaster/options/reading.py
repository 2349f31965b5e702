"""How a setting is looked up: the campaign's word, or the book's default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Json
from kitchentable.rulesets.toaster.options import Options


def setting(options: Mapping[str, Json], key: str) -> Any:
    """An option as it is set, or its default; KeyError for an option there is not.

    >>> setting({}, "specialization")
    False
    """
    return Options(options)[key]
