"""What player and GM agree on: how powerful an object is, and which talents its story gives it."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Result,
    Table,
    card_audience,
    whom,
)
from kitchentable.rulesets.objects.thing import gained_talents, now


def _power_field(entity: Entity | None) -> Field:
    said = str(entity.state.get("power") or "") if entity is not None else ""
    return Field(
        "power",
        "How powerful is it?",
        required=False,
        default=said,
        longest=300,
        help="Tougher than whom, weaker than what. You are the judge.",
        rule="objects.2.1-power-level",
    )


def _verdict(entity: Entity, name: str, verdict: str, word: str = "") -> Change:
    said = {"verdict": verdict, "word": word}
    return Change(("entities", entity.id, "state", "talents", name), said)


# ---------------------------------------------------------------- a finished sheet


def submitted(table: Table, entity: str) -> Result:
    """A finished sheet asks the GM how powerful the object is, and about each gained talent.

    objects.2.1-power-level, objects.2.3-gt-agree, objects.2.3-no-budget.
    """
    one = table.entities[entity]
    ask = Ask(
        f"agree-{entity}",
        (GM,),
        "agree",
        f"{one.name}: power and talents",
        "Its story is the measure; there are no points to count.",
        rules=("objects.2.3-gt-agree", "objects.2.3-no-budget", "objects.2.2-story-discuss"),
        skippable=True,
        entity=entity,
    )
    return Result(asks=(ask,))


def accepted(table: Table, entity: str) -> Result:
    """With the sheet the GM agrees to whatever was not turned down."""
    one = table.entities[entity]
    changes = tuple(
        _verdict(one, talent.name, "agreed")
        for talent in gained_talents(one)
        if not _said(one, talent.name)
    )
    ask = f"agree-{entity}"
    return Result(changes=changes, closes=(ask,) if ask in table.asks else ())


def _said(entity: Entity, name: str) -> bool:
    verdicts: Any = entity.state.get("talents") or {}
    return name in verdicts


def _agree_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    own = gained_talents(entity) if entity is not None else ()
    doubts = Field(
        "not_yet",
        "Not agreed yet",
        "many",
        tuple(Choice(one.name, one.phrase) for one in own),
        default=[],
        required=False,
        help="Whatever you leave unticked is agreed.",
        rule="objects.2.3-gt-agree",
    )
    word = Field("word", "What would fit better?", required=False, default="", longest=400)
    return (_power_field(entity), *((doubts, word) if own else ()))


def _agree(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    doubted = {str(one) for one in answers.get("not_yet") or []}
    word, power = str(answers.get("word") or ""), str(answers.get("power") or "")
    changes = [
        _verdict(entity, one.name, "not yet", word)
        if one.name in doubted
        else _verdict(entity, one.name, "agreed")
        for one in gained_talents(entity)
    ]
    changes.append(now(entity, "power", power))
    lines = [Line(f"Power: {power}")] if power else []
    lines += [Line(f"Not agreed yet: {name}") for name in sorted(doubted)]
    if word:
        lines.append(Line(word))
    card = Card(
        f"{entity.name}: power and talents",
        "The GM has doubts." if doubted else "The GM agrees.",
        "not yet" if doubted else "agreed",
        "bad" if doubted else "good",
        lines=tuple(lines),
        rules=("objects.2.3-gt-agree", "objects.2.1-power-level"),
        entity=entity.id,
        audience=GM if not entity.is_players else entity.owner,
    )
    return Result(card, tuple(changes))


AGREE = Move(
    "agree",
    "Do you agree?",
    "Say how powerful it is, and which talents its story does not give it yet.",
    ("objects.2.3-gt-agree", "objects.2.3-no-budget", "objects.2.1-power-level"),
    _agree,
    by=(),
    fields=_agree_fields,
)

# ---------------------------------------------------------------- in play


def _power_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (_power_field(whom(table, actor.entity)),)


def _power(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    power = str(answers.get("power") or "")
    card = Card(
        f"{entity.name}: how powerful it is",
        power or "Nothing is said of it.",
        rules=("objects.2.1-power-level",),
        entity=entity.id,
        audience=card_audience(entity) if entity.is_players or entity.open else GM,
    )
    return Result(card, (now(entity, "power", power),))


POWER = Move(
    "power",
    "How powerful is it?",
    "A dragon above a man, an army above a band. The last word is yours.",
    ("objects.2.1-power-level",),
    _power,
    by=("gm",),
    place="gm",
    fields=_power_fields,
)
