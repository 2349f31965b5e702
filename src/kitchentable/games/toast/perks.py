"""Perks between player and GM: proposed, accepted or refused, described, dropped."""

from __future__ import annotations

from typing import Any

from kitchentable.game import (
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
)
from kitchentable.games.toast.character import Perk, perks, quoted
from kitchentable.games.toast.creation import PERKS_AT_FIRST
from kitchentable.games.toast.options import find_trait, setting
from kitchentable.games.toast.rolls import asked, whom


def verdict_change(entity: str, text: str, verdict: str, word: str = "") -> Change:
    """The fact that the GM has said something of a perk."""
    return Change(("entities", entity, "state", "perks", text), {"verdict": verdict, "word": word})


def added(entity: Entity, text: str, covers: str) -> Change:
    """The fact that a perk joins the sheet."""
    rows: Any = entity.sheet.get("perks") or []
    return Change(
        ("entities", entity.id, "sheet", "perks"), [*rows, {"text": text, "covers": covers}]
    )


# ---------------------------------------------------------------- what the GM says


def _judge_ask(table: Table, entity: Entity, perk: Perk, index: int, *, new: bool) -> Ask:
    same = find_trait(table.options, perk.text)
    warning = f" It is as wide as the trait {same.name}; a perk should be narrower." if same else ""
    kind = "A possession as a perk" if perk.of_gear else "A perk"
    return Ask(
        fresh(table, "perk", index),
        (GM,),
        "judge_perk",
        f"{kind} for {entity.name}: {perk.text}",
        f"{perk.covers or 'Nothing is noted about what it covers.'}{warning}",
        preset={"perk": perk.text, "covers": perk.covers, "new": new},
        rules=("toast.4-perk-gm-final", *(("toast.4-perk-focus",) if same else ())),
        entity=entity.id,
    )


def _open_asks(table: Table, entity: str) -> tuple[str, ...]:
    """Cards about perks of a sheet that is being built; one asked for in play stays."""
    return tuple(
        ask.id
        for ask in table.asks.values()
        if ask.move == "judge_perk" and ask.entity == entity and not ask.preset.get("new")
    )


def submitted(table: Table, entity: str) -> Result:
    """Each perk of a finished sheet that the GM has not judged is put before the GM.

    toast.4-perk-gm-final, toast.4-perk-focus.
    """
    one = table.entities[entity]
    waiting = [perk for perk in perks(one) if perk.verdict == "proposed"]
    asks = tuple(
        _judge_ask(table, one, perk, index, new=False)
        for index, perk in enumerate(waiting, start=1)
    )
    return Result(asks=asks, closes=_open_asks(table, entity))


def accepted(table: Table, entity: str) -> Result:
    """With the sheet the GM accepts what was not refused."""
    one = table.entities[entity]
    changes = tuple(
        verdict_change(entity, perk.text, "accepted")
        for perk in perks(one)
        if perk.verdict == "proposed"
    )
    return Result(changes=changes, closes=_open_asks(table, entity))


def _judge_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "verdict",
            "Is it acceptable?",
            "choice",
            (Choice("accepted", "Yes"), Choice("refused", "Not like this")),
            default="accepted",
            rule="toast.4-perk-gm-final",
        ),
        Field(
            "suggestion",
            "What would work instead?",
            "story",
            required=False,
            default="",
            help="Better than a veto: help to find a version you both enjoy.",
            rule="toast.4-perk-gm-cooperate",
            longest=600,
        ),
    )


def _judge_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if answers.get("verdict") == "refused" and not answers.get("suggestion"):
        rule = "toast.4-perk-gm-cooperate"
        return (Problem("suggestion", rule, "Say what would work instead."),)
    return ()


def _judge(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    told = asked(table, actor, answers)
    ask = table.asks[actor.ask]
    entity = table.entities[ask.entity]
    text, verdict = str(told["perk"]), str(told["verdict"])
    word = str(told.get("suggestion") or "")
    changes = [verdict_change(entity.id, text, verdict, word)]
    if told.get("new"):
        changes = (
            [added(entity, text, str(told.get("covers") or "")), *changes]
            if verdict == "accepted"
            else []
        )
    card = Card(
        f"{entity.name}: {text}",
        "The GM accepts the perk." if verdict == "accepted" else "The GM does not accept it so.",
        verdict,
        "good" if verdict == "accepted" else "bad",
        lines=(Line(f"Instead: {word}"),) if word and verdict == "refused" else (),
        rules=("toast.4-perk-gm-final", "toast.4-perk-gm-cooperate"),
        entity=entity.id,
    )
    return Result(card, tuple(changes), closes=(ask.id,))


JUDGE_PERK = Move(
    "judge_perk",
    "Is the perk acceptable?",
    "The GM has the final word, and helps to find it.",
    ("toast.4-perk-gm-final", "toast.4-perk-focus", "toast.4-perk-gm-cooperate"),
    _judge,
    by=(),
    fields=_judge_fields,
    check=_judge_check,
    for_entity=False,
)

# ---------------------------------------------------------------- filling up, describing, dropping


def _when_refill(table: Table, actor: Actor) -> str | None:
    if not setting(table.options, "refill_perks"):
        return "New perks come by petition when a session closes."
    entity = whom(table, actor.entity)
    if entity is None or len(perks(entity)) >= PERKS_AT_FIRST:
        return f"There are {PERKS_AT_FIRST} perks already."
    return None


def perk_text_fields(rule: str) -> tuple[Field, ...]:
    """A new perk in the player's words, and what it covers."""
    return (
        Field("perk", "The perk", longest=600, rule=rule),
        Field(
            "covers",
            "What it covers",
            required=False,
            default="",
            longest=600,
            rule="toast.4-perk-scope",
        ),
    )


def twice(entity: Entity | None, answers: Answers) -> tuple[Problem, ...]:
    """A perk that is on the sheet cannot be asked for again."""
    has = {perk.text for perk in perks(entity)} if entity else set()
    if answers.get("perk") in has:
        return (Problem("perk", "toast.4-perk-once", "That perk is on the sheet already."),)
    return ()


def _refill(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    perk = Perk(str(answers["perk"]), str(answers.get("covers") or ""), "proposed")
    card = Card(
        f"{entity.name} proposes a perk",
        quoted(perk.text),
        rules=("toast.4-perk-creation", "toast.4-perk-gm-final"),
        entity=entity.id,
    )
    return Result(card, asks=(_judge_ask(table, entity, perk, 1, new=True),))


def _refill_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return perk_text_fields("toast.4-perk-creation")


def _refill_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    return twice(whom(table, actor.entity), answers)


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
