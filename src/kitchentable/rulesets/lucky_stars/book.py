"""The book of These Lucky Stars as it lies in this folder: tables, rulebook, whose game it is."""

from __future__ import annotations

from importlib.resources import files

from kitchentable.rules import Credits, read_rulebook

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
