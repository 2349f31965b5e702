"""Toaster, a universal role-playing game by Patrick Riley, as a ruleset."""

from types import ModuleType

from kitchentable.rules import Art, Move
from kitchentable.rulesets.toaster.actions import contests, falling, luckrolls, opposing, tasks
from kitchentable.rulesets.toaster.book import BOOK
from kitchentable.rulesets.toaster.character import (
    builder,
    checks,
    editing,
    growing,
    presets,
)
from kitchentable.rulesets.toaster.combat import attacks, fights, melee, telling, turns
from kitchentable.rulesets.toaster.harm import healing, hurting, passing, places
from kitchentable.rulesets.toaster.library import ROLLS
from kitchentable.rulesets.toaster.people import toaster
from kitchentable.rulesets.toaster.sheet import SHEET

__all__ = ["game"]

_MOVES: tuple[Move | ModuleType, ...] = (
    *fights.FIGHT,
    *attacks.LUCK.values(),
    *(one.card for one in (healing.medical_roll, hurting.check_roll, healing.heal_roll)),
    *(contests, falling, luckrolls, opposing, tasks),
    *(builder, checks, editing, growing, presets),
    *(attacks, telling, turns, healing, hurting, passing, places),
)

game = BOOK.game(
    toaster,
    SHEET,
    _MOVES,
    rolls=ROLLS,
    art=Art(cover="orbit", die="d10"),
    fight=fights.VIEW,
    fights=melee.FIGHTS,
    conceal=fights.conceal,
    hooks={
        "session-began": luckrolls.session_began,
        "entity-submitted": checks.submitted,
        "entity-accepted": checks.accepted,
        "options-changed": editing.options_changed,
    },
    example=presets.example,
    archetypes=presets.archetypes(),
)
