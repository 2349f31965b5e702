"""Every move of this chapter, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.rules import Move
from kitchentable.rules.game import Hook
from kitchentable.rulesets.toaster.actions.called import CALLED
from kitchentable.rulesets.toaster.actions.contests import CONTEST
from kitchentable.rulesets.toaster.actions.falling import TASK_LUCK
from kitchentable.rulesets.toaster.actions.fortune import BUY_LUCK, RESTORE_LUCK, session_began
from kitchentable.rulesets.toaster.actions.luckrolls import LUCK_OF_MANY, LUCK_ROLL
from kitchentable.rulesets.toaster.actions.many import CONTEST_OF_MANY
from kitchentable.rulesets.toaster.actions.prompts import MEANING
from kitchentable.rulesets.toaster.actions.settling import CONTEST_LUCK
from kitchentable.rulesets.toaster.actions.tasks import TASK
from kitchentable.rulesets.toaster.actions.ties import TIE
from kitchentable.rulesets.toaster.actions.together import TOGETHER
from kitchentable.rulesets.toaster.combat.counting import counted

#: What players and the GM can begin, and then what only answers a card.
MOVES: tuple[Move, ...] = (
    counted(TASK),
    counted(CONTEST),
    counted(TOGETHER),
    LUCK_ROLL,
    BUY_LUCK,
    CONTEST_OF_MANY,
    LUCK_OF_MANY,
    RESTORE_LUCK,
    TASK_LUCK,
    CONTEST_LUCK,
    CALLED,
    MEANING,
    TIE,
)

HOOKS: dict[str, Hook] = {"session-began": session_began}
