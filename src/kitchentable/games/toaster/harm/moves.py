"""All moves of harm, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.games.toaster.harm import (
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
