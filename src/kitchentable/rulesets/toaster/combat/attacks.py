"""The attack: agreed on in a conversation, thrown as one, told step by step.

Where nobody can spend luck between the steps, the whole attack is one throw. Where somebody can,
it stops after that one's roll; see `lucky`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from kitchentable.dice import odds, told
from kitchentable.rules import Band
from kitchentable.rules.kit import roll_of
from kitchentable.rulesets.toaster.book import ROLL_WORDS
from kitchentable.rulesets.toaster.character.lens import plural
from kitchentable.rulesets.toaster.combat import stances
from kitchentable.rulesets.toaster.combat.asking import AttackForm
from kitchentable.rulesets.toaster.combat.lucky import (
    Kept,
    finish,
    wait_for_luck,
)
from kitchentable.rulesets.toaster.combat.reckoning import ROLLS, Case
from kitchentable.rulesets.toaster.combat.telling import parts_of
from kitchentable.rulesets.toaster.combat.turns import may_act
from kitchentable.rulesets.toaster.luck import Waiting
from kitchentable.rulesets.toaster.mechanics.attack import (
    MOST_TOLD,
    Attack,
)
from kitchentable.rulesets.toaster.mechanics.attack import attack as attack_mechanic
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    FUMBLED,
    MISSED,
    Attacker,
    Defender,
    DefenseRoll,
    Rules,
    attack_roll,
    to_hit,
)
from kitchentable.rulesets.toaster.people import At, Here, others, toaster

#: The highest face of a d10*.
HIGHEST = 9

#: The moves behind the cards of an attack that waits.
WAITS = frozenset({"attack_luck", "defence_luck", "damage_luck", "critical_hit"})


def in_a_word(outcome: Attack) -> str:
    """What an attack comes to, the key of its band."""
    return outcome.word


#: A whole attack, its results worst for the attacker first; an attack roll alone; with a defence.
WHOLE = roll_of(attack_mechanic, ROLL_WORDS["attack"], in_a_word)
FIRST = roll_of(attack_roll, ROLL_WORDS["clash"], lambda fell: fell.verdict)
BOTH = roll_of(to_hit, ROLL_WORDS["clash"], lambda fell: fell.verdict)


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
        for band in WHOLE.bands
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
    if stances.gives_up(me, stances.ATTACK):
        left = plural(stances.all_out(me)["left"], "more action")
        return f"{me.name} has given up attacking for {left}."
    for ask in at.table.asks.values():
        roll: Any = ask.preset.get("roll")
        waits = ask.move in WAITS and isinstance(roll, Mapping)
        if waits and roll.get("attacker") == me.id:
            return f"An attack of {me.name}'s still waits for luck."
    return may_act(at)


@toaster.move("attack", form=AttackForm, when=_may_attack, rolls=True)
def attack(at: At[AttackForm]) -> None:
    case = at.form.case
    one, other = case.attacker, case.defender
    numbers = (one, other, case.classes, case.rules, case.damage_ways)
    left = [who.luck_points - case.luck_spent(who) for who in (case.me, case.target)]
    kept = partial(Kept, replace(at.actor, ask=""), at.answers, case, parts_of(case), one, other)
    if left[0] <= 0 and (case.ward != ROLLS or left[1] <= 0):
        whole = replace(WHOLE, bands=bands_for(*numbers))(*numbers)
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
    if not wait_for_luck(at, rolled, Waiting(case.title, about=at.table.number + 1)):
        finish(at, rolled)


def _pay(case: Case, defense: DefenseRoll | None) -> None:
    """The luck that was put on rolls beforehand is gone as they fall."""
    case.me.pay(case.luck_spent(case.me))
    if defense is not None:
        case.target.pay(case.luck_spent(case.target))
