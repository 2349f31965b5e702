"""All moves of harm, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.rules import Move
from kitchentable.rulesets.toaster.harm import (
    dying,
    healing,
    places,
    resting,
    rulings,
)

MOVES: tuple[Move, ...] = (
    *resting.MOVES,
    *healing.MOVES,
    *dying.MOVES,
    *rulings.MOVES,
    *places.MOVES,
)
