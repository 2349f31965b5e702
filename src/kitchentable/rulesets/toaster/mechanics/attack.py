"""A whole attack in the book's five steps, as one mechanic.

Steps: 1. attack roll, 2. defense roll (`to_hit`), 3. damage roll, 4. protection roll (`damage`), 5.
apply damage. The outcome holds the dice, and properties interpret them. Odds can use any property:
``odds(told(attack, "wounds"), ...)``. toaster.4.attack-five-steps.
"""

from __future__ import annotations

from dataclasses import field

from kitchentable.dice import Dice, mechanic
from kitchentable.rules import plural
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.mechanics.damage import (
    BOOK_WAYS,
    Classes,
    DamageRolls,
    Ways,
    damage_rolls,
    wounds_of,
)
from kitchentable.rulesets.toaster.mechanics.tables import Critical, Location
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, MARGINAL
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    BOOK,
    Attacker,
    AttackRoll,
    Defender,
    Rules,
    ToHit,
    compare_rolls,
    roll_attack,
    roll_defense,
)

#: The highest counted number of wounds, mortally wounded (toaster.4.wounds-penalty).
MOST_TOLD = 5

#: The words for a hit without damage, and for a hit that only stuns.
NOTHING, STUNNED = "nothing", "stun"


@record
class Attack(Ordered):
    """A whole attack: attack roll against defense roll, and the damage rolls of a hit.

    After a miss, the fields of a hit are None, and the damage is 0.

    >>> from kitchentable.dice import load
    >>> one = load(attack, Attacker(6, gate=5), Defender(5), Classes(5, 4), faces=[7, 2, 7, 3])
    >>> print(one.outcome)
    hit, 13 to 7; damage 12, protection 7: 5 stun, 1 wound
    """

    to_hit: ToHit
    rolls: DamageRolls | None = None
    classes: Classes = field(default=Classes(0, 0), repr=False)
    ways: Ways = field(default=BOOK_WAYS, repr=False)

    @property
    def hit(self) -> bool:
        """Whether the attack hits."""
        return self.to_hit.hit

    @property
    def verdict(self) -> str:
        """The attack roll against the defense roll: "fumble", "miss" or "hit"."""
        return self.to_hit.verdict

    @property
    def attack(self) -> int:
        """The attack roll (toaster.4.attack-roll)."""
        return self.to_hit.attack.total

    @property
    def defense(self) -> int | None:
        """The defense roll, or None without one."""
        return self.to_hit.defense.total if self.to_hit.defense is not None else None

    @property
    def margin(self) -> int:
        """The attack roll minus the defense roll, or minus the gate without a defense."""
        return self.to_hit.margin

    @property
    def band(self) -> str:
        """The hit's outcome word under variable outcomes, otherwise ""."""
        return self.to_hit.band

    @property
    def critical(self) -> Critical | None:
        """The result on the critical table, or None if unused."""
        return self.rolls.critical if self.rolls is not None else None

    @property
    def location(self) -> Location | None:
        """The hit location, or None if not rolled."""
        return self.rolls.location if self.rolls is not None else None

    @property
    def damage(self) -> int | None:
        """The damage roll (toaster.4.damage-roll)."""
        return self.rolls.damage + self._added if self.rolls is not None else None

    @property
    def protection(self) -> int | None:
        """The protection roll (toaster.4.protection-roll)."""
        return self.rolls.protection + self._kept if self.rolls is not None else None

    @property
    def net(self) -> int:
        """Step five: the damage roll minus the protection roll, at least 0.

        toaster.4.apply-damage, toaster.4.wcac-scale.
        """
        if self.rolls is None:
            return 0
        return max(0, self.rolls.difference + self._added - self._kept)

    @property
    def taken(self) -> int:
        """The damage taken: the net damage, or half of it after a marginal hit."""
        return self.net // 2 if self._halved else self.net

    @property
    def stun(self) -> int:
        """The stun, one for each point of damage taken (toaster.4.stun-accumulate)."""
        return self.taken

    @property
    def wounds(self) -> int:
        """The wounds of this attack alone (toaster.4.wounds-per-attack)."""
        return wounds_of(self.taken, self.classes.threshold, unarmed=self.classes.unarmed)

    @property
    def word(self) -> str:
        """The attack in a word: "fumble", "miss", "nothing", "stun", or its number of wounds.

        The number is "1" to "5"; "5" includes more.
        """
        if not self.hit:
            return self.verdict
        if not self.net >= (2 if self._halved else 1):
            return NOTHING
        wounds = 0
        while wounds < MOST_TOLD and self.net >= self._least(wounds + 1):
            wounds += 1
        return str(wounds) if wounds else STUNNED

    @property
    def _added(self) -> int:
        """The part of the attack roll in the damage roll.

        toaster.4.opt-same-die, toaster.4.opt-add-margin, toaster.4.damage-roll-critical.
        """
        die = self.to_hit.attack.die if self.ways.same_die else 0
        margin = self.margin if self.ways.add_margin else 0
        return die + margin + (self.classes.bonus if self.band == CRITICAL else 0)

    @property
    def _kept(self) -> int:
        """The part of the defense roll in the protection roll.

        toaster.4.opt-same-die, toaster.4.opt-same-die-no-defence.
        """
        defense = self.to_hit.defense if self.ways.same_die else None
        return defense.die if defense is not None else 0

    @property
    def _halved(self) -> bool:
        """Whether only half of the net damage counts.

        Marginal hits do, under variable outcomes without another option for them
        (toaster.4.opt-marginal-default, toaster.4.opt-halve-marginal).
        """
        ways = self.ways
        return self.band == MARGINAL and (ways.halve_marginal or not ways.double_roll)

    def _least(self, wounds: int) -> int:
        """The least net damage for this many wounds."""
        taken = (wounds + self.classes.unarmed) * self.classes.threshold
        return 2 * taken if self._halved else taken

    def order(self) -> tuple[int, ToHit]:
        return self.taken, self.to_hit

    def __str__(self) -> str:
        if not self.hit:
            return str(self.to_hit)
        where = f"; {self.location}" if self.location is not None else ""
        also = f"; {self.critical}" if self.critical is not None else ""
        rolls = f"damage {self.damage}, protection {self.protection}"
        return (
            f"{self.to_hit}; {rolls}: {self.stun} stun, {plural(self.wounds, 'wound')}{where}{also}"
        )


