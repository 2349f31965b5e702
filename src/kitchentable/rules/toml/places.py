"""Where each key of a TOML text stands, so that a mistake can be shown by line and column.

The standard library reads TOML but forgets the places. The text has been read without an error
when it comes here, so that headers and keys can be found line by line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: The way to a value: keys, and numbers for the entries of lists.
Way = tuple[str | int, ...]

# Nothing here is tried from many places of a line, so that one line may be as long as a file.
_HEADER = re.compile(r"\s*+\[(\[)?(.+?)\]?\]\s*+(?:#.*)?$")
_BESIDE = re.compile(r'"(?:[^"\\]|\\.?)*+"?|\'[^\']*+\'?|#.*')
_KEY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=""")
_NAME = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")
#: What opens and closes a value that goes on over lines.
_QUOTES = ('"""', "'''")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text, counted from 1; of a key also the column of its `value`."""

    line: int
    column: int
    value: int = 0


START = Place(1, 1)


def places(text: str) -> Mapping[Way, Place]:
    """The place of every table and key of a TOML text that reads without an error.

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
    found: dict[Way, Place] = {(): START}
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
            here = _opened(_names(header[2]), bool(header[1]), counts)
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
    """The place of a value, or of the closest thing around it that has one."""
    for length in range(len(way), -1, -1):
        # A list of tables has no place of its own; it begins where its first entry does.
        for one in (way[:length], (*way[:length], 0)):
            if one in found:
                return found[one]
    return START


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in _NAME.findall(dotted))


def _opened(names: tuple[str, ...], listed: bool, counts: dict[Way, int]) -> Way:
    """The way that a header leads to: below lists, to the entry that was opened last."""
    way: Way = ()
    for index, name in enumerate(names):
        way = (*way, name)
        last = index == len(names) - 1
        if last and listed:
            counts[way] = counts.get(way, -1) + 1
            for deeper in [one for one in counts if len(one) > len(way) and one[: len(way)] == way]:
                if len(deeper) > len(way) and deeper[len(way)] == counts[way]:
                    del counts[deeper]
        if way in counts:
            way = (*way, counts[way])
    return way


def _brackets(line: str) -> int:
    """How many more brackets a line opens than it closes, those in quotes not counted."""
    bare = _BESIDE.sub("", line)
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")
