"""Every move about characters, and what happens by itself when a sheet is handed in."""

from __future__ import annotations

from kitchentable.rules import Move
from kitchentable.rules.game import Hook
from kitchentable.rulesets.toaster.character.allowing import accepted, allow, submitted
from kitchentable.rulesets.toaster.character.attribute_list import REFIT
from kitchentable.rulesets.toaster.character.carrying import carry, measure
from kitchentable.rulesets.toaster.character.editing import edit_table
from kitchentable.rulesets.toaster.character.experience import award
from kitchentable.rulesets.toaster.character.growing import (
    improve,
    judge_improvement,
    judge_traits,
    rearrange,
)
from kitchentable.rulesets.toaster.character.npcs import bring
from kitchentable.rulesets.toaster.character.specialising import judge_speciality, specialise

MOVES: tuple[Move, ...] = (
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

HOOKS: dict[str, Hook] = {"entity-submitted": submitted, "entity-accepted": accepted}
