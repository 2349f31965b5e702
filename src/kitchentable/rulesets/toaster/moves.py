"""Every move of Toaster, in the order in which a page offers them, and what runs by itself."""

from __future__ import annotations

from kitchentable.rules import Move
from kitchentable.rules.game import Hook
from kitchentable.rulesets.toaster.actions.contests import contest, contest_luck, contest_of_many
from kitchentable.rulesets.toaster.actions.falling import called_roll, meaning, task_luck
from kitchentable.rulesets.toaster.actions.luckrolls import (
    buy_luck,
    luck_of_many,
    luck_roll,
    restore_luck,
    session_began,
)
from kitchentable.rulesets.toaster.actions.opposing import tie
from kitchentable.rulesets.toaster.actions.tasks import task, work_together
from kitchentable.rulesets.toaster.aid import medical, medical_roll, recover
from kitchentable.rulesets.toaster.character.allowing import accepted, allow, submitted
from kitchentable.rulesets.toaster.character.by_hand import carry, measure
from kitchentable.rulesets.toaster.character.editing import REFIT, edit_table, options_changed
from kitchentable.rulesets.toaster.character.growing import (
    award,
    improve,
    judge_improvement,
    judge_traits,
    rearrange,
)
from kitchentable.rulesets.toaster.character.presets import bring
from kitchentable.rulesets.toaster.character.specialising import judge_speciality, specialise
from kitchentable.rulesets.toaster.combat import attacks
from kitchentable.rulesets.toaster.combat.fights import FIGHT
from kitchentable.rulesets.toaster.combat.telling import fumble
from kitchentable.rulesets.toaster.combat.turns import (
    act,
    aim,
    all_out,
    break_off,
    cut_in,
    long_action,
    long_kept,
    ready,
    wait,
)
from kitchentable.rulesets.toaster.harm import dying, healing, places, resting, rulings

ACTIONS: tuple[Move, ...] = (
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

_FIRST = ("initiative", "initiative_all", "initiative_tie")
_GMS = ("fight", "next_round", "end_fight", "still_fighting", "leave", "join")

FIGHTS: tuple[Move, ...] = (
    attacks.attack,
    *attacks.LUCK.values(),
    attacks.critical_hit,
    fumble,
    *(FIGHT[name] for name in _FIRST),
    act,
    ready,
    wait,
    FIGHT["one_more"],
    aim,
    all_out,
    long_action,
    break_off,
    long_kept,
    cut_in,
    *(FIGHT[name] for name in _GMS),
)

CHARACTERS: tuple[Move, ...] = (
    carry,
    improve,
    specialise,
    rearrange,
    bring,
    award,
    allow,
    measure,
    edit_table,
    judge_improvement,
    judge_speciality,
    judge_traits,
    REFIT,
)

HARM: tuple[Move, ...] = (
    medical,
    medical_roll.card,
    recover,
    *resting.MOVES,
    *healing.MOVES,
    *dying.MOVES,
    *rulings.MOVES,
    *places.MOVES,
)

MOVES = (*ACTIONS, *FIGHTS, *CHARACTERS, *HARM)

HOOKS: dict[str, Hook] = {
    "session-began": session_began,
    "entity-submitted": submitted,
    "entity-accepted": accepted,
    "options-changed": options_changed,
}