@mechanic
def attack(
    dice: Dice,
    attacker: Attacker,
    defender: Defender,
    classes: Classes,
    rules: Rules = BOOK,
    ways: Ways = BOOK_WAYS,
) -> Attack:
    """A whole attack in five steps; a miss needs no further dice.

    Equal classes wound with 3 in 20 of all hits:

    >>> from kitchentable.dice import odds, told
    >>> sure = Attacker(9, gate=0), Defender(rolls=False), Classes(8, 8)
    >>> made = odds(told(attack, "word"), *sure)
    >>> made["1"], made["stun"], made["nothing"]
    (Fraction(3, 20), Fraction(3, 10), Fraction(11, 20))
    >>> odds(told(attack, "stun"), *sure).mean()
    Fraction(33, 20)
    """
    rolled = roll_attack(dice, attacker, rules)
    defense = roll_defense(dice, defender, rolled, rules)
    return _damaged(dice, compare_rolls(attacker, rolled, defense, rules), classes, ways)


@mechanic
def after_attack_roll(
    dice: Dice,
    rolled: AttackRoll,
    attacker: Attacker,
    defender: Defender,
    classes: Classes,
    rules: Rules = BOOK,
    ways: Ways = BOOK_WAYS,
) -> Attack:
    """The rest of an attack after the attack roll: defense, damage, protection."""
    defense = roll_defense(dice, defender, rolled, rules)
    return _damaged(dice, compare_rolls(attacker, rolled, defense, rules), classes, ways)


@mechanic
def after_defense_roll(dice: Dice, done: ToHit, classes: Classes, ways: Ways = BOOK_WAYS) -> Attack:
    """The rest of an attack after both rolls: damage and protection."""
    return _damaged(dice, done, classes, ways)


def _damaged(dice: Dice, done: ToHit, classes: Classes, ways: Ways) -> Attack:
    """Make the damage rolls of a hit, for step five.

    They are a separate roll, so that the solver computes their odds once for all equal hits.
    """
    if not done.hit:
        return Attack(done, None, classes, ways)
    fresh = not ways.same_die, not ways.same_die or done.defense is None
    rolls = damage_rolls(
        dice, classes, ways, asks_critical_table(done, ways), kept_die(done, ways), fresh
    )
    return Attack(done, rolls, classes, ways)


def kept_die(one: ToHit, ways: Ways) -> str:
    """The damage die that counts if two are rolled: "highest" or "lowest"; otherwise ""."""
    return {CRITICAL: "highest", MARGINAL: "lowest"}.get(one.band, "") if ways.double_roll else ""


def asks_critical_table(one: ToHit, ways: Ways) -> bool:
    """Whether the critical table is used; several reasons count once.

    toaster.4.crit-trigger, toaster.4.crit-once, toaster.4.opt-critical-table.
    """
    if one.band == CRITICAL and ways.critical:
        return True
    return ways.fumbled and one.defense is not None and one.defense.fumble
