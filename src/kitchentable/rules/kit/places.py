"""Mistakes in a game's file, and the places of its keys by line and column.

The standard library's TOML reader does not report places. The text is known to be valid TOML, so
headers and keys can be found line by line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kitchentable.rules.errors import BadGame
from kitchentable.rules.values import record

#: The path to a value: keys, and numbers for the entries of lists.
Way = tuple[str | int, ...]

# No pattern is tried from many places in a line, because a line can be as long as a file.
_HEADER = re.compile(r"\s*+\[(\[)?(.+?)\]?\]\s*+(?:#.*)?$")
_QUOTED_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.?)*+"?|\'[^\']*+\'?|#.*')
_KEY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=""")
_NAME = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")
#: Quotes that open and close a value of several lines.
_QUOTES = ('"""', "'''")


@record
class Place:
    """A place in a text, counted from 1; for a key also the column of its `value`."""

    line: int
    column: int
    value: int = 0


def places(text: str) -> Mapping[Way, Place]:
    """The place of every table and key of a valid TOML text.

    >>> found = places('''
    ... [game]
    ... name = "coin"
    ... [[roll]]
    ... key = "a"
    ... [[roll]]
    ... key = "b"
    ... ''')
    >>> found[("roll", 1, "key")]
    Place(line=7, column=1, value=7)
    """
    found: dict[Way, Place] = {(): Place(1, 1)}
    counts: dict[Way, int] = {}
    here: Way = ()
    closing = ""
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        if depth > 0:
            depth += _brackets(line)
            continue
        header = _HEADER.match(line)
        if header is not None and not _KEY.match(line):
            here = _table_way(_names(header[2]), bool(header[1]), counts)
            found.setdefault(here, Place(number, 1 + line.index("[")))
            continue
        key = _KEY.match(line)
        if key is None:
            continue
        names = _names(key[1])
        value = line[key.end() :]
        begins = 1 + len(line) - len(value.lstrip())
        found[(*here, *names)] = Place(number, 1 + len(line) - len(line.lstrip()), begins)
        closing = next((q for q in _QUOTES if value.count(q) % 2), "")
        depth = 0 if closing else _brackets(value)
    return found


def nearest(found: Mapping[Way, Place], way: Way) -> Place:
    """The place of a value, or of the closest enclosing table that has a place."""
    around = (way[:length] for length in range(len(way), -1, -1))
    # A list of tables has no place of its own, so its first entry's place is used.
    return next(found[one] for up in around for one in (up, (*up, 0)) if one in found)


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in _NAME.findall(dotted))


def _table_way(names: tuple[str, ...], listed: bool, counts: dict[Way, int]) -> Way:
    """The path of a header; for lists of tables, the path of the last entry."""
    way: Way = ()
    for index, name in enumerate(names):
        way = (*way, name)
        if listed and index == len(names) - 1:
            counts[way] = counts.get(way, -1) + 1
        if way in counts:
            way = (*way, counts[way])
    return way


def _brackets(line: str) -> int:
    """The number of brackets that a line opens and does not close, outside of quotes."""
    bare = _QUOTED_OR_COMMENT.sub("", line)
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")


# ---------------------------------------------------------------- mistakes


@record
class Flaw:
    """One mistake in a file: its place, a sentence, and the correction.

    >>> print(Flaw(Place(3, 1), "points must be a whole number, not 'many'.", "Write points = 8."))
    line 3, column 1: points must be a whole number, not 'many'. Write points = 8.
    """

    place: Place
    sentence: str
    mend: str = ""

    def __str__(self) -> str:
        mend = f" {self.mend}" if self.mend else ""
        return f"line {self.place.line}, column {self.place.column}: {self.sentence}{mend}"


class BadFile(BadGame):
    """The error for a game's file with mistakes, which `flaws` lists."""

    def __init__(self, name: str, flaws: Sequence[Flaw]) -> None:
        told = sorted(flaws, key=lambda one: (one.place.line, one.place.column))
        words = "\n".join(f"{name}, {flaw}" for flaw in told)
        super().__init__(words, code="game/bad-file")
        self.flaws = tuple(told)
