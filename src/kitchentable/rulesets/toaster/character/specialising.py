"""A speciality that somebody takes in play, once a skill has grown far enough."""

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
    Move,
    Problem,
    Result,
    Table,
    fresh,
    number_audience,
    quoted,
    whom,
)
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.character.people import plural
from kitchentable.rulesets.toaster.character.skills import lines, skills
from kitchentable.rulesets.toaster.character.speciality_checks import (
    AREAS,
    FIRST,
    SECOND,
    speciality_problems,
)
from kitchentable.rulesets.toaster.character.verdicts import (
    ACCEPTED,
    REFUSED,
    speciality_key,
    verdict_change,
)
from kitchentable.rulesets.toaster.options.reading import setting

_RULES = (
    "toaster.2.specialty-switch",
    "toaster.2.specialty-rank-4",
    "toaster.2.specialty-rank-8-second",
    "toaster.2.specialty-three-areas",
    "toaster.2.specialty-gm-approval",
)


def _when(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if not setting(table.options, "specialization"):
        return "This table plays without specialities."
    if entity is None or not any(
        one.rank >= FIRST and one.place >= 0 for one in _own(table, entity)
    ):
        return f"A speciality takes a skill of rank {FIRST}."
    return None


def _own(table: Table, entity: Entity) -> tuple[Any, ...]:
    return tuple(one for one in skills(table, entity) if one.place >= 0)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    able = tuple(
        Choice(str(one.place), f"{one.name} {one.rank}")
        for one in (_own(table, entity) if entity else ())
        if one.rank >= FIRST
    )
    return (
        Field("skill", "Skill", "choice", able, rule="toaster.2.specialty-rank-4"),
        Field(
            "how",
            "What of it",
            "choice",
            (
                Choice("first", "A speciality, +1"),
                Choice("second", f"A second one, +1, from rank {SECOND}"),
                Choice("doubled", f"The one there is counts +2, from rank {SECOND}"),
            ),
            default="first",
            rule="toaster.2.specialty-rank-8-second",
        ),
        Field("name", "Which speciality", required=False, default="", longest=120),
        Field(
            "areas",
            f"{AREAS} independent areas of the skill",
            required=False,
            default="",
            longest=400,
            help="With commas between them. The speciality is one of them.",
            rule="toaster.2.specialty-three-areas",
        ),
    )


def _changed(entity: Entity, answers: Answers) -> list[dict[str, Json]]:
    """The lines of the skills as they would be."""
    rows: list[dict[str, Json]] = [dict(line) for _, line in lines(entity)]
    line = rows[int(str(answers["skill"]))]
    name, how = str(answers.get("name") or "").strip(), answers.get("how")
    if how == "second":
        line["specialty2"] = name
    elif how == "doubled":
        line["doubled"] = True
    else:
        line["specialty"] = name
    if str(answers.get("areas") or "").strip():
        line["areas"] = str(answers["areas"])
    return rows


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    """The sheet as it would be has to hold (toaster.2.specialty-rank-used)."""
    entity = whom(table, actor.entity)
    if entity is None or not str(answers.get("skill") or ""):
        return ()
    place, how = str(answers["skill"]), answers.get("how")
    found = []
    line = entity.sheet["skills"][int(place)]
    if how != "doubled" and not str(answers.get("name") or "").strip():
        words = "Say which speciality it is."
        found.append(Problem("name", "toaster.2.specialty-switch", words))
    if how == "first" and line.get("specialty"):
        words = f"There is one already, {quoted(str(line['specialty']))}; at {SECOND} comes more."
        found.append(Problem("how", "toaster.2.specialty-rank-8-second", words))
    if how != "first" and not line.get("specialty"):
        words = "There is no first speciality yet."
        found.append(Problem("how", "toaster.2.specialty-rank-4", words))
    after = replace(entity, sheet={**entity.sheet, "skills": _changed(entity, answers)})
    asked = {
        f"skills.{place}.specialty": "how",
        f"skills.{place}.areas": "areas",
        "skills": "skill",
    }
    found += [
        Problem(asked[one.where], one.rule, one.sentence)
        for one in speciality_problems(table, after)
        if one.refuses and one.where in asked
    ]
    return tuple(found)


def _ask(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """The GM's own people simply have it; for a player's character the GM is asked."""
    entity = table.entities[actor.entity]
    if actor.is_gm:
        return _take(table, entity, answers)
    own = next(one for one in _own(table, entity) if one.place == int(str(answers["skill"])))
    what = {"second": "a second speciality", "doubled": "the speciality counts +2"}
    words = what.get(str(answers["how"]), "a speciality")
    line = entity.sheet["skills"][own.place]
    name = str(answers.get("name") or line.get("specialty") or "")
    areas = str(answers.get("areas") or line.get("areas") or "none named")
    told = f"{own.name} {own.rank}: {words}, {quoted(name)}"
    ask = Ask(
        fresh(table, "speciality"),
        (GM,),
        "judge_speciality",
        f"{entity.name} would specialise",
        f"{told}. Areas: {areas}.",
        preset={"whom": entity.id, **{key: answers.get(key) for key in _KEPT}},
        rules=("toaster.2.specialty-gm-approval", "toaster.2.specialty-three-areas"),
        entity=entity.id,
    )
    return Result(asks=(ask,))


_KEPT = ("skill", "how", "name", "areas")


def _take(table: Table, entity: Entity, answers: Answers) -> Result:
    rows = _changed(entity, answers)
    own = next(one for one in _own(table, entity) if one.place == int(str(answers["skill"])))
    name = str(answers.get("name") or rows[own.place].get("specialty") or "")
    bonus = 2 if answers.get("how") == "doubled" else 1
    card = Card(
        f"{entity.name}: {skill_name(table, own.key)}",
        f"A speciality in {quoted(name)}: {plural(bonus, 'point')} more inside it.",
        tone="good",
        rules=("toaster.2.specialty-plus-1", "toaster.2.specialty-gm-approval"),
        entity=entity.id,
        audience=number_audience(entity),
    )
    changes = (
        Change(("entities", entity.id, "sheet", "skills"), rows),
        verdict_change(entity, speciality_key(own.key, name), ACCEPTED),
    )
    return Result(card, changes)


SPECIALISE = Move(
    "specialise",
    "Specialise",
    "Choose a narrow part of a skill in which you are better. The GM has to agree.",
    _RULES,
    _ask,
    place="closing",
    when=_when,
    fields=_fields,
    check=_check,
)


def _judge_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "verdict",
            "Is it allowed?",
            "choice",
            (Choice(ACCEPTED, "Yes"), Choice(REFUSED, "No")),
            default=ACCEPTED,
            help="If it makes the character richer, and nobody can lean on it all evening.",
            rule="toaster.2.specialty-gm-approval",
        ),
        Field("word", "Why", required=False, default="", longest=600),
    )


def _judge(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[str(answers["whom"])]
    closes = (actor.ask,) if actor.ask else ()
    if answers["verdict"] == ACCEPTED:
        done = _take(table, entity, answers)
        return Result(done.card, done.changes, closes=closes)
    card = Card(
        f"{entity.name}: no speciality",
        str(answers.get("word") or ""),
        rules=("toaster.2.specialty-gm-approval",),
        entity=entity.id,
    )
    return Result(card, closes=closes)


JUDGE_SPECIALITY = Move(
    "judge_speciality",
    "A speciality or not",
    "Say whether somebody may specialise like this.",
    ("toaster.2.specialty-gm-approval",),
    _judge,
    by=(),
    fields=_judge_fields,
    for_entity=False,
)
