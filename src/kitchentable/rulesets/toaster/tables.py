"""The tables as they hold at one campaign: the book's, with what its GM has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Json, Table
from kitchentable.rulesets.toaster.book import TABLES, Record, Row

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
