"""The files of a ruleset's folder, and the game that they make: data, rulebook, playthrough."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from types import ModuleType
from typing import Any, TypeVar

from kitchentable.rules.errors import BadGame
from kitchentable.rules.game import Credits, Game
from kitchentable.rules.kit.beings import Being
from kitchentable.rules.kit.forms import Row, Values
from kitchentable.rules.kit.moves import AnyRules, Ruleset, with_pauses
from kitchentable.rules.kit.settings import read_options
from kitchentable.rules.kit.sheets import (
    read_archetypes,
    read_sections,
    read_start,
    ready_campaign,
)
from kitchentable.rules.moves import Move
from kitchentable.rules.rulebook import Rulebook, read_rulebook
from kitchentable.rules.sheets import Section, SheetRules
from kitchentable.rules.toml.document import read_part
from kitchentable.rules.values import Option, Problem

B = TypeVar("B", bound=Being)
Opt = TypeVar("Opt")


@dataclass(frozen=True, slots=True)
class Book:
    """The files of a ruleset; `tables` is the parsed `data.toml`."""

    name: str
    text: str
    tables: Values
    options: tuple[Option, ...]
    rulebook: Rulebook
    playthrough: str

    def sections(self, table: str = "section") -> dict[str, Section]:
        """The sections of a builder by their key. Errors: BadFile, with every mistake."""
        found = read_part(self.text, self.name, lambda top: read_sections(top, table))
        return {one.key: one for one in found}

    def by_key(self, table: str) -> Row:
        """The rows of a table by their key, in order."""
        return {row["key"]: row for row in self.tables[table]}

    def column(self, table: str, name: str, *, by: str = "key") -> dict[Any, str]:
        """One column of a table, by another one."""
        return {row[by]: row[name] for row in self.tables[table]}

    def problem(self, key: str, where: str = "", **names: Any) -> Problem:
        """The problem with this key among the `[[problem]]` tables, with these names filled in.

        `where` is its place, if that differs from the one in the file.
        """
        row = self.by_key("problem")[key]
        place, sentence = where or row.get("where", ""), row["sentence"].format(**names)
        return Problem(place, row["rule"], sentence, row.get("refuses", True))

    def ruleset(self, being: Callable[..., B], options: Callable[[Values], Opt]) -> Ruleset[B, Opt]:
        """The ruleset of these beings and options, with the words of moves and cards."""
        return Ruleset(being, options, self.by_key("move"), self.by_key("card"))

    def game(
        self, rules: AnyRules, sheet: SheetRules, moves: Iterable[Move | ModuleType], **more: Any
    ) -> Game:
        """The game of these files, with moves in the order of `[game]`.

        A module among the `moves` stands for all moves in it; `more` are the other parts of `Game`.
        Errors: BadGame for moves that the file does not list, or that nobody declares.
        """
        made = [one for each in moves for one in _moves_of(each)]
        known, about = {one.name: one for one in made}, dict(self.tables["game"])
        listed = about.pop("moves")
        if known.keys() ^ set(listed):
            words = ", ".join(sorted(known.keys() ^ set(listed)))
            raise BadGame(f"{self.name}: moves either listed or declared, but not both: {words}.")
        whose = ("author", "source", "licence", "licence_link", "notice")
        return Game(
            **about,
            credits=Credits(**{key: self.rulebook.book[key] for key in whose}),
            options=self.options,
            sheet=sheet,
            moves=with_pauses(*(known[name] for name in listed)),
            rulebook=self.rulebook,
            playthrough=self.playthrough,
            example=partial(ready_campaign, self.tables, sheet, self.options),
            moment=rules.moment,
            archetypes=read_archetypes(self.tables),
            wound=read_start(self.tables.get("wound")),
            **more,
        )


def _moves_of(one: Move | ModuleType) -> Iterable[Move]:
    if isinstance(one, Move):
        return (one,)
    return (each for each in vars(one).values() if isinstance(each, Move))


def open_book(package: str) -> Book:
    """The book of a package: data.toml, rulebook.toml and playthrough.txt."""
    folder = files(package)
    name, text = f"{package}/data.toml", (folder / "data.toml").read_text("utf-8")
    return Book(
        name,
        text,
        tomllib.loads(text),
        read_part(text, name, read_options),
        read_rulebook((folder / "rulebook.toml").read_text("utf-8")),
        (folder / "playthrough.txt").read_text("utf-8"),
    )
