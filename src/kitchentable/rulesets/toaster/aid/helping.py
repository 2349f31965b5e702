"""Medical attention: for the dying, against bleeding, as first aid, as care for weeks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Ask,
    Band,
    Card,
    Change,
    Entity,
    Line,
    Move,
    Part,
    Problem,
    Question,
    Result,
    Side,
    Table,
    running,
    whole,
)
from kitchentable.rulesets.toaster.actions.facts import noted
from kitchentable.rulesets.toaster.actions.luck import BEFORE
from kitchentable.rulesets.toaster.actions.waiting import Waiting, begin, luck_move, wait_for_luck
from kitchentable.rulesets.toaster.aid.medical_fields import (
    BLEEDING,
    DYING,
    PURPOSES,
    medical_fields,
    patient_of,
    patients,
    purpose_of,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.beside import may_act, own_action, spend, step
from kitchentable.rulesets.toaster.harm.bleeding import (
    REDUCE,
    bleeding_words,
    has_tried,
    stops,
)
from kitchentable.rulesets.toaster.harm.healing import FIRST_AID
from kitchentable.rulesets.toaster.harm.hurting import mortality_ask
from kitchentable.rulesets.toaster.harm.rolls import (
    bettered,
    facts,
    luck_parts,
    pay,
    unsettled,
)
from kitchentable.rulesets.toaster.harm.state import (
    become,
    changed,
    modifiers,
    record,
    wounds,
)
from kitchentable.rulesets.toaster.mechanics.healing import medical_bonus
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, task
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import ACTION, extended

_BANDS = (
    Band("success", "helps", "good", good=True),
    Band("failure", "does not help", "bad"),
    Band("fumble", "fumble", "bad"),
)


def medical_parts(
    table: Table, healer: Entity, patient: Entity, purpose: str, answers: Answers
) -> tuple[Part, ...]:
    """What is added to a medic's die: the skill, the medic's own state, the patient's wounds.

    Against bleeding that is stopped point by point the patient's wounds do not count.
    toaster.4.heal-medical-roll, toaster.4.bleed-stop, toaster.4.bleed-reduce.
    """
    skill = str(answers.get("skill") or "")
    parts = [Part(lens.skill_name(table, skill), lens.skill_rank(table, healer, skill))]
    parts.extend(modifiers(table, healer))
    light = purpose == BLEEDING and setting(table.options, "bleeding_aid") == REDUCE
    if wounds(patient) and not light:
        word = "wound" if wounds(patient) == 1 else "wounds"
        parts.append(Part(f"{word} to treat", -wounds(patient)))
    if whole(answers.get("modifier")):
        parts.append(Part("circumstances", whole(answers.get("modifier"))))
    return tuple(parts)


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity, patient = lens.whom(table, actor.entity), patient_of(table, actor, answers)
    if entity is None or patient is None or not answers.get("skill"):
        return None
    if not (lens.numbers_known(entity) and lens.numbers_known(patient)):
        return None
    parts = medical_parts(table, entity, patient, purpose_of(table, patient, answers), answers)
    modifier = sum(one.value for one in parts) + BEFORE * whole(answers.get("luck"))
    return _asked(table, entity, modifier, called=bool(answers.get("called")))


def _asked(table: Table, entity: Entity, modifier: int, *, called: bool = False) -> Question:
    bands = bool(setting(table.options, "variable_outcomes"))
    ext = extended(table.options, ACTION)
    shown = _BANDS if bands or ext.zeros else _BANDS[:2]
    closed = ("roll",) if lens.is_closed(entity) or entity.hidden else ()
    return Question(task, (modifier, ext, called, bands), shown, _word, closed)


def _word(outcome: Outcome) -> str:
    return "success" if outcome.succeeds else "fumble" if outcome.fumble else "failure"


def _when(table: Table, actor: Actor) -> str | None:
    return may_act(table, actor) if patients(table, actor) else "Nobody is hurt."


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    reason = may_act(table, actor)
    if reason:
        return (Problem("", "toaster.4.actions-two", reason),)
    patient = patient_of(table, actor, answers)
    if patient is None:
        return ()
    purpose = purpose_of(table, patient, answers)
    if not purpose:
        return (Problem("patient", "toaster.4.heal-medical-roll", f"{patient.name} is not hurt."),)
    failed = purpose == BLEEDING and has_tried(patient, actor.entity)
    if failed and answers.get("again") == "no":
        sentence = f"That did not help {patient.name} before; it takes other hands or other means."
        return (Problem("again", "toaster.4.bleed-stop-retry", sentence),)
    return ()


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Outcome) -> Result:
    entity, patient = table.entities[actor.entity], patient_of(table, actor, answers)
    if patient is None:
        return Result()
    purpose, before = purpose_of(table, patient, answers), whole(answers.get("luck"))
    parts = medical_parts(table, entity, patient, purpose, answers)
    spent, later = pay(table, entity, before)
    waiting = Waiting(
        f"{PURPOSES[purpose].label}: {patient.name}",
        f"The roll is {outcome}.",
        {
            "patient": patient.id,
            "purpose": purpose,
            "skill": str(answers["skill"]),
            "luck": before,
            "early": whole(int(answers.get("early") or 0)),
            "bonus": answers.get("bonus"),
            **facts(outcome),
        },
        {
            "parts": [[one.name, one.value] for one in parts],
            "modifier": sum(one.value for one in parts) + BEFORE * before,
        },
        no_again=(entity.id,) if answers.get("called") else (),
        spoilt=(entity.id,) if outcome.zero else (),
    )
    waiting = begin(later, waiting, (entity,))
    ask = wait_for_luck(later, "medical_luck", waiting)
    fight = running(table)
    spend(table, fight, entity.id)
    turns, asks = step(table, fight)
    used = noted(entity, f"skill:{answers['skill']}")
    changes = (*spent, *used, *own_action(entity)[1], *turns)
    if ask is None:
        result = _settle(later, actor, waiting)
        return replace(result, changes=(*changes, *result.changes), asks=(*result.asks, *asks))
    card = unsettled(_card(later, entity, waiting, outcome))
    return Result(card, changes, (ask, *asks))


def _settle(table: Table, actor: Actor, waiting: Waiting) -> Result:
    """What the medic's roll brings the patient, once luck has spoken."""
    roll = waiting.roll
    entity, patient = table.entities[actor.entity], table.entities[str(roll["patient"])]
    outcome = bettered(table, waiting, entity)
    bonus = medical_bonus(outcome.succeeds, outcome.total)
    lines: tuple[Line, ...] = ()
    if roll.get("bonus") is not None:
        bonus = whole(roll["bonus"])
        lines = (Line(f"The GM makes it {bonus:+d} for the patient."),)
    changes, asks, sentence, rules = _brought(table, entity, patient, outcome, bonus, waiting)
    card = _card(table, entity, waiting, outcome)
    card = replace(card, sentence=sentence, lines=lines, rules=(*card.rules, *rules))
    return Result(card, changes, asks)


