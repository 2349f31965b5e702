"""What somebody carries, changed in play; and thresholds that the GM sets by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Card,
    Change,
    Field,
    Move,
    Result,
    RuleRefuses,
    Table,
    card_audience,
    listed,
    whole,
    whom,
)
from kitchentable.rulesets.toaster.character.derived import thresholds
from kitchentable.rulesets.toaster.character.gear import armour, weapons
from kitchentable.rulesets.toaster.character.gear_fields import gear_fields


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    sheet = entity.sheet if entity else {}
    return tuple(
        replace(field, default=sheet.get(field.name, field.default)) for field in gear_fields(table)
    )


def _carry(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """Only what has changed is a new fact."""
    entity = table.entities[actor.entity]
    changes = tuple(
        Change(("entities", entity.id, "sheet", field.name), answers[field.name])
        for field in gear_fields(table)
        if field.name in answers and answers[field.name] != entity.sheet.get(field.name)
    )
    if not changes:
        raise RuleRefuses(
            f"{entity.name} carries just that.", "toaster.2.creation-possessions", code="gear/same"
        )
    after = replace(entity, sheet={**entity.sheet, **{one.path[-1]: one.now for one in changes}})
    bare = len(weapons(table, replace(entity, sheet={})))
    held = [one.name for one in weapons(table, after)[:-bare]]
    worn = [one.name for one in armour(table, after) if one.worn]
    words = f"Weapons: {listed(held) or 'none'}. Armour: {listed(worn) or 'none'}."
    card = Card(
        f"{entity.name}: other things",
        words if entity.is_players else "",
        rules=("toaster.2.creation-possessions",),
        entity=entity.id,
        audience=card_audience(entity) if entity.is_players or entity.open else "gm",
    )
    return Result(card, changes)


CARRY = Move(
    "carry",
    "Weapons, armour, belongings",
    "Take something up, put something on, lay it down, buy it or lose it.",
    ("toaster.2.creation-possessions", "toaster.4.ac-formula"),
    _carry,
    place="rest",
    fields=_fields,
)

# ---------------------------------------------------------------- thresholds by hand


def _body_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    own: Any = (entity.sheet.get("thresholds") if entity else None) or {}
    return tuple(
        Field(
            key,
            f"{words} threshold",
            "number",
            default=own.get(key),
            required=False,
            low=1,
            high=999,
            help="Left empty, the size decides.",
            rule="toaster.2.trait-size-extremes",
        )
        for key, words in (("stun", "Stun"), ("wound", "Wound"))
    )


def _measure(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    own = {key: whole(answers.get(key)) or None for key in ("stun", "wound")}
    after = replace(entity, sheet={**entity.sheet, "thresholds": own})
    before, now = thresholds(table, entity), thresholds(table, after)
    card = Card(
        f"{entity.name}: thresholds {now[0]} and {now[1]}",
        f"Stun {now[0]}, wounds {now[1]}; before, {before[0]} and {before[1]}.",
        rules=("toaster.2.trait-size-extremes",),
        entity=entity.id,
        audience="all" if entity.is_players or entity.open else "gm",
    )
    return Result(card, (Change(("entities", entity.id, "sheet", "thresholds"), own),))


MEASURE = Move(
    "thresholds",
    "Thresholds of their own",
    "Say how much somebody of unusual build can take, whatever their size says.",
    ("toaster.2.trait-size-extremes",),
    _measure,
    by=("gm",),
    place="gm",
    fields=_body_fields,
    examples=({"stun": 9, "wound": 9},),
)
