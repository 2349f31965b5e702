"""Steps three to five of an attack: damage against protection, and the options for both rolls."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.dice import Dice, mechanic
from kitchentable.rulesets.toaster.mechanics.clash import DAMAGE, PROTECTION, Clash
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, PLAIN, Extended, star
from kitchentable.rulesets.toaster.mechanics.tables import (
    Critical,
    Criticals,
    Location,
    Locations,
    critical,
    location,
)
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, MARGINAL


class Tables:
    """The tables that a hit may ask, as one thing that is compared by what is in it.

    Their many cells are hashed once, and nothing looks through them while odds are solved; so this
    is no dataclass. () stands for a table that is not asked.
    """

    __slots__ = ("_hash", "criticals", "locations")

    def __init__(self, criticals: Criticals = (), locations: Locations = ()) -> None:
        self.criticals = criticals
        self.locations = locations
        self._hash = hash((criticals, locations))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tables):
            return NotImplemented
        mine, theirs = (self.criticals, self.locations), (other.criticals, other.locations)
        return self is other or mine == theirs

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        asked = ("criticals" if self.criticals else "", "locations" if self.locations else "")
        return f"Tables({', '.join(word for word in asked if word)})"


#: No table is asked.
NO_TABLES = Tables()


@dataclass(frozen=True, slots=True)
class Ways:
    """How a table reckons damage: the five options for damage rolls, the tables, and the nines.

    `critical` rolls on the critical table for critical attacks, `fumbled` for fumbled defences;
    where there is a table of locations, every hit rolls its place on it. Same die and double roll
    exclude each other: with one die there is no second to take. `coin` throws for the side of an
    ear or a shoulder. toaster.4.opt-wcac-integrate.
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


#: Damage by the plain book.
BOOK_WAYS = Ways()


