"""Every move about characters, and what happens by itself when a sheet is handed in."""

from __future__ import annotations

from kitchentable.rules import Move
from kitchentable.rules.game import Hook
from kitchentable.rulesets.toaster.character.advancing import IMPROVE, JUDGE_IMPROVEMENT
from kitchentable.rulesets.toaster.character.allowing import ALLOW, accepted, submitted
from kitchentable.rulesets.toaster.character.attribute_list import REFIT
from kitchentable.rulesets.toaster.character.carrying import CARRY, MEASURE
from kitchentable.rulesets.toaster.character.editing import EDIT
from kitchentable.rulesets.toaster.character.experience import AWARD
from kitchentable.rulesets.toaster.character.npcs import BRING
from kitchentable.rulesets.toaster.character.rearranging import JUDGE_TRAITS, REARRANGE
from kitchentable.rulesets.toaster.character.specialising import JUDGE_SPECIALITY, SPECIALISE

MOVES: tuple[Move, ...] = (
    CARRY,
    IMPROVE,
    SPECIALISE,
    REARRANGE,
    BRING,
    AWARD,
    ALLOW,
    MEASURE,
    EDIT,
    JUDGE_IMPROVEMENT,
    JUDGE_SPECIALITY,
    JUDGE_TRAITS,
    REFIT,
)

HOOKS: dict[str, Hook] = {"entity-submitted": submitted, "entity-accepted": accepted}
