"""The attack: one throw, or several steps if a character may spend luck between the rolls.

If nobody can spend luck, the whole attack is one throw. Otherwise it stops with a card after a roll
that luck can improve, and continues with the next dice after the answer. The card keeps the attack
in facts that only the GM sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, replace
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Any

from kitchentable.dice import odds, told
from kitchentable.dice.chance import in_percent
from kitchentable.rules import EVERYONE, Actor, Answers, Band, Part, plural
from kitchentable.rules.kit import Form, Roll, Throw, number, roll_of
from kitchentable.rules.kit.outcomes import read_outcome, write_outcome
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import CARD_WORDS, ROLL_WORDS, Facts, Record, Words
from kitchentable.rulesets.toaster.combat.attack_form import ROLLS, AttackForm
from kitchentable.rulesets.toaster.combat.telling import (
    Added,
    attack_sides,
    tell_attack,
)
from kitchentable.rulesets.toaster.combat.turns import may_act
from kitchentable.rulesets.toaster.luck import LuckForm, Waiting, lucky, put_card, wait
from kitchentable.rulesets.toaster.mechanics.attack import (
    MOST_TOLD,
    Attack,
    after_attack_roll,
    after_defense_roll,
    kept_die,
)
from kitchentable.rulesets.toaster.mechanics.attack import attack as attack_mechanic
from kitchentable.rulesets.toaster.mechanics.damage import Classes, DamageRolls, Ways, damage_die
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    ATTACK,
    FUMBLED,
    MISSED,
    Attacker,
    AttackRoll,
    Defender,
    DefenseRoll,
    Rules,
    ToHit,
    attack_roll,
    compare_rolls,
    defense_roll,
    raised,
    to_hit,
)
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

ATTACKS, DEFENDS, DAMAGES = Roll(attack_roll), Roll(defense_roll), Roll(damage_die)
AFTER_ATTACK, AFTER_DEFENSE = Roll(after_attack_roll), Roll(after_defense_roll)


#: The options that increase the damage of a critical hit.
HARDER = (
    "wcac_critical_table",
    "wcac_double_roll",
    "wcac_same_die",
    "wcac_add_margin",
    "critical_fumble_table",
)
#: The rolls that luck can improve, in order.
STAGES = ("attack", "defence", "damage")


@record
class Kept:
    """A waiting attack: its agreed answers and the rolls so far."""

    actor: Actor
    answers: Answers
    case: AttackForm
    parts: Added
    one: Attacker
    other: Defender
    attack: AttackRoll
    defense: DefenseRoll | None = None
    rolls: DamageRolls | None = None

    @property
    def stage(self) -> str:
        """The last roll made: "attack", "defence" or "damage"."""
        return "damage" if self.rolls else "defence" if self.defense else "attack"

    @property
    def compared(self) -> ToHit:
        """The comparison of attack and defense so far."""
        return compare_rolls(self.one, self.attack, self.defense, self.case.rules)

    @property
    def blow(self) -> Attack:
        """The whole attack, with the damage dice rolled so far."""
        return Attack(self.compared, self.rolls, self.case.classes, self.case.damage_ways)

    def plain(self) -> Facts:
        """As plain data."""
        parts, who, attack, defense = self.parts, self.actor, self.attack, self.defense
        both = ([list(astuple(part)) for part in each] for each in (parts.attack, parts.defense))
        held = defense and [
            defense.die, defense.total, defense.spoilt, defense.fumble, defense.second
        ]  # fmt: skip
        return {
            "actor": [who.seat, who.role, who.entity, sorted(who.hidden)],
            "answers": dict(self.answers),
            "parts": list(both),
            "luck": list(parts.luck if parts.luck[2] else parts.luck[:2]),
            "one": list(astuple(self.one)),
            "other": list(astuple(self.other)),
            "attack": list(astuple(attack)),
            "defence": held,
        } | ({"damage": write_outcome(self.rolls)} if self.rolls else {})

    def raised(self, added: int) -> Kept:
        """The attack with luck added to the last roll."""
        luck = list(self.parts.luck)
        luck[STAGES.index(self.stage)] = added
        parts, rolls, defense = replace(self.parts, luck=tuple(luck)), self.rolls, self.defense
        if rolls:
            classes = replace(rolls.classes, wc=rolls.classes.wc + added)
            return replace(self, parts=parts, rolls=replace(rolls, classes=classes))
        if defense:
            return replace(self, parts=parts, defense=replace(defense, total=defense.total + added))
        attack = raised(self.one, self.attack, added, self.case.rules)
        return replace(self, parts=parts, attack=attack)

    @property
    def next_dice(self) -> Throw[Any] | None:
        """The next dice to roll, or None."""
        case, other = self.case, self.other
        classes, ways = case.classes, case.damage_ways
        if self.rolls or not (self.compared.hit if self.defense else self.attack.passes):
            return None
        if self.defense:
            return AFTER_DEFENSE(self.compared, classes, ways)
        if other.rolls and case.luck_over(case.target) > 0:
            return DEFENDS(other, self.attack, case.rules)
        return AFTER_ATTACK(self.attack, self.one, other, classes, case.rules, ways)

    def thrown_again(self, at: Here) -> Kept:
        """The attack with its last roll made again."""
        case, closed, ways = self.case, self.case.closed, self.case.damage_ways
        if self.rolls:
            throw = DAMAGES(self.rolls.classes, ways, kept_die(self.compared, ways))
            die = at.roll(throw, closed=closed)
            return replace(self, rolls=replace(self.rolls, damage_die=die))
        if self.defense:
            fell = at.roll(DEFENDS(self.other, self.attack, case.rules), closed=closed)
            return replace(self, defense=fell)
        return replace(self, attack=at.roll(ATTACKS(self.one, case.rules), closed=closed))

    @property
    def who(self) -> Person:
        """The character who may spend luck on the last roll."""
        return self.case.target if self.stage == "defence" else self.case.me

    @property
    def spoilt(self) -> Words:
        """The ids of those who failed with a 0, which luck cannot improve."""
        return (self.who.id,) if self.stage == "attack" and self.attack.second is not None else ()

    @property
    def words(self) -> str:
        """The sentence for the character who may spend luck (toaster.3.luck-after-blind)."""
        case = self.case
        if case.options.luck_blind or case.keeps_modifiers:
            return "The dice have fallen."
        if self.rolls:
            return f"The damage comes to {self.blow.damage}."
        if not self.defense:
            return f"The attack comes to {self.attack.total}."
        shown = f"The attack is {self.attack.total}. " if case.seen.attack == EVERYONE else ""
        return f"{shown}The defense comes to {self.defense.total}."


def read_kept(at: Here, plain: Record) -> Kept:
    """Read an attack from the facts of its card."""
    seat, role, entity, hidden = plain["actor"]
    actor = Actor(seat, role, entity, hidden=frozenset(hidden))
    case = at.fill(AttackForm, plain["answers"], actor)
    mine, theirs = (tuple(Part(*part) for part in parts) for parts in plain["parts"])
    one, other = Attacker(*plain["one"]), Defender(*plain["other"])
    rolled, defense = AttackRoll(*plain["attack"]), None
    if plain["defence"] is not None:
        die, total, _, fumble, second = plain["defence"]
        defense = DefenseRoll(die, total, second, fumble)
    parts = Added(mine, theirs, (*plain["luck"], 0)[:3])
    rolls = read_outcome(DamageRolls, plain["damage"]) if "damage" in plain else None
    return Kept(actor, plain["answers"], case, parts, one, other, rolled, defense, rolls)


def wait_for_luck(at: Here, kept: Kept, waiting: Waiting) -> bool:
    """Put up a card if a character may spend luck on the last roll; False if not.

    A successful defense needs no luck, and luck on damage needs an option
    (toaster.3.luck-which-rolls).
    """
    case, stage = kept.case, kept.stage
    allowed = stage != "damage" or case.options.luck_on_damage
    if not allowed or (stage == "defence" and not kept.compared.hit):
        return False
    called = kept.one.called if stage == "attack" else kept.other.called
    if kept.rolls:
        called = case.damage_called or kept.rolls.damage_die is None
    card = replace(
        waiting,
        roll={"attacker": case.me.id, "target": case.target.id},
        queue=(kept.who.id,),
        added={},
        no_again=(kept.who.id,) if called else (),
    )
    waits = wait(at, LUCK[stage], _with(card, kept))
    if waits:
        _tell(at, kept)
    return waits


def _with(waiting: Waiting, kept: Kept) -> Waiting:
    return replace(waiting, kept=kept.plain(), text=kept.words, spoilt=kept.spoilt)


def _tell(at: Here, kept: Kept, key: str = "attack-waits") -> None:
    case, words = kept.case, CARD_WORDS[key]
    at.sides += attack_sides(case, kept.blow, kept.parts)
    at.tell(
        case.title, words["sentence"], rules=words["rules"],
        of=(case.me, case.target), name=case.me.name,
    )  # fmt: skip


def _throw_again(at: At[LuckForm], waiting: Waiting) -> Waiting:
    return _with(waiting, read_kept(at, waiting.kept).thrown_again(at))


def _go_on(at: At[LuckForm], waiting: Waiting) -> None:
    """Continue after luck was spent: roll the next dice, if there are any."""
    kept = read_kept(at, waiting.kept).raised(waiting.added.get(at.me.id, 0))
    case, throw = kept.case, kept.next_dice
    if (
        throw is not None and at.thrown
    ):  # one die per step: no luck is left, but dice must be rolled
        words = f"{kept.words} No luck is left; let it stand, and go on."
        card = replace(waiting, kept=kept.plain(), queue=(kept.who.id,))
        put_card(at, LUCK[kept.stage], card, kept.who, words)
        _tell(at, kept)
        return
    if throw is not None:
        fell, defended = at.roll(throw, closed=case.closed), kept.defense
        whole = isinstance(fell, Attack)
        defense = fell.to_hit.defense if whole else fell
        kept = replace(kept, defense=defense, rolls=fell.rolls if whole else None)
        if defense and not defended:
            case.target.pay(case.luck_spent(case.target))
        if wait_for_luck(at, kept, waiting):
            return
    finish(at, kept, waiting.about)


#: The moves that answer the cards, by the last roll.
LUCK = {stage: lucky(f"{stage}_luck", again=_throw_again)(_go_on) for stage in STAGES}

# ---------------------------------------------------------------- after the last dice


def finish(at: Here, kept: Kept, about: int = 0) -> None:
    """Show the attack; first ask the GM about a critical hit that no option strengthens.

    toaster.4.damage-roll-critical.
    """
    case, blow = kept.case, kept.blow
    harder = "critical_bonus" in kept.answers or any(case.options[key] for key in HARDER)
    if harder or blow.band != CRITICAL:
        tell_attack(at, case, blow, kept.parts, about)
        return
    words = f"Damage {blow.damage} against protection {blow.protection}. Is it more?"
    at.ask(
        critical_hit, "", f"{case.title}: a critical hit", words, of=case.me,
        roll={"attacker": case.me.id}, about=about, kept=kept.plain(),
    )  # fmt: skip
    _tell(at, kept, "critical-waits")


class CriticalForm(Form):
    bonus = number()


@toaster.answer("critical_hit")
def critical_hit(at: At[CriticalForm]) -> None:
    facts: Any = at.answered.preset
    answers = {**facts["kept"]["answers"], "critical_bonus": at.form.bonus}
    finish(at, read_kept(at, {**facts["kept"], "answers": answers}), facts["about"])


# ---------------------------------------------------------------- the attack

#: The highest face of a d10*.
HIGHEST = 9

#: The outcome of an attack: the key of its band.
in_a_word: Callable[[Attack], str] = attrgetter("word")
#: A whole attack, with the outcomes worst for the attacker first; an attack roll alone; an attack
#: roll with a defense.
WHOLE = roll_of(attack_mechanic, ROLL_WORDS["attack"], in_a_word)
FIRST = roll_of(attack_roll, ROLL_WORDS["clash"], lambda fell: fell.verdict)
BOTH = roll_of(to_hit, ROLL_WORDS["clash"], lambda fell: fell.verdict)


def bands_for(classes: Classes, rules: Rules, ways: Ways) -> tuple[Band, ...]:
    """The possible outcomes of this attack, as bands.

    Impossible fumbles are left out, and so are more wounds than the best damage roll causes against
    the worst protection.

    >>> from kitchentable.rulesets.toaster.mechanics.damage import BOOK_WAYS
    >>> from kitchentable.rulesets.toaster.mechanics.to_hit import BOOK
    >>> saber = Classes(wc=6, ac=2, bare=2)
    >>> [band.key for band in bands_for(saber, BOOK, BOOK_WAYS)]
    ['miss', 'nothing', 'stun', '1', '2']
    """
    known = {band.key: band for band in WHOLE.bands}
    if not (rules.bands or rules.ext.zeros):
        known.pop(FUMBLED)
    endless = rules.ext.nines or ways.damage.nines
    if not (endless or ways.add_margin or ways.critical or ways.fumbled):
        weakest = min([classes.ac, *(ac for _, ac in classes.places)]) + min(0, classes.piercing)
        damage = classes.wc + HIGHEST + max(0, classes.bonus) - weakest
        most = damage // classes.threshold - classes.unarmed
        for wounds in range(max(0, most) + 1, MOST_TOLD + 1):
            known.pop(str(wounds))
    return tuple(known.values())


def sentence(shares: Mapping[str, Fraction]) -> str:
    """The odds in words: chances to hit and to wound.

    >>> sentence({"miss": Fraction(11, 20), "stun": Fraction(3, 10), "1": Fraction(3, 20)})
    'Hits in 45 %, wounds in 15 %.'
    """
    lost = sum(share for word, share in shares.items() if word in {FUMBLED, MISSED})
    wounds = sum(share for word, share in shares.items() if word.isdigit())
    hits, hurts = in_percent(Fraction(1 - lost)), in_percent(Fraction(wounds))
    return f"Hits in {hits}, wounds in {hurts}."


# ---------------------------------------------------------------- the move


def _may_attack(at: Here) -> str | None:
    me = at.me
    if not at.others():
        return "There is nobody to attack."
    if me.gives_up(ATTACK):
        left = plural(me.all_out["left"], "more action")
        return f"{me.name} has given up attacking for {left}."
    return may_act(at)


@toaster.move("attack", when=_may_attack, rolls=True)
def attack(at: At[AttackForm]) -> None:
    case = at.form
    one, other = case.attacker, case.defender
    numbers = (one, other, case.classes, case.rules, case.damage_ways)
    left = [case.luck_over(who) for who in (case.me, case.target)]
    parts = Added(case.attack_parts(), case.defense_parts())
    kept = partial(Kept, replace(at.actor, ask=""), at.answers, case, parts, one, other)
    if left[0] <= 0 and (case.ward != ROLLS or left[1] <= 0):
        whole = replace(WHOLE, bands=bands_for(*numbers[2:]))(*numbers)
        blow = at.roll(whole, closed=case.closed, says=sentence)
        _pay(case, blow.to_hit.defense)
        finish(at, kept(blow.to_hit.attack, blow.to_hit.defense, blow.rolls))
        return

    def in_all(shares: Mapping[str, Fraction]) -> str:
        said = sentence(dict(odds(told(attack_mechanic, in_a_word), *numbers).items()))
        return f"If nobody adds luck: {said[0].lower()}{said[1:]}"

    if left[0] > 0:
        rolled = kept(at.roll(FIRST(one, case.rules), None, in_all, case.closed))
    else:
        both = at.roll(BOTH(one, other, case.rules), None, in_all, case.closed)
        rolled = kept(both.attack, both.defense)
    _pay(case, rolled.defense)
    if not wait_for_luck(at, rolled, Waiting(case.title, about=at.number)):
        finish(at, rolled)


def _pay(case: AttackForm, defense: DefenseRoll | None) -> None:
    """Spend the luck that was put on rolls in advance."""
    case.me.pay(case.luck_spent(case.me))
    if defense is not None:
        case.target.pay(case.luck_spent(case.target))
