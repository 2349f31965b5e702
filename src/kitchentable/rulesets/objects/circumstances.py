"""The GM's modifier on Conflict: a number or named aspects, what may be weighed, who learns it."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    EVERYONE,
    GM,
    Actor,
    Answers,
    Entity,
    Field,
    Line,
    Problem,
    Table,
    is_closed,
    whole,
    whom,
)
from kitchentable.rulesets.objects import odds
from kitchentable.rulesets.objects.mechanics import Attempt
from kitchentable.rulesets.objects.options import setting
from kitchentable.rulesets.objects.thing import open_injuries, status, status_phrase, usable

#: What a modifier is bounded by, far from any that is sensible: typing errors, not rules.
_FAR = 99


def modifier_field(table: Table, entity: Entity | None, answers: Answers) -> Field:
    """The GM's, on Conflict alone (objects.3-conflict-mod, objects.3-self-not-modified)."""
    kept = setting(table.options, "modifier_shown") != "before"
    help_text = f"Plus is harder, minus is easier. {_circumstances(table, entity, answers)}".strip()
    if setting(table.options, "modifier_detail") == "aspects":
        columns = (
            Field("what", "What counts", longest=80),
            Field("points", "Points", "number", default=0, low=-_FAR, high=_FAR),
        )
        return Field(
            "aspects",
            "Modifiers on Conflict",
            "rows",
            default=[],
            required=False,
            set_by=GM,
            hideable=True,
            hidden=kept,
            high=20,
            help=help_text,
            rule="objects.3-realism",
            columns=columns,
        )
    return Field(
        "modifier",
        "Modifier on Conflict",
        "number",
        default=0,
        set_by=GM,
        hideable=True,
        hidden=kept,
        low=-_FAR,
        high=_FAR,
        help=help_text,
        rule="objects.3-conflict-mod",
    )


def _circumstances(table: Table, entity: Entity | None, answers: Answers) -> str:
    """What the GM may weigh: how it is and why, and the talents of what stands against it.

    objects.2.5-status-no-formula, objects.4-no-opposed.
    """
    words = []
    if entity is not None and "status" in entity.state:
        ails = "; ".join(str(row["text"]) for row in open_injuries(entity))
        words.append(
            f"{entity.name}: {status_phrase(status(entity))}{': ' + ails if ails else ''}."
        )
    rival = whom(table, answers.get("against"))
    if rival is not None:
        has = ", ".join(one.phrase for one in usable(table, rival)) or "no talents known"
        words.append(f"{rival.name}: {has}.")
    return " ".join(words)


def modifiers(answers: Answers) -> dict[str, int]:
    """The modifiers of a roll by name; aspects of one name add up (objects.3-realism)."""
    rows: Any = answers.get("aspects")
    if isinstance(rows, list):
        found: dict[str, int] = {}
        for row in rows:
            name = str(row.get("what") or "situation")
            found[name] = found.get(name, 0) + whole(row.get("points"))
        return found
    value = whole(answers.get("modifier"))
    return {"situation": value} if value else {}


def is_kept(actor: Actor, answers: Answers) -> bool:
    """Whether a hidden modifier is missing, as it is for players; then there are no odds."""
    return any(name in actor.hidden and name not in answers for name in ("modifier", "aspects"))


def check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    """A modifier above the usual gets a reminder, and is allowed (objects.3-mod-size)."""
    total, usual = (
        odds.total_of(modifiers(answers)),
        whole(setting(table.options, "modifier_usual")),
    )
    if abs(total) <= usual:
        return ()
    where = "aspects" if isinstance(answers.get("aspects"), list) else "modifier"
    sentence = f"{total:+d} is a lot; modifiers are seldom more than {usual}."
    return (Problem(where, "objects.3-mod-size", sentence, refuses=False),)


def modifier_lines(
    table: Table, actor: Actor, entity: Entity, outcome: Attempt, named: dict[str, int]
) -> tuple[Line, ...]:
    """A hidden modifier is told to the GM; afterwards to all where the table says so."""
    hidden = {"modifier", "aspects"} & actor.hidden
    lines = []
    if hidden:
        after = setting(table.options, "modifier_shown") == "after" and not is_closed(entity)
        lines.append(odds.modified_line(outcome, named, EVERYONE if after else GM))
    usual = whole(setting(table.options, "modifier_usual"))
    if abs(odds.total_of(named)) > usual:
        lines.append(Line(f"More than the usual {usual}.", GM))
    return tuple(lines)
