"""Reading of a game's file: a class for each table, an annotation for each of its lines.

`read_table` reads each annotated attribute by its type. Formulas and keys of other tables are noted
as links and checked after the whole file has been read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, partial
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

from kitchentable.dice import NotationError
from kitchentable.dice.notation import compile_notation
from kitchentable.rules.kit.formula import (
    BadFormula,
    Bindings,
    Formula,
    fill,
    parse_formula,
    sums_of,
)
from kitchentable.rules.kit.listings import key_from
from kitchentable.rules.kit.places import Flaw, Place, Way, nearest
from kitchentable.rules.values import Row, Values, record

T = TypeVar("T", bound="Table")
#: A reader of one line, from the table, the line's name and its default (None: required).
Read = Callable[["Section", str, Any], Any]

_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")
#: Characters that lay out or join letters; texts in many languages need them.
_LAID_OUT = "\n\t\u00a0\u00ad\u2009\u200c\u200d\u202f"
#: Values tried for all names in dice notation; dice are valid if one of them can be thrown.
_TRIED = (1, 2, 5)


@record
class Link:
    """A reference to a name that the file must define.

    `what` is the kind of name, and `formula` the text of the formula that uses it.
    """

    section: Section
    key: str
    name: str
    what: str
    formula: str = ""


@dataclass(slots=True)
class Flaws:
    """The mistakes found so far; reading continues after one, so that authors see all of them."""

    found: Mapping[Way, Place]
    lines: Sequence[str] = ()
    flaws: list[Flaw] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    #: The number of values that could not be read.
    unreadable: int = 0

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
    """One table of the file; keys that are never read are mistakes.

    Every method returns a value of the right type. If the file has no value or a wrong one, the
    mistake is noted and the game is not built. A line without a default is required.
    """

    def __init__(self, data: Values, way: Way, flaws: Flaws) -> None:
        self.way, self.flaws, self.data = way, flaws, data
        self._read_keys: dict[str, None] = {}

    def _name(self, *key: str) -> str:
        """The header of the table, or of a table below it."""
        names = ".".join(one for one in (*self.way, *key) if isinstance(one, str))
        return f"[{names}]" if names else "the file"

    def has(self, key: str) -> bool:
        """Whether the file has this key."""
        self._read_keys[key] = None
        return key in self.data

    def wrong(
        self, key: str, sentence: str, mend: str = "", *, word: str = "", at_key: bool = False
    ) -> None:
        """Note a mistake at the value of this key, at a word in it, or at the key itself."""
        way = (*self.way, key) if key else self.way
        self.flaws.add(way, sentence, mend, word=word, at_key=at_key)

    def unreadable(self, key: str, sentence: str, word: str = "") -> None:
        """Note a value that cannot be read, so that mistakes caused by its absence are dropped."""
        self.flaws.unreadable += 1
        self.wrong(key, sentence, word=word)

    def linked(self, key: str, name: str, what: str, formula: str = "") -> str:
        """The name itself, noted as a link that the file must define."""
        self.flaws.links.append(Link(self, key, name, what, formula))
        return name

    def get(self, key: str, kind: type | tuple[type, ...], word: str, default: Any) -> Any:
        """The value of a key if it is of this kind, otherwise None; `word` names the kind."""
        if not self.has(key):
            if default is None:
                self.wrong("", f"{self._name()} needs the key {key!r}.", f"Add a line {key} = ...")
            return default
        value = self.data[key]
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return value
        self.unreadable(key, f"{key} must be {word}, not {_short(value)}.")
        return None

    def text(self, key: str, default: str | None = None, longest: int = 4_000) -> str:
        """A text."""
        value = self.get(key, str, 'text in quotes, such as "Wits"', default)
        if value is None:
            return ""
        if len(value) > longest:
            self.wrong(key, f"{key} has {len(value)} characters; at most {longest} are allowed.")
        if any(not (c.isprintable() or c in _LAID_OUT) for c in value):
            self.wrong(key, f"{key} has an invisible character.", "Type the text again.")
        if default is None and not value.strip():
            self.wrong(key, f"{key} is empty.", "Write a word or two.")
        return str(value).strip()

    def line(self, key: str, default: str | None = None) -> str:
        """A text of one line, such as a title; line breaks become spaces."""
        return " ".join(map(str.strip, self.text(key, default).splitlines()))

    def key(self, key: str = "key", default: str | None = None) -> str:
        """A key: small letters, digits and _, beginning with a letter."""
        value = self.text(key, default)
        if not value:
            self.flaws.unreadable += 1
        elif not _KEY.fullmatch(value):
            self.unreadable(
                key,
                f"{_short(value)} cannot be the {key}: use at most 40 small letters, digits and _, "
                f'and begin with a letter. Write {key} = "{key_from(value)}".',
            )
        return value

    def number(self, key: str, default: int | None = None, low: int = -999, high: int = 999) -> int:
        """A whole number within bounds."""
        value = self.get(key, int, "a whole number, without quotes", default)
        if value is not None and not low <= value <= high:
            self.wrong(key, f"{key} goes from {low} to {high}, not {value}.")
        return int(value or 0)

    def tick(self, key: str, default: bool | None) -> bool:
        """True or false."""
        return bool(self.get(key, bool, "true or false, without quotes", default))

    def choice(self, key: str, among: Sequence[str], default: str | None = None) -> str:
        """A word of this set; an empty text means the default."""
        value = self.text(key, default) or default or ""
        if value and value not in among:
            self.wrong(key, f"{key} cannot be {value!r}.", closest(value, among))
            return among[0] if among else value
        return value

    def formula(self, key: str, scope: str, value: Any) -> Formula:
        """A formula: a number, or a text such as "2 + brawn"; its names are noted as links."""
        try:
            if isinstance(value, int | str) and not isinstance(value, bool):
                return self.names(key, scope, parse_formula(value))
            words = "must be a whole number, or a sum in quotes, not"
            self.unreadable(key, f"{key} {words} {_short(value)}.")
        except BadFormula as error:
            self.unreadable(key, f"{key}: {error}")
        return parse_formula(0)

    def names(self, key: str, scope: str, found: Formula) -> Formula:
        """The formula itself, with its names noted as links into the set of names `scope`."""
        for name in sorted(found.names()):
            self.linked(key, name, scope, found.text)
        return found

    def section(self, key: str) -> Section | None:
        """A table below this one, or None."""
        if not self.has(key):
            return None
        if isinstance(self.data[key], dict):
            return Section(self.data[key], (*self.way, key), self.flaws)
        self.wrong(key, f"{key} must be a table.", f"Write it as [{key}].")
        return None

    def sections(self, key: str) -> Iterator[Section]:
        """Every table of a list of tables, in order; each is closed after it has been read."""
        value = self.data[key] if self.has(key) else []
        if not isinstance(value, list) or any(not isinstance(one, dict) for one in value):
            mend = f"Write it as [{self._name(key)}]."
            self.wrong(key, f"{key} must be a list of tables.", mend)
            return
        for index, one in enumerate(value):
            section = Section(one, (*self.way, key, index), self.flaws)
            yield section
            section.close()

    def close(self) -> None:
        """Note a mistake for every key that was not read, such as a misspelt one."""
        for key in self.data:
            if key not in self._read_keys:
                mend = closest(key, list(self._read_keys))
                self.wrong(key, f"{self._name()} has no key {key!r}.", mend, at_key=True)


def _short(value: Any) -> str:
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 40 else f"{text[:37]}..."


def closest(wrong: str, among: Sequence[str]) -> str:
    """A hint with the closest name and all known names."""
    if not among:
        return "This file has none."
    near = get_close_matches(wrong, among, 1, 0.6)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    return f"{hint}Choose from: {', '.join(sorted(among))}."


# ---------------------------------------------------------------- kinds of lines


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(word: str, fits: Callable[[Any], bool], of: str) -> Read:
    """A reader of a list of entries that all fit; mistakes call the entries `of`."""

    def read(one: Section, key: str, default: Any) -> tuple[Any, ...]:
        value = one.get(key, list, word, default) or ()
        if all(map(fits, value)):
            return tuple(value)
        one.unreadable(key, f"{key} must be a list of {of}.")
        return ()

    return read


def _table_of(
    example: str,
    made: Callable[[Any], Any] = lambda each: each,
    fits: Callable[[Any], bool] = lambda each: True,
    word: str = "",
) -> Read:
    """A reader of a table from names to values that all fit, each converted by `made`.

    `word` describes the values in mistakes.
    """

    def read(one: Section, key: str, default: Any) -> Row:
        found: Row = {}
        value = one.get(key, dict, f"a table such as {{ {example} }}", {}) or {}
        for name, each in value.items():
            if fits(each):
                found[str(name)] = made(each)
            else:
                one.unreadable(key, f"{name} must be {word}, not {_short(each)}.", name)
        return found

    return read


TEXTS = _list_of('a list of texts such as ["Ada", "Ben"]', _is_text, "texts, each in quotes")
PAIRS = _list_of(
    'a list of pairs such as [["gm", "the GM"]]',
    lambda one: isinstance(one, list) and len(one) == 2 and all(map(_is_text, one)),
    "pairs of texts",
)
_VALUES = _list_of(
    'a list such as [1, 2, 3, "star"]',
    lambda one: _is_whole(one) or _is_text(one),
    "whole numbers and texts",
)

#: The readers of plain types.
_PLAIN: Mapping[Any, Read] = {
    str: Section.text,
    int: Section.number,
    bool: Section.tick,
    tuple[str, ...]: TEXTS,
    tuple[int | str, ...]: _VALUES,
    tuple[int, ...]: _VALUES,
    Mapping[str, int]: _table_of("wits = 3", fits=_is_whole, word="a whole number"),
    Mapping[str, int | bool | str]: _table_of(
        "trait = 2",
        fits=lambda each: isinstance(each, int | str),
        word="a number, true or false, or a text",
    ),
    Mapping[str, str]: _table_of('vow = "To go"', str),
    Mapping[str, tuple[str, ...]]: _table_of(
        'gear = ["Rope"]',
        lambda each: tuple(map(str, each if isinstance(each, list) else [each])),
    ),
}
Key = Annotated[str, Section.key]
Line = Annotated[str, Section.line]


def within(low: int, high: int) -> Read:
    """A reader of a whole number within these bounds."""
    return lambda one, key, default: one.number(key, default, low, high)


# ---------------------------------------------------------------- lines that name others


def _formula(names: str, one: Section, key: str, default: Any) -> Formula:
    """A formula; `names` is the set of names that it may use."""
    value = one.get(key, (int, str), 'a whole number or a sum such as "2 + wits"', default)
    return one.formula(key, names, 0 if value is None else value)


def _formulas(names: str, one: Section, key: str, default: Any) -> tuple[Formula, ...]:
    """A list of formulas, or a single one."""
    value = one.get(key, (list, int, str), 'a list such as ["trait", "bonus"]', []) or []
    many = value if isinstance(value, list) else [value]
    return tuple(one.formula(key, names, each) for each in many)


def _marks(names: str, one: Section, key: str, default: Any) -> Row:
    """Marks on tracks: a formula for each, by the track's key."""
    found = _table_of("wounds = 1", partial(one.formula, key, names))(one, key, default)
    return {one.linked(key, track, "track"): formula for track, formula in found.items()}


