"""What changes about an object in play: gained talents, who is aboard, objectives."""

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
    Json,
    Line,
    Move,
    Problem,
    Result,
    Table,
    asked,
    card_audience,
    choose,
    fresh,
    is_closed,
    quoted,
    whole,
    whom,
)
from kitchentable.rulesets.objects.thing import (
    HIGHEST,
    LOWEST,
    Talent,
    find_talent,
    gained_rows,
    gained_talents,
    others,
)

_NEW = ""


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    own = gained_talents(entity) if entity is not None else ()
    picked = next((one for one in own if one.name == answers.get("talent")), None)
    talent = Field(
        "talent",
        "Which talent?",
        "choice",
        (Choice(_NEW, "A new one"), *(Choice(one.name, one.phrase) for one in own)),
        default=_NEW,
        required=False,
        rule="objects.2.3-gained-talents",
    )
    name = Field("name", "The new talent", longest=600, rule="objects.2.3-talent")
    return (
        talent,
        *((name,) if picked is None else ()),
        Field(
            "level",
            "Level",
            "number",
            default=picked.level if picked else 2,
            low=LOWEST,
            high=HIGHEST,
            rule="objects.2.3-talent",
        ),
        Field(
            "object",
            "Is another object",
            "entity",
            choose(others(table, actor)),
            default=_link(table, actor, picked),
            required=False,
            help="A pilot, a crew, a blade in the hand. The level is this object's own.",
            rule="objects.2.3-crew-as-talent",
        ),
        Field("reason", "Why?", longest=400, rule="objects.2.3-gt-improve"),
    )


def _link(table: Table, actor: Actor, picked: Talent | None) -> str:
    """What the talent is already, as far as the one who asks knows of it."""
    known = {one.id for one in others(table, actor)}
    return picked.leads_to if picked and picked.leads_to in known else ""


def _unseen(table: Table, actor: Actor, entity: Entity, answers: Answers) -> str:
    """What the talent is, where the one who acts could not see it and did not mean to end it."""
    picked = next(
        (one for one in gained_talents(entity) if one.name == answers.get("talent")), None
    )
    return picked.leads_to if picked and not _link(table, actor, picked) else ""


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = whom(table, actor.entity)
    name = str(answers.get("name") or "")
    if entity is None or answers.get("talent") or find_talent(table, entity, name) is None:
        return ()
    sentence = f"{entity.name} has {quoted(name)} already."
    return (Problem("name", "objects.2.3-gained-talents", sentence),)


def _learn(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """The GM's word is enough; a player's change waits for it (objects.2.3-gt-improve)."""
    entity = table.entities[actor.entity]
    told: dict[str, Json] = {
        "talent": str(answers.get("talent") or answers.get("name") or ""),
        "level": whole(answers["level"]),
        "object": str(answers.get("object") or ""),
        "keeps": _unseen(table, actor, entity, answers),
        "reason": str(answers["reason"]),
    }
    if actor.is_gm:
        return _learned(table, entity, told)
    wanted = Talent(str(told["talent"]), whole(told["level"]))
    ask = Ask(
        fresh(table, "talent"),
        (GM,),
        "judge_talent",
        f"{entity.name}: {wanted.phrase}?",
        str(told["reason"]),
        preset=told,
        rules=("objects.2.3-gt-improve", "objects.2.3-gt-agree"),
        entity=entity.id,
    )
    card = Card(
        f"{entity.name}: perhaps {wanted.phrase}",
        "It waits for the GM.",
        lines=(Line(str(told["reason"])),),
        rules=("objects.2.3-gt-improve",),
        entity=entity.id,
        audience=_audience(table, entity, told),
    )
    return Result(card, asks=(ask,))


def _audience(table: Table, entity: Entity, told: dict[str, Json]) -> str:
    """The GM's alone for a closed object, and while somebody in it is hidden."""
    linked = whom(table, told.get("object"))
    return GM if is_closed(entity) else card_audience(entity, *((linked,) if linked else ()))


def _learned(table: Table, entity: Entity, told: dict[str, Json]) -> Result:
    name, value, linked = str(told["talent"]), whole(told["level"]), str(told["object"])
    rows = gained_rows(entity)
    row = next((one for one in rows if one.get("name") == name), None)
    before = Talent(name, whole(row["level"])).phrase if row else ""
    if row is None:
        row = {"name": name}
        rows.append(row)
    row |= {"level": value, "object": linked or str(told["keeps"])}
    part = whom(table, linked)
    lines = [Line(str(told["reason"]))]
    if part is not None:
        lines.append(Line(f"{part.name} is part of {entity.name}."))
    card = Card(
        f"{entity.name}: {Talent(name, value).phrase}",
        f"It was: {before}." if before else "It is new.",
        lines=tuple(lines),
        rules=(
            "objects.2.3-gained-talents",
            "objects.2.3-gt-improve",
            *(("objects.2.3-crew-as-talent",) if linked else ()),
        ),
        entity=entity.id,
        audience=_audience(table, entity, told),
    )
    agreed = Change(
        ("entities", entity.id, "state", "talents", name), {"verdict": "agreed", "word": ""}
    )
    return Result(card, (Change(("entities", entity.id, "sheet", "talents"), rows), agreed))


LEARN = Move(
    "learn",
    "A talent changes",
    "Something is learned, lost or improved; somebody comes aboard.",
    ("objects.2.3-gained-talents", "objects.2.3-gt-improve", "objects.2.3-crew-as-talent"),
    _learn,
    place="rest",
    fields=_fields,
    check=_check,
    examples=({"name": "Knows the tides", "level": 2, "reason": "A winter at sea"},),
)


def _judge_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "verdict",
            "Do you agree?",
            "choice",
            (Choice("yes", "Yes"), Choice("no", "Not like this")),
            default="yes",
            rule="objects.2.3-gt-agree",
        ),
        Field("word", "A word to the player", required=False, default="", longest=400),
    )


