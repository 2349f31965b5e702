"""Rolls of chapter 3 by name, for a program or a terminal, with the table's settings filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    Json,
    Rolled,
    RuleRefuses,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.luck import BEFORE
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


_LADDER = "difficulty= is a number, or a step of the ladder such as difficult."

ROLLS: dict[str, Rolled] = {
    "task": Rolled(
        task,
        _task,
        f"An unopposed action: rank=; {_LADDER} luck= points set aside, called=True for a 4.",
        ({"rank": 6}, {"rank": 6, "difficulty": "very difficult"}, {"rank": 2, "difficulty": 3}),
        lambda outcome: str(outcome.band),
    ),
    "opposed": Rolled(
        contest,
        _pair,
        f"Two against each other: rank= and other_rank=; {_LADDER} other_difficulty= likewise.",
        ({"rank": 6, "other_rank": 6}, {"rank": 3, "other_rank": 5, "difficulty": "easy"}),
        _who,
        told_by=brief.verdict,
    ),
    "parallel": Rolled(
        parallel,
        _pair,
        f"Two rivals who each need 10: rank= and other_rank=; {_LADDER}",
        ({"rank": 4, "other_rank": 4}, {"rank": 7, "other_rank": 5}),
        _who,
        told_by=brief.verdict,
    ),
    "do_over": Rolled(
        do_over,
        _pair,
        f"An opposed roll until somebody wins: 0 or 1. rank= and other_rank=; {_LADDER}",
        ({"rank": 6, "other_rank": 5},),
        lambda place: "first wins" if place == 0 else "second wins",
        told_by=_winner,
    ),
    "contest": Rolled(
        contest,
        _many,
        "A contest of many, or a race: ranks= with all modifiers, such as ranks=6,4,5.",
        ({"ranks": [5, 5, 5]}, {"ranks": "6, 4"}),
        _who,
        told_by=brief.standing,
    ),
    "together": Rolled(
        together,
        _together,
        f"Several at one task: ranks=6,4,5; {_LADDER} too_many=True where they are in the way.",
        ({"ranks": [6, 4, 5]}, {"ranks": [4, 4], "too_many": True, "difficulty": -1}),
        lambda outcome: str(outcome.outcome.band),
    ),
    "luck": Rolled(
        task,
        _luck_roll,
        f"A luck roll: aura=; {_LADDER}",
        ({"aura": 7, "difficulty": "difficult"}, {"aura": 3}),
        lambda outcome: str(outcome.band),
    ),
    "star": Rolled(
        star,
        _star,
        "One d10*, from 0 to 9; a nine is thrown again where the table has it so.",
        ({},),
    ),
}
