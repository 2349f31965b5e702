"""Toaster's book as it lies in this folder, and its tables as they hold at one campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Choice, Json, Part, Table, whole
from kitchentable.rules.facts import part_of
from kitchentable.rules.kit.books import open_book

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

#: The files in this folder: data/, words/, rulebook/, and a whole evening with typed-in dice.
BOOK = open_book("kitchentable.rulesets.toaster")
problem = BOOK.problem

CARD_WORDS, ROLL_WORDS, TABLE_WORDS, FORM_WORDS = map(
    BOOK.by_key, ("card", "roll", "table", "form")
)

#: The tables of data/ by name, as the book has them, each with its rows by their keys. A campaign
#: may have changed them: `rows` and `row` tell what holds at a table.
_SHIPPED: Mapping[str, Mapping[str, Row]] = {
    name: BOOK.by_key(name) for name in (*TABLE_WORDS, "samples")
}
TABLES: Mapping[str, tuple[Row, ...]] = {
    name: tuple(found.values()) for name, found in _SHIPPED.items()
}
#: A table that has changed nothing.
UNCHANGED = Table(options={})


# ---------------------------------------------------------------- tables at one campaign


def rows(table: Table, name: str) -> tuple[Row, ...]:
    """The rows of a table at this campaign, in order; KeyError for a table that is not there.

    A campaign's changes lie in `own.data`: table, key of the row, column, value. A row under a new
    key is one more; a row that is `gone` has been struck out (toaster.1.customisable).

    >>> edited = Table(options={}, own={"data": {"costs": {"easy": {"price": 0.25}}}})
    >>> [row["price"] for row in rows(edited, "costs")][:2]
    [0.25, 1.0]
    """
    changed = edits(table).get(name)
    if not changed:
        return TABLES[name]
    merged = dict(_SHIPPED[name])
    for key, edit in changed.items():
        if edit.get("gone"):
            merged.pop(key, None)
        else:
            merged[key] = {**merged.get(key, {"key": key}), **edit}
    return tuple(merged.values())


def row(table: Table, name: str, key: Json) -> Row | None:
    """The row with this key; None where there is none."""
    if not edits(table).get(name):
        return _SHIPPED[name].get(key) if isinstance(key, str) else None
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
    """The campaign's changes by table, key of the row, and column."""
    return part_of(table.own, "data")


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


def with_fact(facts: Record, path: Words, now: Json) -> Row:
    """A record with another fact at this path.

    >>> with_fact({"a": {"b": 1}}, ("a", "c"), 2)
    {'a': {'b': 1, 'c': 2}}
    """
    key, *rest = path
    return {**facts, key: with_fact(part_of(facts, key), tuple(rest), now) if rest else now}
