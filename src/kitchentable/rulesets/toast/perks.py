"""Perks between player and GM: proposed, accepted or refused, described, dropped."""

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
    Problem,
    Result,
    Table,
    asked,
    fresh,
)
from kitchentable.rulesets.toast.character import Perk, perks
from kitchentable.rulesets.toast.gear import gear, with_gear
from kitchentable.rulesets.toast.options import find_trait


def verdict_change(entity: str, text: str, verdict: str, word: str = "") -> Change:
    """The fact that the GM has said something of a perk."""
    return Change(("entities", entity, "state", "perks", text), {"verdict": verdict, "word": word})


def added(entity: Entity, text: str, covers: str) -> Change:
    """The fact that a perk joins the sheet: a possession of that name becomes one, or a new line.

    toast.9-special-as-perk.
    """
    things = gear(entity)
    for row in things:
        if row["item"] == text and not row.get("perk"):
            row |= {"perk": True, "note": covers or row.get("note", "")}
            return with_gear(entity, things)
    rows: Any = entity.sheet.get("perks") or []
    return Change(
        ("entities", entity.id, "sheet", "perks"), [*rows, {"text": text, "covers": covers}]
    )


# ---------------------------------------------------------------- what the GM says


def judge_ask(table: Table, entity: Entity, perk: Perk, index: int, *, new: bool) -> Ask:
    """The card by which the GM judges a perk; a `new` one joins the sheet only then."""
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
        judge_ask(table, one, perk, index, new=False) for index, perk in enumerate(waiting, start=1)
    )
    return Result(asks=asks, closes=_open_asks(table, entity))


def accepted(table: Table, entity: str) -> Result:
    """With the sheet the GM accepts what was not refused."""
    one = table.entities[entity]
    verdicts: Any = one.state.get("perks") or {}
    changes = tuple(
        verdict_change(entity, perk.text, "accepted")
        for perk in perks(one)
        if perk.text not in verdicts
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
