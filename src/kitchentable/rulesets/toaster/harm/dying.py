"""On death's door at the table: the check, luck on it, the last act, and the unnamed."""

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
    Change,
    Choice,
    Entity,
    Field,
    Json,
    Move,
    Part,
    Problem,
    Question,
    Result,
    Side,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.luck import BEFORE
from kitchentable.rulesets.toaster.actions.waiting import Waiting, begin, luck_move, wait_for_luck
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.hurting import mortality_ask
from kitchentable.rulesets.toaster.harm.rolls import (
    call_field,
    early_luck,
    luck_parts,
    pay,
    told,
    unsettled,
)
from kitchentable.rulesets.toaster.harm.state import (
    DEAD,
    MORTAL,
    MORTAL_WOUNDS,
    OUT,
    become,
    changed,
    condition,
    health_part,
    is_conscious,
    now,
    record,
    wounds,
)
from kitchentable.rulesets.toaster.mechanics.mortality import DIES, HOLDS, Fate, fate_of, mortality
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import MORTALITY, extended

_BANDS = (
    Band("holds", "holds on", "good", good=True),
    Band("dies", "dies in some rounds", "bad"),
    Band("dead", "dies at once", "bad"),
)

_RULES = ("toaster.4.mortality-roll", "toaster.4.mortality-zero")


def is_dying(entity: Entity) -> bool:
    """Whether somebody is mortally wounded and not out of danger."""
    return condition(entity) == MORTAL and not record(entity, "mortality").get("stable")


def mortality_parts(table: Table, entity: Entity, bonus: int = 0) -> tuple[Part, ...]:
    """What is added to the die: Physique, less 1 for each wound over 5, and a medic's help.

    Nothing else: the ordinary penalty of the wounds is not taken off a second time
    (toaster.4.mortality-roll).
    """
    over = max(0, wounds(entity) - MORTAL_WOUNDS)
    parts = [health_part(table, entity)]
    if over:
        parts.append(Part(f"wound{'s' if over > 1 else ''} over five", -over))
    if bonus:
        parts.append(Part("medical help", bonus))
    return tuple(parts)


def _modifier(table: Table, entity: Entity, bonus: int, before: int) -> int:
    return sum(part.value for part in mortality_parts(table, entity, bonus)) + BEFORE * before


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = lens.whom(table, actor.entity)
    return (*early_luck(table, entity), *call_field(table, MORTALITY))


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = lens.whom(table, actor.entity)
    if entity is None or not lens.numbers_known(entity):
        return None
    bonus = whole(told(table, actor).get("bonus"))
    modifier = _modifier(table, entity, bonus, whole(answers.get("luck")))
    return _asked(table, entity, modifier, called=bool(answers.get("called")))


def _asked(table: Table, entity: Entity, modifier: int, *, called: bool = False) -> Question:
    by_die = setting(table.options, "mortality_roll") == "die"
    nines = extended(table.options, MORTALITY).nines
    closed = ("roll",) if lens.is_closed(entity) or entity.hidden else ()
    return Question(mortality, (modifier, nines, by_die, called), _BANDS, _word, closed)


def _word(fate: Fate) -> str:
    return fate.word


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = table.entities[actor.entity]
    if condition(entity) == MORTAL:
        return ()
    return (Problem("", "toaster.4.mortal-state", f"{entity.name} is not mortally wounded."),)


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Fate) -> Result:
    entity = table.entities[actor.entity]
    asked = told(table, actor)
    before = whole(answers.get("luck"))
    modifier = _modifier(table, entity, whole(asked.get("bonus")), before)
    called = bool(answers.get("called"))
    roll = {
        "shown": outcome.total - modifier,
        "modifier": modifier,
        "bonus": whole(asked.get("bonus")),
        "luck": before,
        "helped": bool(asked.get("helped")),
        "healed": bool(asked.get("healed")),
    }
    waiting = Waiting(
        f"Mortality check for {entity.name}",
        f"{outcome.total} in all: {entity.name} {outcome}.",
        roll,
        no_again=(entity.id,) if called else (),
        spoilt=(entity.id,) if outcome.total == modifier else (),
    )
    spent, later = pay(table, entity, before)
    waiting = begin(later, waiting, (entity,))
    ask = wait_for_luck(later, "mortality_luck", waiting)
    if ask is None:
        result = _settle(later, actor, waiting)
        return replace(result, changes=(*spent, *result.changes))
    card = unsettled(_card(later, entity, waiting, outcome))
    return Result(card, spent, (ask,))


def _settle(table: Table, actor: Actor, waiting: Waiting) -> Result:
    """What the check comes to once luck has spoken."""
    entity = table.entities[actor.entity]
    roll = waiting.roll
    by_die = setting(table.options, "mortality_roll") == "die"
    added = waiting.added.get(entity.id, 0)
    fate = fate_of(whole(roll["shown"]), whole(roll["modifier"]) + added, by_die=by_die)
    after, sentence, rules = _decided(table, entity, fate, roll)
    card = replace(_card(table, entity, waiting, fate), sentence=sentence)
    card = replace(card, rules=(*card.rules, *rules))
    return Result(card, changed(entity, after))