def _key_of(what: str, one: Section, key: str, default: Any) -> str:
    """The key of another table of the file, or ""."""
    found = one.text(key, default)
    return one.linked(key, found, what) if found else ""


def _keys_of(what: str, one: Section, key: str, default: Any) -> tuple[str, ...]:
    """Keys of other tables of the file, from a list or a single key."""
    found = (one.text(key),) if _is_text(one.data.get(key)) else TEXTS(one, key, default)
    return tuple(one.linked(key, each, what) for each in found)


#: The readers of types annotated with the set of names that they may use.
_NAMING: Mapping[Any, Callable[[str, Section, str, Any], Any]] = {
    Formula: _formula,
    tuple[Formula, ...]: _formulas,
    Mapping[str, Formula]: _marks,
    str: _key_of,
    tuple[str, ...]: _keys_of,
}


def dice(scope: str) -> Read:
    """A reader of dice notation with sums in {= }, tried with a few values for all names.

    Without a `scope` sums are mistakes.
    """

    def read(one: Section, key: str, default: Any) -> str:
        found = one.text(key, default)
        try:
            sums = sums_of(found)
        except BadFormula as error:
            one.unreadable(key, f"{key}: {error}")
            return ""
        if sums and not scope:
            one.wrong(key, f"{key} cannot contain sums here.", "Write them into add = [...].")
            return found
        for each in sums:
            one.names(key, scope, each)
        names = {name for each in sums for name in each.names()}
        wrong = (
            [_notation_error(found, dict.fromkeys(names, worth)) for worth in _TRIED]
            if found
            else []
        )
        if wrong and all(wrong):
            one.wrong(key, f"{key} = {found!r} cannot be read: {wrong[0]}")
        return found

    return read


