"""The end of things: a fate in the GM's hands at status 0, and what dies takes its karma along."""

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
    number_audience,
    whom,
)
from kitchentable.rulesets.objects.thing import STATUS_WORDS, karma, now, status, status_phrase


def fate_ask(table: Table, entity: Entity) -> Ask:
    """The card by which the GM settles what becomes of an object at status 0.

    objects.2.5-status-zero: it is not dead for being there.
    """
    return Ask(
        f"fate-{entity.id}",
        (GM,),
        "fate",
        f"What becomes of {entity.name}?",
        "Its fate is in your hands. It is not dead unless you say so.",
        rules=("objects.2.5-status-zero",),
        skippable=True,
        entity=entity.id,
    )


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    verdict = Field(
        "verdict",
        "What becomes of it?",
        "choice",
        (
            Choice("leave", "It may try something", "Leave for one roll."),
            Choice("recovers", "It recovers", "To a status you choose."),
            Choice("dies", "It dies or is destroyed", "Its karma is lost."),
            Choice("other", "Something else", "Tell it; nothing else changes."),
        ),
        default="leave",
        rule="objects.2.5-status-zero",
    )
    told = Field("told", "Tell it", "story", required=False, default="", longest=2000)
    if answers.get("verdict") != "recovers":
        return (verdict, told)
    raised = Field(
        "status",
        "To",
        "choice",
        tuple(Choice(str(n), status_phrase(n)) for n in sorted(STATUS_WORDS) if n),
        default="1",
        rule="objects.2.5-status-change",
    )
    return (verdict, raised, told)


def _settle(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    ask = f"fate-{entity.id}"
    closes = (ask,) if ask in table.asks else ()
    text = str(answers.get("told") or "")
    changes: tuple[Change, ...] = ()
    match answers["verdict"]:
        case "dies":
            return dies(table, entity, text)
        case "recovers":
            value = int(str(answers["status"]))
            title = f"{entity.name} recovers: {status_phrase(value)}"
            changes = (now(entity, "status", value), now(entity, "leave", value=False))
        case "leave":
            title = f"{entity.name} may try something"
            changes = (now(entity, "leave", value=True),)
        case _:
            title = f"The fate of {entity.name}"
    card = Card(
        title,
        text,
        rules=("objects.2.5-status-zero",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, changes, closes=closes)


def _when_zero(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is None or status(entity) != 0:
        return "Its fate is its own; only at status 0 is it in your hands."
    return None


FATE = Move(
    "fate",
    "What becomes of it?",
    "At status 0 an object's fate is yours: it recovers, dies, or may try something.",
    ("objects.2.5-status-zero",),
    _settle,
    by=("gm",),
    place="gm",
    when=_when_zero,
    fields=_fields,
)

# ---------------------------------------------------------------- death


def dies(table: Table, entity: Entity, told: str) -> Result:
    """It is gone, and its karma is lost with it (objects.3.k-death)."""
    lost = karma(entity)
    card = Card(
        f"{entity.name} is no more",
        told,
        "dead",
        "bad",
        lines=(Line(f"Karma lost with it: {lost}.", number_audience(entity)),) if lost else (),
        rules=("objects.3.k-death",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(
        card, (now(entity, "karma", 0), *leaves(table, entity)), closes=cards(table, entity)
    )


def leaves(table: Table, entity: Entity) -> tuple[Change, ...]:
    """The changes by which an object is no longer at the table, nor in its fight."""
    changes = [Change(("entities", entity.id, "stage"), "gone")]
    if table.fight is not None:
        fight: Any = table.fight
        order = [one for one in fight["order"] if one != entity.id]
        changes.append(Change(("fight", "order"), order))
        if fight["turn"] == entity.id:
            changes.append(Change(("fight", "turn"), ""))
    return tuple(changes)


def cards(table: Table, entity: Entity) -> tuple[str, ...]:
    """The cards that wait for something of this object's, and need not any more."""
    moves = {"fate", "again", "judge_status", "judge_talent"}
    return tuple(
        ask.id for ask in table.asks.values() if ask.entity == entity.id and ask.move in moves
    )


def _death_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    lost = karma(entity) if entity is not None else 0
    help_text = f"Its {lost} karma are lost." if lost else ""
    return (
        Field(
            "told",
            "What happened?",
            "story",
            longest=2000,
            help=help_text,
            rule="objects.3.k-death",
        ),
    )


def _death(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    return dies(table, table.entities[actor.entity], str(answers["told"]))


DEATH = Move(
    "death",
    "It dies or is destroyed",
    "A person, a ship, a faith: it is no more, and its karma goes with it.",
    ("objects.3.k-death",),
    _death,
    by=("gm",),
    place="gm",
    fields=_death_fields,
)
