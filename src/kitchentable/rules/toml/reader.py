"""Reads tables of a game's file: every value typed, every mistake with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from kitchentable.rules.toml.flaws import Flaw
from kitchentable.rules.toml.formula import BadFormula, Formula, parse_formula
from kitchentable.rules.toml.places import Place, Way, nearest

_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NOTHING = Formula("0", 0)


@dataclass(frozen=True, slots=True)
class Link:
    """A reference to a name that the file must define: `what` it names, and its place.

    `formula` is the text of the formula that uses the name. With `near` the closest name is
    suggested.
    """

    section: Section
    key: str
    name: str
    what: str
    formula: str = ""
    near: bool = True


@dataclass(slots=True)
class Flaws:
    """The mistakes found so far; reading goes on, so that an author sees all at once."""

    found: Mapping[Way, Place]
    lines: Sequence[str] = ()
    flaws: list[Flaw] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def add(
        self, way: Way, sentence: str, mend: str = "", *, word: str = "", at_key: bool = False
    ) -> None:
        """Add a mistake at this value, at a word in it, or at its key."""
        key = nearest(self.found, way)
        column = key.column if at_key else key.value or key.column
        line = self.lines[key.line - 1] if key.line <= len(self.lines) else ""
        if word and (at := line.find(word, column - 1)) >= 0:
            column = at + 1
        self.flaws.append(Flaw(Place(key.line, column), sentence, mend))


class Section:
    """One table of the file; keys that are never asked for are mistakes.

    Every method gives a value of the right type, even if the file has none or a wrong one: then the
    mistake is noted, and the game is not built.
    """

    def __init__(self, data: Mapping[str, Any], way: Way, flaws: Flaws) -> None:
        self.way = way
        self.flaws = flaws
        self._data = data
        self._asked: dict[str, None] = {}

    def _name(self) -> str:
        names = [str(one) for one in self.way if isinstance(one, str)]
        return f"[{'.'.join(names)}]" if names else "the file"

    def __contains__(self, key: object) -> bool:
        """Whether the file has this key; does not count as asking for it."""
        return key in self._data

    def has(self, key: str) -> bool:
        """Whether the file has this key."""
        self._asked[key] = None
        return key in self._data

    def wrong(
        self, key: str, sentence: str, mend: str = "", *, word: str = "", at_key: bool = False
    ) -> None:
        """Note a mistake at the value of this key, at a word in it, or at the key itself."""
        way = (*self.way, key) if key else self.way
        self.flaws.add(way, sentence, mend, word=word, at_key=at_key)

    def link(self, key: str, name: str, what: str, formula: str = "", *, near: bool = True) -> None:
        """Note a reference, to be checked once the whole file has been read."""
        self.flaws.links.append(Link(self, key, name, what, formula, near))

    def is_text(self, key: str) -> bool:
        """Whether the file has a text for this key."""
        return isinstance(self._data.get(key), str)

    def _get(self, key: str, kind: type | tuple[type, ...], word: str, default: Any) -> Any:
        if not self.has(key):
            if default is None:
                self.wrong("", f"{self._name()} has to say its {key}.", f"Add a line {key} = ...")
                return None
            return default
        value = self._data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.wrong(key, f"{key} is {word}, not {_short(value)}.")
            return None
        return value

    def text(self, key: str, default: str | None = None, longest: int = 4_000) -> str:
        """A text; required without a default."""
        value = self._get(key, str, 'text in quotes, such as "Wits"', default)
        if value is None:
            return ""
        if len(value) > longest:
            self.wrong(key, f"{key} has {len(value)} characters; {longest} is the most.")
        if any(not (c.isprintable() or c in "\n\t") for c in value):
            self.wrong(key, f"{key} has a character that cannot be seen.", "Type it anew.")
        if default is None and not value.strip():
            self.wrong(key, f"{key} is empty.", "Write a word or two.")
        return str(value).strip()

    def key(self, key: str = "key", default: str | None = None) -> str:
        """A key: small letters, digits and _, beginning with a letter."""
        value = self.text(key, default)
        if value and not _KEY.fullmatch(value):
            self.wrong(
                key,
                f"{value!r} cannot be a {key}: that is small letters, digits and _, "
                "and begins with a letter.",
                f'Write {key} = "{_as_key(value)}".',
            )
        return value

    def number(self, key: str, default: int | None = None, low: int = -999, high: int = 999) -> int:
        """A whole number within bounds."""
        value = self._get(key, int, "a whole number, without quotes", default)
        if value is None:
            return 0
        if not low <= value <= high:
            self.wrong(key, f"{key} goes from {low} to {high}, not {value}.")
        return int(value)

    def tick(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self._get(key, bool, "true or false, without quotes", default)
        return bool(value)

    def choice(self, key: str, among: Sequence[str], default: str | None = None) -> str:
        """One of these words."""
        value = self.text(key, default)
        if value and value not in among:
            self.wrong(key, f"{key} cannot be {value!r}.", closest(value, among))
            return among[0] if among else value
        return value

    def formula(self, key: str, default: str | int | None = None) -> Formula:
        """A formula: a number, or a text such as "2 + brawn"."""
        value = self._get(key, (int, str), 'a whole number or a sum such as "2 + wits"', default)
        return _NOTHING if value is None else self._formula(key, value)

    def formulas(self, key: str) -> tuple[Formula, ...]:
        """A list of formulas."""
        value = self._get(key, (list, int, str), 'a list such as ["trait", "bonus"]', [])
        many = value if isinstance(value, list) else [] if value is None else [value]
        return tuple(self._formula(key, one) for one in many)

    def marks(self, key: str) -> dict[str, Formula]:
        """A table from names to formulas, such as { wounds = 1 }."""
        value = self._get(key, dict, "a table such as { wounds = 1 }", {})
        return {name: self._formula(key, one) for name, one in (value or {}).items()}

    def _formula(self, key: str, value: Any) -> Formula:
        if isinstance(value, bool) or not isinstance(value, int | str):
            self.wrong(key, f"{key} takes whole numbers and sums in quotes, not {_short(value)}.")
            return _NOTHING
        try:
            return parse_formula(value)
        except BadFormula as error:
            self.wrong(key, f"{key}: {error}")
            return _NOTHING

    def _list(self, key: str, word: str, is_one: Callable[[Any], bool], of: str) -> tuple[Any, ...]:
        value = self._get(key, list, word, [])
        if not all(is_one(one) for one in value or ()):
            self.wrong(key, f"{key} is a list of {of}.")
            return ()
        return tuple(value or ())

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        word = 'a list of texts such as ["Ada", "Ben"]'
        return self._list(key, word, lambda one: isinstance(one, str), "texts, each in quotes")

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """A list of pairs of texts; required, and not empty."""
        word = 'a list of pairs such as [["gm", "the GM"]]'
        if self._get(key, list, word, None) is None:
            return ()
        found = self._list(key, word, _is_pair, "pairs of texts")
        if not self._data[key]:
            self.wrong(key, f"{key} is empty.", 'Write a pair such as ["gm", "the GM"].')
        return tuple((first, second) for first, second in found)

    def values(self, key: str) -> tuple[int | str, ...]:
        """A list of whole numbers and texts: the faces of a die."""
        word = 'a list such as [1, 2, 3, "star"]'
        return self._list(key, word, _is_face, "whole numbers and texts")

    def numbers(self, key: str) -> dict[str, int]:
        """A table from names to whole numbers."""
        value = self._get(key, dict, "a table such as { wits = 3 }", {})
        for name, one in (value or {}).items():
            if not _is_whole(one):
                self.wrong(key, f"{name} is a whole number, not {_short(one)}.", word=str(name))
        return {str(name): one for name, one in (value or {}).items() if _is_whole(one)}

    def texts(self, key: str) -> dict[str, str]:
        """A table from names to texts."""
        value = self._get(key, dict, 'a table such as { vow = "To go" }', {})
        return {str(name): str(one) for name, one in (value or {}).items()}

    def lists(self, key: str) -> dict[str, tuple[str, ...]]:
        """A table from names to lists of texts."""
        value = self._get(key, dict, 'a table such as { gear = ["Rope"] }', {})
        items = (value or {}).items()
        return {str(k): tuple(map(str, one)) for k, one in items if isinstance(one, list)}

    def section(self, key: str) -> Section | None:
        """A table below this one, or None."""
        if not self.has(key):
            return None
        value = self._data[key]
        if not isinstance(value, dict):
            self.wrong(key, f"{key} is a table of its own.", f"Write it as [{key}].")
            return None
        return Section(value, (*self.way, key), self.flaws)

    def sections(self, key: str) -> Iterator[Section]:
        """Every table of a list of tables, in order; each is closed after it was read."""
        if not self.has(key):
            return
        value = self._data[key]
        if not isinstance(value, list) or any(not isinstance(one, dict) for one in value):
            name = ".".join([*(str(one) for one in self.way if isinstance(one, str)), key])
            self.wrong(key, f"{key} can be there several times.", f"Write it as [[{name}]].")
            return
        for index, one in enumerate(value):
            section = Section(one, (*self.way, key, index), self.flaws)
            yield section
            section.close()

    def close(self) -> None:
        """Note a mistake for every key that was not asked for, such as a misspelt one."""
        for key in self._data:
            if key not in self._asked:
                mend = closest(key, list(self._asked))
                self.wrong(key, f"{self._name()} knows no {key!r}.", mend, at_key=True)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_face(value: Any) -> bool:
    return _is_whole(value) or isinstance(value, str)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(t, str) for t in value)


def _short(value: Any) -> str:
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 40 else f"{text[:37]}..."


def _as_key(text: str) -> str:
    found = re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_")
    return found if found[:1].isalpha() else f"k_{found}"


def closest(wrong: str, among: Sequence[str]) -> str:
    """The closest name and all known names, as a sentence."""
    near = get_close_matches(wrong, among, 1, 0.6)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    return f"{hint}There is: {', '.join(sorted(among))}."
