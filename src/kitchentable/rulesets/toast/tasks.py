"""Tasks: a throw against a difficulty that the GM sets, openly or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    EVERYONE,
    GM,
    Actor,
    Answers,
    Band,
    Card,
    Choice,
    Field,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Table,
    card_audience,
    whole,
    whom,
)
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.book import TABLES
from kitchentable.rulesets.toast.character import is_awake, level, numbers_known, trait_name
from kitchentable.rulesets.toast.mechanics import PERK_BONUS, Task
from kitchentable.rulesets.toast.options import difficulty, setting
from kitchentable.rulesets.toast.rolls import (
    noted,
    perk_field,
    side,
    trait_field,
    what_field,
    with_perk,
)
from kitchentable.rulesets.toast.turns import action_fields, after_action
from kitchentable.rulesets.toast.twists import twist_ask

_MEDIUM = next(step["key"] for step in TABLES["difficulty"] if step.get("default"))
_CUSTOM = "custom"

_BANDS = (
    Band("success", "success", "good", good=True),
    Band("kick", "kick", "splendid", good=True),
    Band("failure", "failure", "bad"),
    Band("flub", "flub", "bad"),
)


def _difficulty_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    kept = setting(table.options, "difficulty_shown") != "before"
    steps = tuple(
        Choice(one["key"], f"{one['name']} {difficulty(table.options, one['key'])}")
        for one in TABLES["difficulty"]
    )
    ladder = Field(
        "difficulty",
        "Difficulty",
        "choice",
        (*steps, Choice(_CUSTOM, "A number of its own")),
        default=_MEDIUM,
        set_by=GM,
        hideable=True,
        hidden=kept,
        rule="toast.5-diff-gm",
    )
    own = Field(
        "number",
        "The number",
        "number",
        set_by=GM,
        hideable=True,
        hidden=kept or "difficulty" in actor.hidden,
        low=0,
        high=999,
        help="For this roll alone.",
        rule="toast.5.1-tune-case",
    )
    return (ladder, own) if answers.get("difficulty") == _CUSTOM else (ladder,)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    return (
        what_field(),
        trait_field(table, entity),
        perk_field(entity),
        *_difficulty_fields(table, actor, answers),
        *action_fields(table, actor, optional=True),
    )


def target_number(table: Table, answers: Answers) -> int:
    """The number to reach: a step of the ladder, Medium if nothing was said, or one of its own."""
    step = str(answers.get("difficulty") or _MEDIUM)
    return whole(answers.get("number")) if step == _CUSTOM else difficulty(table.options, step)


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = whom(table, actor.entity)
    if entity is None or not numbers_known(entity) or _is_kept(actor, answers):
        return None
    trait, perk = level(entity, answers.get("trait")), bool(answers.get("perk"))
    number = target_number(table, answers)
    return Question(
        mechanics.task,
        (trait, perk, number),
        _BANDS,
        _grade,
        ("roll",) if not entity.is_players and not entity.open else (),
        lambda shares: in_words(number - trait - (PERK_BONUS if perk else 0), shares),
    )


def _grade(outcome: Task) -> str:
    return outcome.grade


def _is_kept(actor: Actor, answers: Answers) -> bool:
    """On a player's table a hidden number is missing, and without it there are no odds."""
    if "difficulty" in actor.hidden and "difficulty" not in answers:
        return True
    custom = answers.get("difficulty") == _CUSTOM
    return custom and answers.get("number") is None


def in_words(needed: int, shares: Mapping[str, Any]) -> str:
    """The odds of a task as one says them: what the die has to show.

    >>> in_words(5, {"success": 0.5})
    'A 5 or better, or a kick.'
    """
    if needed <= 1:
        return "Anything but a flub."
    if needed > 10 or not shares.get("success"):
        return "Only a kick."
    return "A 10 or a kick." if needed == 10 else f"A {needed} or better, or a kick."


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = whom(table, actor.entity)
    if entity is not None and not is_awake(entity):
        return (Problem("", "toast.7.3-first-aid", f"{entity.name} cannot act as things stand."),)
    return ()


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Task) -> Result:
    entity = table.entities[actor.entity]
    trait, perk = answers["trait"], answers.get("perk")
    words = {
        "success": "Succeeds.",
        "failure": "Fails.",
        "kick": "A kick! Succeeds, and something remarkable happens.",
        "flub": "A flub! Fails, and something remarkable happens.",
    }
    rules = {
        "success": ("toast.5-success",),
        "failure": ("toast.5-failure",),
        "kick": ("toast.5-kick-succeeds", "toast.5-special-announce"),
        "flub": ("toast.5-flub-fails", "toast.5-special-announce"),
    }
    lines = [_against(table, actor, answers)]
    if answers.get("what"):
        lines.insert(0, Line(str(answers["what"])))
    card = Card(
        with_perk(trait_name(table, trait), perk),
        words[outcome.grade],
        outcome.grade,
        {"success": "good", "kick": "splendid"}.get(outcome.grade, "bad"),
        (side(table, entity, "roll", trait, perk, outcome.announced),),
        tuple(lines),
        ("toast.5-total", *rules[outcome.grade], *(("toast.4-perk-bonus",) if perk else ())),
        entity.id,
        card_audience(entity),
    )
    special = outcome.grade in {"flub", "kick"}
    twist = (twist_ask(table, outcome.grade, entity),) if special else ()
    changes, asks = after_action(table, actor, answers)
    return Result(card, (*noted(table, entity, trait, perk), *changes), (*twist, *asks))


def _against(table: Table, actor: Actor, answers: Answers) -> Line:
    """What the throw was against; kept from players where the GM hid it (toast.5-sequence)."""
    step = str(answers.get("difficulty") or _MEDIUM)
    names = {one["key"]: one["name"] for one in TABLES["difficulty"]}
    text = f"Against {names.get(step, 'a number of its own')}, {target_number(table, answers)}."
    hidden = {"difficulty", "number"} & actor.hidden
    told_after = setting(table.options, "difficulty_shown") == "after"
    return Line(text, GM if hidden and not told_after else EVERYONE)


def _when(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is not None and not is_awake(entity):
        return f"{entity.name} cannot act before somebody gives first aid."
    return None


TASK = Move(
    "task",
    "Task",
    "Do something whose end should be left to chance.",
    ("toast.5-when-roll", "toast.5-sequence", "toast.5-total", "toast.5-diff-default"),
    _consequences,
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    converses=True,
    examples=({"trait": "perception", "difficulty": "medium"},),
)

__all__ = ["TASK", "in_words", "target_number"]
