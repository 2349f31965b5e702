"""The kinds of attributes that a class for a table of a game's file can have.

`read_table` asks a table for every declared attribute. Formulas and keys of other tables are noted,
and checked once the whole file has been read (`check_links`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import Field, field, fields
from functools import partial
from typing import Any, TypeVar

from kitchentable.dice import NotationError
from kitchentable.dice.notation import compile_notation
from kitchentable.rules.toml.formula import BadFormula, Formula, fill, sums_of
from kitchentable.rules.toml.reader import Link, Section, closest

T = TypeVar("T")
#: Dice are tried with each of these values for all names; one that can be thrown is enough.
_TRIED = (1, 2, 5)
#: Reads the value of an attribute from its table, by its name in the file.
Read = Callable[[Section, str], Any]


def part(read: Read, name: str = "", told: str = "") -> Any:
    """An attribute with its reader; `name` is its name in the file if that differs.

    `told` is the beginning of a sentence, such as "The lowest level of", for the comparison of two
    versions.
    """
    return field(metadata={"read": read, "name": name, "told": told})


def read_table(kind: type[T], one: Section) -> T:
    """A table of the file as a value of its class. Mistakes are noted in the table.

    A class may have a method `checked`, which notes mistakes between attributes and gives the value
    to use.
    """
    said = {name: read(one, named) for name, named, read in _parts(kind)}
    found = kind(**said)
    checked = getattr(found, "checked", None)
    return checked(one) if checked is not None else found


def _parts(kind: Any) -> Sequence[tuple[str, str, Read]]:
    return [
        (each.name, each.metadata["name"] or each.name, each.metadata["read"])
        for each in fields(kind)
        if "read" in each.metadata
    ]


def names_of(kind: type) -> tuple[str, ...]:
    """The names in the file of this class's attributes."""
    return tuple(named for _, named, _ in _parts(kind))


def told_parts(one: Any) -> Sequence[tuple[str, Any]]:
    """The attributes compared between versions: the sentence's beginning, and the value."""
    every: tuple[Field[Any], ...] = fields(one)
    return [
        (each.metadata["told"], getattr(one, each.name))
        for each in every
        if each.metadata.get("told")
    ]


# ---------------------------------------------------------------- kinds of attributes


def key(name: str = "key") -> Any:
    """The short name of a table."""
    return part(lambda one, named: one.key(named), name)


def text(default: str | None = None, name: str = "", told: str = "") -> Any:
    """A text; required without a default."""
    return part(lambda one, named: one.text(named, default), name, told)


def number(default: int | None, low: int = -999, high: int = 999, told: str = "") -> Any:
    """A whole number within bounds."""
    return part(lambda one, named: one.number(named, default, low, high), "", told)


def maybe_number() -> Any:
    """A whole number, or None if the file has none."""
    return part(lambda one, named: one.number(named) if one.has(named) else None)


def tick(default: bool, told: str = "") -> Any:
    """True or false."""
    return part(lambda one, named: one.tick(named, default), "", told)


def choice(among: Sequence[str], default: str, told: str = "") -> Any:
    """One of these words."""
    return part(lambda one, named: one.choice(named, among, default), "", told)


def words() -> Any:
    """A list of texts."""
    return part(lambda one, named: one.words(named))


def values() -> Any:
    """A list of whole numbers and texts."""
    return part(lambda one, named: one.values(named))


def numbers(name: str = "") -> Any:
    """A table from names to whole numbers."""
    return part(lambda one, named: one.numbers(named), name)


def formula(scope: str, default: str | int | None = None, told: str = "") -> Any:
    """A formula; `scope` is the set of names that it may use."""

    def read(one: Section, named: str) -> Formula:
        return _noted(one, named, one.formula(named, default), scope)

    return part(read, "", told)


def maybe_formula(scope: str, told: str = "") -> Any:
    """A formula, or None if the file has none."""

    def read(one: Section, named: str) -> Formula | None:
        return _noted(one, named, one.formula(named), scope) if one.has(named) else None

    return part(read, "", told)


