"""All moves of harm, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.games.toaster.harm import (
    criticals,
    dying,
    healing,
    helping,
    places,
    resting,
    rulings,
)

MOVES: tuple[Move, ...] = (
    *helping.MOVES,
    *criticals.MOVES,
    *resting.MOVES,
    *healing.MOVES,
    *dying.MOVES,
    *rulings.MOVES,
    *places.MOVES,
)
