"""Weapons, armor, attributes, and derived numbers: classes, thresholds, luck."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from kitchentable.rules import Choice, Json, Table, whole
from kitchentable.rules.facts import part_of
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import (
    TABLES,
    Choices,
    Record,
    Row,
    Words,
    read_row,
    row,
    rows,
    word_for,
)
from kitchentable.rulesets.toaster.character.traits import RANKS_PER_ATTRIBUTE, SIZE, Traited
from kitchentable.rulesets.toaster.options import Options

#: The natural weapons (keys of the table of weapons).
BARE = ("bare-fist", "kick")


@record
class Weapon:
    """A character's weapon.

    `like` is the key of its row in the table of weapons, or "". `skill` is the key of its skill:
    "weapon-skill:Sword", "throw", "brawl". `ranged` weapons act at a distance, `thrown` ones are
    thrown by hand. `strength` is the required strength, `length` the rank of its length among
    weapons, and `modifier` is added to every roll with it. `spread` is the WC lost at each step of
    range. `row` has all cells of the sheet and the list.
    """

    id: str = ""
    name: str = "Weapon"
    wc: int = 0
    skill: str = ""
    muscle: bool = False
    unarmed: bool = False
    ranged: bool = False
    thrown: bool = False
    strength: int = 0
    length: int = 0
    modifier: int = 0
    spread: int = 0
    like: str = ""
    row: Record = field(default_factory=dict, compare=False, repr=False)


@record
class Armor:
    """Worn armor: its AC before halving, and the areas covered; () for all areas."""

    name: str = "Armor"
    ac: int = 0
    areas: Words = ()


class Equipped(Traited):
    """A character with weapons and armor."""

    @property
    def weapons(self) -> tuple[Weapon, ...]:
        """The weapons on the sheet, and the natural ones, fist and kick.

        Blank cells are filled from the table's list, so that changes of the list affect every new
        attack (toaster.1.customisable).
        """
        return self.once("weapons", lambda: tuple(self._weapons()))

    def _weapons(self) -> Iterator[Weapon]:
        for place, line in self.lines("weapons"):
            yield self._weapon(line, f"w{place + 1}")
        for key in BARE:
            yield self._weapon({"like": key}, key)

    def weapon_name(self, ident: str, unknown: str) -> str:
        """The name of a weapon or the shield, or `unknown`."""
        shield = row(self.table, "shield", self.sheet.get("shield")) if ident == "shield" else None
        names = (one.name for one in self.weapons if one.id == ident)
        return str(shield["name"]) if shield else next(names, unknown)

    def _weapon(self, line: Record, ident: str) -> Weapon:
        """A weapon from its line on a sheet, completed from the table's list."""
        full = fill_line(listed_weapon(self.table, line.get("like")), line)
        known = str(line.get("id") or ident)
        return read_row(Weapon, {"length": full.get("reach"), **full}, id=known, row=full)

    @property
    def worn(self) -> list[Armor]:
        """The armor on the sheet that is worn now."""
        return [
            _armor(self.table, line)
            for _, line in self.lines("armour")
            if line.get("worn") is not False and not line.get("stowed")
        ]


def fill_line(listed: Record, line: Record) -> Row:
    """A line of a sheet with its empty and unticked cells filled from a list's row."""
    own = {key: one for key, one in line.items() if one not in (None, "") and one is not False}
    return {**listed, **own}


def listed_weapon(table: Table, key: Any) -> Row:
    """The row of the table's weapons with this key and its skill, or {}.

    The table groups weapons into skills (toaster.2.skill-weapon-groups).
    """
    hand, missile = row(table, "weapon", key), row(table, "missile", key)
    group, found = row(table, "weapon_skills", key), hand or missile
    if found is None:
        return {}
    return {"skill": group["skill"] if group else "", "ranged": hand is None, **found}


def _armor(table: Table, line: Record) -> Armor:
    full = fill_line(row(table, "armour", line.get("like")) or {}, line)
    return read_row(Armor, full, areas=_areas(full.get("areas")))


def _areas(written: Json) -> Words:
    """Areas as a list, or as typed: "Head/Neck, Torso"."""
    parts: Any = written.split(",") if isinstance(written, str) else written
    if not isinstance(parts, list | tuple):
        return ()
    return tuple(str(one).strip() for one in parts if str(one).strip())


# ---------------------------------------------------------------- attributes


def average(first: int, second: int) -> int:
    """Half of the sum of two numbers, without decimals.

    toaster.1.average; negative numbers are rounded toward zero too (toaster.1.average-negative,
    A-01).

    >>> average(5, 8), average(6, 9), average(0, 1), average(-1, 0), average(-3, 0)
    (6, 7, 0, 0, -1)
    """
    return halved(first + second)


def halved(total: int) -> int:
    """Half of a sum, rounded toward zero; several kinds of armor are added first.

    >>> halved(5 + 4 + 5), halved(-3)
    (7, -1)
    """
    return total // 2 if total >= 0 else -(-total // 2)


#: The keys of the book's four attributes.
FOUR: Words = tuple(one["key"] for one in TABLES["attributes"])


def attributes(table: Table) -> list[Row]:
    """The attributes at this table: the book's four, possibly renamed, and additional ones.

    toaster.2.attributes-four, toaster.2.attributes-changeable. Additional attributes need their
    option (toaster.2.option-extra-attributes, toaster.2.option-split-attributes).
    """
    more = Options(table.options).other_attributes
    return [one for one in rows(table, "attributes") if more or one["key"] in FOUR]


