"""Attributes with what traits change, and the numbers that follow: classes, thresholds, luck."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Choice, Table, whole
from kitchentable.rulesets.toaster.book import TABLES, Choices, Row, row, rows, word_for
from kitchentable.rulesets.toaster.character.gear import Equipped, Weapon
from kitchentable.rulesets.toaster.character.traits import RANKS_PER_ATTRIBUTE, SIZE
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


def attributes(table: Table) -> list[Row]:
    """The attributes at this table: the four, under the names they have here, and further ones.

    toaster.2.attributes-four, toaster.2.attributes-changeable. Attributes beyond the book's are
    there while the optional rule is on (toaster.2.option-extra-attributes,
    toaster.2.option-split-attributes).
    """
    more = Options(table.options).other_attributes
    return [one for one in rows(table, "attributes") if more or one["key"] in _OF_THE_BOOK]


def attribute_name(table: Table, key: str) -> str:
    """What an attribute, or a part of one, is called at this table."""
    found = row(table, "attributes", key) or row(table, "aspects", key)
    return str(found["name"]) if found else key


def attribute_names(table: Table) -> dict[str, str]:
    """The names of this table's attributes by their keys."""
    return {one["key"]: one["name"] for one in attributes(table)}


def attribute_word(table: Table, rank: int) -> str:
    """The word for a rank: Average, Great, Superhuman (toaster.2.attribute-descriptors).

    >>> [attribute_word(Table(options={}), rank) for rank in (3, 10, 15)]
    ['Mediocre', 'Legendary', 'Superhuman']
    """
    return word_for(table, "attribute_words", max(rank, 0))


class Able(Equipped):
    """Somebody with attributes, and with what follows from them."""

    def bought(self, key: str) -> int:
        """The rank as it was bought, before traits; 0 where the sheet has none."""
        ranks: Any = self.entity.sheet.get("attributes")
        return whole(ranks.get(key)) if self.is_known else 0

    def attribute(self, key: str, *aspects: str) -> int:
        """The rank in an attribute, traits applied; with a part of it, the rank for that part.

        A trait changes a whole attribute by 1 for every two ranks, toward zero, and a part of one
        by 1 for each rank. toaster.2.trait-attribute-whole, toaster.2.trait-attribute-sub,
        toaster.2.trait-attribute-timing.

        >>> from kitchentable.rules import Entity
        >>> strong = {"id": "t1", "kind": "attributes", "of": "strength", "rank": 2}
        >>> sheet = {"attributes": {"physique": 5}, "traits": [strong]}
        >>> one = Able(Table(options={}), Entity("e", "E", "pc", "gm", sheet, {}))
        >>> one.attribute("physique"), one.attribute("physique", "strength")
        (5, 7)
        """
        changes = [
            int(one.rank / RANKS_PER_ATTRIBUTE) for one in self.changed_by("attributes", key)
        ]
        for aspect in filter(None, aspects):
            changes += [one.rank for one in self.changed_by("aspects", aspect)]
        return self.bought(key) + sum(changes)

    def attribute_for(self, use: str) -> int:
        """The rank that a formula reads: "muscle", "armour", "health", "will", "luck" and so on.

        A part of an attribute counts in the formula it feeds and nowhere else
        (toaster.2.trait-attribute-sub-skill, A-14).
        """
        found = row(self.table, "uses", use)
        if found is None:
            raise KeyError(use)
        feeding = (one["key"] for one in rows(self.table, "aspects") if one.get("feeds") == use)
        return self.attribute(found["attribute"], *feeding)

    # ------------------------------------------------------------ classes, thresholds, luck

    def armor_class(self, area: str = "", *, body_only: bool = False) -> int:
        """What somebody stops before the die: Physique and all protection added, then halved once.

        toaster.4.ac-formula, toaster.4.ac-innate. With an `area`, only what covers it counts
        (toaster.4.partial-ac). Toughness bought beside a size counts in it
        (toaster.2.trait-size-physique). With `body_only` nothing but Physique does, not even a
        thick hide (A-50).
        """
        total, place = self.attribute_for("armour"), area_key(area)
        if not body_only:
            total += whole(self.entity.sheet.get("hide"))
            total += sum(
                one.ac
                for one in self.worn
                if not place or not one.areas or place in map(area_key, one.areas)
            )
        return halved(total)

    def weapon_class(self, weapon: Weapon) -> int:
        """What a weapon deals in this hand before the die.

        Where muscle drives it, its class and the wielder's strength are averaged; a gun shoots as
        hard for everybody.

        >>> from kitchentable.rules import Entity
        >>> sheet = {"attributes": {"physique": 5}}
        >>> one = Able(Table(options={}), Entity("e", "E", "pc", "gm", sheet, {}))
        >>> one.weapon_class(Weapon("w1", "Club", 6, muscle=True))
        5
        """
        return average(weapon.wc, self.attribute_for("muscle")) if weapon.muscle else weapon.wc

    @property
    def thresholds(self) -> tuple[int, int]:
        """How much stun makes a degree, and how much damage a wound: (5, 5) for an average body.

        The GM's own numbers on the sheet come first; else the size decides.
        """
        stun, wound = thresholds_of_size(self.table, self.ranks_of(SIZE))
        said = self.entity.sheet.get("thresholds")
        own = said if isinstance(said, Mapping) else {}
        return whole(own.get("stun")) or stun, whole(own.get("wound")) or wound

    @property
    def initiative_bonus(self) -> int:
        """What is added to the d10 of initiative: Coordination."""
        return self.attribute_for("initiative")

    @property
    def luck_at_start(self) -> int:
        """The luck points somebody begins an adventure with: the Aura, as the table scales it.

        toaster.3.luck-start, toaster.3.luck-scale.
        """
        options = self.options
        return max(0, self.attribute_for("luck") * options.luck_multiplier + options.luck_offset)

    @property
    def luck_left(self) -> int:
        """The luck that somebody has, as points or as what luck rolls have left."""
        return whole(self.entity.state.get("luck"), self.luck_at_start)


