"""What follows when options change in mid-campaign: switches that clash, attributes that differ."""

from __future__ import annotations

from kitchentable.rules import Card, Change, Line, Result, Table, joined
from kitchentable.rules.kit import Values
from kitchentable.rulesets.toaster.book import Words
from kitchentable.rulesets.toaster.character import attribute_list
from kitchentable.rulesets.toaster.options import Options

_NEED_BANDS = {
    "wcac_critical_table": "The critical table",
    "wcac_double_roll": "Rolling damage twice",
    "wcac_halve_marginal": "Halving marginal hits",
}


def waiting_switches(table: Table) -> Words:
    """What is switched on and has no effect, in sentences (toaster.4.opt-wcac-integrate).

    >>> waiting_switches(Table(options={"wcac_double_roll": True}))[0].partition(":")[0]
    'Rolling damage twice waits for variable outcomes'
    """
    options = Options(table.options)
    if options.variable_outcomes:
        return ()
    return tuple(
        f"{words} waits for variable outcomes: nothing is critical or marginal without them."
        for key, words in _NEED_BANDS.items()
        if options[key]
    )


def tell_waiting(table: Table) -> Result:
    """A word to the table, once, about switches that wait for others."""
    found = list(waiting_switches(table))
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


def options_changed(table: Table, was: Values) -> Result:
    """A word about switches that stand in each other's way; a question about attributes."""
    return joined(tell_waiting(table), attribute_list.options_changed(table, was))
