"""Every move of fights, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.rules import Move
from kitchentable.rulesets.toaster.combat import attacks, initiative, longer, rounds, turns

MOVES: tuple[Move, ...] = (
    *attacks.MOVES,
    *initiative.MOVES,
    *turns.MOVES,
    *longer.MOVES,
    *rounds.MOVES,
)
