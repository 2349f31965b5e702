"""Options for fights that do not go together: the table is told when they are switched on."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.game import Card, Change, Json, Line, Result, Table
from kitchentable.games.toaster.options.reading import setting

_NEED_BANDS = {
    "wcac_critical_table": "The critical table",
    "wcac_double_roll": "Rolling damage twice",
    "wcac_halve_marginal": "Halving marginal hits",
}


def clashing_switches(table: Table) -> tuple[str, ...]:
    """What is switched on and has no effect, in sentences (toaster.4.opt-wcac-integrate).

    >>> clashing_switches(Table(options={"wcac_same_die": True, "wcac_double_roll": True}))[0]
    'One die for attack and damage leaves no second die to take: damage is not rolled twice.'
    """
    options = table.options
    found = []
    if setting(options, "wcac_same_die") and setting(options, "wcac_double_roll"):
        found.append(
            "One die for attack and damage leaves no second die to take: "
            "damage is not rolled twice."
        )
    if not setting(options, "variable_outcomes"):
        found += [
            f"{words} waits for variable outcomes: nothing is critical or marginal without them."
            for key, words in _NEED_BANDS.items()
            if setting(options, key)
        ]
    return tuple(found)


def options_changed(table: Table, was: Mapping[str, Json]) -> Result:
    """A word to the table, once, about switches that stand in each other's way."""
    found = list(clashing_switches(table))
    before = list(table.own.get("combat_switches") or [])
    if found == before:
        return Result()
    change = Change(("own", "combat_switches"), found)
    if not found:
        return Result(changes=(change,))
    card = Card(
        "Options for fights",
        "Some of them have no effect as they stand.",
        lines=tuple(Line(words) for words in found),
        rules=("toaster.4.opt-wcac-integrate",),
    )
    return Result(card, (change,))