def _notation_error(found: str, names: Bindings) -> str:
    try:
        compile_notation(fill(found, names))
    except NotationError as error:
        return str(error)
    return ""


# ---------------------------------------------------------------- tables


class Many(tuple[T, ...]):
    """All tables with the same name in the file, in order."""

    __slots__ = ()

    def of(self, key: str) -> T:
        """The table with this key."""
        tables: tuple[Any, ...] = self
        found: T = next(one for one in tables if one.key == key)
        return found


class Table:
    """A table of the file: each annotation is a line, and a value in the class is its default.

    The line has the attribute's name, in the singular for `Many`. Other names are given as class
    arguments. `Annotated[Formula, "sheet"]` may use the names of that set, and `Annotated[str,
    "trait"]` is the key of a trait. `way` is the table's path in the file.
    """

    names: ClassVar[Mapping[str, str]] = {}
    way: ClassVar[Way] = ()

    def __init_subclass__(cls, **names: str) -> None:
        cls.names = names

    def __init__(self, **said: Any) -> None:
        vars(self).update(said)

    def check(self, one: Section) -> None:
        """Note mistakes between lines, and fill in lines that follow from others."""


def read_table(kind: type[T], one: Section) -> T:
    """A table of the file as a value of its class; mistakes are noted in `one`."""
    lines: Any = kind
    unreadable = one.flaws.unreadable
    said = {name: read(one, key, default) for name, key, read, default in lines_of(lines)}
    found = kind(way=one.way, **said)
    if one.flaws.unreadable == unreadable:
        found.check(one)
    return found


@cache
def lines_of(kind: Any) -> tuple[tuple[str, str, Read, Any], ...]:
    """The lines of a table: attribute, name in the file, reader and default."""
    found = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is not ClassVar:
            read = _reader(hint)
            key = kind.names.get(name) or (
                name.removesuffix("s") if get_origin(hint) is Many else name
            )
            found.append((name, key, read, getattr(kind, name, None)))
    return tuple(found)


def _reader(hint: Any) -> Read:
    """The reader of a line's type."""
    parts: Any = get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if get_origin(hint) is Annotated:
        of, how = parts
        found: Read = how if callable(how) else partial(_NAMING[of], how)
        return found
    if get_origin(hint) is Literal:
        return lambda one, key, default: one.choice(key, parts, default)
    if get_origin(hint) is Many:
        return lambda one, key, default: Many(
            read_table(parts[0], each) for each in one.sections(key)
        )
    if NoneType in parts:
        inner = _reader(parts[0])
        return lambda one, key, default: inner(one, key, None) if one.has(key) else None

    def below(one: Section, key: str, default: Any) -> Any:
        section = one.section(key)
        if section is None:
            return None
        found = read_table(hint, section)
        section.close()
        return found

    return below
