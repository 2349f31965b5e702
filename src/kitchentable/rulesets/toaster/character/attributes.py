"""Attributes with what traits change, and the numbers that follow: classes, thresholds, luck."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from kitchentable.rules import (
    Change,
    Entity,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import TABLES, Row, row, rows, word_for
from kitchentable.rulesets.toaster.character.gear import Weapon, armour
from kitchentable.rulesets.toaster.character.people import numbers_known
from kitchentable.rulesets.toaster.character.traits import aspect_change, attribute_change, size
from kitchentable.rulesets.toaster.options import Options


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


# ---------------------------------------------------------------- classes, thresholds, luck


def armour_class(
    table: Table, entity: Entity, area: str | None = None, *, body_only: bool = False
) -> int:
    """What somebody stops before the die: Physique and all protection added, then halved once.

    toaster.4.ac-formula, toaster.4.ac-innate. With an `area`, only what covers it counts
    (toaster.4.partial-ac). Toughness bought beside a size counts in it
    (toaster.2.trait-size-physique). With `body_only` nothing but Physique does, not even a thick
    hide (A-50).
    """
    body = attribute_for(table, entity, "armour")
    if body_only:
        return halved(body)
    worn = sum(
        one.ac
        for one in armour(table, entity)
        if one.worn and (not area or not one.areas or _plain(area) in map(_plain, one.areas))
    )
    return halved(body + whole(entity.sheet.get("hide")) + worn)


def _plain(area: str) -> str:
    """Areas are the same however they are written: "Head/Neck" is "head-neck"."""
    return re.sub(r"[\W_]+", "-", area.casefold()).strip("-")


def weapon_class(table: Table, entity: Entity, weapon: Weapon) -> int:
    """What a weapon deals in this hand before the die.

    Where muscle drives it, its class and the wielder's strength are averaged; a gun shoots as
    hard for everybody.

    >>> club = Weapon("w1", "Club", 6, muscle=True)
    >>> one = Entity("e", "E", "pc", "gm", {"attributes": {"physique": 5}}, {})
    >>> weapon_class(Table(options={}), one, club)
    5
    """
    if not weapon.muscle:
        return weapon.wc
    return average(weapon.wc, attribute_for(table, entity, "muscle"))


def thresholds(table: Table, entity: Entity) -> tuple[int, int]:
    """How much stun makes a degree, and how much damage a wound: (5, 5) for an average body.

    The GM's own numbers on the sheet come first; else the size decides.
    """
    own: Any = entity.sheet.get("thresholds")
    stun, wound = thresholds_of_size(table, size(entity))
    if isinstance(own, Mapping):
        stun, wound = whole(own.get("stun")) or stun, whole(own.get("wound")) or wound
    return stun, wound


def thresholds_of_size(table: Table, rank: int) -> tuple[int, int]:
    """The thresholds of a physical size (toaster.2.trait-size-thresholds).

    Odd sizes have no row: stun moves at any size but 0, wounds only at the outermost rows
    (toaster.2.trait-size-odd, A-15), or what the option `size_odd` says. Beyond the last row the
    thresholds stay, or go on growing (toaster.2.trait-size-extremes, A-16).

    >>> here = Table(options={})
    >>> thresholds_of_size(here, 1), thresholds_of_size(here, -4), thresholds_of_size(here, 10)
    ((6, 5), (4, 4), (6, 6))
    """
    printed = {one["size"]: (whole(one["stun"]), whole(one["wound"])) for one in _sizes(table)}
    outermost = max(printed) if rank > 0 else min(printed)
    if abs(rank) > abs(outermost):
        return _beyond(table, rank, outermost, printed[outermost])
    if rank in printed:
        return printed[rank]
    side = 1 if rank > 0 else -1
    inner = max((one for one in printed if 0 <= one * side < rank * side), key=abs)
    outer = min((one for one in printed if one * side > rank * side), key=abs)
    reading = Options(table.options).size_odd
    if reading == "toward-zero":
        return printed[inner]
    if reading == "away-from-zero":
        return printed[outer]
    return printed[outer][0], printed[inner][1]


def _beyond(table: Table, rank: int, outermost: int, last: tuple[int, int]) -> tuple[int, int]:
    """Two ranks further one threshold moves, the stun threshold first, then the other."""
    if not Options(table.options).size_grows:
        return last
    steps = (abs(rank) - abs(outermost)) // 2
    side = 1 if rank > 0 else -1
    stun, wound = last
    return stun + side * ((steps + 1) // 2), wound + side * (steps // 2)


def _sizes(table: Table) -> tuple[Row, ...]:
    return rows(table, "thresholds")


def luck_at_start(table: Table, entity: Entity) -> int:
    """The luck points somebody begins an adventure with: the Aura, scaled as the table likes.

    toaster.3.luck-start, toaster.3.luck-scale.
    """
    aura = attribute_for(table, entity, "luck")
    options = Options(table.options)
    return max(0, aura * options.luck_multiplier + options.luck_offset)


def initiative_bonus(table: Table, entity: Entity) -> int:
    """What is added to the d10 of initiative: Coordination."""
    return attribute_for(table, entity, "initiative")


def luck_left(table: Table, entity: Entity) -> int:
    """The luck that somebody has, as points or as what luck rolls have left."""
    left = entity.state.get("luck")
    if isinstance(left, int) and not isinstance(left, bool):
        return left
    return luck_at_start(table, entity)


def uses_luck(table: Table) -> bool:
    """Whether luck can go down at all at this table."""
    options = Options(table.options)
    return options.luck_points or bool(options.luck_rolls and options.luck_roll_cost)


def luck_back(table: Table, people: Iterable[Entity], when: str) -> tuple[Change, ...]:
    """Everybody's luck as it was at the start, where the table has it come back then.

    `when` is "next-adventure" or "session" (toaster.3.luck-return). Nobody loses what lies above.
    """
    if not uses_luck(table) or Options(table.options).luck_return != when:
        return ()
    return tuple(
        Change(("entities", one.id, "state", "luck"), luck_at_start(table, one))
        for one in people
        if numbers_known(one) and luck_left(table, one) < luck_at_start(table, one)
    )
