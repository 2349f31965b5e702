"""The files of a ruleset's folder: data, rulebook, golden playthrough and credits."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TypeVar

from kitchentable.rules.game import Credits
from kitchentable.rules.kit.forms import Row
from kitchentable.rules.rulebook import Rulebook, read_rulebook
from kitchentable.rules.toml.document import read_part
from kitchentable.rules.toml.reader import Section

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Book:
    """The files of a ruleset: `tables` is the parsed `data.toml`, and `read` checks it."""

    name: str
    text: str
    tables: Mapping[str, Any]
    rulebook: Rulebook
    credits: Credits
    playthrough: str

    def read(self, read: Callable[[Section], T]) -> T:
        """One part of the data file, as `read` reads it. Errors: BadFile, with every mistake."""
        return read_part(self.text, self.name, read)

    def by_key(self, table: str) -> Row:
        """The rows of a table by their key, in order."""
        return {row["key"]: row for row in self.tables[table]}


def open_book(package: str) -> Book:
    """The book of a package: data.toml, rulebook.toml and playthrough.txt."""
    folder = files(package)
    text = (folder / "data.toml").read_text("utf-8")
    rulebook = read_rulebook((folder / "rulebook.toml").read_text("utf-8"))
    whose = ("author", "source", "licence", "licence_link", "notice")
    return Book(
        f"{package}/data.toml",
        text,
        tomllib.loads(text),
        rulebook,
        Credits(**{key: rulebook.book[key] for key in whose}),
        (folder / "playthrough.txt").read_text("utf-8"),
    )