def attribute_choices(table: Table, one: Able | None = None) -> Choices:
    """Attributes to pick from, with ranks where they may be seen."""
    known = one if one is not None and one.is_known else None
    return tuple(
        Choice(
            each["key"],
            f"{each['name']} {known.attribute(each['key'])}" if known else each["name"],
            each.get("covers") or "",
        )
        for each in attributes(table)
    )


def area_key(name: str) -> str:
    """An area of the body as it is kept, however it is written.

    >>> area_key("Left Arm"), area_key("Head/Neck")
    ('left-arm', 'head-neck')
    """
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def thresholds_of_size(table: Table, rank: int) -> tuple[int, int]:
    """The thresholds of a physical size (toaster.2.trait-size-thresholds).

    Odd sizes have no row: stun moves at any size but 0, wounds only at the outermost rows
    (toaster.2.trait-size-odd, A-15), or what the option `size_odd` says. Beyond the last row the
    thresholds stay, or go on growing (toaster.2.trait-size-extremes, A-16).

    >>> here = Table(options={})
    >>> thresholds_of_size(here, 1), thresholds_of_size(here, -4), thresholds_of_size(here, 10)
    ((6, 5), (4, 4), (6, 6))
    """
    sizes = rows(table, "thresholds")
    printed = {one["size"]: (whole(one["stun"]), whole(one["wound"])) for one in sizes}
    options, side = Options(table.options), 1 if rank > 0 else -1
    outermost = max(printed, key=lambda one: one * side)
    further = (rank - outermost) * side
    if further > 0:
        # Two ranks further one threshold moves, the stun threshold first, then the other.
        steps = further // 2 if options.size_grows else 0
        stun, wound = printed[outermost]
        return stun + side * ((steps + 1) // 2), wound + side * (steps // 2)
    if rank in printed:
        return printed[rank]
    inner = max((one for one in printed if 0 <= one * side < rank * side), key=abs)
    outer = min((one for one in printed if one * side > rank * side), key=abs)
    if options.size_odd == "toward-zero":
        return printed[inner]
    if options.size_odd == "away-from-zero":
        return printed[outer]
    return printed[outer][0], printed[inner][1]


def uses_luck(table: Table) -> bool:
    """Whether luck can go down at all at this table."""
    options = Options(table.options)
    return options.luck_points or bool(options.luck_rolls and options.luck_roll_cost)
