"""What one run through all paths of a mechanic gives: its outcomes, and the calls it hands on."""

from fractions import Fraction
from typing import TYPE_CHECKING

from kitchentable.dice.solving.keys import Key
from kitchentable.dice.solving.law import Law
from kitchentable.dice.solving.solution import NONE, whole

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk


class Row:
    """One equation of an absorbing chain, in whole weights over `total`.

    `found` holds the outcomes, `calls` the results handed on: for each call the numbers added to
    its result with their weights. `laws` are endless outcomes with their chances, `never` is the
    chance to go on for ever, and `lost` says whether anything is unresolved. `taint` names the
    calls whose results were guessed, and `mixed` two outcomes that are equal and of different
    kinds.
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
        calls = walk.calls
        (self.found, *extras), self.total = whole([walk.found, *calls.values()])
        self.calls: dict[Key, dict[int, int]] = (
            dict(zip(calls, extras, strict=True)) if calls else {}
        )
        self.lost = bool(walk.lost)
        self.never = NONE
        for below, one in walk.gone.items():
            self.never += Fraction(one) / below
        self.laws: list[tuple[Fraction, Law]] = walk.laws
        self.taint = frozenset(walk.taint)
        self.depth = walk.depth
        self.mixed = walk.clash
        self.reach = frozenset(walk.reach)
