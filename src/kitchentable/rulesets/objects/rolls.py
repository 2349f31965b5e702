"""The rolls of Objects: declarations, outcomes in words, dice on a card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

from kitchentable.rules import Band, Part, Side
from kitchentable.rules.kit import Roll, whole_number
from kitchentable.rules.kit.rolls import Reader, library_roll
from kitchentable.rulesets.objects import mechanics
from kitchentable.rulesets.objects.mechanics import Attempt, compare
from kitchentable.rulesets.objects.options import BOOK
from kitchentable.rulesets.objects.thing import HIGHEST, LOWEST, Thing

#: The limit of a modifier, against typing errors; it is not a rule.
FAR = 99

#: The results of a roll by grade: words, tone, rules.
RESULTS = BOOK.by_key("result")
_READINGS = {(one["own"], one["task"]): one["text"] for one in BOOK.tables["reading"]}
_OPEN_BANDS = tuple(
    Band(one["key"], one["title"], one["tone"], good=one["good"]) for one in RESULTS.values()
)
_BANDS = _OPEN_BANDS[:-1]


#: The band of an outcome.
grade = attrgetter("grade")
_TALENT = whole_number("a whole number", "objects.2.3-talent", LOWEST, HIGHEST)


def _far(rule: str) -> Reader:
    """Read the number added to a die."""
    return whole_number("a whole number", rule, -FAR, FAR)


_ROWS = BOOK.by_key("roll")
ATTEMPT = Roll(
    mechanics.attempt,
    _BANDS,
    grade,
    _ROWS["test"]["help"],
    tuple(_ROWS["test"]["samples"]),
    reads={
        "talent": _TALENT,
        "modifier": _far("objects.3-conflict-mod"),
        "karma": _far("objects.3.k-use"),
    },
)
#: A roll that may stop before a re-roll (objects.3.k-reroll).
OPENING = Roll(mechanics.opening, _OPEN_BANDS, grade)
SETTLE = Roll(mechanics.settle, _BANDS, grade)


def _settled(talent: int, own: int, conflict: int, karma: int) -> tuple[Any, ...]:
    return Attempt("undecided", talent, own, conflict), karma


ROLLS = {
    "test": ATTEMPT.rolled({}),
    "reroll": library_roll(
        mechanics.settle,
        _ROWS["reroll"],
        {
            "talent": _TALENT,
            "own": _far("objects.3-self-equal"),
            "conflict": _far("objects.3-conflict-same"),
            "karma": _far("objects.3.k-reroll"),
        },
        _settled,
        sums_up=grade,
    ),
}


def thrown_by(one: Thing) -> dict[str, Thing]:
    """The owner of each die of a roll; dice of closed objects belong to the GM."""
    return dict.fromkeys(("self", "conflict", "self again", "conflict again"), one)


def reading(outcome: Attempt) -> str:
    """The description of the two dice (objects.3-roleplay-results, objects.3-colour-under)."""
    if outcome.critical:
        return "More radical and less predictable than any other result: the GM describes it."
    own, task = compare(outcome.own, outcome.level), compare(outcome.task, outcome.level)
    return str(_READINGS[own, task])


def sides(me: Thing, fell: Attempt, modifiers: Mapping[str, int], karma: int) -> Iterator[Side]:
    """Self and Conflict on the card, with their named additions and the re-rolls.

    Hidden modifiers leave the bare die (objects.3-two-dice, objects.3-conflict-mod). A critical
    depends on the bare dice (objects.3-crit-natural).
    """
    yield side(me, "Self", {} if fell.critical else {"karma": karma}, fell.own)
    yield side(me, "Conflict", {} if fell.critical else modifiers, fell.task)
    yield from again_sides(me, fell, 0)


def again_sides(me: Thing, fell: Attempt, karma: int) -> Iterator[Side]:
    """The re-rolls on a card (objects.3-reroll-big-good)."""
    if fell.own_points is not None and compare(fell.own, fell.level) == "equal":
        yield side(me, "Self again", {"karma": karma}, fell.own_points)
    if fell.task_points is not None and compare(fell.task, fell.level) == "equal":
        yield side(me, "Conflict again", {}, 0)


def side(me: Thing, label: str, added: Mapping[str, int], total: int) -> Side:
    """One die on the card, with its total if anything was added."""
    parts = tuple(Part(name, value) for name, value in added.items() if value)
    shown = total if parts else None
    return Side(label, label.casefold(), parts, shown, audience=me.number_audience)
