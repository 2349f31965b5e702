"""A whole attack, from the attack roll to the wounds, thrown as one.

`exchange` tells everything; `wounding` and `harming` are the same dice told in brief, so that their
odds are there at once. All of them run one and the same code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kitchentable.dice import Dice, mechanic
from kitchentable.rulesets.toaster.mechanics.clash import (
    BOOK,
    Clash,
    Guard,
    Rules,
    Strike,
    Struck,
    clashing,
    fumbled,
    guard,
    settle,
)
from kitchentable.rulesets.toaster.mechanics.damage import (
    BOOK_WAYS,
    Blow,
    Harm,
    Landed,
    Ways,
    armour,
    bites,
    blow,
    bonus,
    damage_die,
    halves,
    landed,
    looks,
    protection_die,
    worth,
)
from kitchentable.rulesets.toaster.mechanics.tables import Locations, critical_blow, location
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL

#: Wounds are told one by one up to this number; it is the mortal one (toaster.4.wounds-penalty).
MOST_TOLD = 5

#: What a hit without damage, and one that only stuns, come to.
NOTHING, STUNNED = "nothing", "stun"


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


@mechanic
def after_attack(
    dice: Dice,
    attack: Struck,
    one: Strike,
    other: Guard,
    harm: Harm,
    rules: Rules = BOOK,
    ways: Ways = BOOK_WAYS,
) -> Exchange:
    """What is left of an exchange once the attack roll stands: defence, damage, protection."""
    defence = guard(dice, other, attack.total, rules) if attack.passes and other.rolls else None
    return after_clash(dice, settle(one, attack, defence, rules), harm, ways)


@mechanic
def after_clash(dice: Dice, first: Clash, harm: Harm, ways: Ways = BOOK_WAYS) -> Exchange:
    """What is left of an exchange once attack and defence stand: damage and protection."""
    if not first.hit:
        return Exchange(first)
    return Exchange(first, blow(dice, landed(first, ways), harm, ways))


# ---------------------------------------------------------------- the same dice, told in brief


@mechanic
def _spot(dice: Dice, cells: Locations, coin: bool) -> str:
    """The area of a hit; where on it is the same to the armour."""
    return location(dice, cells, coin).area


@mechanic
def _swing(dice: Dice, asked: bool, harm: Harm, ways: Ways) -> int:
    """Extra damage less armour class, as far as the tables have a say in them."""
    bypass, more = critical_blow(dice, ways.tables.criticals) if asked else ("", 0)
    where = _spot(dice, ways.tables.locations, ways.coin) if looks(harm, ways) else harm.area
    return more - armour(harm, bypass, where)


@mechanic
def _falling(dice: Dice, asked: bool, one: Landed, harm: Harm, ways: Ways) -> int:
    """What the dice of a hit add to its damage and take from it, all that fall after it landed."""
    if asked or looks(harm, ways):
        swing = _swing(dice, asked, harm, ways)
    else:
        swing = -armour(harm, "", harm.area)
    die, guarded = damage_die(dice, one, harm, ways), protection_die(dice, one, harm, ways)
    return die - guarded + swing


def _net(dice: Dice, one: Landed, harm: Harm, ways: Ways) -> int:
    """Damage less protection, below 0 too; with covered dice one covered number.

    Dice that serve twice count 0 among those that fall, so that the odds of these are the same for
    every attack that gets so far, and are worked out once.
    """
    first, second = one.damage_die, one.protection_die
    fresh = Landed(
        one.band if ways.double_roll else "",
        damage_die=None if first is None else 0,
        protection_die=None if second is None else 0,
    )
    net = _falling(dice, bites(one, ways), fresh, harm, ways)
    if first is not None:
        net += first
    if second is not None:
        net -= second
    return net + harm.wc + one.added + bonus(one, harm) - harm.piercing


def _carried(first: Clash, other: Guard, ways: Ways) -> Landed:
    """What carries over into the damage; after a fumble is looked for only where it matters."""
    full = landed(first, ways)
    if not ways.fumbled or (first.band == CRITICAL and ways.critical):
        return full
    return replace(full, fumbled=fumbled(other, first.defence, first.attack.total))


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
    first = clashing(dice, one, other, rules, fumbles=False)
    if not first.hit:
        return first.verdict
    return _in_a_word(_net(dice, _carried(first, other, ways), harm, ways), first.band, harm, ways)


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
    first = clashing(dice, one, other, rules, fumbles=False)
    if not first.hit:
        return 0
    net = _net(dice, _carried(first, other, ways), harm, ways)
    if not net >= 1:
        return 0
    return net // 2 if halves(first.band, ways) else net
