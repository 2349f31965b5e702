"""The rolls by name, for a program or a terminal: numbers in, with the table's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kitchentable.rules import Json, Rolled, RuleRefuses
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import LEVELS, Level
from kitchentable.rulesets.lucky_stars.mechanics import Extra, Party
from kitchentable.rulesets.lucky_stars.options import sources
from kitchentable.rulesets.lucky_stars.reckoning import round_down
from kitchentable.rulesets.lucky_stars.supplied import SIZE_CHOICES

_MOST = 999
_NAMES = {name.casefold().replace(" ", "-"): steps for steps, name in LEVELS}


def _refused(sentence: str, rule: str) -> RuleRefuses:
    return RuleRefuses(sentence, rule, code="roll/argument")


def _whole(name: str, value: Any, low: int = -_MOST, high: int = _MOST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _refused(
            f"{name} is a whole number from {low} to {high}, not {value!r}.", "stars.2-formula"
        )
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
    if isinstance(value, str):
        steps = _NAMES.get(value.casefold().replace(" ", "-").replace("_", "-"))
        if steps is not None:
            return Level(steps)
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 2:
        return Level(value)
    raise _refused(
        f"Advantage is a step from -2 to 2 or one of {', '.join(_NAMES)}, not {value!r}.",
        "stars.3-five-levels",
    )


def _extras(options: Mapping[str, Json], picked: Any) -> tuple[Extra, ...]:
    known = {one.name.casefold(): one for one in sources(options)}
    words = [word for word in str(picked or "").split(",") if word.strip()]
    found = []
    for word in words:
        one = known.get(word.strip().casefold())
        if one is None:
            raise _refused(
                f"There is no source of dice called {word.strip()!r}; this table has: "
                f"{', '.join(one.name for one in known.values()) or 'none'}.",
                "stars.9-undefined-stats",
            )
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
    ours, theirs = Level(max(net, 0)), Level(max(-net, 0))
    return (
        _party(options, stat, modifier, ours, extra),
        _party(options, other_stat, other_modifier, theirs, other_extra),
    )


def _supply(options: Mapping[str, Json], *, die: int) -> tuple[Any, ...]:
    sizes = [int(one.value) for one in SIZE_CHOICES if one.value != "0"]
    if isinstance(die, bool) or die not in sizes:
        raise _refused(
            f"A supply die has {', '.join(map(str, sizes))} sides, not {die!r}.",
            "stars.5.1-supply-sizes",
        )
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
        lambda winner: f"{winner} wins",
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
