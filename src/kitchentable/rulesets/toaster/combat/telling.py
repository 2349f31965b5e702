"""The result of an attack on a card: each step of both sides, and consequences."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules import Part, Side, fresh, worth
from kitchentable.rules.kit import Form, number, text
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import CARD_WORDS, Parts
from kitchentable.rulesets.toaster.character.attributes import BARE
from kitchentable.rulesets.toaster.combat.arms import UNARMED
from kitchentable.rulesets.toaster.combat.attack_form import AttackForm
from kitchentable.rulesets.toaster.combat.turns import count_action, lose_aim
from kitchentable.rulesets.toaster.harm.hurting import hurt, leave_turns, tell_blow
from kitchentable.rulesets.toaster.harm.places import leave_behind, place_named
from kitchentable.rulesets.toaster.luck import BEFORE, called_part
from kitchentable.rulesets.toaster.mechanics.attack import Attack
from kitchentable.rulesets.toaster.mechanics.damage import DamageRolls
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, MARGINAL
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    ATTACK,
    DAMAGE,
    DEFENSE,
    FUMBLED,
    PROTECTION,
    AttackRoll,
    DefenseRoll,
)
from kitchentable.rulesets.toaster.people import SHOWN, At, Here, Person, toaster


@record
class Added:
    """The parts added to both rolls before the throw.

    `luck` is added afterwards, to attack, defense and damage.
    """

    attack: Parts
    defense: Parts
    luck: tuple[int, ...] = (0, 0, 0)


def attack_sides(case: AttackForm, blow: Attack, parts: Added) -> Iterable[Side]:
    """The throws of an attack for a card, with the parts of each by name.

    toaster.4.damage-roll, toaster.4.protection-roll.
    """
    luck, seen, done = (
        [worth(Part("luck", points)) for points in parts.luck],
        case.seen,
        blow.to_hit,
    )
    every = (*called_part(case.called), *parts.attack, *luck[0])
    yield _side(case.me, ATTACK, done.attack, every, seen.attack)
    if done.defense is not None:
        every = (*called_part(case.defence_called), *parts.defense, *luck[1])
        yield _side(case.target, DEFENSE, done.defense, every, seen.defense)
    if blow.rolls is not None:
        yield from _damage_sides(case, blow, blow.rolls, parts.luck[2])


def _side(
    one: Person, kind: str, roll: AttackRoll | DefenseRoll, parts: Parts, audience: str
) -> Side:
    word = "fumble" if roll.fumble else "zero" if roll.second is not None else ""
    return Side(f"{one.name}, {SHOWN[kind]}", kind, parts, roll.total, word, audience)


def _damage_sides(case: AttackForm, blow: Attack, rolls: DamageRolls, luck: int) -> Iterable[Side]:
    seen = case.seen
    added = (
        *case.said("damage"),
        Part("luck", BEFORE * case.damage_luck + luck),
        Part("margin", blow.margin if blow.ways.add_margin else 0),
        Part("critical", rolls.critical.extra if rolls.critical is not None else 0),
        Part("for the critical", case.critical_bonus if blow.band == CRITICAL else 0),
    )
    dealt, stopped = called_part(case.damage_called), called_part(case.protection_called)
    if blow.ways.same_die:
        defense = blow.to_hit.defense
        dealt = (Part("the attack's die", blow.to_hit.attack.die),)
        stopped = (Part("the defense's die", defense.die),) if defense is not None else stopped
    dealt += (Part("WC", case.weapon_class), *worth(*added))
    piercing = worth(Part("armor piercing", case.use.piercing))
    stopped += (Part("AC", rolls.ac), *piercing, *case.said("protection"))
    yield Side(f"{case.me.name}, damage", DAMAGE, dealt, blow.damage, "", seen.attack)
    yield Side(
        f"{case.target.name}, protection", PROTECTION, stopped, blow.protection, "", seen.defense
    )


# ---------------------------------------------------------------- the result


def tell_attack(
    at: Here,
    case: AttackForm,
    blow: Attack,
    parts: Added,
    about: int,
) -> None:
    """Write the card of an attack, and apply its consequences.

    `parts` were added when the dice were rolled. toaster.4.attack-five-steps,
    toaster.4.apply-damage.
    """
    me, other, done = case.me, case.target, blow.to_hit
    at.sides += attack_sides(case, blow, parts)
    me.use_up(ATTACK, case.stance)
    if done.defense is not None:
        other.use_up(DEFENSE, case.defence_stance)
    _say(at, case, blow)
    kind = done.verdict if done.defense is None or blow.hit else "held"
    words = CARD_WORDS[f"attack-{kind}"]
    rules = [*words["rules"], *_RULES.get(done.band, ())]
    if blow.hit:
        rules += _strike(at, case, blow)
    if done.verdict == FUMBLED:
        waits = f"fumble-{me.id}" in at.table.asks  # a second fumble gets its own card
        at.ask(fumble, of=me, ident=fresh(at.table, "fumble") if waits else "")
    weapon = case.use.weapon
    if case.use.thrown:
        me.put(dropped={**me.dropped, weapon.id: "reach"})
        at.say(f"{weapon.name} has left the hand.")
    elif weapon.id not in (*BARE, *me.drawn):
        me.put(drawn=[weapon.id])
    lose_aim(me)
    me.note_use(f"skill:{case.skill}")
    if done.defense is not None:
        other.note_use(f"skill:{case.defence.skill}")
    count_action(at, me)
    if at.fight is not None:
        _in_the_fight(at, case, blow)
        leave_turns(at, other)
    tone = "splendid" if done.band == CRITICAL else "good" if done.hit else "bad"
    at.tell(
        case.title, words["sentence"], done.word, tone, rules,
        of=(me, other), about=about, name=me.name,
    )  # fmt: skip


def _in_the_fight(at: Here, case: AttackForm, blow: Attack) -> None:
    """Apply an attack to the fight: the cost of a defense, and the pair's distance."""
    if at.options.defence_uses_action and blow.to_hit.defense is not None:
        at.fight.defend(case.target)
    if blow.hit and case.length_matters:
        weapon = case.use.weapon
        at.fight.close_in(case.me, case.target, weapon.length, weapon.name)


