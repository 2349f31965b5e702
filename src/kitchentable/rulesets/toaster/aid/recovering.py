"""Getting over what a critical hit did: up from the ground, and a weapon taken up again."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Card,
    Choice,
    Entity,
    Field,
    Move,
    Result,
    Table,
    running,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.beside import may_act, own_action, spend, step
from kitchentable.rulesets.toaster.harm.criticals import PRONE
from kitchentable.rulesets.toaster.harm.state import become, changed, dropped


def _choices(table: Table, entity: Entity, *, by_gm: bool) -> tuple[Choice, ...]:
    found = []
    for weapon, where in dropped(entity).items():
        held = lens.weapon(table, entity, weapon)
        name = held.name if held else "the weapon"
        if where != "broken":
            verb = "Pick up" if where == "feet" else "Fetch"
            found.append(Choice(f"weapon:{weapon}", f"{verb} {name}"))
        elif by_gm:
            found.append(Choice(f"weapon:{weapon}", f"{name} is whole again"))
    for one in entity.state.get("effects") or []:
        if one.get("id") == PRONE:
            found.append(Choice(f"effect:{PRONE}", "Get up from the ground"))
        elif by_gm:
            found.append(Choice(f"effect:{one.get('id')}", f"No longer {one.get('name')}"))
    return tuple(found)


def _when(table: Table, actor: Actor) -> str | None:
    entity = lens.whom(table, actor.entity)
    if entity is None:
        return "Nobody is named."
    if not _choices(table, entity, by_gm=actor.is_gm):
        return f"{entity.name} has nothing to get over."
    return None if actor.is_gm else may_act(table, actor)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = lens.whom(table, actor.entity)
    choices = _choices(table, entity, by_gm=actor.is_gm) if entity is not None else ()
    first = choices[0].value if choices else None
    what = Field("what", "What?", "choice", choices, default=first, rule="toaster.4.crit-a")
    if not actor.is_gm:
        return (what,)
    takes = Field(
        "action",
        "It takes them an action",
        "tick",
        default=may_act(table, actor) is None and table.fight is not None,
        required=False,
        rule="toaster.4.actions-count",
    )
    return (what, takes)


def _recover(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    kind, _, name = str(answers["what"]).partition(":")
    words = {one.value: one.label for one in _choices(table, entity, by_gm=True)}
    if kind == "weapon":
        kept = {weapon: where for weapon, where in dropped(entity).items() if weapon != name}
        after = become(entity, dropped=kept)
    else:
        rows: list[Any] = list(entity.state.get("effects") or [])
        after = become(entity, effects=[row for row in rows if row.get("id") != name])
    card = Card(
        entity.name,
        f"{words.get(str(answers['what']), 'Gets over it')}.",
        rules=("toaster.4.crit-a" if kind == "weapon" else "toaster.4.crit-b",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    if not answers.get("action", True):
        return Result(card, changed(entity, after))
    fight = running(table)
    spend(table, fight, entity.id)
    changes, asks = step(table, fight)
    return Result(card, (*changed(entity, after), *own_action(entity)[1], *changes), asks)


RECOVER = Move(
    "recover",
    "Get up, or take up a weapon",
    "What a critical hit did and somebody can undo: a weapon on the ground, a fall.",
    ("toaster.4.crit-a", "toaster.4.crit-b"),
    _recover,
    place="fight",
    when=_when,
    fields=_fields,
)

MOVES = (RECOVER,)