def attribute_name(table: Table, key: str) -> str:
    """The name of an attribute, or of a part of one, at this table."""
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
    """A character with attributes and derived numbers."""

    def bought(self, key: str) -> int:
        """The bought rank without traits, or 0."""
        return whole(part_of(self.sheet, "attributes").get(key))

    def attribute(self, key: str, *aspects: str) -> int:
        """The rank in an attribute or in a part of it, including traits.

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
        """The rank used by a formula: "muscle", "armour", "health", "will", "luck" and others.

        A part of an attribute counts only in the formula that it feeds
        (toaster.2.trait-attribute-sub-skill, A-14).
        """
        found = row(self.table, "uses", use)
        if found is None:
            raise KeyError(use)
        feeding = (one["key"] for one in rows(self.table, "aspects") if one.get("feeds") == use)
        return self.attribute(found["attribute"], *feeding)

    # ------------------------------------------------------------ classes, thresholds, luck

    def armor_class(self, area: str = "", *, body_only: bool = False) -> int:
        """The armor class before the die: Physique plus all protection, then halved once.

        toaster.4.ac-formula, toaster.4.ac-innate. With an `area`, only armor that covers it counts
        (toaster.4.partial-ac). Toughness bought in addition to a size is included
        (toaster.2.trait-size-physique). With `body_only` only Physique counts, without a thick hide
        (A-50).
        """
        total, place = self.attribute_for("armour"), area_key(area)
        if not body_only:
            total += whole(self.sheet.get("hide"))
            total += sum(
                one.ac
                for one in self.worn
                if not place or not one.areas or place in map(area_key, one.areas)
            )
        return halved(total)

    def weapon_class(self, weapon: Weapon) -> int:
        """The weapon class for this character before the die.

        For muscle-powered weapons, their class and the wielder's strength are averaged. Guns have
        the same class for everybody.

        >>> from kitchentable.rules import Entity
        >>> sheet = {"attributes": {"physique": 5}}
        >>> one = Able(Table(options={}), Entity("e", "E", "pc", "gm", sheet, {}))
        >>> one.weapon_class(Weapon("w1", "Club", 6, muscle=True))
        5
        """
        return average(weapon.wc, self.attribute_for("muscle")) if weapon.muscle else weapon.wc

    @property
    def thresholds(self) -> tuple[int, int]:
        """The stun of a degree and the damage of a wound: (5, 5) for an average body.

        The GM's numbers on the sheet override those of the size (toaster.4.wound-threshold-size).
        """
        stun, wound = thresholds_of_size(self.table, self.ranks_of(SIZE))
        own = part_of(self.sheet, "thresholds")
        return whole(own.get("stun")) or stun, whole(own.get("wound")) or wound

    @property
    def initiative_bonus(self) -> int:
        """The bonus to initiative: Coordination."""
        return self.attribute_for("initiative")

    @property
    def luck_at_start(self) -> int:
        """The luck points at the start of an adventure: Aura, scaled by the table.

        Unnamed characters have none. toaster.3.luck-start, toaster.3.luck-scale.
        """
        options = self.options
        luck = self.attribute_for("luck") * options.luck_multiplier + options.luck_offset
        return max(0, luck) if self.is_named else 0

    @property
    def luck_left(self) -> int:
        """The luck left, as luck points or for luck rolls."""
        return whole(self.entity.state.get("luck"), self.luck_at_start)


def attribute_choices(table: Table, one: Able | None = None) -> Choices:
    """The attributes as choices, with ranks if visible."""
    ranks = one.attribute if one is not None and one.is_known else lambda key: ""
    return tuple(
        Choice(
            each["key"], f"{each['name']} {ranks(each['key'])}".strip(), each.get("covers") or ""
        )
        for each in attributes(table)
    )


def area_key(name: str) -> str:
    """The key of an area of the body, for any spelling.

    >>> area_key("Left Arm"), area_key("Head/Neck")
    ('left-arm', 'head-neck')
    """
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def thresholds_of_size(table: Table, rank: int) -> tuple[int, int]:
    """The thresholds of a physical size (toaster.2.trait-size-thresholds).

    Odd sizes have no row: stun changes at every size except 0, wounds only at the outermost rows
    (toaster.2.trait-size-odd, A-15), unless the option `size_odd` differs. Beyond the last row the
    thresholds stay, or grow further by option (toaster.2.trait-size-extremes, A-16).

    >>> here = Table(options={})
    >>> thresholds_of_size(here, 1), thresholds_of_size(here, -4), thresholds_of_size(here, 10)
    ((6, 5), (4, 4), (6, 6))
    """
    options, side = Options(table.options), 1 if rank > 0 else -1
    sizes = {one["size"] * side: (one["stun"], one["wound"]) for one in rows(table, "thresholds")}
    inner = sizes[max(one for one in sizes if one <= rank * side)]
    outer = min((one for one in sizes if one >= rank * side), default=None)
    if outer is None:
        # Every two ranks further, one threshold moves: first the stun threshold, then the other.
        steps = (rank * side - max(sizes)) // 2 if options.size_grows else 0
        return inner[0] + side * ((steps + 1) // 2), inner[1] + side * (steps // 2)
    toward, away = options.size_odd == "toward-zero", options.size_odd == "away-from-zero"
    return (inner if toward else sizes[outer])[0], (sizes[outer] if away else inner)[1]
