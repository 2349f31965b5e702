"""The first two steps of an attack: the attack roll with its gate, and the defence roll.

Numbers come in as they were reckoned from sheets, modifiers and rulings; which skill is rolled and
what may defend against what is decided before. The dice are labelled "attack" and "defence".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kitchentable.dice import Dice, mechanic
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, PLAIN, Extended, star
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, MARGINAL, SUCCESS, after_zero

FUMBLED, MISSED, HIT = "fumble", "miss", "hit"

#: The labels of the throws of an exchange.
ATTACK, DEFENCE, DAMAGE, PROTECTION = "attack", "defence", "damage", "protection"

#: By how much an attack beats a defence that a zero has spoilt, at the least: it is an ordinary
#: hit (toaster.3.zeros-opposed).
SPOILT = 2


@dataclass(frozen=True, slots=True)
class Rules:
    """Which optional rules a table plays attack and defence by.

    `bands` are variable outcomes; with `wide` a result within one of the defence, over or under,
    still lands (toaster.4.defence-marginal, toaster.3.marginal-combat).
    """

    ext: Extended = PLAIN
    bands: bool = False
    wide: bool = False


#: Attack and defence by the plain book.
BOOK = Rules()


@dataclass(frozen=True, slots=True)
class Strike:
    """The attacker's side of an attack roll.

    `modifier` is all that is added to the die. `gate` is what the total has to exceed, the rank of
    the defender's skill (toaster.4.attack-h2h-gate); with `reaches` it only has to reach it, as a
    shot the 10 (toaster.4.attack-ranged-gate). `called` says that a 4 is taken instead of a die.
    """

    modifier: int
    gate: int
    reaches: bool = False
    called: bool = False

    @property
    def needs(self) -> int:
        """The lowest total that gets through the gate.

        >>> Strike(8, gate=7).needs, Strike(6, gate=10, reaches=True).needs
        (8, 10)
        """
        return self.gate if self.reaches else self.gate + 1


@dataclass(frozen=True, slots=True)
class Guard:
    """The defender's side: what is added to the die, and whether there is a roll at all.

    There is none against what cannot be avoided, from somebody helpless, or where a table counts
    defences as actions and none is left (toaster.4.defence-cost).
    """

    modifier: int = 0
    rolls: bool = True
    called: bool = False


@dataclass(frozen=True, slots=True)
class Struck:
    """An attack roll: die and total, whether it goes on to a defence, and a fumble.

    `second` is the total of the roll that a zero calls for, None without one.
    """

    die: int
    total: int
    passes: bool
    fumble: bool = False
    second: int | None = None


@dataclass(frozen=True, slots=True)
class Guarded:
    """A defence roll: die and total, whether a zero spoilt it, and whether it was a fumble."""

    die: int
    total: int
    spoilt: bool = False
    fumble: bool = False
    second: int | None = None


@dataclass(frozen=True, slots=True)
class Clash:
    """What came of attack and defence: "fumble", "miss" or "hit", and by how much.

    `defence` is None where no defence was rolled. `margin` is the attack's total less the
    defence's, or less the gate's number where nobody defended. `band` is "marginal", "success" or
    "critical" for a hit under variable outcomes, else "".
    """

    verdict: str
    attack: Struck
    defence: Guarded | None = None
    margin: int = 0
    band: str = ""

    @property
    def hit(self) -> bool:
        """Whether the attack landed."""
        return self.verdict == HIT

    def __lt__(self, other: Clash) -> bool:
        return (self.margin, self.attack.total) < (other.margin, other.attack.total)

    def __str__(self) -> str:
        against = f" to {self.defence.total}" if self.defence is not None else ""
        return f"{self.verdict}, {self.attack.total}{against}"


def strike(dice: Dice, one: Strike, rules: Rules) -> Struck:
    """Step one. Short of the gate it misses; by more than five under variable outcomes, or after a
    zero that is not made good, it is a fumble.

    toaster.4.attack-roll, toaster.4.attack-fumble, toaster.4.attack-fumble-target. No mechanic of
    its own, so that the total stays covered while odds are solved; `attack_roll` is one.
    """
    die = CALLED if one.called else star(dice, rules.ext.nines, ATTACK)
    total = die + one.modifier
    if rules.ext.zeros and not one.called and die == 0:
        after = after_zero(dice, total, one.modifier, rules.ext, one.needs, ATTACK)
        return Struck(die, total, passes=False, fumble=after.fumble, second=after.second)
    passes = bool(total >= one.needs)
    fumble = rules.bands and not passes and bool(total <= one.gate - 6)
    return Struck(die, total, passes, fumble)


def guard(dice: Dice, one: Guard, against: int, rules: Rules, *, fumbles: bool = True) -> Guarded:
    """Step two: a total that reaches the attack's holds (toaster.4.defence-tie).

    After a zero it does not, whatever the total; the second roll says whether that was a fumble.
    Without `fumbles` it falls all the same, and nobody looks.
    """
    die = CALLED if one.called else star(dice, rules.ext.nines, DEFENCE)
    total = die + one.modifier
    if not rules.ext.zeros or one.called or die != 0:
        return Guarded(die, total)
    die, total = 0, one.modifier
    if fumbles:
        after = after_zero(dice, total, one.modifier, rules.ext, against, DEFENCE)
        return Guarded(die, total, spoilt=True, fumble=after.fumble, second=after.second)
    second = star(dice, rules.ext.nines, DEFENCE) + one.modifier
    return Guarded(die, total, spoilt=True, second=second)


def fumbled(one: Guard, defence: Guarded | None, against: int) -> bool:
    """Whether the roll that a zero called for was another zero, or fell short.

    The same that `guard` says where it looks; asked late, it is asked only where it matters.
    """
    if defence is None or not defence.spoilt or defence.second is None:
        return False
    return bool(defence.second == one.modifier or defence.second < against)


def settle(one: Strike, attack: Struck, defence: Guarded | None, rules: Rules) -> Clash:
    """What attack and defence come to, once both have their final totals; no dice fall.

    toaster.4.attack-five-steps, toaster.4.defence-tie, toaster.4.defence-marginal.

    >>> attack = Struck(5, 12, True)
    >>> settle(Strike(7, 6), attack, Guarded(6, 12), Rules()).verdict
    'miss'
    >>> settle(Strike(7, 6), attack, Guarded(6, 12), Rules(bands=True, wide=True)).band
    'marginal'
    """
    if attack.fumble:
        return Clash(FUMBLED, attack)
    if not attack.passes:
        return Clash(MISSED, attack)
    if defence is None:
        margin = attack.total - one.gate
        return Clash(HIT, attack, None, margin, band(margin, rules))
    margin = attack.total - defence.total
    if defence.spoilt:
        margin = max(margin, SPOILT)
    elif not margin >= (-1 if rules.bands and rules.wide else 1):
        return Clash(MISSED, attack, defence, margin)
    return Clash(HIT, attack, defence, margin, band(margin, rules))


def raised(one: Strike, attack: Struck, added: int, rules: Rules) -> Struck:
    """An attack roll with luck added after it; a zero stays what it was.

    toaster.3.luck-after-plus1, toaster.3.luck-after-zero.

    >>> raised(Strike(2, gate=7), Struck(4, 6, False), 2, BOOK).passes
    True
    """
    total = attack.total + added
    if attack.second is not None:
        return replace(attack, total=total)
    passes = total >= one.needs
    return replace(attack, total=total, passes=passes, fumble=rules.bands and total <= one.gate - 6)


def band(margin: int, rules: Rules) -> str:
    """The outcome word of a hit by its margin; "" without variable outcomes.

    >>> [band(margin, Rules(bands=True)) for margin in (1, 2, 5, 6)], band(9, Rules())
    (['marginal', 'success', 'success', 'critical'], '')
    """
    if not rules.bands:
        return ""
    if not margin >= 2:
        return MARGINAL
    return CRITICAL if margin >= 6 else SUCCESS


def clashing(dice: Dice, one: Strike, other: Guard, rules: Rules, *, fumbles: bool = True) -> Clash:
    """Both steps in a row. No defence die falls where the attack is lost at the gate."""
    attack = strike(dice, one, rules)
    if not attack.passes or not other.rolls:
        return settle(one, attack, None, rules)
    defence = guard(dice, other, attack.total, rules, fumbles=fumbles)
    return settle(one, attack, defence, rules)


@mechanic
def attack_roll(dice: Dice, one: Strike, rules: Rules = BOOK) -> Struck:
    """An attack roll alone, where somebody may still better it before the defence.

    >>> from kitchentable.dice import load
    >>> load(attack_roll, Strike(6, gate=7), faces=[4]).outcome.passes
    True
    """
    return strike(dice, one, rules)


@mechanic
def defence_roll(dice: Dice, one: Guard, against: int, rules: Rules = BOOK) -> Guarded:
    """A defence roll alone, against an attack's total that stands."""
    return guard(dice, one, against, rules)


@mechanic
def clash(dice: Dice, one: Strike, other: Guard, rules: Rules = BOOK) -> Clash:
    """Attack and defence, step by step.

    Equal skills hit with 9 in 20:

    >>> from kitchentable.dice import odds
    >>> odds(clash, Strike(6, gate=6), Guard(6)).chance(lambda one: one.hit)
    Fraction(9, 20)
    """
    return clashing(dice, one, other, rules)
