"""The rolls of harm by name, for a program or a terminal, with the table's settings filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Json, Rolled, RuleRefuses, Table
from kitchentable.rulesets.toaster.harm.places import critical_cells, with_coin
from kitchentable.rulesets.toaster.harm.state import MORTAL_WOUNDS
from kitchentable.rulesets.toaster.mechanics.healing import (
    healing,
    weeks_until_healed,
    wounds_after,
)
from kitchentable.rulesets.toaster.mechanics.mortality import mortality, survives
from kitchentable.rulesets.toaster.mechanics.tables import critical, location, read_locations
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import HEALING, MORTALITY, extended
from kitchentable.rulesets.toaster.tables import rows

#: A round is a few seconds; after so many the chance of living without help is all but gone.
_MOST_ROUNDS = 50


def _number(name: str, value: Any, rule: str, low: int = 0, high: int = 99) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RuleRefuses(
            f"{name} is a whole number from {low} to {high}, not {value!r}.",
            rule,
            code="roll/argument",
        )
    return value


def _modifier(physique: int, wounds: int, bonus: int) -> int:
    rule = "toaster.4.mortality-roll"
    over = _number("wounds", wounds, rule, MORTAL_WOUNDS) - MORTAL_WOUNDS
    return _number("physique", physique, rule) - over + _number("bonus", bonus, rule, -99)


def _mortality(
    options: Mapping[str, Json], *, physique: int, wounds: int = 5, bonus: int = 0
) -> tuple[Any, ...]:
    by_die = setting(options, "mortality_roll") == "die"
    nines = extended(options, MORTALITY).nines
    return _modifier(physique, wounds, bonus), nines, by_die


def _survival(
    options: Mapping[str, Json], *, physique: int, rounds: int, wounds: int = 5
) -> tuple[Any, ...]:
    rule = "toaster.4.mortality-stabilise"
    modifier, nines, by_die = _mortality(options, physique=physique, wounds=wounds)
    return modifier, _number("rounds", rounds, rule, 0, _MOST_ROUNDS), nines, by_die


def _healing(
    options: Mapping[str, Json], *, physique: int, wounds: int, bonus: int = 0
) -> tuple[Any, ...]:
    rule = "toaster.4.heal-week"
    return (
        _number("physique", physique, rule),
        _number("wounds", wounds, rule, 1),
        _number("bonus", bonus, rule, -99) + int(setting(options, "healing_modifier")),
        extended(options, HEALING),
        False,
        bool(setting(options, "variable_outcomes")),
    )


def _weeks(
    options: Mapping[str, Json],
    *,
    physique: int,
    wounds: int,
    weeks: int,
    bonus: int = 0,
    lasting: bool = False,
) -> tuple[Any, ...]:
    rule = "toaster.4.heal-long-term"
    return (
        _number("physique", physique, rule) + int(setting(options, "healing_modifier")),
        _number("wounds", wounds, rule),
        _number("weeks", weeks, rule, 0, 52),
        _number("bonus", bonus, rule, -99),
        bool(lasting),
        extended(options, HEALING),
        bool(setting(options, "variable_outcomes")),
    )


def _until(options: Mapping[str, Json], *, physique: int, wounds: int) -> tuple[Any, ...]:
    rule = "toaster.4.heal-week"
    able = _number("physique", physique, rule) + int(setting(options, "healing_modifier"))
    return able, _number("wounds", wounds, rule, 0, 9), extended(options, HEALING).nines


def _location(options: Mapping[str, Json], *, body: str = "humanoid") -> tuple[Any, ...]:
    table = Table(options=options)
    return read_locations(rows(table, "locations"), str(body)), with_coin(table)


def _critical(options: Mapping[str, Json]) -> tuple[Any, ...]:
    return (critical_cells(Table(options=options)),)


ROLLS: dict[str, Rolled] = {
    "mortality": Rolled(
        mortality,
        _mortality,
        "A mortality check: physique=RANK, wounds= (5 or more), bonus= by a medic.",
        ({"physique": 6}, {"physique": 4, "wounds": 7, "bonus": 3}),
        lambda fate: str(fate.word),
    ),
    "survival": Rolled(
        survives,
        _survival,
        f"Whether somebody lives after rounds= (up to {_MOST_ROUNDS}) without help: physique=, "
        "wounds=.",
        ({"physique": 6, "rounds": 5}, {"physique": 8, "wounds": 6, "rounds": 10}),
        lambda lives: "lives" if lives else "dies",
    ),
    "healing": Rolled(
        healing,
        _healing,
        "The healing roll after a week: physique=, wounds=, bonus= by care.",
        ({"physique": 8, "wounds": 4}, {"physique": 5, "wounds": 2, "bonus": 4}),
        lambda outcome: "heals" if outcome.succeeds else "worse" if outcome.fumble else "same",
    ),
    "weeks": Rolled(
        wounds_after,
        _weeks,
        "The wounds left after weeks= of rest: physique=, wounds=, bonus=; lasting=True for "
        "long-term care.",
        (
            {"physique": 6, "wounds": 3, "weeks": 4},
            {"physique": 5, "wounds": 4, "weeks": 3, "bonus": 3, "lasting": True},
        ),
    ),
    "recovery": Rolled(
        weeks_until_healed,
        _until,
        "The weeks until the last wound has healed without help, -1 for never: physique=, wounds=.",
        ({"physique": 6, "wounds": 2}, {"physique": 3, "wounds": 4}),
    ),
    "location": Rolled(
        location,
        _location,
        "Where a hit lands: body= for another kind of body than a human's.",
        ({}, {"body": "snake"}),
        lambda place: str(place.area) or "nowhere",
    ),
    "critical": Rolled(
        critical,
        _critical,
        "What a critical attack or a fumbled defence brings.",
        ({},),
        lambda brought: str(brought.letters) or "nothing",
    ),
}
