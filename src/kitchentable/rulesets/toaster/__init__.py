"""Toaster, a universal role-playing game by Patrick Riley, as it is played at this table."""

from dataclasses import replace
from types import ModuleType

from kitchentable.rules import Art, Move, Start
from kitchentable.rules.kit.books import Book
from kitchentable.rulesets.toaster.actions import contests, falling, luckrolls, opposing, tasks
from kitchentable.rulesets.toaster.book import GAME, PLAYTHROUGH, RULEBOOK
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
from kitchentable.rulesets.toaster.options import OPTIONS
from kitchentable.rulesets.toaster.people import toaster
from kitchentable.rulesets.toaster.sheet import SHEET

__all__ = ["game"]

_MOVES: tuple[Move | ModuleType, ...] = (
    *(fights.FIGHT[name] for name in fights.MOVES),
    *attacks.LUCK.values(),
    *(one.card for one in (healing.medical_roll, hurting.check_roll, healing.heal_roll)),
    *(contests, falling, luckrolls, opposing, tasks),
    *(builder, checks, editing, growing, presets),
    *(attacks, telling, turns, healing, hurting, passing, places),
)

game = replace(
    Book("toaster", "", {"game": GAME}, OPTIONS, RULEBOOK, PLAYTHROUGH).game(
        toaster,
        SHEET,
        _MOVES,
        rolls=ROLLS,
        fights=melee.FIGHTS,
        art=Art(cover="orbit", die="d10"),
        fight=fights.VIEW,
        conceal=fights.conceal,
        hooks={
            "session-began": luckrolls.session_began,
            "entity-submitted": checks.submitted,
            "entity-accepted": checks.accepted,
            "options-changed": editing.options_changed,
        },
    ),
    example=presets.example,
    archetypes=presets.archetypes(),
    wound=Start("harm", (("who", "{who}"), ("cause", "in the fight"), ("wounds", "1"))),
)
