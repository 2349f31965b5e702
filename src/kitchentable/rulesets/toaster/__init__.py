"""Toaster, a universal role-playing game by Patrick Riley, as it is played at this table."""

from kitchentable.rules import Art, Game
from kitchentable.rulesets.toaster.book import CREDITS, PLAYTHROUGH, RULEBOOK
from kitchentable.rulesets.toaster.character.presets import archetypes, example
from kitchentable.rulesets.toaster.combat.fights import VIEW, conceal
from kitchentable.rulesets.toaster.library import ROLLS
from kitchentable.rulesets.toaster.moves import HOOKS, MOVES
from kitchentable.rulesets.toaster.options import OPTIONS
from kitchentable.rulesets.toaster.people import toaster
from kitchentable.rulesets.toaster.sheet import SHEET

__all__ = ["game"]

game = Game(
    name="toaster",
    title="Toaster",
    version="1",
    about="Universal and made to be taken apart: a ten-sided die, skills and traits, and a score "
    "of optional rules.",
    credits=CREDITS,
    options=OPTIONS,
    sheet=SHEET,
    moves=MOVES,
    rolls=ROLLS,
    rulebook=RULEBOOK,
    example=example,
    archetypes=archetypes(),
    fight=VIEW,
    conceal=conceal,
    hooks=HOOKS,
    playthrough=PLAYTHROUGH,
    moment=toaster.moment,
    art=Art(cover="orbit", die="d10"),
)
