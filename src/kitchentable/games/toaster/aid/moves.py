"""All moves of aid."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.games.toaster.aid import helping, recovering

MOVES: tuple[Move, ...] = (*helping.MOVES, *recovering.MOVES)
