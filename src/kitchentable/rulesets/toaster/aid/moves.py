"""All moves of aid."""

from __future__ import annotations

from kitchentable.rules import Move
from kitchentable.rulesets.toaster.aid import helping, recovering

MOVES: tuple[Move, ...] = (*helping.MOVES, *recovering.MOVES)
