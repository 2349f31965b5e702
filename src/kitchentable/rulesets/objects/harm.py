"""Status and what it stands for: it falls with a written cause, and what is broken is mended."""

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
    fresh,
    is_closed,
    whole,
    whom,
)
from kitchentable.rulesets.objects.fates import fate_ask
from kitchentable.rulesets.objects.options import setting
from kitchentable.rulesets.objects.thing import (
    STATUS_WORDS,
    injuries,
    moment,
    now,
    open_injuries,
    status,
    status_phrase,
)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    choices = tuple(Choice(str(n), status_phrase(n)) for n in sorted(STATUS_WORDS, reverse=True))
    current = status(entity) if entity is not None else 6
    return (
        Field(
            "status",
            "Status",
            "choice",
            choices,
            default=str(current),
            rule="objects.2.5-status-change",
        ),
        Field(
            "cause",
            "What happened, and what is broken?",
            required=False,
            default="",
            longest=300,
            hidden=entity is not None and is_closed(entity),
            help="A falling status needs it: fell from a tree, left leg broken.",
            rule="objects.2.5-status-note",
        ),
    )


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = whom(table, actor.entity)
    if entity is None:
        return ()
    wanted = int(str(answers.get("status") or 0))
    if wanted == status(entity):
        sentence = f"{entity.name} is {status_phrase(wanted)} already."
        return (Problem("status", "objects.2.5-status-change", sentence),)
    if wanted < status(entity) and not answers.get("cause"):
        sentence = "Say what happened and what is broken: that is what a status means."
        return (Problem("cause", "objects.2.5-status-note", sentence),)
    return ()


def _change(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """By the GM at once; a player's change waits for the GM's yes where the table plays so."""
    entity = table.entities[actor.entity]
    wanted, cause = int(str(answers["status"])), str(answers.get("cause") or "")
    if actor.is_gm or setting(table.options, "status_by") == "table":
        return _changed(table, entity, wanted, cause)
    ask = Ask(
        fresh(table, "status"),
        (GM,),
        "judge_status",
        f"{entity.name}: {status_phrase(wanted)}?",
        cause or "No cause is told.",
        preset={"status": wanted, "cause": cause},
        rules=("objects.2.5-status-change",),
        entity=entity.id,
    )
    card = Card(
        f"{entity.name}: perhaps {status_phrase(wanted)}",
        "It waits for the GM.",
        lines=(Line(cause),) if cause else (),
        rules=("objects.2.5-status-change",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, asks=(ask,))


def _changed(table: Table, entity: Entity, wanted: int, cause: str) -> Result:
    """Nothing else follows from a status: what it does to a roll is weighed each time.

    objects.2.5-status-no-formula; at 0 its fate is the GM's (objects.2.5-status-zero).
    """
    before = status(entity)
    changes = [now(entity, "status", wanted)]
    if cause and wanted < before:
        note: dict[str, Json] = {
            "text": cause,
            "since": moment(table),
            "status": wanted,
            "healed": "",
        }
        changes.append(now(entity, "injuries", [*injuries(entity), note]))
    falls = wanted < before
    eyes = GM if is_closed(entity) else "all"
    card = Card(
        f"{entity.name}: {status_phrase(wanted)}",
        f"It was {status_phrase(before)}.",
        "worse" if falls else "better",
        "bad" if falls else "good",
        lines=(Line(cause, eyes),) if cause else (),
        rules=("objects.2.5-status-change", *(("objects.2.5-status-note",) if falls else ())),
        entity=entity.id,
        audience=card_audience(entity),
    )
    asks = (fate_ask(table, entity),) if wanted == 0 else ()
    return Result(card, tuple(changes), asks)


STATUS = Move(
    "status",
    "Its status changes",
    "Say how it is now, and what happened. No roll does this by itself.",
    ("objects.2.5-status-change", "objects.2.5-status-note", "objects.2.5-status-no-formula"),
    _change,
    place="rest",
    fields=_fields,
    check=_check,
    examples=({"status": "4", "cause": "fell from a tree: left leg broken"},),
)


def _judge_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "verdict",
            "Is it so?",
            "choice",
            (Choice("yes", "Yes"), Choice("no", "No")),
            default="yes",
            rule="objects.2.5-status-change",
        ),
    )


def _judge(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    told = asked(table, actor, answers)
    entity = table.entities[table.asks[actor.ask].entity]
    if told["verdict"] == "yes":
        return _changed(table, entity, whole(told["status"]), str(told.get("cause") or ""))
    card = Card(
        f"{entity.name} stays {status_phrase(status(entity))}",
        "So the GM decides.",
        rules=("objects.2.5-status-change",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card)


JUDGE_STATUS = Move(
    "judge_status",
    "Is it so?",
    "The GM says whether a status changes.",
    ("objects.2.5-status-change",),
    _judge,
    by=(),
    fields=_judge_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- healing and repair


def _when_hurt(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is None or not open_injuries(entity):
        return "Nothing is noted that could be mended."
    return None


def _heal_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    rows = injuries(entity) if entity is not None else []
    choices = tuple(
        Choice(str(index), str(row["text"]), str(row["since"]))
        for index, row in enumerate(rows)
        if not row.get("healed")
    )
    return (
        Field(
            "injury",
            "What is mended?",
            "choice",
            choices,
            default=choices[0].value if choices else None,
            rule="objects.2.5-healing",
        ),
        Field(
            "how",
            "How?",
            longest=300,
            help="Played out, with rolls if you want. The status is raised for itself.",
            rule="objects.2.5-healing",
        ),
    )


def _heal(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """The note is closed and stays readable; the status is another step (objects.2.5-healing)."""
    entity = table.entities[actor.entity]
    rows = injuries(entity)
    row = rows[int(str(answers["injury"]))]
    row["healed"] = f"{answers['how']} ({moment(table)})"
    card = Card(
        f"{entity.name}: mended",
        str(row["text"]),
        "mended",
        "good",
        lines=(
            Line(str(answers["how"])),
            Line(f"The status is still {status_phrase(status(entity))}."),
        ),
        rules=("objects.2.5-healing",),
        entity=entity.id,
        audience=GM if is_closed(entity) else card_audience(entity),
    )
    return Result(card, (now(entity, "injuries", rows),))


HEAL = Move(
    "heal",
    "Something is mended",
    "A wound is healed, a machine repaired: close the note that says what was broken.",
    ("objects.2.5-healing",),
    _heal,
    place="rest",
    when=_when_hurt,
    fields=_heal_fields,
)

# ---------------------------------------------------------------- time


def _day_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("days", "Days", "number", default=1, low=1, high=36_500),)


def _day(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """Nothing mends by itself; the day dates what is noted (objects.2.5-status-note)."""
    days = whole(answers["days"])
    card = Card(
        "A day passes" if days == 1 else f"{days} days pass",
        f"Day {table.day + days}.",
        rules=("objects.2.5-healing",),
    )
    return Result(card, (Change(("day",), table.day + days),))


DAY = Move(
    "day",
    "Time passes",
    "Count the days; what is noted from now on has the new date.",
    ("objects.2.5-healing", "objects.2.5-status-note"),
    _day,
    by=("gm",),
    place="rest",
    fields=_day_fields,
    for_entity=False,
)
