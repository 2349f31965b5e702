"""Rolls of chapter 3 by name, for a program or a terminal, with the table's settings filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kitchentable.rules import (
    Json,
    Rolled,
    RuleRefuses,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import ROLL_WORDS
from kitchentable.rulesets.toaster.luck import BEFORE
from kitchentable.rulesets.toaster.mechanics import brief
from kitchentable.rulesets.toaster.mechanics.contests import (
    Contest,
    Side,
    contest,
    do_over,
    parallel,
)
from kitchentable.rulesets.toaster.mechanics.stars import star
from kitchentable.rulesets.toaster.mechanics.tasks import task
from kitchentable.rulesets.toaster.mechanics.together import together
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import LUCK, extended, may_call
from kitchentable.rulesets.toaster.tables import find

_TABLE = Table(options={})
_MOST = 12


def _number(name: str, value: Any, rule: str, low: int = -99, high: int = 99) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RuleRefuses(
            f"{name} is a whole number from {low} to {high}, not {value!r}.",
            rule,
            code="roll/argument",
        )
    return value


def _difficulty(value: int | str) -> int:
    """A modifier, or a step of the ladder by its name (toaster.3.difficulty-ladder).

    >>> _difficulty("Very difficult"), _difficulty(2)
    (-3, 2)
    """
    if not isinstance(value, str):
        return _number("difficulty", value, "toaster.3.difficulty-rules-or-gm")
    found = find(_TABLE, "difficulty", value)
    if found is None:
        raise RuleRefuses(
            f"There is no difficulty {value!r}; a number or a step of the ladder, such as "
            "difficult, is asked for.",
            "toaster.3.difficulty-ladder",
            code="roll/argument",
        )
    return whole(found["modifier"])


def _called(options: Mapping[str, Json], called: Any, scope: str = "action") -> bool:
    if not isinstance(called, bool):
        raise RuleRefuses(
            f"called is True or False, not {called!r}.",
            "toaster.3.call4-switch",
            code="roll/argument",
        )
    if called and not may_call(options, scope):
        raise RuleRefuses(
            "At this table no 4 is called here; the option calling_fours allows it.",
            "toaster.3.call4-switch",
            code="roll/argument",
        )
    return called


def _luck(options: Mapping[str, Json], points: Any) -> int:
    count = _number("luck", points, "toaster.3.luck-before-plus2", 0)
    if count and not setting(options, "luck_points"):
        raise RuleRefuses(
            "This table plays without luck points; the option luck_points brings them.",
            "toaster.3.luck-start",
            code="roll/argument",
        )
    return count * BEFORE


def _bands(options: Mapping[str, Json]) -> bool:
    return bool(setting(options, "variable_outcomes"))


def _task(
    options: Mapping[str, Json],
    *,
    rank: int,
    difficulty: int | str = 0,
    luck: int = 0,
    called: bool = False,
) -> tuple[Any, ...]:
    modifier = _number("rank", rank, "toaster.3.unopposed-order") + _difficulty(difficulty)
    return (
        modifier + _luck(options, luck),
        extended(options),
        _called(options, called),
        _bands(options),
    )


def _luck_roll(
    options: Mapping[str, Json], *, aura: int, difficulty: int | str = 0, called: bool = False
) -> tuple[Any, ...]:
    modifier = _number("aura", aura, "toaster.3.luckroll-switch") + _difficulty(difficulty)
    called = _called(options, called, LUCK)
    return modifier, extended(options, LUCK), called, _bands(options)


def _pair(
    options: Mapping[str, Json],
    *,
    rank: int,
    other_rank: int,
    difficulty: int | str = 0,
    other_difficulty: int | str = 0,
) -> tuple[Any, ...]:
    rule = "toaster.3.opposed-rolls"
    first = _number("rank", rank, rule) + _difficulty(difficulty)
    second = _number("other_rank", other_rank, rule) + _difficulty(other_difficulty)
    return (Side(first, "first"), Side(second, "second")), extended(options), _bands(options)


def _ranks(given: Any, rule: str) -> list[int]:
    """Ranks of several people: a list, or in a line such as "6, 4, 5".

    >>> _ranks("6, 4,5", "toaster.3.collab-best"), _ranks([7, 5], "toaster.3.collab-best")
    ([6, 4, 5], [7, 5])
    """
    parts = given.replace(",", " ").split() if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or not 2 <= len(parts) <= _MOST:
        raise RuleRefuses(
            f"ranks are 2 to {_MOST} numbers, such as 6,4,5; not {given!r}.",
            rule,
            code="roll/argument",
        )
    return [_number("each rank", _as_int(one), rule) for one in parts]


def _as_int(one: Any) -> Any:
    return int(one) if isinstance(one, str) and one.removeprefix("-").isdecimal() else one


def _many(options: Mapping[str, Json], *, ranks: Any) -> tuple[Any, ...]:
    every = _ranks(ranks, "toaster.3.opposed-multi")
    sides = tuple(Side(one, f"side {at}") for at, one in enumerate(every, 1))
    return sides, extended(options), _bands(options)


def _together(
    options: Mapping[str, Json],
    *,
    ranks: Any,
    difficulty: int | str = 0,
    too_many: bool = False,
) -> tuple[Any, ...]:
    every = _ranks(ranks, "toaster.3.collab-best")
    who = tuple(f"side {at}" for at, _ in enumerate(every, 1))
    modifier = max(every) + _difficulty(difficulty)
    return who, modifier, extended(options), bool(too_many), _bands(options)


def _star(options: Mapping[str, Json]) -> tuple[Any, ...]:
    return (extended(options).nines,)


def _who(outcome: brief.Verdict) -> str:
    return outcome.winner_word


def _winner(outcome: Contest) -> int | None:
    return outcome.winner


def _by_name(
    name: str,
    mechanic: Any,
    arguments: Any,
    sums_up: Callable[[Any], str] = str,
    told_by: Callable[[Any], Any] | None = None,
) -> Rolled:
    """A roll with its help and its samples from the words."""
    row = ROLL_WORDS[name]
    samples = tuple(row["samples"])
    return Rolled(mechanic, arguments, row["help"], samples, sums_up, told_by=told_by)


def _band(outcome: Any) -> str:
    return str(getattr(outcome, "outcome", outcome).band)


ROLLS: dict[str, Rolled] = {
    "task": _by_name("task", task, _task, _band),
    "opposed": _by_name("opposed", contest, _pair, _who, brief.verdict),
    "parallel": _by_name("parallel", parallel, _pair, _who, brief.verdict),
    "do_over": _by_name(
        "do_over",
        do_over,
        _pair,
        lambda place: "first wins" if place == 0 else "second wins",
        _winner,
    ),
    "contest": Rolled(
        contest,
        _many,
        "A contest of many, or a race: ranks= with all modifiers, such as ranks=6,4,5.",
        ({"ranks": [5, 5, 5]}, {"ranks": "6, 4"}),
        _who,
        told_by=brief.verdict,
        odds=brief.contest_odds,
    ),
    "together": _by_name("together", together, _together, _band),
    "luck": _by_name("luck", task, _luck_roll, _band),
    "star": _by_name("star", star, _star),
}
