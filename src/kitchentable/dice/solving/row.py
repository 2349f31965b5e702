"""The row of one call in an absorbing chain: its outcomes and its tail calls."""

from fractions import Fraction

from kitchentable.dice.solving.generating_function import GeneratingFunction
from kitchentable.dice.solving.keys import Key
from kitchentable.dice.solving.solution import NONE, whole
from kitchentable.dice.solving.walk import Walk


class Row:
    """One equation of an absorbing chain, in whole weights over `total`.

    - `found`: the outcomes;
    - `calls`: the tail calls, each with weights by the number added to its result;
    - `laws`: infinite distributions with their probabilities;
    - `never`: the probability of not terminating;
    - `lost`: whether anything is unresolved;
    - `taint`: the calls with guessed results;
    - `mixed`: two equal outcomes of different types;
    - `inexact`: whether a needed result is inexact.
    """

    __slots__ = (
        "calls",
        "depth",
        "found",
        "inexact",
        "laws",
        "lost",
        "mixed",
        "never",
        "taint",
        "total",
    )

    def __init__(self, walk: Walk) -> None:
        calls = walk.calls
        (self.found, *extras), self.total = whole([walk.found, *calls.values()])
        self.calls: dict[Key, dict[int, int]] = (
            dict(zip(calls, extras, strict=True)) if calls else {}
        )
        self.lost = bool(walk.lost)
        self.never = NONE
        for below, one in walk.gone.items():
            self.never += Fraction(one) / below
        self.laws: list[tuple[Fraction, GeneratingFunction]] = walk.laws
        self.taint = frozenset(walk.taint)
        self.depth = walk.depth
        self.mixed = walk.clash
        self.inexact = walk.inexact
