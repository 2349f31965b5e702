"""Every move about characters."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.games.toaster.character.npcs import BRING

MOVES: tuple[Move, ...] = (BRING,)
