"""Toaster's book from this folder, and its tables with a campaign's changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Choice, Json, Part, Table, whole
from kitchentable.rules.facts import part_of
from kitchentable.rules.kit.books import open_book

#: A row of a table, or a record of a character's state: columns by name.
Row: TypeAlias = dict[str, Any]
#: A line of a sheet, or another read-only record.
Record: TypeAlias = Mapping[str, Any]
#: Facts in their stored form.
Facts: TypeAlias = dict[str, Json]
#: Keys, names or rule ids; parts of a sum; choices of a question.
Words: TypeAlias = tuple[str, ...]
Parts: TypeAlias = tuple[Part, ...]
Choices: TypeAlias = tuple[Choice, ...]

T = TypeVar("T")

#: The files in this folder: data/, words/, rulebook/, and a playthrough with typed-in dice.
BOOK = open_book("kitchentable.rulesets.toaster")
problem = BOOK.problem

CARD_WORDS, ROLL_WORDS, TABLE_WORDS, FORM_WORDS = map(
    BOOK.by_key, ("card", "roll", "table", "form")
)

#: The tables of data/ by name, as shipped, each with its rows by key. `rows` and `row` add a
#: campaign's changes.
_SHIPPED: Mapping[str, Mapping[str, Row]] = {
    name: BOOK.by_key(name) for name in (*TABLE_WORDS, "samples")
}
TABLES: Mapping[str, tuple[Row, ...]] = {
    name: tuple(found.values()) for name, found in _SHIPPED.items()
}
#: A campaign without changed tables.
UNCHANGED = Table(options={})


# ---------------------------------------------------------------- tables at one campaign


def rows(table: Table, name: str) -> tuple[Row, ...]:
    """The rows of a table in this campaign, in order; KeyError for an unknown table.

    `own.data` holds a campaign's changes by table, row key and column. A new key adds a row; `gone`
    removes one (toaster.1.customisable).

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
    """The row with this key, or None."""
    if not edits(table).get(name):
        return _SHIPPED[name].get(key) if isinstance(key, str) else None
    return next((one for one in rows(table, name) if one["key"] == key), None)


def word_for(table: Table, name: str, rank: int, word: str = "word", low: str = "low") -> str:
    """The word of the last row that begins at or below this rank, or "".

    >>> word_for(Table(options={}), "trait_words", 3, low="rank")
    'Severe'
    """
    return str(next((one[word] for one in reversed(rows(table, name)) if one[low] <= rank), ""))


def find(table: Table, name: str, words: Json) -> Row | None:
    """The row with this key or name, ignoring case, spaces and hyphens, or None.

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
    """The campaign's changes by table, row key and column."""
    return part_of(table.own, "data")


# ---------------------------------------------------------------- records and words


def read_row(kind: type[T], line: Record, **known: Any) -> T:
    """Read a record into a dataclass; empty or wrongly typed cells become the default."""
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
    """Return the record with the fact at this path replaced.

    >>> with_fact({"a": {"b": 1}}, ("a", "c"), 2)
    {'a': {'b': 1, 'c': 2}}
    """
    key, *rest = path
    return {**facts, key: with_fact(part_of(facts, key), tuple(rest), now) if rest else now}