def _decided(
    table: Table, entity: Entity, fate: Fate, roll: Mapping[str, Json]
) -> tuple[Entity, str, tuple[str, ...]]:
    """Somebody after the check: dead, with so many rounds to live, holding on, or safe.

    A countdown that ran already is only shortened, unless this is a medic's second chance
    (toaster.4.mortality-new-wound); with help that succeeded a check passed can be the last
    (toaster.4.mortality-stabilise).
    """
    running = record(entity, "mortality")
    name = entity.name
    if fate.word not in {DIES, HOLDS}:
        dead = become(entity, condition=DEAD, mortality=None)
        return dead, f"{name} dies.", ("toaster.4.mortality-zero",)
    rounds, word = fate.rounds, fate.word
    if running.get("fate") == DIES and not roll["helped"]:
        left = whole(running.get("rounds"))
        if word == HOLDS or left <= rounds:
            sentence = f"{name} still dies after {lens.plural(left, 'round')}."
            return entity, sentence, ("toaster.4.mortality-new-wound",)
    stabilises = bool(setting(table.options, "medical_stabilises"))
    stable = word == HOLDS and bool(roll["healed"]) and stabilises
    after = become(entity, mortality={"fate": word, "rounds": rounds, "stable": stable})
    if stable:
        return after, f"{name} is stable: no more checks.", ("toaster.4.mortality-stabilise",)
    rule = "toaster.4.mortality-success" if word == HOLDS else "toaster.4.mortality-fail"
    return after, f"{name} {fate}.", (rule,)


def _card(table: Table, entity: Entity, waiting: Waiting, fate: Fate) -> Card:
    parts = (
        *mortality_parts(table, entity, whole(waiting.roll["bonus"])),
        *luck_parts(waiting, entity),
    )
    side = Side(entity.name, "roll", parts, fate.total, audience=lens.number_audience(entity))
    return Card(
        f"Mortality check for {entity.name}",
        "",
        fate.word if fate.word == DIES else {HOLDS: "holds on"}.get(fate.word, "dead"),
        "good" if fate.word == HOLDS else "bad",
        (side,),
        rules=_RULES,
        entity=entity.id,
        audience=lens.card_audience(entity),
        about=waiting.about if waiting.used else 0,
    )


def _again(table: Table, waiting: Waiting, entity: Entity) -> Question | None:
    return _asked(table, entity, whole(waiting.roll["modifier"]))


def _fallen(table: Table, waiting: Waiting, entity: Entity, outcome: Fate) -> Waiting:
    shown = outcome.total - whole(waiting.roll["modifier"])
    words = f"{outcome.total} in all: {entity.name} {outcome}."
    spoilt = (entity.id,) if shown == 0 else ()
    return replace(waiting, roll={**waiting.roll, "shown": shown}, text=words, spoilt=spoilt)


CHECK = Move(
    "mortality",
    "Mortality check",
    "Physique against death: 10 or more and they hold on; a die of 0 kills at once.",
    ("toaster.4.mortality-roll", "toaster.4.mortality-zero", "toaster.4.mortality-fail"),
    _consequences,
    by=(),
    fields=_fields,
    check=_check,
    question=_question,
)

CHECK_LUCK = luck_move("mortality_luck", "Luck on the mortality check", _settle, _again, _fallen)


# ---------------------------------------------------------------- a last act


def _when_last(table: Table, actor: Actor) -> str | None:
    entity = lens.whom(table, actor.entity)
    if entity is None or condition(entity) != MORTAL:
        return "That is for somebody who is mortally wounded."
    return None if is_conscious(entity) else f"{entity.name} is not conscious."


def _last_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("what", "What may they still do?", longest=400),)


def _last(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    card = Card(
        f"A last act for {entity.name}",
        str(answers["what"]),
        rules=("toaster.4.mortal-last-act",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, (now(entity, "last_act", value=True),))


LAST_ACT = Move(
    "last_act",
    "Grant a last act",
    "One simple thing for somebody who is dying with open eyes: a word, a shot.",
    ("toaster.4.mortal-last-act",),
    _last,
    by=("gm",),
    place="gm",
    when=_when_last,
    fields=_last_fields,
)


# ---------------------------------------------------------------- the unnamed who went down


def _unnamed_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    ways = (
        Choice("out", "Out of the fight, no more"),
        Choice("mortal", "Mortally wounded"),
        Choice("dead", "Dead"),
    )
    why = Field("why", "Why?", required=False, default="", longest=200)
    rule = "toaster.4.unnamed-mortal"
    return (Field("fate", "How badly?", "choice", ways, default="out", rule=rule), why)


def _unnamed(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    fate = {"mortal": MORTAL, "dead": DEAD}.get(str(answers["fate"]), OUT)
    words = {OUT: "is out of the fight", MORTAL: "is mortally wounded", DEAD: "is dead"}[fate]
    changes: tuple[Change, ...] = ()
    asks: tuple[Ask, ...] = ()
    if fate != OUT:
        changes = changed(entity, become(entity, condition=fate, mortality=None))
    if fate == MORTAL:
        asks = (mortality_ask(entity),)
    why = f" {answers['why']}" if answers.get("why") else ""
    card = Card(
        entity.name,
        f"{entity.name} {words}.{why}",
        rules=("toaster.4.unnamed-mortal",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, changes, asks)


UNNAMED = Move(
    "unnamed",
    "How badly is an unnamed one hurt?",
    "Out of the fight, or worse: by the weapon, the attacker's wish, and your judgment.",
    ("toaster.4.unnamed-mortal", "toaster.4.unnamed-out"),
    _unnamed,
    by=(),
    fields=_unnamed_fields,
)

MOVES = (CHECK, CHECK_LUCK, LAST_ACT, UNNAMED)
