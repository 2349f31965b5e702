"""Steps one and two of an attack: the attack roll with its gate, and the defense roll.

The numbers are final: sheets, modifiers and rulings are already included, and skills and defenses
chosen. The dice are labelled "attack" and "defence".
"""

from __future__ import annotations

from dataclasses import field, replace

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, PLAIN, Extended, star
from kitchentable.rulesets.toaster.mechanics.tasks import band_of

FUMBLED, MISSED, HIT = "fumble", "miss", "hit"

#: The labels of an attack's throws, as stored in events.
ATTACK, DEFENSE, DAMAGE, PROTECTION = "attack", "defence", "damage", "protection"

#: The smallest margin against a defense that failed with a zero, an ordinary hit
#: (toaster.3.zeros-opposed).
SPOILT = 2


@record
class Rules:
    """The optional rules for attack and defense.

    `bands` are variable outcomes; with `wide` a result within one of the defense still hits
    (toaster.4.defence-marginal, toaster.3.marginal-combat).
    """

    ext: Extended = PLAIN
    bands: bool = False
    wide: bool = False


#: Attack and defense by the book without options.
BOOK = Rules()


@record
class Attacker:
    """The attacker's numbers.

    `modifier` is the sum added to the die. The attack roll must exceed `gate`, the rank of the
    defender's skill (toaster.4.attack-h2h-gate). With `reaches` it only has to reach the gate, such
    as the 10 of a shot (toaster.4.attack-ranged-gate). `called` means a 4 instead of a die.
    """

    modifier: int
    gate: int
    reaches: bool = False
    called: bool = False

    @property
    def needs(self) -> int:
        """The lowest total that passes the gate.

        >>> Attacker(8, gate=7).needs, Attacker(6, gate=10, reaches=True).needs
        (8, 10)
        """
        return self.gate if self.reaches else self.gate + 1


@record
class Defender:
    """The defender's numbers: the modifier, and whether there is a roll.

    There is none against unavoidable attacks, for helpless targets, or if defenses cost actions and
    none is left (toaster.4.defence-cost).
    """

    modifier: int = 0
    rolls: bool = True
    called: bool = False


@record
class AttackRoll:
    """An attack roll: die and total, whether it passes the gate, and a fumble.

    `second` is the total of the roll after a zero, or None.
    """

    die: int
    total: int
    passes: bool
    fumble: bool = False
    second: int | None = None

    @property
    def verdict(self) -> str:
        """The attack roll in a word: "fumble", "miss", or "hit" if a defense may follow."""
        if self.passes:
            return HIT
        return FUMBLED if self.fumble else MISSED


@record
class DefenseRoll:
    """A defense roll: die, total, the total of the roll after a zero or None, and a fumble."""

    die: int
    total: int
    second: int | None = None
    fumble: bool = field(default=False, repr=False)

    @property
    def spoilt(self) -> bool:
        """Whether the defense failed with a zero, whatever its total."""
        return self.second is not None


@record
class ToHit(Ordered):
    """The attack roll against the defense roll: "fumble", "miss" or "hit", and the margin.

    `defense` is None without a defense roll. `margin` is the attack's total minus the defense's, or
    minus the gate without a defense. `band` is "marginal", "success" or "critical" for a hit under
    variable outcomes, otherwise "".
    """

    verdict: str
    attack: AttackRoll
    defense: DefenseRoll | None = None
    margin: int = 0
    band: str = ""

    @property
    def hit(self) -> bool:
        """Whether the attack hits."""
        return self.verdict == HIT

    @property
    def word(self) -> str:
        """The hit's outcome word under variable outcomes, otherwise the verdict."""
        return self.band or self.verdict

    def order(self) -> tuple[int, int]:
        return self.margin, self.attack.total

    def __str__(self) -> str:
        against = f" to {self.defense.total}" if self.defense is not None else ""
        return f"{self.verdict}, {self.attack.total}{against}"


def roll_attack(dice: Dice, one: Attacker, rules: Rules) -> AttackRoll:
    """Step one: make the attack roll and compare it with the gate.

    A total short of the gate is a miss. It is a fumble if it is more than five short under variable
    outcomes, or after a zero whose second roll fails. toaster.4.attack-roll,
    toaster.4.attack-fumble, toaster.4.attack-fumble-target. This is no separate mechanic, so that
    the total stays hidden from the solver; `attack_roll` is one.
    """
    die = CALLED if one.called else star(dice, rules.ext.nines, ATTACK)
    total = die + one.modifier
    if rules.ext.zeros and not one.called and die == 0:
        second, fumble = _second_roll(dice, one.modifier, one.needs, rules, ATTACK)
        return AttackRoll(die, total, passes=False, fumble=fumble, second=second)
    passes = bool(total >= one.needs)
    fumble = rules.bands and not passes and bool(total <= one.gate - 6)
    return AttackRoll(die, total, passes, fumble)


