"""What a roll asks of the dice, how its outcomes are named, and how the result stands on a card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    Band,
    Entity,
    Line,
    Part,
    Side,
    Table,
    number_audience,
)
from kitchentable.rulesets.objects.book import TABLES
from kitchentable.rulesets.objects.mechanics import Attempt, compare

BANDS = (
    Band("critical success", "critical success", "splendid", good=True),
    Band("total", "total success", "good", good=True),
    Band("marginal", "marginal success", "good", good=True),
    Band("failure", "failure", "bad"),
    Band("critical failure", "critical failure", "bad"),
)
#: The bands of a roll that may stop before a re-roll (objects.3.k-reroll).
OPEN_BANDS = (*BANDS, Band("undecided", "Self is thrown again"))

#: All throws of a roll; those of a closed object are the GM's.
LABELS = ("self", "conflict", "self again", "conflict again")

TONES = {"critical success": "splendid", "total": "good", "marginal": "good", "undecided": "plain"}

_SENTENCES = {
    "critical success": "A critical success! More than was hoped for, and stranger.",
    "total": "A total success: exactly what was hoped for.",
    "marginal": "A marginal success: it is done, and something falls short.",
    "failure": "A failure.",
    "critical failure": "A critical failure! Worse than was feared, and stranger.",
    "undecided": "Self equals the talent and is thrown again.",
}
_RULES = {
    "critical success": ("objects.3-crit-success", "objects.3.k-earn"),
    "total": ("objects.3-total",),
    "marginal": ("objects.3-marginal",),
    "failure": ("objects.3-failure",),
    "critical failure": ("objects.3-crit-failure", "objects.3.k-earn"),
    "undecided": ("objects.3-self-equal", "objects.3.k-reroll"),
}
_READINGS: dict[tuple[str, str], str] = {
    (one["own"], one["task"]): one["text"] for one in TABLES["reading"]
}


def grade(outcome: Attempt) -> str:
    """The band of an outcome."""
    return outcome.grade


def sentence(outcome: Attempt) -> str:
    """The outcome, said."""
    return _SENTENCES[outcome.grade]


def rules(outcome: Attempt) -> tuple[str, ...]:
    """The rules that the outcome stands on."""
    return _RULES[outcome.grade]


def reading(outcome: Attempt) -> str:
    """How the two dice read as a story (objects.3-roleplay-results, objects.3-colour-under)."""
    if outcome.critical:
        return "More radical and less predictable than any other result: the GM describes it."
    own, task = compare(outcome.own, outcome.level), compare(outcome.task, outcome.level)
    return _READINGS[own, task]


def sides(
    table: Table,
    entity: Entity,
    outcome: Attempt,
    modifiers: Mapping[str, int],
    karma: int,
    *,
    hidden: bool,
) -> tuple[Side, ...]:
    """Self and Conflict on the card, with what was put on each by name, and the re-rolls.

    A hidden modifier leaves the bare die (objects.3-two-dice, objects.3-conflict-mod); a critical
    is read off the dice as they lie (objects.3-crit-natural).
    """
    eyes = number_audience(entity)
    plain = outcome.critical
    own = Side(
        "Self",
        "self",
        (Part("karma", karma),) if karma and not plain else (),
        outcome.own if karma and not plain else None,
        audience=eyes,
    )
    named = tuple(Part(name, value) for name, value in modifiers.items() if value)
    shown = bool(named) and not hidden and not plain
    task = Side(
        "Conflict",
        "conflict",
        named if shown else (),
        outcome.task if shown else None,
        audience=eyes,
    )
    return (own, task, *again(entity, outcome))


def again(entity: Entity, outcome: Attempt, karma: int = 0) -> tuple[Side, ...]:
    """The re-rolls on a card (objects.3-reroll-big-good)."""
    eyes = number_audience(entity)
    found = []
    if outcome.own_points is not None and compare(outcome.own, outcome.level) == "equal":
        added = (Part("karma", karma),) if karma else ()
        total = outcome.own_points if karma else None
        found.append(Side("Self again", "self again", added, total, audience=eyes))
    if outcome.task_points is not None and compare(outcome.task, outcome.level) == "equal":
        found.append(Side("Conflict again", "conflict again", audience=eyes))
    return tuple(found)


def points_line(entity: Entity, outcome: Attempt) -> tuple[Line, ...]:
    """The points of both dice, added up (objects.3-points-sum)."""
    if outcome.points is None:
        return ()
    text = f"{outcome.own_points} + {outcome.task_points} = {outcome.points} points."
    return (Line(text, number_audience(entity)),)


def modified_line(outcome: Attempt, modifiers: Mapping[str, int], audience: str) -> Line:
    """What stood behind a hidden modifier, for those who may know."""
    named = ", ".join(f"{value:+d} {name}" for name, value in modifiers.items()) or "none"
    said = "" if outcome.critical else f" Conflict counted as {outcome.task}."
    return Line(f"Modifier: {named}.{said}", audience)


def total_of(modifiers: Mapping[str, int]) -> int:
    """All modifiers together."""
    return sum(modifiers.values())


def saying(outcome: Any) -> str:
    """What an outcome comes to, for odds by name."""
    return str(outcome.grade)
