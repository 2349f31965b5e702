"""Every move of this chapter, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.games.toaster.actions.called import CALLED
from kitchentable.games.toaster.actions.falling import TASK_LUCK
from kitchentable.games.toaster.actions.prompts import MEANING
from kitchentable.games.toaster.actions.tasks import TASK

MOVES: tuple[Move, ...] = (TASK, TASK_LUCK, CALLED, MEANING)
