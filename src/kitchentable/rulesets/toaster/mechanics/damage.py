"""Steps three and four of an attack: the damage roll and the protection roll, by WC and AC."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, PLAIN, Extended, star
from kitchentable.rulesets.toaster.mechanics.tables import (
    Critical,
    Criticals,
    Location,
    Locations,
    critical,
    location,
)
from kitchentable.rulesets.toaster.mechanics.to_hit import DAMAGE, PROTECTION


@dataclass(frozen=True)
class Tables:
    """The tables that a hit may use, as one value; () for an unused table.

    Their many cells are hashed only once, and the solver does not search them.
    """

    criticals: Criticals = ()
    locations: Locations = ()

    @cached_property
    def _hash(self) -> int:
        return hash((self.criticals, self.locations))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        asked = ("criticals" if self.criticals else "", "locations" if self.locations else "")
        return f"Tables({', '.join(word for word in asked if word)})"


#: No tables in use.
NO_TABLES = Tables()


@record
class Ways:
    """The options for damage: five for damage rolls, the tables, and the nines.

    `critical` uses the critical table for critical attacks, `fumbled` for fumbled defenses. With a
    table of locations, every hit rolls its place. Same die and double roll exclude each other,
    because one die leaves no second to choose. `coin` rolls the side of paired parts such as ears
    or shoulders. toaster.4.opt-wcac-integrate.
    """

    damage: Extended = PLAIN
    protection: Extended = PLAIN
    same_die: bool = False
    add_margin: bool = False
    double_roll: bool = False
    halve_marginal: bool = False
    critical: bool = False
    fumbled: bool = False
    tables: Tables = NO_TABLES
    coin: bool = True


#: Damage by the book without options.
BOOK_WAYS = Ways()


@record
class Classes:
    """Weapon class against armor class, and all other numbers for a hit's damage.

    `wc` and `ac` are the final classes; `bare` is the AC without armor and hide, `places` the AC of
    each area if armor covers only parts. `area` is the place of the hit if the GM names it.
    `piercing` (0 or less) is added to the protection roll, `bonus` to the damage of a critical.
    `threshold` is the damage of a wound; an unarmed attack causes one wound fewer.
    """

    wc: int
    ac: int
    bare: int = 0
    places: tuple[tuple[str, int], ...] = ()
    area: str = ""
    piercing: int = 0
    bonus: int = 0
    threshold: int = 5
    unarmed: bool = False
    damage_called: bool = False
    protection_called: bool = False

    def armor(self, bypass: str, area: str) -> int:
        """The effective armor class at the hit location, after a critical.

        toaster.4.partial-ac, toaster.4.crit-c.

        >>> Classes(6, 8, bare=3, places=(("Torso", 8), ("Head/Neck", 3))).armor("", "Head/Neck")
        3
        """
        if bypass == "zero":
            return 0
        if bypass == "physique":
            return self.bare
        return next((ac for place, ac in self.places if place == area), self.ac)


@record
class DamageRolls:
    """The dice of a hit: tables, damage roll, protection roll.

    A die is None if the attack's or the defense's die is used instead.
    """

    damage_die: int | None
    protection_die: int | None
    critical: Critical | None = None
    location: Location | None = None
    classes: Classes = field(default=Classes(0, 0), repr=False)

    @property
    def ac(self) -> int:
        """The armor class at the hit location."""
        area = self.location.area if self.location is not None else self.classes.area
        return self.classes.armor(self._on_damage[0], area)

    @property
    def damage(self) -> int:
        """Die, weapon class and the critical's damage (toaster.4.damage-roll, toaster.4.crit-d)."""
        return _shown(self.damage_die) + self.classes.wc + self._on_damage[1]

    @property
    def protection(self) -> int:
        """Die, armor class and the reduction by armor-piercing weapons.

        toaster.4.protection-roll, toaster.4.protection-modified.
        """
        return _shown(self.protection_die) + self.ac + self.classes.piercing

    @property
    def difference(self) -> int:
        """Damage minus protection, possibly negative (toaster.4.apply-damage)."""
        return self.damage - self.protection

    @property
    def _on_damage(self) -> tuple[str, int]:
        return self.critical.on_damage if self.critical is not None else ("", 0)


@mechanic
def damage_rolls(
    dice: Dice,
    classes: Classes,
    ways: Ways = BOOK_WAYS,
    critical_table: bool = False,
    keep: str = "",
    fresh: tuple[bool, bool] = (True, True),
) -> DamageRolls:
    """Damage roll and protection roll, after the tables (toaster.4.wcac-roll).

    `keep` is "highest" or "lowest" if damage is rolled twice, `fresh` whether the damage and
    protection dice must still be rolled. A place named by the GM needs no dice
    (toaster.4.hitloc-invent). Weapon class 5 and a 7 against armor class 4 and a 3:

    >>> from kitchentable.dice import load
    >>> load(damage_rolls, Classes(5, 4), faces=[7, 3]).outcome.difference
    5
    """
    tables = ways.tables
    found = critical(dice, tables.criticals) if critical_table else None
    place = None
    if tables.locations and not classes.area:
        place = location(dice, tables.locations, ways.coin)
    damage = roll_damage(dice, classes, ways, keep) if fresh[0] else None
    protection = roll_protection(dice, classes, ways) if fresh[1] else None
    return DamageRolls(damage, protection, found, place, classes)


def _shown(die: int | None) -> int:
    return 0 if die is None else die


def roll_damage(dice: Dice, classes: Classes, ways: Ways, keep: str) -> int:
    """Step three: make the damage roll and keep the die that counts.

    toaster.4.damage-roll, toaster.4.opt-double-roll. This is no separate mechanic, so that the die
    stays hidden from the solver.
    """
    if classes.damage_called:
        return CALLED
    one = (star, ways.damage.nines, DAMAGE)
    if keep == "highest":
        return dice.total(2, of=one, keep_highest=1)
    if keep == "lowest":
        return dice.total(2, of=one, keep_lowest=1)
    return star(dice, ways.damage.nines, DAMAGE)


@mechanic
def damage_die(dice: Dice, classes: Classes, ways: Ways = BOOK_WAYS, keep: str = "") -> int:
    """The die of a damage roll alone, for a reroll with luck (toaster.3.luck-reroll)."""
    return roll_damage(dice, classes, ways, keep)


def roll_protection(dice: Dice, classes: Classes, ways: Ways) -> int:
    """Step four: make the protection roll (toaster.4.protection-roll)."""
    return CALLED if classes.protection_called else star(dice, ways.protection.nines, PROTECTION)


def wounds_of(damage: int, threshold: int, *, unarmed: bool = False) -> int:
    """The wounds of one attack: damage divided by the threshold, one fewer if unarmed.

    toaster.4.wounds-per-attack, toaster.4.wounds-table, toaster.4.wounds-unarmed.

    >>> [wounds_of(damage, 5) for damage in (4, 5, 9, 10, 19, 26)]
    [0, 1, 1, 2, 3, 5]
    >>> wounds_of(12, 5, unarmed=True), wounds_of(6, 5, unarmed=True)
    (1, 0)
    """
    return max(0, damage // max(1, threshold) - unarmed)
