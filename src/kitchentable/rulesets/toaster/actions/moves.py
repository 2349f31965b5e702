"""Every move of this chapter, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.rulesets.toaster.actions.contests import contest, contest_luck, contest_of_many
from kitchentable.rulesets.toaster.actions.falling import called_roll, meaning, task_luck
from kitchentable.rulesets.toaster.actions.luckrolls import (
    buy_luck,
    luck_of_many,
    luck_roll,
    restore_luck,
    session_began,
)
from kitchentable.rulesets.toaster.actions.tasks import task, work_together
from kitchentable.rulesets.toaster.actions.ties import tie

#: What players and the GM can begin, and then what only answers a card.
MOVES = (
    task,
    contest,
    work_together,
    luck_roll,
    buy_luck,
    contest_of_many,
    luck_of_many,
    restore_luck,
    task_luck,
    contest_luck,
    called_roll,
    meaning,
    tie,
)

HOOKS = {"session-began": session_began}
