"""Lists that are options of a campaign: rows read as typed lines, each with a key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import lru_cache
from typing import Any, Generic, TypeVar

from kitchentable.rules.values import Json, Row

L = TypeVar("L")


class Lines(tuple[L, ...]):
    """The lines of a list, in order."""

    __slots__ = ()

    def find(self, word: Json) -> L | None:
        """The line with this key or name, ignoring case; None without one."""
        wanted = str(word or "").strip().casefold()
        lines: tuple[Any, ...] = self
        return next((o for o in lines if wanted in {o.key.casefold(), o.name.casefold()}), None)


class Listing(Generic[L]):
    """Reader of an option's rows as dataclasses that begin with a key and a name.

    The column "id" is the key. A row without one gets a key made from its name, or `blank` for a
    name without letters; `none`, which means no line, is never used as a key. An empty cell gets
    the dataclass's default. An attribute of `Settings` reads the option with the attribute's name.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Stat:
    ...     key: str
    ...     name: str
    ...     high: int = 10
    >>> stats = Listing(Stat)
    >>> stats([{"name": "Deep lore"}, {"id": "w", "name": "Will", "high": 5}])
    (Stat(key='deep-lore', name='Deep lore', high=10), Stat(key='w', name='Will', high=5))
    >>> stats([{"name": "Deep lore"}]).find("DEEP LORE").key
    'deep-lore'
    """

    def __init__(self, line: Callable[..., L], none: str = "none", blank: str = "it") -> None:
        self.line, self.none, self.blank = line, none, blank
        self.columns = [one.name for one in fields(line)][2:]  # type: ignore[arg-type]
        # Cached, because every form, sheet and roll of a table reads its list again.
        self._kept = lru_cache(maxsize=256)(self._read)

    def __set_name__(self, owner: type, name: str) -> None:
        self.option = name

    def __get__(self, options: Any, owner: type) -> Lines[L]:
        return self if options is None else self(options[self.option])  # type: ignore[return-value]

    def __call__(self, rows: Iterable[Row]) -> Lines[L]:
        names = ("id", "name", *self.columns)
        return self._kept(tuple(tuple(map(row.get, names)) for row in rows))

    def _read(self, rows: tuple[tuple[Any, ...], ...]) -> Lines[L]:
        taken, found = {self.none, *(key for key, *_ in rows)}, []
        for key, given, *cells in rows:
            name = given or ""
            known = key or fresh_key(name, taken, self.blank)
            taken.add(known)
            told = zip(self.columns, cells, strict=True)
            more = {column: cell for column, cell in told if cell is not None}
            found.append(self.line(known, name, **more))
        return Lines(found)


def name_of(key: str) -> str:
    """A name made from a key, for a line that is no longer on its list.

    >>> name_of("deep-lore")
    'Deep lore'
    """
    return key.replace("_", " ").replace("-", " ").capitalize()


def key_from(title: str) -> str:
    """A key of a game's file, made from a title: at most 40 characters, the first a letter.

    >>> key_from("Old Bram, the Cook"), key_from("3rd Guard")
    ('old_bram_the_cook', 'k_3rd_guard')
    """
    plain = re.sub(r"[^a-z0-9]+", "_", title.casefold()).strip("_") or "somebody"
    return (plain if plain[0].isalpha() else f"k_{plain}")[:40]


def fresh_key(name: str, taken: Iterable[str], blank: str = "it") -> str:
    """An unused key made from a name, or from `blank` for a name without letters.

    >>> fresh_key("Rope & hooks", {"rope-hooks"})
    'rope-hooks-2'
    """
    plain = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or blank
    key, number = plain, 2
    while key in taken:
        key, number = f"{plain}-{number}", number + 1
    return key
