"""What follows when options change in mid-campaign: switches that clash, attributes that differ."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.rules import Json, Result, Table, joined
from kitchentable.rulesets.toaster.character import attribute_list
from kitchentable.rulesets.toaster.combat import switches


def options_changed(table: Table, was: Mapping[str, Json]) -> Result:
    """A word about switches that stand in each other's way; a question about attributes."""
    clashing = switches.options_changed(table, was)
    return joined(clashing, attribute_list.options_changed(table, was))