def _judge(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    told = asked(table, actor, answers)
    entity = table.entities[table.asks[actor.ask].entity]
    if told["verdict"] == "yes":
        return _learned(table, entity, told)
    card = Card(
        f"{entity.name}: {quoted(str(told['talent']))} stays as it is",
        str(told.get("word") or "So the GM decides."),
        rules=("objects.2.3-gt-agree",),
        entity=entity.id,
        audience=_audience(table, entity, told),
    )
    return Result(card)


JUDGE_TALENT = Move(
    "judge_talent",
    "Do you agree?",
    "The GM says whether a talent changes.",
    ("objects.2.3-gt-agree", "objects.2.3-gt-improve"),
    _judge,
    by=(),
    fields=_judge_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- objectives


def _objectives(entity: Entity | None) -> list[dict[str, Any]]:
    rows: Any = (entity.sheet.get("objectives") if entity is not None else None) or []
    return [dict(row) for row in rows]


def _aim_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    rows = _objectives(whom(table, actor.entity))
    still = tuple(
        Choice(str(index), str(row["text"]))
        for index, row in enumerate(rows)
        if not row.get("done")
    )
    reached = Field(
        "reached",
        "Reached",
        "choice",
        (Choice("", "None of them"), *still),
        default="",
        required=False,
        rule="objects.2.6-objectives",
    )
    new = Field(
        "new",
        "A new objective",
        required=False,
        default="",
        longest=400,
        rule="objects.2.6-objectives",
    )
    return (*((reached,) if still else ()), new)


def _aim_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if answers.get("reached") or answers.get("new"):
        return ()
    sentence = "Say which objective is reached, or write down a new one."
    return (Problem("new", "objects.2.6-objectives", sentence),)


def _aim(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    rows = _objectives(entity)
    lines = []
    if answers.get("reached"):
        row = rows[int(str(answers["reached"]))]
        row["done"] = True
        lines.append(Line(f"Reached: {row['text']}"))
    if answers.get("new"):
        rows.append({"text": str(answers["new"]), "done": False})
        lines.append(Line(f"New: {answers['new']}"))
    card = Card(
        f"{entity.name}: objectives",
        lines=tuple(lines),
        rules=("objects.2.6-objectives",),
        entity=entity.id,
        audience=GM if is_closed(entity) else card_audience(entity),
    )
    return Result(card, (Change(("entities", entity.id, "sheet", "objectives"), rows),))


OBJECTIVE = Move(
    "objective",
    "Objectives",
    "Tick off what is reached, write down what comes next.",
    ("objects.2.6-objectives",),
    _aim,
    place="rest",
    fields=_aim_fields,
    check=_aim_check,
    examples=({"new": "Find the harbour master"},),
)
