"""The book of These Lucky Stars as it lies in this folder: tables, rulebook, a ready campaign."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from kitchentable.rules import Credits, Entity, Example, read_rulebook

_FOLDER = files("kitchentable.rulesets.lucky_stars")

#: The text of `data.toml`: the options.
DATA = (_FOLDER / "data.toml").read_text("utf-8")

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


#: Columns of a possession that the ready campaign leaves out where they are empty.
_BLANK = {"id": "", "item": "", "supply": "", "rolls": "", "restock": "", "note": ""}


def example() -> Example:
    """Three players' characters, a rival of the GM's, and the barge with what is on it."""
    told: dict[str, Any] = tomllib.loads((_FOLDER / "example.toml").read_text("utf-8"))
    people = tuple(map(_person, told["person"]))
    return Example(told["title"], tuple(told["players"]), people, told["notes"])


def _person(row: dict[str, Any]) -> Entity:
    gear = [_BLANK | one for one in row["gear"]]
    sheet = {"stats": row["stats"], "gear": gear, "about": row.get("about", "")}
    named = {key: row[key] for key in ("id", "name", "kind", "owner", "line")}
    return Entity(**named, sheet=sheet, state={"trackers": {}}, open=row.get("open", True))
