"""Every move of fights, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.games.toaster.combat import attacks, initiative, longer, rounds, turns

MOVES: tuple[Move, ...] = (
    *attacks.MOVES,
    *initiative.MOVES,
    *turns.MOVES,
    *longer.MOVES,
    *rounds.MOVES,
)
