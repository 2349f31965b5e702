"""Attributes: the table's list, ranks with what traits change, what reads them, and averages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    Entity,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import TABLES, Row
from kitchentable.rulesets.toaster.character.traits import aspect_change, attribute_change
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.tables import row, rows, word_for


def average(first: int, second: int) -> int:
    """Half of both together, whatever is behind the decimal point dropped.

    toaster.1.average; dropping the decimals of a negative number takes it towards zero
    (toaster.1.average-negative, A-01).

    >>> average(5, 8), average(6, 9), average(0, 1), average(-1, 0), average(-3, 0)
    (6, 7, 0, 0, -1)
    """
    return halved(first + second)


def halved(total: int) -> int:
    """Half of a sum, truncated towards zero: of many kinds of armor, all are added first.

    >>> halved(5 + 4 + 5), halved(-3)
    (7, -1)
    """
    return total // 2 if total >= 0 else -(-total // 2)


_OF_THE_BOOK = frozenset(one["key"] for one in TABLES["attributes"])


def attributes(table: Table) -> tuple[Row, ...]:
    """The attributes at this table: the four, under the names they have here, and further ones.

    toaster.2.attributes-four, toaster.2.attributes-changeable. Attributes beyond the book's are
    there while the optional rule is on (toaster.2.option-extra-attributes,
    toaster.2.option-split-attributes).
    """
    more = Options(table.options).other_attributes
    return tuple(one for one in rows(table, "attributes") if more or one["key"] in _OF_THE_BOOK)


def attribute_name(table: Table, key: str) -> str:
    """What an attribute, or a part of one, is called at this table."""
    found = row(table, "attributes", key) or row(table, "aspects", key)
    return str(found["name"]) if found else key


def bought(entity: Entity, key: str) -> int:
    """The rank as it was bought, before traits; 0 where the sheet has none."""
    ranks: Any = entity.sheet.get("attributes")
    return whole(ranks.get(key)) if isinstance(ranks, Mapping) else 0


def attribute(table: Table, entity: Entity, key: str, *aspects: str) -> int:
    """Somebody's rank in an attribute, traits applied; with a part of it, the rank for that part.

    toaster.2.trait-attribute-whole, toaster.2.trait-attribute-sub.

    >>> strong = {"id": "t1", "kind": "attributes", "of": "strength", "rank": 2}
    >>> one = Entity("e", "E", "pc", "gm", {"attributes": {"physique": 5}, "traits": [strong]}, {})
    >>> attribute(Table(options={}), one, "physique"), attribute(
    ...     Table(options={}), one, "physique", "strength")
    (5, 7)
    """
    rank = bought(entity, key) + attribute_change(table, entity, key)
    return rank + sum(aspect_change(table, entity, aspect) for aspect in aspects if aspect)


def attribute_for(table: Table, entity: Entity, use: str) -> int:
    """The rank that a formula reads: "muscle", "armour", "health", "will", "luck" and so on.

    A part of an attribute counts in the formula it feeds and nowhere else
    (toaster.2.trait-attribute-sub-skill, A-14).
    """
    found = row(table, "uses", use)
    if found is None:
        raise KeyError(use)
    feeding = [str(one["key"]) for one in rows(table, "aspects") if one.get("feeds") == use]
    return attribute(table, entity, str(found["attribute"]), *feeding)


def attribute_word(table: Table, rank: int) -> str:
    """The word for a rank: Average, Great, Superhuman (toaster.2.attribute-descriptors).

    >>> [attribute_word(Table(options={}), rank) for rank in (3, 10, 15)]
    ['Mediocre', 'Legendary', 'Superhuman']
    """
    return word_for(table, "attribute_words", max(rank, 0))
