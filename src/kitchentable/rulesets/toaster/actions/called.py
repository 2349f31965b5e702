"""A roll that the GM has called for: to hang on, to make good of a marginal result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Field,
    Move,
    Part,
    Problem,
    Question,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions import facts
from kitchentable.rulesets.toaster.actions.falling import fallen, luck_problems, task_question
from kitchentable.rulesets.toaster.actions.fields import on_name, own_fields
from kitchentable.rulesets.toaster.actions.prompts import CALLED_ROLL
from kitchentable.rulesets.toaster.actions.reckoning import Reckoning, helping, own_parts
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome


def _told(table: Table, actor: Actor, answers: Answers) -> dict[str, Any]:
    ask = table.asks.get(actor.ask)
    return {**(ask.preset if ask is not None else {}), **answers}


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return own_fields(table, lens.whom(table, actor.entity), _told(table, actor, answers))


def _reckon(table: Table, told: dict[str, Any], entity_id: str) -> Reckoning:
    entity = table.entities[entity_id]
    own = (*own_parts(table, entity, told), *helping(table, told))
    number = whole(told.get("modifier"))
    return Reckoning((*own, *((Part("as called for", number),) if number else ())))


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    told, entity = _told(table, actor, answers), lens.whom(table, actor.entity)
    if entity is None or not lens.numbers_known(entity) or not told.get("on"):
        return None
    modifier = _reckon(table, told, entity.id).modifier
    return task_question(table, entity, modifier, called=bool(told.get("called")))


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = lens.whom(table, actor.entity)
    return luck_problems(table, entity, answers) if entity is not None else ()


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Outcome) -> Result:
    told, entity = _told(table, actor, answers), table.entities[actor.entity]
    throw = facts.thrown(
        entity,
        on_name(table, told),
        str(told["on"]),
        "roll",
        _reckon(table, told, entity.id),
        outcome,
    )
    throw = replace(throw, called=bool(told.get("called")), luck=whole(told.get("luck")))
    about = {"what": str(told.get("why") or ""), "quality": False, "told_after": False}
    return fallen(table, actor, entity, throw, about, (actor.ask,))


CALLED = Move(
    CALLED_ROLL,
    "A further roll",
    "A roll that the GM has called for.",
    ("toaster.3.marginal-meaning", "toaster.3.unopposed-order"),
    _consequences,
    by=(),
    fields=_fields,
    check=_check,
    question=_question,
)
