"""Named rolls for programs and terminals, with the table's defaults."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import floor
from typing import Any

from kitchentable.rules import Rolled
from kitchentable.rules.kit import Values
from kitchentable.rules.kit.rolls import Make, Reader, bad_argument, library_roll, whole_number
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import LEVELS, Level, apart
from kitchentable.rulesets.lucky_stars.mechanics import SIZES, Extras, Party
from kitchentable.rulesets.lucky_stars.options import BOOK, Options
from kitchentable.rulesets.lucky_stars.people import size_name

_MOST = 999
_NAMES = {name.casefold().replace(" ", "-"): steps for steps, name in LEVELS.items()}


def _value(options: Values, name: str, value: Any) -> Fraction:
    with suppress(ValueError, TypeError, ZeroDivisionError):
        found = Fraction(value)
        if abs(found) <= _MOST and not isinstance(value, bool | float):
            return found
    words = f'{name} is a number such as 2 or "1/2", not {value!r}.'
    raise bad_argument(words, "stars.1-modifier")


def _level(options: Values, name: str, value: Any) -> Level:
    word = str(value).casefold().replace(" ", "-").replace("_", "-")
    steps = value if type(value) is int else _NAMES.get(word, _MOST)
    if steps not in LEVELS:
        said = f"Advantage is a step from -2 to 2 or one of {', '.join(_NAMES)}, not {value!r}."
        raise bad_argument(said, "stars.3-five-levels")
    return Level(steps)


def _extras(options: Values, name: str, picked: Any) -> Extras:
    sources, found = Options(options).extra_dice, []
    for word in filter(None, map(str.strip, str(picked or "").split(","))):
        one = sources.find(word)
        if one is None:
            has = ", ".join(each.name for each in sources) or "none"
            said = f"There is no source of dice called {word!r}; this table has: {has}."
            raise bad_argument(said, "stars.9-undefined-stats")
        found.append(one.dice())
    return tuple(found)


def _die(options: Values, name: str, value: Any) -> int:
    sizes = SIZES[:-1]
    if value not in sizes:
        said = f"A supply die has {', '.join(map(str, sizes))} sides, not {value!r}."
        raise bad_argument(said, "stars.5.1-supply-sizes")
    return int(value)


def _from(low: int, high: int) -> Reader:
    return whole_number("a whole number", "stars.2-formula", low, high)


_READS: dict[str, Reader] = {
    "target": _from(-_MOST, _MOST),
    "stat": _value,
    "other_stat": _value,
    "modifier": _value,
    "other_modifier": _value,
    "advantage": _level,
    "extra": _extras,
    "other_extra": _extras,
    "die": _die,
    "count": _from(1, 20),
    "sides": _from(2, 100),
    "plus": _from(-_MOST, _MOST),
}


def _party(stat: Fraction, modifier: Fraction, advantage: Level, extra: Extras) -> Party:
    return advantage.on(Party(plus=floor(stat + modifier), extras=extra))


def _task(target: int, **side: Any) -> tuple[Any, ...]:
    return (*_party(**side), target)


def _contest(
    advantage: Level,
    other_stat: Fraction,
    other_modifier: Fraction,
    other_extra: Extras,
    **ours: Any,
) -> tuple[Party, Party]:
    first, second = apart(advantage.steps)
    theirs = _party(other_stat, other_modifier, second, other_extra)
    return _party(advantage=first, **ours), theirs


def _roll(key: str, mechanic: Any, make: Make | None = None, **more: Any) -> Rolled:
    return library_roll(mechanic, _ROWS[key], _READS, make, **more)


_ROWS = BOOK.by_key("roll")

ROLLS: dict[str, Rolled] = {
    "decision": _roll("decision", mechanics.decision, _party),
    "task": _roll("task", mechanics.check, _task, told_by=mechanics.grade_of),
    "contest": _roll(
        "contest",
        mechanics.contest,
        _contest,
        sums_up="{} wins".format,
        told_by=mechanics.winner_of,
    ),
    "supply": _roll("supply", mechanics.supply_left, sums_up=size_name),
    "supply_uses": _roll("supply_uses", mechanics.supply_uses),
    "d100": _roll("d100", mechanics.percent),
    "dice": _roll("dice", mechanics.other_dice),
}
