"""A battle as a Markov chain, and its solution in the quickest way on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kitchentable.fights.arrays import find_numpy
from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.matrices import Matrices
from kitchentable.fights.plans import Ends, Plans
from kitchentable.fights.settling import Settling

__all__ = ["Chain", "Ends"]


class Chain(Plans):
    """The Markov chain of a battle, in fractions or in floats; `large` ones use numpy."""

    def __init__(self, laws: Laws, *, exact: bool, large: bool = False) -> None:
        super().__init__(laws, exact=exact)
        self.large = large and not exact and find_numpy() is not None

    def settle(
        self,
        rows: int = 0,
        starts: Mapping[Healths, Any] | None = None,
        slack: Fraction = Fraction(0),
    ) -> Ends:
        """All ends of the fight; with `rows`, by round up to that one, later rounds together.

        It begins at the battle's start, or at `starts` with their chances, whose relative error is
        at most `slack`. A fight with a limit of rounds is always solved by round. Errors:
        NeverEnds, BadBattle.
        """
        rows = self.laws.battle.rounds or rows
        solving = (Matrices if self.large and rows else Settling)(self, rows)
        return solving.run({self.laws.start: self.one} if starts is None else starts, slack)
