"""Settings of a table, the same for every game.

Settings are ordinary fields, so the pages and the terminal show them like options.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec

from kitchentable.rules.values import Field, Json

#: The value of "gm_confirms" for a table without a GM.
SOLO = "solo"

SETTINGS = msgspec.convert(
    tomllib.loads((files("kitchentable.campaign") / "settings.toml").read_text("utf-8"))["field"],
    tuple[Field, ...],
)

#: The dialects of dice notation, by key.
DIALECT_CHOICES = next(field.choices for field in SETTINGS if field.name == "dialect")


def shows_odds(settings: Mapping[str, Any], *, gm: bool) -> bool:
    """Whether a table's settings let a seat see odds; the GM always does.

    >>> shows_odds({"odds_shown": False}, gm=False), shows_odds({}, gm=False)
    (False, True)
    """
    return gm or bool(settings.get("odds_shown", True))


def default_settings() -> dict[str, Json]:
    """Return every setting at its default.

    >>> default_settings()["fudge"]
    'off'
    """
    return {field.name: field.default for field in SETTINGS}
