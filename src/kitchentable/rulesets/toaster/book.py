"""Toaster's book as it lies in this folder, and its tables as they hold at one campaign."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from importlib.resources import files
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import BadGame, Choice, Json, Part, Problem, Table, read_rulebook, whole

#: A row of a table, or a record of somebody's state: its columns by their names.
Row: TypeAlias = dict[str, Any]
#: A line of a sheet, or another record that is only read.
Record: TypeAlias = Mapping[str, Any]
#: Facts as they are stored.
Facts: TypeAlias = dict[str, Json]
#: Keys, names or rules; parts of a sum; choices of a question.
Words: TypeAlias = tuple[str, ...]
Parts: TypeAlias = tuple[Part, ...]
Choices: TypeAlias = tuple[Choice, ...]

T = TypeVar("T")

_FOLDER = files("kitchentable.rulesets.toaster")

#: The text of the file with the options.
OPTION_ROWS = (_FOLDER / "data" / "options.toml").read_text("utf-8")

#: The text of the file with the parts of the sheet.
SHEET_ROWS = (_FOLDER / "words" / "sheet.toml").read_text("utf-8")


def _texts(folder: str) -> tuple[str, ...]:
    """The texts of a folder's files, in the order of their names, the options left out."""
    names = sorted(one.name for one in (_FOLDER / folder).iterdir())
    wanted = (name for name in names if name.endswith(".toml") and name != "options.toml")
    return tuple((_FOLDER / folder / name).read_text("utf-8") for name in wanted)


def _read_tables() -> dict[str, tuple[Row, ...]]:
    tables: dict[str, tuple[Row, ...]] = {}
    for text in _texts("data"):
        for name, rows in tomllib.loads(text).items():
            if name in tables:
                raise BadGame(f"Two files of data have a table {name}.", code="game/table-twice")
            keys = [row.get("key") for row in rows]
            if None in keys or len(set(keys)) < len(keys):
                raise BadGame(
                    f"Every row of the table {name} needs a key of its own.", code="game/row-key"
                )
            tables[name] = tuple(rows)
    return tables


#: Every table of `data/`, by name, as the book has it. A campaign may have changed it: ask
#: `tables.rows` for what holds at a table.
TABLES: dict[str, tuple[Row, ...]] = _read_tables()


def _read_words(kind: str) -> dict[str, Row]:
    """The words of all moves, cards or rolls in `words/`, [[move]] and so on, by their key."""
    return {
        row["key"]: row for text in _texts("words") for row in tomllib.loads(text).get(kind, ())
    }


MOVE_WORDS, CARD_WORDS, ROLL_WORDS, TABLE_WORDS, PROBLEM_WORDS, FORM_WORDS = map(
    _read_words, ("move", "card", "roll", "table", "problem", "form")
)

#: What the game is called, and the order of its moves.
GAME: Row = next(row for row in map(tomllib.loads, _texts("words")) if "game" in row)["game"]

#: The kinds of people.
KINDS = _read_words("kind")

#: The ready campaign and its people.
CAMPAIGNS, PEOPLE = _read_words("campaign"), _read_words("person")

#: The ready characters to begin from.
ARCHETYPES = _read_words("archetype")

RULEBOOK = read_rulebook(*_texts("rulebook"))

#: A whole evening with typed-in dice, and what the table makes of it.
PLAYTHROUGH = (_FOLDER / "playthrough.txt").read_text("utf-8")


# ---------------------------------------------------------------- tables at one campaign

#: The shipped rows by their keys, for the many look-ups of tables that nobody has changed.
_BY_KEY: Mapping[str, Mapping[str, Row]] = {
    name: {one["key"]: one for one in shipped} for name, shipped in TABLES.items()
}


