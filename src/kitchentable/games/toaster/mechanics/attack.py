"""A whole attack, from the attack roll to the wounds: steps three to five, and all five in a row.

`exchange` throws it and tells everything; `wounding` and `harming` are the same dice told in brief,
so that their odds are there at once. All of them run one and the same code.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kitchentable.dice import Dice, mechanic
from kitchentable.games.toaster.mechanics.clash import (
    BOOK,
    DAMAGE,
    PROTECTION,
    Clash,
    Guard,
    Rules,
    Strike,
    clashing,
)
from kitchentable.games.toaster.mechanics.stars import CALLED, PLAIN, Extended, star
from kitchentable.games.toaster.mechanics.tables import (
    Critical,
    Criticals,
    Location,
    Locations,
    critical,
    critical_blow,
    location,
)
from kitchentable.games.toaster.mechanics.tasks import CRITICAL, MARGINAL

#: Wounds are told one by one up to this number; it is the mortal one (toaster.4.wounds-penalty).
MOST_TOLD = 5

#: What a hit without damage, and one that only stuns, come to.
NOTHING, STUNNED = "nothing", "stun"


@dataclass(frozen=True, slots=True)
class Ways:
    """How a table reckons damage: the five options for damage rolls, the tables, and the nines.

    `critical` rolls on the table `criticals` for critical attacks, `fumbled` for fumbled defences;
    `locations` is the table that every hit rolls its place on, () for no such roll. Same die and
    double roll exclude each other: with one die there is no second to take. `coin` throws for the
    side of an ear or a shoulder. toaster.4.opt-wcac-integrate.
    """

    damage: Extended = PLAIN
    protection: Extended = PLAIN
    same_die: bool = False
    add_margin: bool = False
    double_roll: bool = False
    halve_marginal: bool = False
    critical: bool = False
    fumbled: bool = False
    criticals: Criticals = field(default=(), repr=False)
    locations: Locations = field(default=(), repr=False)
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


@dataclass(frozen=True, slots=True)
class Exchange:
    """A whole attack: what attack and defence came to and, after a hit, the blow.

    >>> from kitchentable.dice import load
    >>> thrown = load(exchange, Strike(6, gate=5), Guard(5), Harm(5, 4), faces=[7, 2, 7, 3])
    >>> print(thrown.outcome)
    hit, 13 to 7: 12 - 7, 5 damage
    """

    clash: Clash
    blow: Blow | None = None

    @property
    def hit(self) -> bool:
        """Whether the attack landed."""
        return self.blow is not None

    @property
    def taken(self) -> int:
        """The damage that is taken, 0 for a miss."""
        return self.blow.taken if self.blow is not None else 0

    def __lt__(self, other: Exchange) -> bool:
        return (self.taken, self.clash) < (other.taken, other.clash)

    def __str__(self) -> str:
        if self.blow is None:
            return str(self.clash)
        one = self.blow
        return f"{self.clash}: {one.damage} - {one.protection}, {one.taken} damage"


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


def _bites(one: Landed, ways: Ways) -> bool:
    """Whether the critical table is asked, once for whichever reason.

    toaster.4.crit-trigger, toaster.4.crit-once, toaster.4.opt-critical-table.
    """
    return (one.band == CRITICAL and ways.critical) or (one.fumbled and ways.fumbled)


def _looks(harm: Harm, ways: Ways) -> bool:
    """Whether a table says where the hit landed, and not the GM (toaster.4.hitloc-invent)."""
    return bool(ways.locations) and not harm.area


def _bonus(one: Landed, harm: Harm) -> int:
    """What the GM gives to a critical attack (toaster.4.damage-roll-critical)."""
    return harm.bonus if one.band == CRITICAL else 0


def _damage_die(dice: Dice, one: Landed, harm: Harm, ways: Ways) -> int:
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


def _protection_die(dice: Dice, one: Landed, harm: Harm, ways: Ways) -> int:
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
    toaster.4.apply-damage, toaster.4.wcac-roll. The tables are asked before the rolls. Weapon
    class 5 and a 7 against armour class 4 and a 3 are 5 damage:

    >>> from kitchentable.dice import load
    >>> load(blow, Landed(), Harm(5, 4), faces=[7, 3]).outcome.taken
    5
    """
    brought = critical(dice, ways.criticals) if _bites(one, ways) else None
    place = location(dice, ways.locations, ways.coin) if _looks(harm, ways) else None
    die, guarded = _damage_die(dice, one, harm, ways), _protection_die(dice, one, harm, ways)
    more, bypass = (brought.extra, brought.protection) if brought is not None else (0, "")
    ac = armour(harm, bypass, place.area if place is not None else harm.area)
    damage = die + harm.wc + one.added + more + _bonus(one, harm)
    protection = guarded + ac + harm.piercing
    net = max(0, damage - protection)
    halved = halves(one.band, ways)
    wounds = 0
    while net >= worth(wounds + 1, harm, halved=halved):
        wounds += 1
    taken = net // 2 if halved else net
    return Blow(die, damage, guarded, ac, protection, net, taken, wounds, brought, place)


