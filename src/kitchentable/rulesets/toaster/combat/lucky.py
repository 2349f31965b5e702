"""An attack that waits for luck: after the attack roll, and after the defence roll.

Where nobody can spend luck between the steps, the whole attack is one throw. Where somebody can,
it stops after that one's roll with a card, and goes on with the next dice as soon as the answer is
there. What the attack was is kept beside the card; only the GM may see that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Ask,
    Band,
    Card,
    Entity,
    Move,
    Question,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.luck import AFTER, points
from kitchentable.rulesets.toaster.actions.waiting import (
    ADD,
    THROW_AGAIN,
    Waiting,
    begin,
    luck_move,
    wait_for_luck,
)
from kitchentable.rulesets.toaster.combat.keeping import (
    ATTACK_LUCK,
    DEFENCE_LUCK,
    Kept,
    plain_kept,
    read_kept,
)
from kitchentable.rulesets.toaster.combat.reckoning import (
    ROLLS,
    Case,
    attacker_of,
    classes_of,
    defender_of,
    luck_spent,
    rules_of,
    ways_of,
)
from kitchentable.rulesets.toaster.combat.telling import (
    attack_side,
    audiences,
    defence_side,
    keeps_modifiers,
    parts_of,
    result,
    unlucky,
)
from kitchentable.rulesets.toaster.harm.state import changed
from kitchentable.rulesets.toaster.mechanics.attack import (
    Attack,
    after_attack_roll,
    after_defense_roll,
)
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    AttackRoll,
    DefenseRoll,
    ToHit,
    attack_roll,
    compare_rolls,
    defense_roll,
    raised,
    to_hit,
)
from kitchentable.rulesets.toaster.options.reading import setting

#: Who may still spend luck in an attack that is about to begin.
ATTACKER, TARGET, NOBODY = "attacker", "target", ""

#: What an attack roll alone can come to, and an attack with its defence.
STEP_BANDS = (
    Band("fumble", "fumble", "bad"),
    Band("miss", "miss", "bad"),
    Band("hit", "goes on", "good", good=True),
)


def who_may_spend(table: Table, case: Case) -> str:
    """Who has luck left for this attack once it is thrown; the attacker comes first.

    toaster.3.luck-after-plus1, toaster.3.luck-reroll.
    """
    if _left(table, case, case.attacker) > 0:
        return ATTACKER
    if case.ward == ROLLS and _left(table, case, case.target) > 0:
        return TARGET
    return NOBODY


def _left(table: Table, case: Case, entity: Entity) -> int:
    return points(table, entity) - luck_spent(case, entity)


def first_question(table: Table, case: Case, closed: tuple[str, ...], words: Any) -> Question:
    """The dice up to where somebody may step in; `words` tell the odds of the whole attack."""
    one, rules = attacker_of(table, case), rules_of(table)
    if who_may_spend(table, case) == ATTACKER:
        return Question(attack_roll, (one, rules), STEP_BANDS, _verdict, closed, words)
    both = (one, defender_of(table, case), rules)
    return Question(to_hit, both, STEP_BANDS, _verdict, closed, words)


def _verdict(outcome: AttackRoll | ToHit) -> str:
    return outcome.verdict


# ---------------------------------------------------------------- the first step


def stop(table: Table, actor: Actor, case: Case, outcome: AttackRoll | ToHit) -> Result:
    """The first dice have fallen: somebody may spend, or it goes on at once."""
    defended = isinstance(outcome, ToHit) and outcome.defense is not None
    attacker = unlucky(case.attacker, luck_spent(case, case.attacker))
    target = _paid(case) if defended else case.target
    changes = (*changed(case.attacker, attacker), *changed(case.target, target))
    here = _with(table, attacker, target)
    attack = outcome.attack if isinstance(outcome, ToHit) else outcome
    kept = Kept(
        replace(actor, ask=""),
        replace(case, attacker=attacker, target=target),
        parts_of(table, case),
        attacker_of(table, case),
        defender_of(table, case),
        attack,
        outcome.defense if isinstance(outcome, ToHit) else None,
    )
    waiting = begin(here, Waiting(_title(case)), (attacker,))
    move = ATTACK_LUCK if isinstance(outcome, AttackRoll) else DEFENCE_LUCK
    done = _wait(here, kept, waiting, move)
    if done is None:
        over = Attack(_compared(table, kept))
        done = result(here, actor, kept.case, over, parts=kept.parts, paid=(True, defended))
    return replace(done, changes=(*changes, *done.changes))


def _paid(case: Case) -> Entity:
    """The defender once the defence is rolled: the luck put on it beforehand is gone."""
    return unlucky(case.target, luck_spent(case, case.target))


def _with(table: Table, *people: Entity) -> Table:
    return replace(table, entities={**table.entities, **{one.id: one for one in people}})


def _title(case: Case) -> str:
    return f"{case.arm.name} against {case.target.name}"


def _wait(table: Table, kept: Kept, waiting: Waiting, move: str) -> Result | None:
    """The card for whoever may spend on the roll that fell last; None where nobody would.

    A defence that holds needs no luck.
    """
    entity = kept.case.attacker if move == ATTACK_LUCK else kept.case.target
    if move == DEFENCE_LUCK and (kept.defense is None or not _compared(table, kept).hit):
        return None
    called = kept.one.called if move == ATTACK_LUCK else kept.other.called
    ask = wait_for_luck(
        table,
        move,
        replace(
            waiting,
            text=_words(table, kept, move),
            roll={"attacker": kept.case.attacker.id, "target": kept.case.target.id},
            kept=plain_kept(kept),
            queue=(entity.id,),
            added={},
            no_again=(entity.id,) if called else (),
            spoilt=(entity.id,) if move == ATTACK_LUCK and _is_spoilt(kept.attack) else (),
        ),
    )
    return None if ask is None else Result(_card(table, kept), asks=(ask,))


def _is_spoilt(attack: AttackRoll) -> bool:
    """Whether a 0 has failed an attack, so that no point added to it makes it land."""
    return attack.second is not None


def _words(table: Table, kept: Kept, move: str) -> str:
    """What the one who may spend hears (toaster.3.luck-after-blind)."""
    blind = bool(setting(table.options, "luck_blind"))
    if blind or keeps_modifiers(table, kept.case, kept.actor.hidden):
        return "The dice have fallen."
    if move == ATTACK_LUCK:
        return f"The attack comes to {kept.attack.total}."
    words = f"The defence comes to {kept.defense.total}." if kept.defense is not None else ""
    if audiences(table, kept.case, kept.actor.hidden).attack == "all":
        words = f"The attack is {kept.attack.total}. {words}"
    return words


def _card(table: Table, kept: Kept) -> Card:
    told = audiences(table, kept.case, kept.actor.hidden)
    sides = [attack_side(kept.case, kept.attack, told, kept.parts)]
    if kept.defense is not None:
        sides.append(defence_side(kept.case, kept.defense, told, kept.parts))
    return Card(
        _title(kept.case),
        "It could still be bettered.",
        sides=tuple(sides),
        rules=("toaster.4.attack-five-steps", "toaster.3.luck-after-plus1"),
        entity=kept.case.attacker.id,
        audience=told.card,
    )


# ---------------------------------------------------------------- and on


def _compared(table: Table, kept: Kept) -> ToHit:
    return compare_rolls(kept.one, kept.attack, kept.defense, rules_of(table))


def _raised(table: Table, kept: Kept, move: str, added: int) -> Kept:
    """The attack with luck added to the roll that fell last."""
    parts, rules = kept.parts, rules_of(table)
    if move == ATTACK_LUCK:
        attack = raised(kept.one, kept.attack, added, rules)
        return replace(kept, attack=attack, parts=replace(parts, attack_luck=added))
    if kept.defense is None:
        return kept
    defense = replace(kept.defense, total=kept.defense.total + added)
    return replace(kept, defense=defense, parts=replace(parts, defence_luck=added))


def _onward(table: Table, kept: Kept, move: str) -> Question | None:
    """The dice that fall next; None where there are none."""
    case, rules = kept.case, rules_of(table)
    classes, ways = classes_of(table, case), ways_of(table, case.target)
    told = audiences(table, case, kept.actor.hidden)
    closed = (
        *(("attack", "damage") if told.attack == "gm" else ()),
        *(("defence", "protection") if told.defence == "gm" else ()),
    )
    if move == DEFENCE_LUCK:
        done = _compared(table, kept)
        if not done.hit:
            return None
        return Question(after_defense_roll, (done, classes, ways), (), str, closed)
    if not kept.attack.passes:
        return None
    if kept.other.rolls and _left(table, case, case.target) > 0:
        arguments = (kept.other, kept.attack, rules)
        return Question(defense_roll, arguments, (), str, closed)
    whole_rest = (kept.attack, kept.one, kept.other, classes, rules, ways)
    return Question(after_attack_roll, whole_rest, (), str, closed)


def _asked(table: Table, actor: Actor) -> Mapping[str, Any]:
    ask = table.asks.get(actor.ask)
    return ask.preset if ask is not None else {}


def _added(preset: Mapping[str, Any], answers: Answers, who: str) -> int:
    before: Any = preset.get("added") or {}
    now = whole(answers.get("points")) * AFTER if answers.get("use") == ADD else 0
    return whole(before.get(who)) + now


def _step(move: str, title: str) -> Move:
    """The move of one of the two cards: luck as everywhere, and then the next dice."""

    def again(table: Table, waiting: Waiting, entity: Entity) -> Question | None:
        kept = read_kept(table, waiting.kept)
        if kept is None:
            return None
        if move == ATTACK_LUCK:
            return Question(attack_roll, (kept.one, rules_of(table)), (), str)
        arguments = (kept.other, kept.attack, rules_of(table))
        return Question(defense_roll, arguments, (), str)

    def fallen(table: Table, waiting: Waiting, entity: Entity, outcome: Any) -> Waiting:
        kept = read_kept(table, waiting.kept)
        if kept is None:
            return waiting
        name = "attack" if move == ATTACK_LUCK else "defense"
        kept = replace(kept, **{name: outcome})
        spoilt = (entity.id,) if move == ATTACK_LUCK and _is_spoilt(kept.attack) else ()
        words = _words(table, kept, move)
        return replace(waiting, kept=plain_kept(kept), text=words, spoilt=spoilt)

    plain = luck_move(move, title, _settle_nothing, again, fallen)

    def question(table: Table, actor: Actor, answers: Answers) -> Question | None:
        preset = _asked(table, actor)
        kept = read_kept(table, preset.get("kept") or {})
        if kept is None:
            return None
        if answers.get("use") == THROW_AGAIN:
            return plain.question(table, actor, answers)
        return _onward(
            table, _raised(table, kept, move, _added(preset, answers, actor.entity)), move
        )

    def consequences(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
        thrown = None if answers.get("use") == THROW_AGAIN else outcome

        def goes_on(here: Table, who: Actor, waiting: Waiting) -> Result:
            return _goes_on(here, waiting, move, whole(waiting.added.get(who.entity)), thrown)

        made = luck_move(move, title, goes_on, again, fallen)
        return made.consequences(table, actor, answers, outcome)

    return replace(plain, question=question, consequences=consequences)


def _settle_nothing(table: Table, actor: Actor, waiting: Waiting) -> Result:
    return Result()


def _goes_on(table: Table, waiting: Waiting, move: str, added: int, thrown: Any) -> Result:
    """Luck has spoken: the next dice have fallen too, or there are none to fall."""
    kept = read_kept(table, waiting.kept)
    if kept is None:
        return Result()
    kept = _raised(table, kept, move, added)
    if thrown is None and _onward(table, kept, move) is not None:
        return Result(_card(table, kept), asks=_go_on_asks(table, kept, waiting, move))
    if isinstance(thrown, DefenseRoll):
        kept = replace(kept, defense=thrown)
        target = _paid(kept.case)
        here = _with(table, target)
        done = _wait(
            here, replace(kept, case=replace(kept.case, target=target)), waiting, DEFENCE_LUCK
        )
        if done is not None:
            return replace(done, changes=changed(kept.case.target, target))
        thrown = None
    over = Attack(_compared(table, kept)) if thrown is None else thrown
    paid = (True, move == DEFENCE_LUCK)
    return result(
        table, kept.actor, kept.case, over, parts=kept.parts, about=waiting.about, paid=paid
    )


def _go_on_asks(table: Table, kept: Kept, waiting: Waiting, move: str) -> tuple[Ask, ...]:
    """All luck is spent and dice are still to fall: a card on which nothing is left but to throw.

    It is the card of the luck itself, put before somebody who has none left.
    """
    entity = kept.case.attacker if move == ATTACK_LUCK else kept.case.target
    one = replace(entity, state={**entity.state, "luck": 1})
    here = replace(table, entities={**table.entities, one.id: one})
    ask = wait_for_luck(here, move, replace(waiting, kept=plain_kept(kept), queue=(one.id,)))
    words = f"{_words(table, kept, move)} No luck is left; let it stand, and go on."
    return () if ask is None else (replace(ask, text=words),)


LUCK_ON_ATTACK = _step(ATTACK_LUCK, "Luck on the attack")
LUCK_ON_DEFENCE = _step(DEFENCE_LUCK, "Luck on the defence")

MOVES = (LUCK_ON_ATTACK, LUCK_ON_DEFENCE)
