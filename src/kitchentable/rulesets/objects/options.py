"""The types of the options; data.toml declares them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kitchentable.rules.kit import Rows, Values
from kitchentable.rules.kit.books import open_book
from kitchentable.rules.kit.settings import Settings

#: The book's files in this folder: tables, rulebook, golden playthrough.
BOOK = open_book("kitchentable.rulesets.objects")


@dataclass(frozen=True, slots=True)
class Type:
    """A type of object at this table: key, name, whether it has a will of its own."""

    key: str
    name: str
    hint: str = ""
    sentient: bool = False


@dataclass(frozen=True, slots=True)
class Basic:
    """A talent that all objects of a type have, so that they can be compared."""

    key: str
    name: str
    hint: str = ""
    rule: str = "objects.2.3-basic-talents"


class Options(Settings, options=BOOK.options):
    """The options that this code reads by name, with their types."""

    types: Rows
    basic_talents: Rows
    use_split: bool
    steps_in_order: bool
    story_sentences: int
    many_sixes: int
    basics_locked: bool
    suitable: str
    modifier_detail: str
    modifier_usual: int
    modifier_shown: str
    status_zero_asks: bool
    status_by: str
    karma_reroll: bool
    karma_gm: bool
    karma_start: int
    karma_cap: int | None
    gm_numbers: str
    house_rules: str


def slug(name: str) -> str:
    """A name as a key: lower case and dashes.

    >>> slug("Far-ranging, mostly")
    'far-ranging-mostly'
    """
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "nameless"


def types(options: Values) -> tuple[Type, ...]:
    """The table's types of object. A row without a key gets one from its name.

    >>> [one.key for one in types({"types": [{"name": "Giant robot"}]})]
    ['giant-robot']
    """
    return tuple(
        Type(
            row.get("id") or slug(row["name"]),
            row["name"],
            row.get("hint") or "",
            bool(row.get("sentient")),
        )
        for row in Options(options).types
    )


def type_of(options: Values, key: str) -> Type:
    """The type with this key; a removed type has its key as its name."""
    found = next((one for one in types(options) if one.key == key), None)
    return found or Type(key, key.replace("-", " ").capitalize())


def basics(options: Values, key: str) -> tuple[Basic, ...]:
    """The basic talents of a type; none without the split (objects.2.3-split-optional).

    The list names a type by its name or its key, ignoring case.
    """
    here = Options(options)
    if not here.use_split:
        return ()
    one = type_of(options, key)
    names = {one.key.casefold(), one.name.casefold()}
    return _basics(
        tuple(
            (row["talent"], row.get("hint") or "")
            for row in here.basic_talents or ()
            if str(row.get("type")).strip().casefold() in names
        )
    )


@lru_cache(maxsize=256)
def _basics(rows: tuple[tuple[str, str], ...]) -> tuple[Basic, ...]:
    found: dict[str, Basic] = {}
    for name, hint in rows:
        key = slug(name)
        rule = f"objects.2.3-bt-{key}"
        known = rule if rule in BOOK.rulebook else "objects.2.3-basic-talents"
        found.setdefault(key, Basic(key, name, hint, known))
    return tuple(found.values())
