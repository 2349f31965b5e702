"""The book of These Lucky Stars as it lies in this folder: tables, rulebook, a ready campaign."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from kitchentable.rules import Credits, read_rulebook

_FOLDER = files("kitchentable.rulesets.lucky_stars")

#: The text of `data.toml`: the options, the lists and the ready campaign.
DATA = (_FOLDER / "data.toml").read_text("utf-8")
#: Its tables.
TABLES: dict[str, Any] = tomllib.loads(DATA)

RULEBOOK = read_rulebook((_FOLDER / "rulebook.toml").read_text("utf-8"))

CREDITS = Credits(
    author=RULEBOOK.book["author"],
    source=RULEBOOK.book["source"],
    licence=RULEBOOK.book["licence"],
    licence_link=RULEBOOK.book["licence_link"],
    notice=RULEBOOK.book["notice"],
)

#: A whole evening with typed-in dice, and what the table makes of it.
PLAYTHROUGH = (_FOLDER / "playthrough.txt").read_text("utf-8")
