"""A player's own perks in play: filling up, noting what one covers, dropping one."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
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
    quoted,
    whom,
)
from kitchentable.rulesets.toast.character import Perk, perks
from kitchentable.rulesets.toast.creation import PERKS_AT_FIRST
from kitchentable.rulesets.toast.gear import plain_things
from kitchentable.rulesets.toast.options import setting
from kitchentable.rulesets.toast.perks import judge_ask


def _when_refill(table: Table, actor: Actor) -> str | None:
    if not setting(table.options, "refill_perks"):
        return "New perks come by petition when a session closes."
    entity = whom(table, actor.entity)
    if entity is None or len(perks(entity)) >= PERKS_AT_FIRST:
        return f"There are {PERKS_AT_FIRST} perks already."
    return None


def perk_text_fields(entity: Entity | None, rule: str) -> tuple[Field, ...]:
    """A new perk in the player's words, or a possession that becomes one, and what it covers."""
    things = plain_things(entity)
    of_gear = Field(
        "possession",
        "Make a possession a perk",
        "choice",
        (Choice("", "None, these words:"), *things),
        default="",
        required=False,
        rule="toast.9-special-as-perk",
    )
    return (
        *((of_gear,) if things else ()),
        Field("perk", "The perk", required=not things, default="", longest=600, rule=rule),
        Field(
            "covers",
            "What it covers",
            required=False,
            default="",
            longest=600,
            rule="toast.4-perk-scope",
        ),
    )


def perk_words(answers: Answers) -> str:
    """The words of the perk that is asked for."""
    return str(answers.get("possession") or answers.get("perk") or "")


def check_new(entity: Entity | None, answers: Answers) -> tuple[Problem, ...]:
    """A perk needs words, and one that is on the sheet cannot be asked for again."""
    has = {perk.text for perk in perks(entity)} if entity else set()
    if not perk_words(answers):
        return (Problem("perk", "toast.4-perk-freeform", "Say which perk."),)
    if perk_words(answers) in has:
        return (Problem("perk", "toast.4-perk-once", "That perk is on the sheet already."),)
    return ()


def _refill(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    perk = Perk(perk_words(answers), str(answers.get("covers") or ""), "proposed")
    card = Card(
        f"{entity.name} proposes a perk",
        quoted(perk.text),
        rules=("toast.4-perk-creation", "toast.4-perk-gm-final"),
        entity=entity.id,
    )
    return Result(card, asks=(judge_ask(table, entity, perk, 1, new=True),))


def _refill_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return perk_text_fields(whom(table, actor.entity), "toast.4-perk-creation")


def _refill_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    return check_new(whom(table, actor.entity), answers)


REFILL = Move(
    "add_perk",
    "Fill up starting perks",
    "Where your table allows it: a perk for a place you left empty at the start.",
    ("toast.4-perk-creation", "toast.4-perk-player-chooses"),
    _refill,
    by=("player",),
    place="rest",
    when=_when_refill,
    fields=_refill_fields,
    check=_refill_check,
)


def _own_perk(table: Table, actor: Actor) -> Field:
    entity = whom(table, actor.entity)
    choices = tuple(Choice(one.text, one.text) for one in perks(entity)) if entity else ()
    return Field("perk", "Which perk?", "choice", choices)


def _when_perks(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    return None if entity is not None and perks(entity) else "There is no perk."


def _when_droppable(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is not None and entity.owner != actor.seat:
        return "Only its own player can drop a perk."
    return _when_perks(table, actor)


def _without(entity: Entity, text: str) -> list[Change]:
    rows: Any = entity.sheet.get("perks") or []
    gear: Any = entity.sheet.get("gear") or []
    sheet = ("entities", entity.id, "sheet")
    left: list[Json] = [row for row in rows if row.get("text") != text]
    if len(left) < len(rows):
        return [Change((*sheet, "perks"), left)]
    plain = [{**row, "perk": False} if row.get("item") == text else row for row in gear]
    return [Change((*sheet, "gear"), plain)]


def _drop(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    text = str(answers["perk"])
    changes = _without(entity, text)
    verdicts: Any = entity.state.get("perks") or {}
    if text in verdicts:
        changes.append(Change(("entities", entity.id, "state", "perks", text), gone=True))
    card = Card(
        f"{entity.name} drops a perk",
        quoted(text),
        rules=("toast.4-perk-no-nullify",),
        entity=entity.id,
    )
    return Result(card, tuple(changes))


def _drop_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (_own_perk(table, actor),)


DROP_PERK = Move(
    "drop_perk",
    "Drop a perk",
    "Only you can: nothing in the story takes a perk away.",
    ("toast.4-perk-no-nullify",),
    _drop,
    by=("player",),
    place="rest",
    when=_when_droppable,
    fields=_drop_fields,
)


def _covers_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        _own_perk(table, actor),
        Field(
            "covers",
            "What it covers",
            required=False,
            default="",
            longest=600,
            rule="toast.4-perk-scope",
        ),
    )


def _covers(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    text, covers = str(answers["perk"]), str(answers.get("covers") or "")
    rows: Any = entity.sheet.get("perks") or []
    gear: Any = entity.sheet.get("gear") or []
    sheet = ("entities", entity.id, "sheet")
    new = [{**row, "covers": covers} if row.get("text") == text else row for row in rows]
    change = Change((*sheet, "perks"), new)
    if new == rows:
        change = Change(
            (*sheet, "gear"),
            [{**row, "note": covers} if row.get("item") == text else row for row in gear],
        )
    card = Card(
        f"{entity.name}: {text}",
        f"Covers: {covers}" if covers else "What it covers is open again.",
        rules=("toast.4-perk-scope", "toast.10-magic-scope"),
        entity=entity.id,
    )
    return Result(card, (change,))


PERK_COVERS = Move(
    "perk_covers",
    "What a perk covers",
    "Note what your table has agreed a perk takes in.",
    ("toast.4-perk-scope", "toast.10-magic-scope"),
    _covers,
    place="rest",
    when=_when_perks,
    fields=_covers_fields,
)