@mechanic
def exchange(
    dice: Dice,
    one: Strike,
    other: Guard,
    harm: Harm,
    rules: Rules = BOOK,
    ways: Ways = BOOK_WAYS,
) -> Exchange:
    """A whole attack, all five steps (toaster.4.attack-five-steps). After a miss no more dice fall.

    Told in full it has more outcomes than anybody reads; its odds are those of `wounding`.
    """
    first = clashing(dice, one, other, rules)
    if not first.hit:
        return Exchange(first)
    return Exchange(first, blow(dice, landed(first, ways), harm, ways))


# ---------------------------------------------------------------- the same dice, told in brief


@mechanic
def _spot(dice: Dice, cells: Locations, coin: bool) -> str:
    """The area of a hit; where on it is the same to the armour."""
    return location(dice, cells, coin).area


@mechanic
def _swing(dice: Dice, bites: bool, harm: Harm, ways: Ways) -> int:
    """Extra damage less armour class, as far as the tables have a say in them."""
    bypass, more = critical_blow(dice, ways.criticals) if bites else ("", 0)
    where = _spot(dice, ways.locations, ways.coin) if _looks(harm, ways) else harm.area
    return more - armour(harm, bypass, where)


def _net(dice: Dice, one: Landed, harm: Harm, ways: Ways) -> int:
    """Damage less protection, below 0 too; with covered dice one covered number."""
    bites = _bites(one, ways)
    if bites or _looks(harm, ways):
        swing = _swing(dice, bites, harm, ways)
    else:
        swing = -armour(harm, "", harm.area)
    die, guarded = _damage_die(dice, one, harm, ways), _protection_die(dice, one, harm, ways)
    return die - guarded + swing + harm.wc + one.added + _bonus(one, harm) - harm.piercing


@mechanic
def wounding(
    dice: Dice,
    one: Strike,
    other: Guard,
    harm: Harm,
    rules: Rules = BOOK,
    ways: Ways = BOOK_WAYS,
) -> str:
    """A whole attack in a word: "fumble", "miss", "nothing", "stun", or how many wounds it makes.

    The wounds are told as "1" to "5", the last for five and more. Equal classes wound with 3 in 20
    of all hits:

    >>> from kitchentable.dice import odds
    >>> made = odds(wounding, Strike(9, gate=0), Guard(rolls=False), Harm(8, 8))
    >>> made["1"], made["stun"], made["nothing"]
    (Fraction(3, 20), Fraction(3, 10), Fraction(11, 20))
    """
    first = clashing(dice, one, other, rules, fumbles=ways.fumbled)
    if not first.hit:
        return first.verdict
    return _in_a_word(_net(dice, landed(first, ways), harm, ways), first.band, harm, ways)


@mechanic
def made(dice: Dice, one: Landed, harm: Harm, ways: Ways = BOOK_WAYS) -> str:
    """What a hit comes to, in the words of `wounding`."""
    return _in_a_word(_net(dice, one, harm, ways), one.band, harm, ways)


def _in_a_word(net: int, band: str, harm: Harm, ways: Ways) -> str:
    halved = halves(band, ways)
    if not net >= (2 if halved else 1):
        return NOTHING
    for wounds in range(1, MOST_TOLD + 1):
        if not net >= worth(wounds, harm, halved=halved):
            return str(wounds - 1) if wounds > 1 else STUNNED
    return str(MOST_TOLD)


@mechanic
def harming(
    dice: Dice,
    one: Strike,
    other: Guard,
    harm: Harm,
    rules: Rules = BOOK,
    ways: Ways = BOOK_WAYS,
) -> int:
    """A whole attack as the damage that is taken, 0 for a miss too.

    >>> from kitchentable.dice import odds
    >>> odds(harming, Strike(9, gate=0), Guard(rolls=False), Harm(8, 8)).mean()
    Fraction(33, 20)
    """
    first = clashing(dice, one, other, rules, fumbles=ways.fumbled)
    if not first.hit:
        return 0
    net = _net(dice, landed(first, ways), harm, ways)
    if not net >= 1:
        return 0
    return net // 2 if halves(first.band, ways) else net
