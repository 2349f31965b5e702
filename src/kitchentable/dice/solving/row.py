"""What one run through all paths of a mechanic gives: its outcomes, and the calls it hands on."""

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from kitchentable.dice.solving.keys import Key
from kitchentable.dice.solving.law import Law
from kitchentable.dice.solving.lines import Amount

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk


class Row:
    """One equation of an absorbing chain, in whole weights over `total`.

    `found` holds the outcomes, `calls` the results handed on: for each call the numbers added to
    its result with their weights. `laws` are endless outcomes with their chances, `lost` is
    unresolved and `never` goes on for ever. `taint` names the calls whose results were guessed,
    and `mixed` two outcomes that are equal and of different kinds.
    """

    __slots__ = (
        "calls",
        "depth",
        "found",
        "laws",
        "lost",
        "mixed",
        "never",
        "reach",
        "taint",
        "total",
    )

    def __init__(self, walk: "Walk") -> None:
        totals = {*walk.found, *walk.lost, *walk.gone}
        for parts in walk.calls.values():
            totals.update(parts)
        total = lcm(*totals) if totals else 1
        amounts: list[Amount] = []
        self.found: dict[Any, int] = _joined(walk.found, total, amounts)
        self.calls: dict[Key, dict[int, int]] = {
            key: _joined(parts, total, amounts) for key, parts in walk.calls.items()
        }
        lost = sum((total // below * one for below, one in walk.lost.items()), 0)
        never = sum((total // below * one for below, one in walk.gone.items()), 0)
        below = lcm(*(one.denominator for one in (*amounts, lost, never) if type(one) is not int))
        if below != 1 or any(type(one) is not int for one in amounts):
            self.found = {outcome: int(one * below) for outcome, one in self.found.items()}
            self.calls = {
                key: {extra: int(one * below) for extra, one in parts.items()}
                for key, parts in self.calls.items()
            }
        self.total = total * below
        self.lost = int(lost * below)
        self.never = int(never * below)
        self.laws: list[tuple[Fraction, Law]] = walk.laws
        self.taint = frozenset(walk.taint)
        self.depth = walk.depth
        self.mixed = walk.clash
        self.reach = frozenset(walk.reach)


def _joined(parts: dict[int, dict[Any, Amount]], total: int, amounts: list[Amount]) -> Any:
    """Weights over several totals as weights over one."""
    if len(parts) == 1:
        ((below, weights),) = parts.items()
        if below == total:
            amounts.extend(weights.values())
            return weights
    sums: dict[Any, Amount] = {}
    for below, weights in parts.items():
        factor = total // below
        for outcome, weight in weights.items():
            sums[outcome] = sums.get(outcome, 0) + factor * weight
    amounts.extend(sums.values())
    return sums
