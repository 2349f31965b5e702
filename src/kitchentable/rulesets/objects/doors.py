"""The rolls by name, for a program or a terminal: numbers in, with the table's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Json, Rolled, RuleRefuses
from kitchentable.rulesets.objects import mechanics, odds
from kitchentable.rulesets.objects.mechanics import Attempt
from kitchentable.rulesets.objects.thing import HIGHEST, LOWEST

_FAR = 99


def _whole(name: str, value: Any, low: int, high: int, rule: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RuleRefuses(
            f"{name} is a whole number from {low} to {high}, not {value!r}.",
            rule,
            code="roll/argument",
        )
    return value


def _attempt(
    options: Mapping[str, Json], *, talent: int, modifier: int = 0, karma: int = 0
) -> tuple[Any, ...]:
    return (
        _whole("talent", talent, LOWEST, HIGHEST, "objects.2.3-talent"),
        _whole("modifier", modifier, -_FAR, _FAR, "objects.3-conflict-mod"),
        _whole("karma", karma, -_FAR, _FAR, "objects.3.k-use"),
    )


def _settle(
    options: Mapping[str, Json], *, talent: int, own: int, conflict: int, karma: int = 0
) -> tuple[Any, ...]:
    first = Attempt(
        "undecided",
        _whole("talent", talent, LOWEST, HIGHEST, "objects.2.3-talent"),
        _whole("own", own, -_FAR, _FAR, "objects.3-self-equal"),
        _whole("conflict", conflict, -_FAR, _FAR, "objects.3-conflict-same"),
    )
    return first, _whole("karma", karma, -_FAR, _FAR, "objects.3.k-reroll")


ROLLS: dict[str, Rolled] = {
    "test": Rolled(
        mechanics.attempt,
        _attempt,
        "A roll: talent=LEVEL, modifier= on Conflict (plus is harder), karma= on Self.",
        (
            {"talent": 3},
            {"talent": 0, "modifier": -1},
            {"talent": 6, "modifier": 1},
            {"talent": 4, "modifier": 2, "karma": -2},
        ),
        odds.saying,
    ),
    "reroll": Rolled(
        mechanics.settle,
        _settle,
        "What equals the talent, thrown again: talent=, own= and conflict= as they count, karma=.",
        ({"talent": 3, "own": 3, "conflict": 2}, {"talent": 3, "own": 3, "conflict": 3}),
        odds.saying,
    ),
}
