"""Every move of this chapter, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.games.toaster.actions.called import CALLED
from kitchentable.games.toaster.actions.contests import CONTEST
from kitchentable.games.toaster.actions.falling import TASK_LUCK
from kitchentable.games.toaster.actions.prompts import MEANING
from kitchentable.games.toaster.actions.settling import CONTEST_LUCK
from kitchentable.games.toaster.actions.tasks import TASK
from kitchentable.games.toaster.actions.ties import TIE

MOVES: tuple[Move, ...] = (TASK, CONTEST, TASK_LUCK, CONTEST_LUCK, CALLED, MEANING, TIE)
