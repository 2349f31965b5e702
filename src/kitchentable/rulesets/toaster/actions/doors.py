"""Rolls of chapter 3 by name, for a program or a terminal, with the table's settings filled in."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any, NoReturn

from kitchentable.dice import Mechanic
from kitchentable.rules import Rolled, RuleRefuses, Table, whole
from kitchentable.rules.kit.forms import Values
from kitchentable.rules.kit.rolls import Reader, library_roll, whole_number
from kitchentable.rulesets.toaster.book import ROLL_WORDS
from kitchentable.rulesets.toaster.luck import BEFORE
from kitchentable.rulesets.toaster.mechanics import brief
from kitchentable.rulesets.toaster.mechanics.contests import (
    Side,
    contest,
    do_over,
    parallel,
)
from kitchentable.rulesets.toaster.mechanics.stars import star
from kitchentable.rulesets.toaster.mechanics.tasks import task
from kitchentable.rulesets.toaster.mechanics.together import together
from kitchentable.rulesets.toaster.options import LUCK, Options
from kitchentable.rulesets.toaster.tables import find

_MOST = 12


def _refuse(words: str, rule: str) -> NoReturn:
    raise RuleRefuses(words, rule, code="roll/argument")


def _difficulty(options: Values, name: str, value: Any) -> int:
    """A modifier, or a step of the ladder by its name (toaster.3.difficulty-ladder).

    >>> _difficulty({}, "difficulty", "Very difficult"), _difficulty({}, "difficulty", 2)
    (-3, 2)
    """
    if not isinstance(value, str):
        rule = "toaster.3.difficulty-rules-or-gm"
        return int(whole_number("a whole number", rule, -99, 99)(options, name, value))
    found = find(Table(options={}), "difficulty", value)
    if found is None:
        _refuse(
            f"There is no difficulty {value!r}; a number or a step of the ladder, such as "
            "difficult, is asked for.",
            "toaster.3.difficulty-ladder",
        )
    return whole(found["modifier"])


def _called(options: Values, name: str, value: Any, scope: str = "action") -> bool:
    """Whether a 4 is called, where the table allows that."""
    if not isinstance(value, bool):
        _refuse(f"called is True or False, not {value!r}.", "toaster.3.call4-switch")
    if value and not Options(options).may_call(scope):
        _refuse(
            "At this table no 4 is called here; the option calling_fours allows it.",
            "toaster.3.call4-switch",
        )
    return value


def _luck(options: Values, name: str, value: Any) -> int:
    """What luck points beforehand are worth, where the table has them."""
    rule = "toaster.3.luck-before-plus2"
    if whole_number("a whole number", rule, 0, 99)(options, name, value) == 0:
        return 0
    if not Options(options).luck_points:
        _refuse(
            "This table plays without luck points; the option luck_points brings them.",
            "toaster.3.luck-start",
        )
    return int(value) * BEFORE


def _ranks(given: Any, rule: str) -> list[int]:
    """Ranks of several people: a list, or in a line such as "6, 4, 5".

    >>> _ranks("6, 4,5", "toaster.3.collab-best"), _ranks([7, 5], "toaster.3.collab-best")
    ([6, 4, 5], [7, 5])
    """
    number = whole_number("a whole number", rule, -99, 99)
    parts = given.replace(",", " ").split() if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or not 2 <= len(parts) <= _MOST:
        _refuse(f"ranks are 2 to {_MOST} numbers, such as 6,4,5; not {given!r}.", rule)
    return [number({}, "each rank", _as_int(one)) for one in parts]


def _as_int(one: Any) -> Any:
    return int(one) if isinstance(one, str) and one.removeprefix("-").isdecimal() else one


def _bands(options: Values) -> bool:
    return Options(options).variable_outcomes


def _task(
    options: Values, *, rank: int, difficulty: int, luck: int, called: bool
) -> tuple[Any, ...]:
    return rank + difficulty + luck, Options(options).extended(), called, _bands(options)


def _luck_roll(options: Values, *, aura: int, difficulty: int, called: bool) -> tuple[Any, ...]:
    return aura + difficulty, Options(options).extended(LUCK), called, _bands(options)


def _pair(
    options: Values, *, rank: int, other_rank: int, difficulty: int, other_difficulty: int
) -> tuple[Any, ...]:
    sides = Side(rank + difficulty, "first"), Side(other_rank + other_difficulty, "second")
    return sides, Options(options).extended(), _bands(options)


def _many(options: Values, *, ranks: Any) -> tuple[Any, ...]:
    every = _ranks(ranks, "toaster.3.opposed-multi")
    sides = tuple(Side(one, f"side {at}") for at, one in enumerate(every, 1))
    return sides, Options(options).extended(), _bands(options)


def _together(
    options: Values, *, ranks: list[int], difficulty: int, too_many: bool
) -> tuple[Any, ...]:
    who = tuple(f"side {at}" for at, _ in enumerate(ranks, 1))
    return who, max(ranks) + difficulty, Options(options).extended(), too_many, _bands(options)


def _star(options: Values) -> tuple[Any, ...]:
    return (Options(options).extended().nines,)


_who, _winner = attrgetter("winner_word"), attrgetter("winner")


def _band(outcome: Any) -> str:
    return str(getattr(outcome, "outcome", outcome).band)


def _by_name(key: str, mechanic: Mechanic[..., Any], make: Any, **more: Any) -> Rolled:
    """A roll with its help, its samples and its arguments from the words."""
    row = ROLL_WORDS[key]
    number = whole_number("a whole number", row.get("rule", ""), -99, 99)
    reads: dict[str, Reader] = {
        **dict.fromkeys(("rank", "other_rank", "aura"), number),
        **dict.fromkeys(("difficulty", "other_difficulty"), _difficulty),
        "luck": _luck,
        "called": partial(_called, scope=LUCK) if key == "luck" else _called,
        "ranks": lambda options, name, value: _ranks(value, row["rule"]),
        "too_many": lambda options, name, value: bool(value),
    }
    return library_roll(mechanic, row, reads, make, by_options=True, **more)


_VERDICT: dict[str, Any] = {"sums_up": _who, "told_by": brief.verdict}

ROLLS: dict[str, Rolled] = {
    "task": _by_name("task", task, _task, sums_up=_band),
    "opposed": _by_name("opposed", contest, _pair, **_VERDICT),
    "parallel": _by_name("parallel", parallel, _pair, **_VERDICT),
    "do_over": _by_name(
        "do_over",
        do_over,
        _pair,
        sums_up=lambda place: "first wins" if place == 0 else "second wins",
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
    "together": _by_name("together", together, _together, sums_up=_band),
    "luck": _by_name("luck", task, _luck_roll, sums_up=_band),
    "star": _by_name("star", star, _star),
}
