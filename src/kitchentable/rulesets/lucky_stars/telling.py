"""After a roll the GM says what happens, and play goes on."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Entity,
    Field,
    Move,
    Result,
    Table,
    card_audience,
    whole,
)
from kitchentable.rulesets.lucky_stars.options import setting

_ASK = "telling"


def telling_ask(table: Table, entity: Entity, title: str) -> tuple[Ask, ...]:
    """A card for the GM's sentence about the roll that has just fallen; the newest takes its place.

    stars.2.3-describe.
    """
    if not setting(table.options, "narrate"):
        return ()
    return (
        Ask(
            _ASK,
            (GM,),
            "telling",
            f"What happens? {entity.name}: {title}",
            preset={"about": table.number + 1, "name": entity.name},
            rules=("stars.2.3-describe",),
            skippable=True,
            entity=entity.id,
        ),
    )


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("text", "What happens", "story", rule="stars.2.3-describe"),)


def _tell(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ask = table.asks[actor.ask]
    entity = table.entities.get(ask.entity)
    card = Card(
        f"{ask.preset['name']}: what happens",
        str(answers["text"]),
        rules=("stars.2.3-describe",),
        entity=ask.entity,
        audience=card_audience(entity) if entity is not None else GM,
        about=whole(ask.preset.get("about")),
    )
    return Result(card, closes=(ask.id,))


TELLING = Move(
    "telling",
    "What happens?",
    "The GM tells what a roll has brought.",
    ("stars.2.3-describe",),
    _tell,
    by=(),
    fields=_fields,
    for_entity=False,
)