@dataclass(frozen=True, slots=True)
class Harm:
    """What stands against what once an attack has landed.

    `wc` and `ac` are the classes as they count, all told; `bare` is the AC without armour and
    hide, `places` the AC of each area where armour covers only parts. `area` is the place of the
    hit where the GM names it. `piercing` is added to the protection roll (it is 0 or less),
    `bonus` to the damage of a critical. `threshold` is the damage that makes a wound; an unarmed
    attack does one fewer.
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


@dataclass(frozen=True, slots=True)
class Landed:
    """What the damage has to know of attack and defence.

    `added` comes on top of the damage roll. A die that is None still has to fall; one that is
    there has fallen with the attack, or the defence, and serves twice.
    """

    band: str = ""
    fumbled: bool = False
    added: int = 0
    damage_die: int | None = None
    protection_die: int | None = None


@dataclass(frozen=True, slots=True)
class Blow:
    """Steps three to five: both rolls, and what is left of the damage.

    `ac` is the armour class that held where the hit landed. `net` is the difference, 0 at the
    least, `taken` what of it is taken (half of a marginal hit's), `wounds` what it makes by itself.
    """

    die: int
    damage: int
    protection_die: int
    ac: int
    protection: int
    net: int
    taken: int
    wounds: int
    critical: Critical | None = None
    location: Location | None = None


def landed(one: Clash, ways: Ways) -> Landed:
    """What carries over from attack and defence into the damage.

    toaster.4.opt-same-die, toaster.4.opt-same-die-no-defence, toaster.4.opt-add-margin.
    """
    same, defence = ways.same_die, one.defence
    return Landed(
        one.band,
        bool(defence is not None and defence.fumble),
        one.margin if ways.add_margin else 0,
        one.attack.die if same else None,
        defence.die if same and defence is not None else None,
    )


def worth(wounds: int, harm: Harm, *, halved: bool) -> int:
    """The least net damage that makes so many wounds.

    toaster.4.wounds-per-attack, toaster.4.wounds-unarmed, toaster.4.opt-halve-marginal.

    >>> worth(1, Harm(5, 5), halved=False), worth(1, Harm(5, 5, unarmed=True), halved=True)
    (5, 20)
    """
    return (wounds + harm.unarmed) * harm.threshold * (2 if halved else 1)


def halves(band: str, ways: Ways) -> bool:
    """Whether a hit does only half of what gets through.

    With variable outcomes and no other way chosen a marginal one does
    (toaster.4.opt-marginal-default).
    """
    doubled = ways.double_roll and not ways.same_die
    return band == MARGINAL and (ways.halve_marginal or not doubled)


def bites(one: Landed, ways: Ways) -> bool:
    """Whether the critical table is asked, once for whichever reason.

    toaster.4.crit-trigger, toaster.4.crit-once, toaster.4.opt-critical-table.
    """
    return (one.band == CRITICAL and ways.critical) or (one.fumbled and ways.fumbled)


def looks(harm: Harm, ways: Ways) -> bool:
    """Whether a table says where the hit landed, and not the GM (toaster.4.hitloc-invent)."""
    return bool(ways.tables.locations) and not harm.area


def bonus(one: Landed, harm: Harm) -> int:
    """What the GM gives to a critical attack (toaster.4.damage-roll-critical)."""
    return harm.bonus if one.band == CRITICAL else 0


def damage_die(dice: Dice, one: Landed, harm: Harm, ways: Ways) -> int:
    """The damage die that counts (toaster.4.damage-roll, toaster.4.opt-double-roll)."""
    if one.damage_die is not None:
        return one.damage_die
    if harm.damage_called:
        return CALLED
    if ways.double_roll and one.band == CRITICAL:
        return dice.total(2, of=(star, ways.damage.nines, DAMAGE), keep_highest=1)
    if ways.double_roll and one.band == MARGINAL:
        return dice.total(2, of=(star, ways.damage.nines, DAMAGE), keep_lowest=1)
    return star(dice, ways.damage.nines, DAMAGE)


def protection_die(dice: Dice, one: Landed, harm: Harm, ways: Ways) -> int:
    """The protection die (toaster.4.protection-roll)."""
    if one.protection_die is not None:
        return one.protection_die
    return CALLED if harm.protection_called else star(dice, ways.protection.nines, PROTECTION)


def armour(harm: Harm, bypass: str, where: str) -> int:
    """The armour class that holds: where the hit landed, and as far as a critical leaves it.

    toaster.4.partial-ac, toaster.4.crit-c.

    >>> armour(Harm(6, 8, bare=3, places=(("Torso", 8), ("Head/Neck", 3))), "", "Head/Neck")
    3
    """
    if bypass == "zero":
        return 0
    if bypass == "physique":
        return harm.bare
    return next((ac for place, ac in harm.places if place == where), harm.ac)


@mechanic
def blow(dice: Dice, one: Landed, harm: Harm, ways: Ways = BOOK_WAYS) -> Blow:
    """Steps three to five of a hit: damage against protection, and what of it is taken.

    toaster.4.damage-roll, toaster.4.protection-roll, toaster.4.protection-modified,
    toaster.4.apply-damage, toaster.4.wcac-roll, toaster.4.wcac-scale. The tables are asked before
    the rolls. Weapon class 5 and a 7 against armour class 4 and a 3 are 5 damage:

    >>> from kitchentable.dice import load
    >>> load(blow, Landed(), Harm(5, 4), faces=[7, 3]).outcome.taken
    5
    """
    brought = critical(dice, ways.tables.criticals) if bites(one, ways) else None
    place = location(dice, ways.tables.locations, ways.coin) if looks(harm, ways) else None
    die, guarded = damage_die(dice, one, harm, ways), protection_die(dice, one, harm, ways)
    more, bypass = (brought.extra, brought.protection) if brought is not None else (0, "")
    ac = armour(harm, bypass, place.area if place is not None else harm.area)
    damage = die + harm.wc + one.added + more + bonus(one, harm)
    protection = guarded + ac + harm.piercing
    net = max(0, damage - protection)
    halved = halves(one.band, ways)
    wounds = 0
    while net >= worth(wounds + 1, harm, halved=halved):
        wounds += 1
    taken = net // 2 if halved else net
    return Blow(die, damage, guarded, ac, protection, net, taken, wounds, brought, place)
