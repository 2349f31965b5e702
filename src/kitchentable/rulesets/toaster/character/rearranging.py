"""Traits that change after all: asked for by a player, allowed by the GM, with the same sum."""

from __future__ import annotations

from dataclasses import replace
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
    Json,
    Line,
    Move,
    Problem,
    Result,
    Table,
    fresh,
    whom,
)
from kitchentable.rulesets.toaster.character.builder import trait_rows
from kitchentable.rulesets.toaster.character.points import free_ranks
from kitchentable.rulesets.toaster.character.trait_checks import (
    cap_problems,
    sum_sentence,
    trait_problems,
    written,
)
from kitchentable.rulesets.toaster.character.traits import trait_sum, traits


def _when(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is None or not entity.is_players:
        return "Traits of the GM's people are the GM's to change on their sheets."
    return None


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    return (
        replace(
            trait_rows(table), default=list(entity.sheet.get("traits") or []) if entity else []
        ),
        Field(
            "why",
            "What has happened to them?",
            "story",
            required=False,
            default="",
            longest=1000,
            help="Traits last. They change where the story has changed the character.",
            rule="toaster.2.adv-traits-rearrange",
        ),
    )


def _after(entity: Entity, answers: Answers) -> Entity:
    return replace(entity, sheet={**entity.sheet, "traits": answers.get("traits") or []})


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    """The sum has to stay what it was (toaster.2.adv-traits-balance)."""
    entity = whom(table, actor.entity)
    if entity is None:
        return ()
    after = _after(entity, answers)
    found = [*trait_problems(table, after), *cap_problems(table, after, free_ranks(table, entity))]
    if trait_sum(after) != trait_sum(entity):
        words = sum_sentence(trait_sum(entity), trait_sum(after))
        found.append(Problem("traits", "toaster.2.adv-traits-balance", words))
    if written(after) == written(entity):
        found.append(Problem("traits", "toaster.2.adv-traits-rearrange", "Nothing has changed."))
    return tuple(found)


def _told(entity: Entity) -> str:
    return "; ".join(f"{one.name} {one.rank:+}" for one in traits(entity)) or "no traits"


def _apply(entity: Entity, rows: Json, why: str) -> Result:
    after = replace(entity, sheet={**entity.sheet, "traits": rows})
    card = Card(
        f"{entity.name}: other traits",
        why,
        lines=(Line(f"Before: {_told(entity)}."), Line(f"Now: {_told(after)}.")),
        rules=("toaster.2.adv-traits-rearrange", "toaster.2.adv-traits-balance"),
        entity=entity.id,
    )
    return Result(card, (Change(("entities", entity.id, "sheet", "traits"), rows),))


def _propose(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """The GM changes them at once; a player asks."""
    entity = table.entities[actor.entity]
    rows, why = answers.get("traits") or [], str(answers.get("why") or "")
    if actor.is_gm:
        return _apply(entity, rows, why)
    ask = Ask(
        fresh(table, "traits"),
        (GM,),
        "judge_traits",
        f"{entity.name} would have other traits",
        f"{why} Now: {_told(entity)}. Then: {_told(_after(entity, answers))}.".strip(),
        preset={"whom": entity.id, "traits": rows, "why": why},
        rules=("toaster.2.adv-traits-rearrange",),
        entity=entity.id,
    )
    return Result(asks=(ask,))


REARRANGE = Move(
    "rearrange",
    "Rearrange traits",
    "Ask for other traits than you have, with the same sum of ranks. The GM has to agree.",
    (
        "toaster.2.adv-traits-fixed",
        "toaster.2.adv-traits-rearrange",
        "toaster.2.adv-traits-balance",
    ),
    _propose,
    place="closing",
    when=_when,
    fields=_fields,
    check=_check,
)


def _judge_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "agreed",
            "May they change?",
            "choice",
            (Choice("yes", "Yes"), Choice("no", "No")),
            default="yes",
            help="Where it fits the character and the campaign.",
            rule="toaster.2.adv-traits-rearrange",
        ),
        Field("word", "Why, or why not", required=False, default="", longest=600),
    )


def _judge(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[str(answers["whom"])]
    closes = (actor.ask,) if actor.ask else ()
    word = str(answers.get("word") or "")
    if answers["agreed"] == "yes":
        why = " ".join(one for one in (str(answers.get("why") or ""), word) if one)
        done = _apply(entity, answers["traits"], why)
        return Result(done.card, done.changes, closes=closes)
    card = Card(
        f"{entity.name}: traits stay",
        word,
        rules=("toaster.2.adv-traits-fixed",),
        entity=entity.id,
    )
    return Result(card, closes=closes)


JUDGE_TRAITS = Move(
    "judge_traits",
    "Other traits or not",
    "Say whether somebody's traits may change like this.",
    ("toaster.2.adv-traits-rearrange",),
    _judge,
    by=(),
    fields=_judge_fields,
    for_entity=False,
)
