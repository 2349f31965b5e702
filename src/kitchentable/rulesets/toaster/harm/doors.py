"""The rolls of harm by name, for a program or a terminal, with the table's settings filled in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from kitchentable.dice import Mechanic
from kitchentable.rules import Rolled, Table
from kitchentable.rules.kit.forms import Values
from kitchentable.rules.kit.rolls import Reader, library_roll, whole_number
from kitchentable.rulesets.toaster.book import ROLL_WORDS
from kitchentable.rulesets.toaster.harm.healing import heals
from kitchentable.rulesets.toaster.harm.places import critical_cells, with_coin
from kitchentable.rulesets.toaster.harm.state import MORTAL_WOUNDS
from kitchentable.rulesets.toaster.mechanics.healing import (
    healing,
    weeks_until_healed,
    wounds_after,
)
from kitchentable.rulesets.toaster.mechanics.mortality import mortality, survives
from kitchentable.rulesets.toaster.mechanics.tables import critical, location, read_locations
from kitchentable.rulesets.toaster.options import HEALING, MORTALITY, Options
from kitchentable.rulesets.toaster.tables import rows


def _as_typed(options: Values, name: str, value: Any) -> Any:
    """Reads words, or yes and no."""
    return value


def _roll(
    key: str,
    mechanic: Mechanic[..., Any],
    make: Callable[..., tuple[Any, ...]],
    sums_up: Callable[[Any], str] = str,
) -> Rolled:
    """A roll whose named arguments, with the options, are made into the mechanic's."""
    row = ROLL_WORDS[key]
    names = {*row.get("needs", ()), *row.get("takes", ())}
    reads: dict[str, Reader] = dict.fromkeys(names, _as_typed)
    for name in names - {"lasting", "body"}:
        low, high = row.get("bounds", {}).get(name, (0, 99))
        reads[name] = whole_number("a whole number", row["rule"], low, high)
    typed = library_roll(mechanic, row, reads, lambda **read: (read,), sums_up=sums_up)

    @wraps(typed.arguments)
    def arguments(options: Values, **named: Any) -> tuple[Any, ...]:
        (read,) = typed.arguments(options, **named)
        return make(options, **read)

    return replace(typed, arguments=arguments)


def _mortality(options: Values, physique: int, wounds: int, bonus: int = 0) -> tuple[Any, ...]:
    nines = Options(options).extended(MORTALITY).nines
    by_die = Options(options).mortality_roll == "die"
    return physique - (wounds - MORTAL_WOUNDS) + bonus, nines, by_die


def _survival(options: Values, rounds: int, **named: int) -> tuple[Any, ...]:
    modifier, *dice = _mortality(options, **named)
    return modifier, rounds, *dice


def _healing(options: Values, physique: int, wounds: int, bonus: int) -> tuple[Any, ...]:
    here = Options(options)
    bonus, ext = bonus + here.healing_modifier, Options(options).extended(HEALING)
    return physique, wounds, bonus, ext, False, here.variable_outcomes


def _weeks(
    options: Values, physique: int, wounds: int, weeks: int, bonus: int, lasting: object
) -> tuple[Any, ...]:
    here, ext = Options(options), Options(options).extended(HEALING)
    able = physique + here.healing_modifier
    return able, wounds, weeks, bonus, bool(lasting), ext, here.variable_outcomes


def _recovery(options: Values, physique: int, wounds: int) -> tuple[Any, ...]:
    able = physique + Options(options).healing_modifier
    return able, wounds, Options(options).extended(HEALING).nines


def _location(options: Values, body: object) -> tuple[Any, ...]:
    table = Table(options=options)
    return read_locations(rows(table, "locations"), str(body)), with_coin(table)


def _critical(options: Values) -> tuple[Any, ...]:
    return (critical_cells(Table(options=options)),)


ROLLS: dict[str, Rolled] = {
    "mortality": _roll("mortality", mortality, _mortality, lambda fate: str(fate.word)),
    "survival": _roll("survival", survives, _survival, lambda lives: "lives" if lives else "dies"),
    "healing": _roll("healing", healing, _healing, heals),
    "weeks": _roll("weeks", wounds_after, _weeks),
    "recovery": _roll("recovery", weeks_until_healed, _recovery),
    "location": _roll("location", location, _location, lambda place: str(place.area) or "nowhere"),
    "critical": _roll(
        "critical", critical, _critical, lambda brought: str(brought.letters) or "nothing"
    ),
}
