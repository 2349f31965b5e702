"""Every move of fights, in the order in which a page offers them."""

from __future__ import annotations

from kitchentable.rules import Move
from kitchentable.rulesets.toaster.combat import attacks, lucky
from kitchentable.rulesets.toaster.combat.fights import FIGHT
from kitchentable.rulesets.toaster.combat.ready import ready
from kitchentable.rulesets.toaster.combat.telling import fumble
from kitchentable.rulesets.toaster.combat.turns import (
    act,
    aim,
    all_out,
    break_off,
    cut_in,
    long_action,
    long_kept,
    wait,
)

_FIRST = ("initiative", "initiative_all", "initiative_tie")
_GMS = ("fight", "next_round", "end_fight", "still_fighting", "leave", "join")

MOVES: tuple[Move, ...] = (
    attacks.attack,
    *lucky.LUCK.values(),
    lucky.critical_hit,
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
