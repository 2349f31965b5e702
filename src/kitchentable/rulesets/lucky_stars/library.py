"""The rolls by name, for a program or a terminal: numbers in, with the table's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kitchentable.rules import Json, Rolled, RuleRefuses
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import LEVELS, Level
from kitchentable.rulesets.lucky_stars.mechanics import SIZES, Extra, Party
from kitchentable.rulesets.lucky_stars.options import Options
from kitchentable.rulesets.lucky_stars.reckoning import round_down

_MOST = 999
_NAMES = {name.casefold().replace(" ", "-"): steps for steps, name in LEVELS}
_ON_SCALE = {steps: steps for steps, _ in LEVELS}


def _refused(sentence: str, rule: str) -> RuleRefuses:
    return RuleRefuses(sentence, rule, code="roll/argument")


def _whole(name: str, value: Any, low: int = -_MOST, high: int = _MOST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        said = f"{name} is a whole number from {low} to {high}, not {value!r}."
        raise _refused(said, "stars.2-formula")
    return value


def _value(name: str, value: Any) -> Fraction:
    try:
        found = Fraction(value) if not isinstance(value, bool | float) else None
    except (ValueError, TypeError, ZeroDivisionError):
        found = None
    if found is None or abs(found) > _MOST:
        raise _refused(f'{name} is a number such as 2 or "1/2", not {value!r}.', "stars.1-modifier")
    return found


def _level(value: Any) -> Level:
    known: Mapping[Any, int] = _ON_SCALE if type(value) is int else _NAMES
    word = str(value).casefold().replace(" ", "-").replace("_", "-")
    steps = known.get(value if known is _ON_SCALE else word)
    if steps is None or isinstance(value, bool):
        said = f"Advantage is a step from -2 to 2 or one of {', '.join(_NAMES)}, not {value!r}."
        raise _refused(said, "stars.3-five-levels")
    return Level(steps)


def _extras(options: Mapping[str, Json], picked: Any) -> tuple[Extra, ...]:
    known = {one.name.casefold(): one for one in Options(options).sources}
    found = []
    for word in filter(None, map(str.strip, str(picked or "").split(","))):
        one = known.get(word.casefold())
        if one is None:
            has = ", ".join(each.name for each in known.values()) or "none"
            said = f"There is no source of dice called {word!r}; this table has: {has}."
            raise _refused(said, "stars.9-undefined-stats")
        found.append((one.name, one.count, one.sides))
    return tuple(found)


def _party(
    options: Mapping[str, Json], stat: Any, modifier: Any, advantage: Level, extra: Any
) -> Party:
    plus = round_down(_value("stat", stat) + _value("modifier", modifier) + advantage.bonus)
    return Party(advantage.dice, plus, _extras(options, extra))


def _decision(
    options: Mapping[str, Json],
    *,
    stat: int | str = 0,
    modifier: int | str = 0,
    advantage: int | str = 0,
    extra: str = "",
) -> tuple[Any, ...]:
    one = _party(options, stat, modifier, _level(advantage), extra)
    return one.dice, one.plus, one.extras


def _task(
    options: Mapping[str, Json],
    *,
    target: int,
    stat: int | str = 0,
    modifier: int | str = 0,
    advantage: int | str = 0,
    extra: str = "",
) -> tuple[Any, ...]:
    found = _decision(options, stat=stat, modifier=modifier, advantage=advantage, extra=extra)
    return (*found, _whole("target", target))


def _contest(
    options: Mapping[str, Json],
    *,
    stat: int | str = 0,
    other_stat: int | str = 0,
    modifier: int | str = 0,
    other_modifier: int | str = 0,
    advantage: int | str = 0,
    extra: str = "",
    other_extra: str = "",
) -> tuple[Any, ...]:
    net = _level(advantage).steps
    return (
        _party(options, stat, modifier, Level(max(net, 0)), extra),
        _party(options, other_stat, other_modifier, Level(max(-net, 0)), other_extra),
    )


def _supply(options: Mapping[str, Json], *, die: int) -> tuple[Any, ...]:
    sizes = SIZES[:-1]
    if isinstance(die, bool) or die not in sizes:
        said = f"A supply die has {', '.join(map(str, sizes))} sides, not {die!r}."
        raise _refused(said, "stars.5.1-supply-sizes")
    return (die,)


def _nothing(options: Mapping[str, Json]) -> tuple[Any, ...]:
    return ()


def _dice(
    options: Mapping[str, Json], *, count: int = 1, sides: int = 6, plus: int = 0
) -> tuple[Any, ...]:
    return _whole("count", count, 1, 20), _whole("sides", sides, 2, 100), _whole("plus", plus)


_HELP = "stat=, modifier= (halves too), advantage=-2 to 2 or a name, extra=Luck."

ROLLS: dict[str, Rolled] = {
    "decision": Rolled(
        mechanics.decision,
        _decision,
        f"A decision roll's result: {_HELP}",
        ({"stat": 2, "modifier": -1}, {"advantage": 2, "extra": "Luck"}),
    ),
    "task": Rolled(
        mechanics.check,
        _task,
        f"A decision roll against target=: {_HELP}",
        ({"target": 7, "advantage": "minor-advantage"}, {"target": 22, "advantage": -2}),
        told_by=mechanics.grade_of,
    ),
    "contest": Rolled(
        mechanics.contest,
        _contest,
        "Who wins a contest: stat=, other_stat=, modifier=, other_modifier=, extra=, other_extra=; "
        "advantage= on the shared scale, below 0 for the other side.",
        ({"stat": 2, "other_stat": 2, "advantage": 1},),
        "{} wins".format,
        told_by=mechanics.winner_of,
    ),
    "supply": Rolled(
        mechanics.supply_left,
        _supply,
        "A supply roll: die=12, 10, 8, 6 or 4; the size it has afterwards, 0 for Empty.",
        ({"die": 12}, {"die": 4}),
        lambda size: f"D{size}" if size else "Empty",
    ),
    "supply_uses": Rolled(
        mechanics.supply_uses,
        _supply,
        "How many supply rolls a die lasts: die=12, 10, 8, 6 or 4.",
        ({"die": 8}, {"die": 4}),
    ),
    "d100": Rolled(mechanics.percent, _nothing, "A D100: 1 to 100.", ({},)),
    "dice": Rolled(
        mechanics.other_dice,
        _dice,
        "Dice that do not explode, such as damage: count=, sides=, plus=.",
        ({"count": 2, "sides": 8, "plus": 1},),
    ),
}
