"""The cost of growth: no level is free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kitchentable.rules.kit.settings import counted
from kitchentable.rules.toml.form import Growth, Written
from kitchentable.rules.toml.formula import Apply, Formula


def free_growth(written: Written) -> str:
    """A sentence about a level that costs less than a point; "" if there is none.

    Every level is checked with every option at its default, its lowest and its highest value.
    """
    if written.growth is None:
        return ""
    cost = written.growth.cost
    lowest = {one.key: group.low for group in written.groups for one in group.traits}
    for options in _ends(written):
        for group in written.groups:
            for level in range(group.low, group.top):
                costs = cost.value({**options, **lowest, "trait": level})
                if costs < 1:
                    set_so = ", as options can be set." if cost.names() & options.keys() else "."
                    return f"One more level of {group.title} costs {costs} at level {level}{set_so}"
    return ""


def paid(growth: Growth) -> Growth:
    """The same growth, with a cost of at least one point for every level."""
    cost = growth.cost
    return replace(growth, cost=Formula(f"max(1, {cost.text})", Apply("max", (1, cost.root))))


def _ends(written: Written) -> Iterator[dict[str, int]]:
    fields = [one.field for one in counted(written.options)]
    yield {one.name: int(one.default or 0) for one in fields}
    yield {one.name: one.low or 0 for one in fields}
    yield {one.name: 1 if one.high is None else one.high for one in fields}