def formulas(scope: str) -> Any:
    """A list of formulas."""

    def read(one: Section, named: str) -> tuple[Formula, ...]:
        return tuple(_noted(one, named, each, scope) for each in one.formulas(named))

    return part(read)


def dice(scope: str, default: str | None = None, told: str = "") -> Any:
    """Dice notation with sums in {= }, tried with a few values for all names."""

    def read(one: Section, named: str) -> str:
        found = one.text(named, default)
        try:
            names = {name for each in sums_of(found) for name in each.names()}
        except BadFormula as error:
            one.wrong(named, f"{named}: {error}")
            return ""
        for each in sums_of(found):
            _noted(one, named, each, scope)
        wrong = [_misread(found, dict.fromkeys(names, worth)) for worth in _TRIED] if found else []
        if wrong and all(wrong):
            one.wrong(named, f"{named} = {found!r} cannot be read: {wrong[0]}")
        return found

    return part(read, "", told)


def _misread(found: str, names: Mapping[str, int]) -> str:
    try:
        compile_notation(fill(found, names))
    except NotationError as error:
        return str(error)
    return ""


def marks(scope: str, told: str = "") -> Any:
    """Marks on tracks: a formula for each, by the track's key."""

    def read(one: Section, named: str) -> dict[str, Formula]:
        found = one.marks(named)
        for track, each in found.items():
            one.link(named, track, "track", near=False)
            _noted(one, named, each, scope)
        return found

    return part(read, "", told)


def link(what: str, name: str = "", told: str = "") -> Any:
    """The key of another table of the file; "" for none."""

    def read(one: Section, named: str) -> str:
        found = one.text(named, "")
        if found:
            one.link(named, found, what)
        return found

    return part(read, name, told)


def links(what: str, told: str = "") -> Any:
    """Keys of other tables of the file, as a list or a single key."""

    def read(one: Section, named: str) -> tuple[str, ...]:
        found: tuple[str, ...] = (one.text(named),) if one.is_text(named) else one.words(named)
        for each in found:
            one.link(named, each, what, near=what != "track")
        return found

    return part(read, "", told)


def many(kind: type, name: str) -> Any:
    """All tables of a list of tables."""
    return part(
        lambda one, named: tuple(read_table(kind, each) for each in one.sections(named)), name
    )


def maybe(kind: type, name: str = "") -> Any:
    """A table within this one, or None."""

    def read(one: Section, named: str) -> Any:
        below = one.section(named)
        if below is None:
            return None
        found: Any = read_table(kind, below)
        below.close()
        return found

    return part(read, name)


def _noted(one: Section, named: str, found: Formula, scope: str) -> Formula:
    for asked in sorted(found.names()):
        one.link(named, asked, scope, found.text)
    return found


# ---------------------------------------------------------------- references


def check_links(links: Sequence[Link], known: Callable[[Link], Collection[str]]) -> None:
    """Note a mistake for every unknown name; `known` gives the names by kind."""
    for one in links:
        there = sorted(known(one))
        if one.name in there:
            continue
        wrong = partial(one.section.wrong, one.key, word=one.name)
        has = f"There is: {', '.join(there) or 'none'}."
        if one.formula:
            wrong(f"{one.formula!r} asks for {one.name!r}, which no number here is called.", has)
        elif not one.near:
            words = f"{one.key} names {one.name!r}, which is no {one.what}."
            wrong(words, f"The [[{one.what}]] of this file: {', '.join(there) or 'none'}.")
        elif one.what == "die":
            has = f"The [[die]] of this file: {', '.join(there) or 'none'}."
            wrong(f"There is no die {one.name!r}.", has)
        elif one.what in {"rule", "chapter", "kind"}:
            wrong(f"There is no {one.what} {one.name!r}.", has)
        elif not there:
            wrong(f"{one.key} names something that this file does not have.")
        else:
            wrong(f"{one.key} names {one.name!r}, which is not there.", closest(one.name, there))
