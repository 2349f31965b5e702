"""The attack: agreed on in a conversation, thrown as one, told step by step.

Where nobody can spend luck between the steps, the whole attack is one throw. Where somebody can,
it stops after that one's roll with a card, and goes on with the next dice as soon as the answer is
there. What the attack was is kept beside the card; only the GM may see that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from kitchentable.dice import odds, told
from kitchentable.rules import EVERYONE, Actor, Answers, Band, Json, Move, Part
from kitchentable.rules.kit import Roll, Throw
from kitchentable.rulesets.toaster.character.lens import plural
from kitchentable.rulesets.toaster.combat import stances
from kitchentable.rulesets.toaster.combat.asking import AttackForm
from kitchentable.rulesets.toaster.combat.reckoning import ROLLS, Case
from kitchentable.rulesets.toaster.combat.telling import Parts, parts_of, roll_sides, tell_attack
from kitchentable.rulesets.toaster.combat.turns import may_act
from kitchentable.rulesets.toaster.luck import LuckForm, Waiting, lucky, put_card, wait
from kitchentable.rulesets.toaster.mechanics.attack import (
    MOST_TOLD,
    NOTHING,
    STUNNED,
    Attack,
    after_attack_roll,
    after_defense_roll,
)
from kitchentable.rulesets.toaster.mechanics.attack import attack as attack_mechanic
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    FUMBLED,
    MISSED,
    Attacker,
    AttackRoll,
    Defender,
    DefenseRoll,
    Rules,
    SecondRoll,
    ToHit,
    attack_roll,
    compare_rolls,
    defense_roll,
    raised,
    to_hit,
)
from kitchentable.rulesets.toaster.people import At, Here, Person, others, toaster

#: The highest face of a d10*.
HIGHEST = 9

#: What an attack can come to, worst for the attacker first.
BANDS = (
    Band(FUMBLED, "fumble", "bad"),
    Band(MISSED, "miss", "bad"),
    Band(NOTHING, "a hit without damage", "plain", good=True),
    Band(STUNNED, "stun, no wound", "good", good=True),
    *(
        Band(
            str(n),
            "1 wound" if n == 1 else f"{n} wounds" if n < MOST_TOLD else f"{n} wounds or more",
            "good" if n < MOST_TOLD else "splendid",
            good=True,
        )
        for n in range(1, MOST_TOLD + 1)
    ),
)

#: What an attack roll alone can come to, and an attack with its defence.
STEP_BANDS = (
    Band("fumble", "fumble", "bad"),
    Band("miss", "miss", "bad"),
    Band("hit", "goes on", "good", good=True),
)


def in_a_word(outcome: Attack) -> str:
    """What an attack comes to, the key of its band."""
    return outcome.word


WHOLE = Roll(attack_mechanic, BANDS, in_a_word)
FIRST = Roll(attack_roll, STEP_BANDS, lambda fell: fell.verdict)
BOTH = Roll(to_hit, STEP_BANDS, lambda fell: fell.verdict)
ATTACK, DEFENSE = Roll(attack_roll), Roll(defense_roll)
AFTER_ATTACK, AFTER_DEFENSE = Roll(after_attack_roll), Roll(after_defense_roll)


def bands_for(
    attacker: Attacker, defender: Defender, classes: Classes, rules: Rules, ways: Ways
) -> tuple[Band, ...]:
    """What this attack could come to at all: no fumble where nothing makes one, and no more wounds
    than the best damage roll against the worst protection does.

    >>> from kitchentable.rulesets.toaster.mechanics.damage import BOOK_WAYS
    >>> from kitchentable.rulesets.toaster.mechanics.to_hit import BOOK
    >>> saber = Classes(wc=6, ac=2, bare=2)
    >>> [band.key for band in bands_for(Attacker(7, 3), Defender(3), saber, BOOK, BOOK_WAYS)]
    ['miss', 'nothing', 'stun', '1', '2']
    """
    fumbles = rules.bands or rules.ext.zeros
    endless = rules.ext.nines or ways.damage.nines
    most = MOST_TOLD
    if not (endless or ways.add_margin or ways.critical or ways.fumbled):
        weakest = min([classes.ac, *(ac for _, ac in classes.places)]) + min(0, classes.piercing)
        damage = classes.wc + HIGHEST + max(0, classes.bonus) - weakest
        most = damage // classes.threshold - int(classes.unarmed)
    return tuple(
        band
        for band in BANDS
        if (band.key != FUMBLED or fumbles) and not (band.key.isdigit() and int(band.key) > most)
    )


def sentence(shares: Mapping[str, Fraction]) -> str:
    """The odds in words: how often it hits, and how often it wounds.

    >>> sentence({"miss": Fraction(11, 20), "stun": Fraction(3, 10), "1": Fraction(3, 20)})
    'Hits in 45 %, wounds in 15 %.'
    """
    lost = shares.get(FUMBLED, Fraction(0)) + shares.get(MISSED, Fraction(0))
    wounds = sum((shares.get(str(n), Fraction(0)) for n in range(1, MOST_TOLD + 1)), Fraction(0))
    return f"Hits in {_percent(1 - lost)}, wounds in {_percent(wounds)}."


def _percent(share: Fraction) -> str:
    hundred = share * 100
    if 0 < hundred < 1:
        return "less than 1 %"
    if 99 < hundred < 100:
        return "more than 99 %"
    return f"{round(hundred)} %"


# ---------------------------------------------------------------- the move


def _may_attack(at: Here) -> str | None:
    me = at.me
    if not others(at):
        return "Nobody is there to attack."
    if stances.gives_up(me.now, stances.ATTACK):
        left = plural(stances.all_out(me.now)["left"], "more action")
        return f"{me.name} has given up attacking for {left}."
    for ask in at.table.asks.values():
        roll: Any = ask.preset.get("roll")
        waits = ask.move in {"attack_luck", "defence_luck"} and isinstance(roll, Mapping)
        if waits and roll.get("attacker") == me.id:
            return f"An attack of {me.name}'s still waits for luck."
    return may_act(at)


@toaster.move("attack", form=AttackForm, when=_may_attack, rolls=True)
def attack(at: At[AttackForm]) -> None:
    case = at.form.case
    one, other = case.attacker, case.defender
    numbers = (one, other, case.classes, case.rules, case.damage_ways)
    left = [who.luck_points - case.luck_spent(who) for who in (case.me, case.target)]
    if left[0] <= 0 and (case.ward != ROLLS or left[1] <= 0):
        whole = replace(WHOLE, bands=bands_for(*numbers))(*numbers)
        tell_attack(at, case, at.roll(whole, closed=case.closed, says=sentence), parts_of(case))
        return

    def in_all(shares: Mapping[str, Fraction]) -> str:
        said = sentence(dict(odds(told(attack_mechanic, in_a_word), *numbers).items()))
        return f"If nobody adds luck: {said[0].lower()}{said[1:]}"

    parts, actor = parts_of(case), replace(at.actor, ask="")
    if left[0] > 0:
        fell, defense = at.roll(FIRST(one, case.rules), None, in_all, case.closed), None
        move = attack_luck
    else:
        both = at.roll(BOTH(one, other, case.rules), None, in_all, case.closed)
        fell, defense, move = both.attack, both.defense, defence_luck
    kept = Kept(actor, at.answers, case, parts, one, other, fell, defense)
    case.me.pay(case.luck_spent(case.me))
    if defense is not None:
        case.target.pay(case.luck_spent(case.target))
    if not wait_for_luck(at, move, kept, Waiting(case.title, about=at.table.number + 1)):
        paid = (True, kept.defense is not None)
        tell_attack(at, case, Attack(kept.compared), kept.parts, paid=paid)


# ---------------------------------------------------------------- an attack that waits


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

    @property
    def compared(self) -> ToHit:
        """Attack against defence as they stand."""
        return compare_rolls(self.one, self.attack, self.defense, self.case.rules)

    def plain(self) -> dict[str, Json]:
        """As plain data."""
        one, other, attack, defense = self.one, self.other, self.attack, self.defense
        return {
            "actor": [
                self.actor.seat, self.actor.role, self.actor.entity, sorted(self.actor.hidden)
            ],
            "answers": dict(self.answers),
            "parts": [
                [[part.name, part.value] for part in parts]
                for parts in (self.parts.attack, self.parts.defence)
            ],
            "luck": [self.parts.attack_luck, self.parts.defence_luck],
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
    return Kept(actor, plain["answers"], case, parts, one, other, rolled, defense)


def _total(roll: SecondRoll | None) -> int | None:
    return roll.total if roll is not None else None


def _second(total: int | None, modifier: int, needs: int) -> SecondRoll | None:
    return SecondRoll(total - modifier, total, needs) if total is not None else None


def wait_for_luck(at: Here, move: Move, kept: Kept, waiting: Waiting) -> bool:
    """The card for whoever may spend on the roll that fell last; False where nobody would.

    A defence that holds needs no luck; a 0 has failed an attack, and no point makes it land.
    """
    case, of_attack = kept.case, move.name == attack_luck.name
    one = case.me if of_attack else case.target
    if not of_attack and not kept.compared.hit:
        return False
    called = kept.one.called if of_attack else kept.other.called
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


def _spoilt(move: Move, kept: Kept) -> tuple[str, ...]:
    zero = move.name == attack_luck.name and kept.attack.second is not None
    return (kept.case.me.id,) if zero else ()


def _words(move: Move, kept: Kept) -> str:
    """What the one who may spend hears (toaster.3.luck-after-blind)."""
    case = kept.case
    if case.options.luck_blind or case.keeps_modifiers:
        return "The dice have fallen."
    if move.name == attack_luck.name or kept.defense is None:
        return f"The attack comes to {kept.attack.total}."
    words = f"The defence comes to {kept.defense.total}."
    shown = case.seen.attack == EVERYONE
    return f"The attack is {kept.attack.total}. {words}" if shown else words


def _tell(at: Here, kept: Kept) -> None:
    case = kept.case
    at.sides += roll_sides(case, kept.attack, kept.defense, kept.parts)
    at.tell_as("attack-waits", title=case.title, of=(case.me, case.target))


def _goes_on(at: At[LuckForm], waiting: Waiting, move: Move) -> None:
    """Luck has spoken: the next dice fall, if there are any."""
    kept = read_kept(at, waiting.kept).raised(move, waiting.added.get(at.me.id, 0))
    case, throw = kept.case, kept.next_dice(move)
    fell: Attack | DefenseRoll | None = None
    if throw is not None and at.thrown:  # one die a step: all luck is spent, and dice are to fall
        one: Person = case.me if move.name == attack_luck.name else case.target
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
        fell = None
    blow = fell or Attack(kept.compared)
    paid = (True, kept.defense is not None)
    tell_attack(at, case, blow, kept.parts, about=waiting.about, paid=paid)


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


@lucky("attack_luck", "Luck on the attack", again=_again, rolls=True)
def attack_luck(at: At[LuckForm], waiting: Waiting) -> None:
    _goes_on(at, waiting, attack_luck)


@lucky("defence_luck", "Luck on the defence", again=_defence_again, rolls=True)
def defence_luck(at: At[LuckForm], waiting: Waiting) -> None:
    _goes_on(at, waiting, defence_luck)