def roll_defense(dice: Dice, one: Defender, attack: AttackRoll, rules: Rules) -> DefenseRoll | None:
    """Step two: a defense succeeds if its total reaches the attack's (toaster.4.defence-tie).

    It fails after a zero, whatever its total; the second roll decides whether it is a fumble. None
    without a die if the attack misses its gate or nobody defends.
    """
    if not attack.passes or not one.rolls:
        return None
    die = CALLED if one.called else star(dice, rules.ext.nines, DEFENSE)
    total = die + one.modifier
    if not rules.ext.zeros or one.called or die != 0:
        return DefenseRoll(die, total)
    second, fumble = _second_roll(dice, one.modifier, attack.total, rules, DEFENSE)
    return DefenseRoll(0, one.modifier, second, fumble)


def _second_roll(
    dice: Dice, modifier: int, needs: int, rules: Rules, label: str
) -> tuple[int, bool]:
    """The total of the roll after a zero, and whether it makes the zero a fumble.

    Another 0 does, and so does a total lower than `needs` (toaster.3.zeros-fumble-check).
    """
    die = star(dice, rules.ext.nines, label)
    return die + modifier, bool(die == 0 or die + modifier < needs)


def compare_rolls(
    one: Attacker, attack: AttackRoll, defense: DefenseRoll | None, rules: Rules
) -> ToHit:
    """Compare the final totals: whether the attack exceeds the defense.

    toaster.4.attack-five-steps, toaster.4.defence-tie, toaster.4.defence-marginal.

    >>> attack = AttackRoll(5, 12, True)
    >>> compare_rolls(Attacker(7, 6), attack, DefenseRoll(6, 12), Rules()).verdict
    'miss'
    >>> compare_rolls(Attacker(7, 6), attack, DefenseRoll(6, 12), Rules(bands=True, wide=True)).band
    'marginal'
    """
    if not attack.passes:
        return ToHit(attack.verdict, attack)
    if defense is None:
        margin = attack.total - one.gate
        return ToHit(HIT, attack, None, margin, band(margin, rules))
    margin = attack.total - defense.total
    if defense.spoilt:
        return ToHit(HIT, attack, defense, max(margin, 0), band(max(margin, SPOILT), rules))
    if not margin >= (-1 if rules.bands and rules.wide else 1):
        return ToHit(MISSED, attack, defense, margin)
    return ToHit(HIT, attack, defense, margin, band(margin, rules))


def raised(one: Attacker, attack: AttackRoll, added: int, rules: Rules) -> AttackRoll:
    """An attack roll with luck added afterwards; a zero stays a zero.

    toaster.3.luck-after-plus1, toaster.3.luck-after-zero.

    >>> raised(Attacker(2, gate=7), AttackRoll(4, 6, False), 2, BOOK).passes
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
    return band_of(margin) if rules.bands else ""


@mechanic
def attack_roll(dice: Dice, one: Attacker, rules: Rules = BOOK) -> AttackRoll:
    """An attack roll alone, which luck may still improve before the defense.

    >>> from kitchentable.dice import load
    >>> load(attack_roll, Attacker(6, gate=7), faces=[4]).outcome.passes
    True
    """
    return roll_attack(dice, one, rules)


@mechanic
def defense_roll(
    dice: Dice, one: Defender, attack: AttackRoll, rules: Rules = BOOK
) -> DefenseRoll | None:
    """A defense roll alone, against a finished attack roll."""
    return roll_defense(dice, one, attack, rules)


@mechanic
def to_hit(dice: Dice, one: Attacker, other: Defender, rules: Rules = BOOK) -> ToHit:
    """Attack roll and defense roll without damage.

    Equal skills hit with 9 in 20:

    >>> from kitchentable.dice import odds, told
    >>> odds(told(to_hit, "hit"), Attacker(6, gate=6), Defender(6))[True]
    Fraction(9, 20)
    """
    attack = roll_attack(dice, one, rules)
    return compare_rolls(one, attack, roll_defense(dice, other, attack, rules), rules)
