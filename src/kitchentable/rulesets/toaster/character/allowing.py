"""What the GM has to allow: cards when a sheet is handed in, and a word at any other time."""

from __future__ import annotations

from dataclasses import dataclass
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
    Move,
    Result,
    Table,
    fresh,
    quoted,
)
from kitchentable.rulesets.toaster.character.leaves import open_leaves
from kitchentable.rulesets.toaster.character.listing import key_of, skill_name
from kitchentable.rulesets.toaster.character.skills import lines, specialty_verdict
from kitchentable.rulesets.toaster.character.speciality_checks import areas, names
from kitchentable.rulesets.toaster.character.verdicts import (
    ACCEPTED,
    PROPOSED,
    REFUSED,
    speciality_key,
    verdict,
    verdict_change,
)
from kitchentable.rulesets.toaster.options.reading import setting

_MOVE = "allow"
_STAGES = frozenset({"draft", "submitted", "play"})


@dataclass(frozen=True, slots=True)
class _Matter:
    """Something for the GM to allow, under its key: a title, a sentence, a rule."""

    key: str
    title: str
    text: str
    rule: str


def _matters(table: Table, entity: Entity) -> tuple[_Matter, ...]:
    """All that waits for the GM's word on this sheet."""
    found = [
        _Matter(one.key, entity.name, one.sentence, one.rule) for one in open_leaves(table, entity)
    ]
    if entity.is_players and setting(table.options, "specialization"):
        for _, line in lines(entity):
            key = key_of(line.get("skill"), line.get("of"))
            for name in names(line):
                if specialty_verdict(entity, key, name) == PROPOSED:
                    told = f"{skill_name(table, key)}: a speciality in {quoted(name)}, one of "
                    told += f"{', '.join(areas(line))}."
                    rule = "toaster.2.specialty-gm-approval"
                    found.append(_Matter(speciality_key(key, name), entity.name, told, rule))
    return tuple(found)


def submitted(table: Table, entity: str) -> Result:
    """Everything on a finished sheet that is the GM's to allow is put before the GM."""
    one = table.entities[entity]
    waiting = [each for each in _matters(table, one) if verdict(one, each.key) == PROPOSED]
    asks = tuple(
        Ask(
            fresh(table, "leave", index),
            (GM,),
            _MOVE,
            f"To be allowed for {one.name}",
            each.text,
            preset={"what": f"{entity}|{each.key}"},
            rules=(each.rule,),
            entity=entity,
        )
        for index, each in enumerate(waiting, start=1)
    )
    return Result(asks=asks, closes=_open_asks(table, entity))


def accepted(table: Table, entity: str) -> Result:
    """With the sheet the GM accepts the specialities that were not refused."""
    one = table.entities[entity]
    changes: list[Change] = []
    for _, line in lines(one):
        key = key_of(line.get("skill"), line.get("of"))
        keys = [speciality_key(key, name) for name in names(line)]
        changes += [
            verdict_change(one, each, ACCEPTED) for each in keys if verdict(one, each) == PROPOSED
        ]
    return Result(changes=tuple(changes), closes=_open_asks(table, entity))


def _open_asks(table: Table, entity: str) -> tuple[str, ...]:
    return tuple(
        one.id for one in table.asks.values() if one.move == _MOVE and one.entity == entity
    )


# ---------------------------------------------------------------- the GM's word


def _open(table: Table) -> tuple[tuple[Entity, _Matter], ...]:
    return tuple(
        (one, each)
        for one in table.entities.values()
        if one.stage in _STAGES and one.is_players
        for each in _matters(table, one)
    )


def _when(table: Table, actor: Actor) -> str | None:
    return None if _open(table) else "No sheet holds anything that waits for your word."


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    waiting = tuple(
        Choice(f"{one.id}|{each.key}", f"{one.name}: {each.text}") for one, each in _open(table)
    )
    return (
        Field("what", "What is it about?", "choice", waiting),
        Field(
            "verdict",
            "Is it allowed?",
            "choice",
            (Choice(ACCEPTED, "Yes"), Choice(REFUSED, "No")),
            default=ACCEPTED,
        ),
        Field(
            "word",
            "Why, or what would do instead",
            "story",
            default="",
            required=False,
            longest=600,
        ),
    )


def _allow(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ident, _, key = str(answers["what"]).partition("|")
    entity = table.entities[ident]
    matter = next((each for each in _matters(table, entity) if each.key == key), None)
    said, word = str(answers["verdict"]), str(answers.get("word") or "")
    closes = tuple(
        one.id
        for one in table.asks.values()
        if one.move == _MOVE and one.preset.get("what") == answers["what"]
    )
    if matter is None:
        return Result(closes=closes)
    card = Card(
        f"{entity.name}: {'allowed' if said == ACCEPTED else 'refused'}",
        f"{matter.text}{f' {word}' if word else ''}",
        rules=(matter.rule,),
        entity=entity.id,
        audience="all" if entity.stage == "play" else entity.owner,
    )
    return Result(card, (verdict_change(entity, key, said, word),), closes=closes)


ALLOW = Move(
    _MOVE,
    "Allow it, or not",
    "Say whether something on a sheet may be as it is: more than human, a speciality, a size.",
    (
        "toaster.2.attribute-superhuman",
        "toaster.2.skill-base-over-10",
        "toaster.2.specialty-gm-approval",
        "toaster.2.trait-package-cap",
        "toaster.2.trait-size-human-limit",
    ),
    _allow,
    by=("gm",),
    place="gm",
    when=_when,
    fields=_fields,
    for_entity=False,
)