def _strike(at: Here, case: AttackForm, blow: Attack) -> list[str]:
    """Resolve a hit: damage against protection, its effect on the target, and the rules."""
    target, place, unarmed = case.target, blow.location, case.use.weapon.unarmed
    area, part = place_named(case.area)
    if place is not None:
        area, part = place.area, place.sided
    done = hurt(at, target, blow.taken, unarmed=unarmed, area=area, part=part)
    half = f", halved to {blow.taken}" if blow.net != blow.taken else ""
    words = f"Damage {blow.damage} against protection {blow.protection}"
    at.say(f"{words}: {blow.net}{half}.", case.seen.both)
    if place is not None:
        at.say(f"It lands on: {place}.", case.seen.card)
    rules = ["toaster.4.damage-roll", "toaster.4.protection-roll", *done.rules]
    if blow.critical is not None:
        rules += leave_behind(at, target, blow.critical, _in_hand(case))
    tell_blow(at, target, done)
    return rules


def _in_hand(case: AttackForm) -> str:
    """The weapon that the defender loses: the parrying one, otherwise the first in hand.

    Claws and similar weapons are part of the body.
    """
    key, drawn = case.defence.key.removeprefix("parry:"), case.target.drawn
    held = [one.key for one in case.target.arms if one.key in drawn and one.skill not in UNARMED]
    return key if key in {"shield", *held} else next(iter(held), "")


# ---------------------------------------------------------------- words


#: The additional rules for a hit of this kind.
_RULES = {
    MARGINAL: ("toaster.4.defence-marginal", "toaster.4.opt-marginal-default"),
    CRITICAL: ("toaster.4.damage-roll-critical",),
}


def _say(at: Here, case: AttackForm, blow: Attack) -> None:
    attack, other, seen = blow.to_hit.attack, blow.to_hit.defense, case.seen
    at.say(case.what)
    if attack.second is not None:
        at.say(f"A zero, then {attack.second}.", seen.attack)
    if other is not None and other.second is not None:
        at.say(f"A zero on the defense, then {other.second}.", seen.defense)
    if other is not None and not other.spoilt and not blow.hit and blow.margin <= -6:
        at.say("The defense is more than 5 over: critical, if the GM likes.", seen.both)


# ---------------------------------------------------------------- what a fumble costs


class FumbleForm(Form):
    attack = number()
    defence = number()
    what = text(story=True)


@toaster.answer("fumble")
def fumble(at: At[FumbleForm]) -> None:
    form, me = at.form, at.me
    words = [form.what] if form.what else []
    for kind, less in ((ATTACK, form.attack), (DEFENSE, form.defence)):
        me.leave(kind, "after the fumble", -less)
        words += [f"-{less} on the next {SHOWN[kind]}."] if less else []
    at.say("By the GM's ruling.")
    at.tell_as("fumble", words=" ".join(words) or "Nothing more comes of it.")