def _brought(
    table: Table, healer: Entity, patient: Entity, outcome: Outcome, bonus: int, waiting: Waiting
) -> tuple[tuple[Change, ...], tuple[Ask, ...], str, tuple[str, ...]]:
    purpose, name = str(waiting.roll["purpose"]), patient.name
    rules: tuple[str, ...]
    if purpose == DYING:
        ask = mortality_ask(patient, bonus=bonus, helped=True, healed=outcome.succeeds)
        rules = ("toaster.4.mortality-medical", "toaster.4.mortality-medical-amount")
        return (), (ask,), f"{name} makes another mortality check at {bonus:+d}.", rules
    if purpose == BLEEDING:
        after = stops(table, patient, healer.id, outcome.total, succeeds=outcome.succeeds)
        words = bleeding_words(table, after)
        sentence = f"{name} still {words}." if words else f"{name} bleeds no more."
        how = setting(table.options, "bleeding_aid") == REDUCE
        rules = ("toaster.4.bleed-reduce" if how else "toaster.4.bleed-stop",)
        return changed(patient, after), (), sentence, rules
    if not outcome.succeeds and not bonus:
        rules = ("toaster.4.heal-medical-fail",)
        return (), (), f"It does not help {name}: no bonus.", rules
    early = whole(waiting.roll["early"]) if purpose == FIRST_AID and outcome.succeeds else 0
    care = {**record(patient, "care"), "kind": purpose, "bonus": bonus, "early": early}
    span = "the next healing roll" if purpose == FIRST_AID else "healing rolls until one fails"
    soon = f" The first comes after {lens.plural(early, 'day')}." if early else ""
    rule = "toaster.4.heal-first-aid-once" if purpose == FIRST_AID else "toaster.4.heal-long-term"
    after = become(patient, care=care)
    return changed(patient, after), (), f"{bonus:+d} for {name} on {span}.{soon}", (rule,)


def _card(table: Table, entity: Entity, waiting: Waiting, outcome: Outcome) -> Card:
    kept: Any = waiting.kept.get("parts") or []
    parts = tuple(Part(str(name), whole(value)) for name, value in kept)
    side = Side(
        entity.name,
        "roll",
        (*parts, *luck_parts(waiting, entity)),
        outcome.total,
        audience=lens.number_audience(entity),
    )
    patient = table.entities[str(waiting.roll["patient"])]
    return Card(
        waiting.title,
        "",
        outcome.band,
        "good" if outcome.succeeds else "bad",
        (side,),
        rules=("toaster.4.heal-medical-roll",),
        entity=entity.id,
        audience=lens.card_audience(entity, patient),
        about=waiting.about if waiting.used else 0,
    )


def _again(table: Table, waiting: Waiting, entity: Entity) -> Question | None:
    return _asked(table, entity, whole(waiting.kept["modifier"]))


def _fallen(table: Table, waiting: Waiting, entity: Entity, outcome: Outcome) -> Waiting:
    words = f"The roll is {outcome}."
    spoilt = (entity.id,) if outcome.zero else ()
    roll = {**waiting.roll, **facts(outcome)}
    return replace(waiting, roll=roll, text=words, spoilt=spoilt)


MEDICAL = Move(
    "medical",
    "Medical attention",
    "A medical skill for somebody hurt: against death, bleeding, or for quicker healing.",
    ("toaster.4.heal-medical-roll", "toaster.4.mortality-medical", "toaster.4.bleed-stop"),
    _consequences,
    place="rest",
    when=_when,
    fields=medical_fields,
    check=_check,
    question=_question,
    converses=True,
)

MEDICAL_LUCK = luck_move("medical_luck", "Luck on medical help", _settle, _again, _fallen)

MOVES = (MEDICAL, MEDICAL_LUCK)
