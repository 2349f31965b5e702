"""Every move about characters, and what happens by itself when a sheet is handed in."""

from __future__ import annotations

from kitchentable.game import Move
from kitchentable.game.game import Hook
from kitchentable.games.toaster.character.advancing import IMPROVE, JUDGE_IMPROVEMENT
from kitchentable.games.toaster.character.allowing import ALLOW, accepted, submitted
from kitchentable.games.toaster.character.attribute_list import REFIT
from kitchentable.games.toaster.character.carrying import CARRY, MEASURE
from kitchentable.games.toaster.character.editing import EDIT
from kitchentable.games.toaster.character.experience import AWARD
from kitchentable.games.toaster.character.npcs import BRING
from kitchentable.games.toaster.character.rearranging import JUDGE_TRAITS, REARRANGE
from kitchentable.games.toaster.character.specialising import JUDGE_SPECIALITY, SPECIALISE

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
