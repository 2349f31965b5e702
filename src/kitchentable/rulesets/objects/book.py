"""The book as it lies in this folder: the scales, the types, the rulebook and whose game it is."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from kitchentable.rules import Credits, read_rulebook

_FOLDER = files("kitchentable.rulesets.objects")

#: The text of `data.toml`: the options, and the tables below.
DATA = (_FOLDER / "data.toml").read_text("utf-8")

#: The tables of `data.toml`: the two scales, the results and how they read.
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
