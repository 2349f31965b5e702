"""Every move of fights, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.game.game import Hook
from kitchentable.games.toaster.combat import attacks, initiative, longer, rounds, turns
from kitchentable.games.toaster.combat.switches import options_changed

MOVES: tuple[Move, ...] = (
    *attacks.MOVES,
    *initiative.MOVES,
    *turns.MOVES,
    *longer.MOVES,
    *rounds.MOVES,
)

#: What happens by itself: a word about options that do not go together.
HOOKS: dict[str, Hook] = {"options-changed": options_changed}