def rows(table: Table, name: str) -> tuple[Row, ...]:
    """The rows of a table at this campaign, in order; KeyError for a table that is not there.

    A campaign's changes lie in `own.data`: table, key of the row, column, value. A row under a new
    key is one more; a row that is `gone` has been struck out (toaster.1.customisable).

    >>> edited = Table(options={}, own={"data": {"costs": {"easy": {"price": 0.25}}}})
    >>> [row["price"] for row in rows(edited, "costs")][:2]
    [0.25, 1.0]
    """
    shipped = TABLES[name]
    changed = edits(table).get(name)
    if not changed:
        return shipped
    merged = {row["key"]: row for row in shipped}
    for key, edit in changed.items():
        if edit.get("gone"):
            merged.pop(key, None)
        else:
            merged[key] = {**merged.get(key, {"key": key}), **edit}
    return tuple(merged.values())


def row(table: Table, name: str, key: Json) -> Row | None:
    """The row with this key; None where there is none."""
    if not edits(table).get(name):
        return _BY_KEY[name].get(key) if isinstance(key, str) else None
    return next((one for one in rows(table, name) if one["key"] == key), None)


def word_for(table: Table, name: str, rank: int, word: str = "word", low: str = "low") -> str:
    """The word of the last row that begins at this rank or below; "" where there is none.

    >>> word_for(Table(options={}), "trait_words", 3, low="rank")
    'Severe'
    """
    return str(next((one[word] for one in reversed(rows(table, name)) if one[low] <= rank), ""))


def find(table: Table, name: str, words: Json) -> Row | None:
    """The row with this key or this name, capitals and hyphens not minded; None for no such row.

    >>> str(find(Table(options={}), "difficulty", "straight forward")["name"])
    'Straight-forward'
    """
    wanted = _plain(words)
    for one in rows(table, name):
        if wanted and wanted in {_plain(one["key"]), _plain(one.get("name"))}:
            return one
    return None


def _plain(words: Json) -> str:
    return str(words or "").casefold().replace("-", "").replace(" ", "")


def edits(table: Table) -> Record:
    """What this campaign has changed: table, key of the row, column, value."""
    changed: Any = table.own.get("data") or {}
    return changed if isinstance(changed, Mapping) else {}


# ---------------------------------------------------------------- records and words


def read_row(kind: type[T], line: Record, **known: Any) -> T:
    """A record as a dataclass; an empty cell, or one of another type, counts as the default."""
    cells = {
        one.name: _cell(line.get(one.name), one.default)
        for one in fields(kind)  # type: ignore[arg-type]
        if one.name not in known
    }
    return kind(**cells, **known)


def _cell(value: Json, default: Any) -> Any:
    if isinstance(default, bool):
        return bool(value)
    return whole(value, default) if isinstance(default, int) else str(value or default)


def problem(key: str, where: str = "", /, *, refuses: bool = True, **names: Any) -> Problem:
    """The problem with this key among the words, with its place and these names filled in.

    A problem without a rule of its own takes it from the names.
    """
    row = PROBLEM_WORDS[key]
    return Problem(
        where or row.get("where", ""),
        row["rule"].format(**names),
        row["sentence"].format(**names),
        refuses=refuses and row.get("refuses", True),
        counted=row.get("counted", False),
    )


def with_fact(facts: Record, path: Words, now: Json) -> Row:
    """A record with another fact at this path.

    >>> with_fact({"a": {"b": 1}}, ("a", "c"), 2)
    {'a': {'b': 1, 'c': 2}}
    """
    key, *rest = path
    below = facts.get(key)
    kept = below if isinstance(below, Mapping) else {}
    return {**facts, key: with_fact(kept, tuple(rest), now) if rest else now}


def worth(*parts: Part) -> Parts:
    """The parts of a sum that change it.

    >>> worth(Part("Climb", 4), Part("luck", 0))
    (Part(name='Climb', value=4),)
    """
    return tuple(part for part in parts if part.value)


def total(parts: Parts) -> int:
    """What all parts come to."""
    return sum(part.value for part in parts)


def plural(count: int, word: str) -> str:
    """A count with its word.

    >>> plural(1, "wound"), plural(3, "wound")
    ('1 wound', '3 wounds')
    """
    return f"{count} {noun(count, word)}"


def noun(count: int, word: str) -> str:
    """A word for one thing or for several.

    >>> noun(1, "wound"), noun(0, "wound")
    ('wound', 'wounds')
    """
    return word if count == 1 else f"{word}s"
