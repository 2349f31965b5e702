"""An attack that waits for luck, or for the GM's word about a critical hit.

It stops after each roll that somebody may still better, with a card, and goes on with the next dice
as soon as the answer is there. What the attack was is kept beside the card; only the GM sees that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules import EVERYONE, GM, Actor, Answers, Json, Move, Part
from kitchentable.rules.kit import Form, Roll, Throw, number
from kitchentable.rules.kit.outcomes import read_outcome, write_outcome
from kitchentable.rulesets.toaster.combat.asking import AttackForm
from kitchentable.rulesets.toaster.combat.reckoning import Case, asks_for_criticals
from kitchentable.rulesets.toaster.combat.telling import (
    Parts,
    damage_sides,
    roll_sides,
    tell_attack,
)
from kitchentable.rulesets.toaster.luck import LuckForm, Waiting, lucky, put_card, wait
from kitchentable.rulesets.toaster.mechanics.attack import (
    Attack,
    after_attack_roll,
    after_defense_roll,
    kept_die,
)
from kitchentable.rulesets.toaster.mechanics.damage import DamageRolls, damage_die
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    Attacker,
    AttackRoll,
    Defender,
    DefenseRoll,
    SecondRoll,
    ToHit,
    attack_roll,
    compare_rolls,
    defense_roll,
    raised,
)
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

ATTACK, DEFENSE, DAMAGE = Roll(attack_roll), Roll(defense_roll), Roll(damage_die)
AFTER_ATTACK, AFTER_DEFENSE = Roll(after_attack_roll), Roll(after_defense_roll)


@dataclass(frozen=True, slots=True)
class Kept:
    """An attack that waits: as it was agreed on and thrown so far."""

    actor: Actor
    answers: Answers
    case: Case
    parts: Parts
    one: Attacker
    other: Defender
    attack: AttackRoll
    defense: DefenseRoll | None = None
    rolls: DamageRolls | None = None

    @property
    def blow(self) -> Attack:
        """The whole attack, with the damage dice as far as they have fallen."""
        return Attack(self.compared, self.rolls, self.case.classes, self.case.damage_ways)

    @property
    def compared(self) -> ToHit:
        """Attack against defence as they stand."""
        return compare_rolls(self.one, self.attack, self.defense, self.case.rules)

    def plain(self) -> dict[str, Json]:
        """As plain data."""
        one, other, attack, defense = self.one, self.other, self.attack, self.defense
        after = self.parts.damage_luck
        damage = {} if self.rolls is None else {"damage": write_outcome(self.rolls)}
        return damage | {
            "actor": [
                self.actor.seat, self.actor.role, self.actor.entity, sorted(self.actor.hidden)
            ],
            "answers": dict(self.answers),
            "parts": [
                [[part.name, part.value] for part in parts]
                for parts in (self.parts.attack, self.parts.defence)
            ],
            "luck": [self.parts.attack_luck, self.parts.defence_luck, *([after] if after else ())],
            "one": [one.modifier, one.gate, one.reaches, one.called],
            "other": [other.modifier, other.rolls, other.called],
            "attack": [
                attack.die, attack.total, attack.passes, attack.fumble, _total(attack.second)
            ],
            "defence": None
            if defense is None
            else [
                defense.die, defense.total, defense.spoilt, defense.fumble, _total(defense.second)
            ],
        }  # fmt: skip

    def raised(self, move: Move, added: int) -> Kept:
        """The attack with luck added to the roll that fell last."""
        if self.rolls is not None:
            classes = replace(self.rolls.classes, wc=self.rolls.classes.wc + added)
            rolls = replace(self.rolls, classes=classes)
            return replace(self, rolls=rolls, parts=replace(self.parts, damage_luck=added))
        if move.name == attack_luck.name:
            attack = raised(self.one, self.attack, added, self.case.rules)
            return replace(self, attack=attack, parts=replace(self.parts, attack_luck=added))
        defense = self.defense and replace(self.defense, total=self.defense.total + added)
        return replace(self, defense=defense, parts=replace(self.parts, defence_luck=added))

    def next_dice(self, move: Move) -> Throw[Any] | None:
        """The dice that fall next; None where there are none."""
        case = self.case
        classes, ways = case.classes, case.damage_ways
        if move.name == defence_luck.name:
            hit = self.compared.hit
            return AFTER_DEFENSE(self.compared, classes, ways) if hit else None
        if not self.attack.passes:
            return None
        if self.other.rolls and case.target.luck_points > case.luck_spent(case.target):
            return DEFENSE(self.other, self.attack, case.rules)
        return AFTER_ATTACK(self.attack, self.one, self.other, classes, case.rules, ways)


def read_kept(at: Here, plain: Mapping[str, Any]) -> Kept:
    """What was kept of an attack."""
    seat, role, entity, hidden = plain["actor"]
    actor = Actor(seat, role, entity, hidden=frozenset(hidden))
    case = at.fill(AttackForm, plain["answers"], actor).case
    attack, defence = (
        tuple(Part(str(name), int(value)) for name, value in parts) for parts in plain["parts"]
    )
    one, other = Attacker(*plain["one"]), Defender(*plain["other"])
    die, total, passes, fumble, second = plain["attack"]
    rolled = AttackRoll(die, total, passes, fumble, _second(second, one.modifier, one.needs))
    defense = None
    if plain["defence"] is not None:
        die, total, _, _, second = plain["defence"]
        defense = DefenseRoll(die, total, _second(second, other.modifier, rolled.total))
    parts = Parts(attack, defence, *plain["luck"])
    rolls = read_outcome(DamageRolls, plain["damage"]) if "damage" in plain else None
    return Kept(actor, plain["answers"], case, parts, one, other, rolled, defense, rolls)


def _total(roll: SecondRoll | None) -> int | None:
    return roll.total if roll is not None else None


def _second(total: int | None, modifier: int, needs: int) -> SecondRoll | None:
    return SecondRoll(total - modifier, total, needs) if total is not None else None


def wait_for_luck(at: Here, move: Move, kept: Kept, waiting: Waiting) -> bool:
    """The card for whoever may spend on the roll that fell last; False where nobody would.

    A defence that holds needs no luck; a 0 has failed an attack, and no point makes it land.
    """
    case, one = kept.case, _who(move, kept)
    if move.name != attack_luck.name and not kept.compared.hit:
        return False
    called = kept.one.called if move.name == attack_luck.name else kept.other.called
    if kept.rolls is not None:
        called = case.form.damage_called or kept.rolls.damage_die is None
    waits = wait(
        at,
        move,
        replace(
            waiting,
            text=_words(move, kept),
            roll={"attacker": case.me.id, "target": case.target.id},
            kept=kept.plain(),
            queue=(one.id,),
            added={},
            no_again=(one.id,) if called else (),
            spoilt=_spoilt(move, kept),
        ),
    )
    if waits:
        _tell(at, kept)
    return waits


def _who(move: Move, kept: Kept) -> Person:
    """Whose luck a card is about."""
    return kept.case.target if move.name == defence_luck.name else kept.case.me


def _spoilt(move: Move, kept: Kept) -> tuple[str, ...]:
    zero = move.name == attack_luck.name and kept.attack.second is not None
    return (kept.case.me.id,) if zero else ()


def _words(move: Move, kept: Kept) -> str:
    """What the one who may spend hears (toaster.3.luck-after-blind)."""
    case = kept.case
    if case.options.luck_blind or case.keeps_modifiers:
        return "The dice have fallen."
    if kept.rolls is not None:
        return f"The damage comes to {kept.blow.damage}."
    if move.name == attack_luck.name or kept.defense is None:
        return f"The attack comes to {kept.attack.total}."
    words = f"The defence comes to {kept.defense.total}."
    shown = case.seen.attack == EVERYONE
    return f"The attack is {kept.attack.total}. {words}" if shown else words


def _tell(at: Here, kept: Kept, words: str = "attack-waits") -> None:
    case = kept.case
    at.sides += roll_sides(case, kept.attack, kept.defense, kept.parts)
    at.sides += damage_sides(case, kept.blow, kept.parts)
    at.tell_as(words, title=case.title, of=(case.me, case.target))


def goes_on(at: At[LuckForm], waiting: Waiting, move: Move) -> None:
    """Luck has spoken: the next dice fall, if there are any."""
    kept = read_kept(at, waiting.kept).raised(move, waiting.added.get(at.me.id, 0))
    case, throw = kept.case, kept.next_dice(move)
    fell: Attack | DefenseRoll | None = None
    if throw is not None and at.thrown:  # one die a step: all luck is spent, and dice are to fall
        one = _who(move, kept)
        words = f"{_words(move, kept)} No luck is left; let it stand, and go on."
        put_card(at, move, replace(waiting, kept=kept.plain(), queue=(one.id,)), one, words)
        _tell(at, kept)
        return
    if throw is not None:
        fell = at.roll(throw, closed=case.closed)
    if isinstance(fell, DefenseRoll):
        kept = replace(kept, defense=fell)
        case.target.pay(case.luck_spent(case.target))
        if wait_for_luck(at, defence_luck, kept, waiting):
            return
    elif fell is not None:
        if kept.defense is None and fell.to_hit.defense is not None:
            case.target.pay(case.luck_spent(case.target))
        kept = replace(kept, defense=fell.to_hit.defense, rolls=fell.rolls)
    on_damage = kept.rolls is not None and case.options.luck_on_damage
    if not (on_damage and wait_for_luck(at, damage_luck, kept, waiting)):
        finish(at, kept, waiting.about)


def finish(at: Here, kept: Kept, about: int = 0) -> None:
    """All dice have fallen: the GM may make a critical hit harder, where nothing else does.

    toaster.4.damage-roll-critical.
    """
    case, blow = kept.case, kept.blow
    asked = "critical_bonus" in kept.answers or not asks_for_criticals(case.options)
    if asked or blow.band != CRITICAL:
        tell_attack(at, case, blow, kept.parts, about=about)
        return
    title, plain = f"{case.title}: a critical hit", kept.plain()
    words = f"Damage {blow.damage} against protection {blow.protection}. Is it more?"
    roll = {"attacker": case.me.id}
    facts: dict[str, Json] = {"roll": roll, "kept": plain, "about": about}
    at.ask(critical_hit, GM, title, words, of=case.me, secret=("kept",), **facts)
    _tell(at, kept, "critical-waits")


class CriticalForm(Form):
    bonus = number(
        "More damage for the critical",
        default=0,
        low=0,
        high=30,
        rule="toaster.4.damage-roll-critical",
    )


@toaster.answer("critical_hit", form=CriticalForm)
def critical_hit(at: At[CriticalForm]) -> None:
    facts: Any = at.answered.preset
    answers = {**facts["kept"]["answers"], "critical_bonus": at.form.bonus}
    finish(at, read_kept(at, {**facts["kept"], "answers": answers}), facts["about"])


def _again(at: At[LuckForm], waiting: Waiting) -> Waiting:
    """The attack roll once more."""
    kept = read_kept(at, waiting.kept)
    fell = at.roll(ATTACK(kept.one, kept.case.rules), closed=kept.case.closed)
    return _with(attack_luck, waiting, replace(kept, attack=fell))


def _defence_again(at: At[LuckForm], waiting: Waiting) -> Waiting:
    """The defence roll once more."""
    kept = read_kept(at, waiting.kept)
    throw = DEFENSE(kept.other, kept.attack, kept.case.rules)
    return _with(
        defence_luck, waiting, replace(kept, defense=at.roll(throw, closed=kept.case.closed))
    )


def _with(move: Move, waiting: Waiting, kept: Kept) -> Waiting:
    text, spoilt = _words(move, kept), _spoilt(move, kept)
    return replace(waiting, kept=kept.plain(), text=text, spoilt=spoilt)


def _damage_again(at: At[LuckForm], waiting: Waiting) -> Waiting:
    """The damage die once more."""
    kept = read_kept(at, waiting.kept)
    case, rolls = kept.case, kept.rolls
    if rolls is None:
        return waiting
    ways = case.damage_ways
    throw = DAMAGE(rolls.classes, ways, kept_die(kept.compared, ways))
    die = at.roll(throw, closed=case.closed)
    return _with(damage_luck, waiting, replace(kept, rolls=replace(rolls, damage_die=die)))


@lucky("attack_luck", "Luck on the attack", again=_again, rolls=True)
def attack_luck(at: At[LuckForm], waiting: Waiting) -> None:
    goes_on(at, waiting, attack_luck)


@lucky("defence_luck", "Luck on the defence", again=_defence_again, rolls=True)
def defence_luck(at: At[LuckForm], waiting: Waiting) -> None:
    goes_on(at, waiting, defence_luck)


@lucky("damage_luck", "Luck on the damage", again=_damage_again)
def damage_luck(at: At[LuckForm], waiting: Waiting) -> None:
    kept = read_kept(at, waiting.kept).raised(damage_luck, waiting.added.get(at.me.id, 0))
    finish(at, kept, waiting.about)
