"""The files of a ruleset's folder (data, rulebook, playthrough), and the game made from them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.resources import files
from types import ModuleType
from typing import Any, TypeVar

from kitchentable.rules.errors import BadGame
from kitchentable.rules.game import Credits, Game
from kitchentable.rules.kit import schema
from kitchentable.rules.kit.at import Opt
from kitchentable.rules.kit.beings import B
from kitchentable.rules.kit.document import read_part
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
from kitchentable.rules.sheets import Section, SheetRules, Wound
from kitchentable.rules.values import Option, Problem, Row, Values, record

T = TypeVar("T")


@record
class Book:
    """The files of a ruleset: the texts of its data files by name, and all their `tables`."""

    name: str
    texts: Mapping[str, str]
    tables: Values
    options: tuple[Option, ...]
    rulebook: Rulebook
    playthrough: str

    def sections(self, table: str = "section") -> dict[str, Section]:
        """The sections of a builder by their key. Errors: BadFile, with every mistake."""
        found = _read(self.texts, table, lambda top: read_sections(top, table))
        return {one.key: one for one in found}

    def by_key(self, table: str) -> Row:
        """The rows of a table by their key, in order. Errors: BadGame for a repeated key."""
        rows = {row["key"]: row for row in self.tables[table]}
        if len(rows) < len(self.tables[table]):
            raise BadGame(f"{self.name}: two rows of the table {table} have the same key.")
        return rows

    def column(self, table: str, name: str, *, by: str = "key") -> dict[Any, str]:
        """One column of a table, by another column."""
        return {row[by]: row[name] for row in self.tables[table]}

    def problem(
        self, key: str, where: str = "", /, *, refuses: bool = True, **names: Any
    ) -> Problem:
        """The problem with this key among the `[[problem]]` tables, with these names filled in.

        `where` overrides the place in the file. The problem refuses only if both `refuses` and the
        file say so.
        """
        row = self.by_key("problem")[key]
        return Problem(
            where or row.get("where", ""),
            row["rule"].format(**names),
            row["sentence"].format(**names),
            refuses=refuses and row.get("refuses", True),
            final=row.get("final", False),
            counted=row.get("counted", False),
        )

    def ruleset(self, being: Callable[..., B], options: Callable[[Values], Opt]) -> Ruleset[B, Opt]:
        """The ruleset of these beings and options, with the words of moves and cards."""
        return Ruleset(being, options, self.by_key("move"), self.by_key("card"))

    def game(
        self, rules: AnyRules, sheet: SheetRules, moves: Iterable[Move | ModuleType], **more: Any
    ) -> Game:
        """The game of these files, with moves in the order of `[game]`.

        A module among the `moves` means all moves in it; `more` are the other parts of `Game`.
        Errors: BadGame for moves that are not listed in the file, or listed but not declared.
        """
        made = [one for each in moves for one in _moves_of(each)]
        known, about = {one.name: one for one in made}, dict(self.tables["game"])
        listed = about.pop("moves")
        if known.keys() ^ set(listed):
            words = ", ".join(sorted(known.keys() ^ set(listed)))
            raise BadGame(f"{self.name}: these moves are not both listed and declared: {words}.")
        whose = ("author", "source", "licence", "licence_link", "notice")
        parts = {
            "example": partial(ready_campaign, self.tables, sheet, self.options),
            "archetypes": read_archetypes(self.tables),
        }
        return Game(
            **about,
            credits=Credits(**{key: self.rulebook.book[key] for key in whose}),
            options=self.options,
            sheet=sheet,
            moves=with_pauses(*(known[name] for name in listed)),
            rulebook=self.rulebook,
            playthrough=self.playthrough,
            moment=rules.moment,
            wounds=(Wound(wound),) if (wound := read_start(self.tables.get("wound"))) else (),
            **{**parts, **more},
        )


def _moves_of(one: Move | ModuleType) -> Iterable[Move]:
    if isinstance(one, Move):
        return (one,)
    return (each for each in vars(one).values() if isinstance(each, Move))


def open_book(package: str) -> Book:
    """The book of a package: its data, rulebook.toml and playthrough.txt.

    The data is data.toml; large games have folders data/, words/ and rulebook/ with several files.
    A table may continue in another file.
    """
    data, words = _texts(package, "data"), _texts(package, "words")
    texts, tables = {**data, **words}, Row()
    for name, rows in ((n, r) for one in texts.values() for n, r in tomllib.loads(one).items()):
        tables[name] = [*tables.get(name, ()), *rows] if isinstance(rows, list) else rows
    return Book(
        package,
        texts,
        tables,
        _read(texts, "option", read_options),
        read_rulebook(*_texts(package, "rulebook").values()),
        (files(package) / "playthrough.txt").read_text("utf-8"),
    )


def _texts(package: str, part: str) -> dict[str, str]:
    """The texts of a file, or of the files in a folder in the order of their names; else {}."""
    folder = files(package) / part
    if folder.is_dir():
        found = {f"{package}/{part}/{one.name}": one for one in folder.iterdir()}
    else:
        found = {f"{package}/{part}.toml": files(package) / f"{part}.toml"}
    return {
        name: found[name].read_text("utf-8")
        for name in sorted(found)
        if name.endswith(".toml") and found[name].is_file()
    }


def _read(
    texts: Mapping[str, str], table: str, read: Callable[[schema.Section], tuple[T, ...]]
) -> tuple[T, ...]:
    """The results of `read` for every file with this table, in order."""
    has = {name: text for name, text in texts.items() if f"[[{table}]]" in text}
    return tuple(one for name, text in has.items() for one in read_part(text, name, read))
