"""Toaster, a universal role-playing game by Patrick Riley, as it is played at this table."""

from kitchentable.game import Game
from kitchentable.games.toaster.actions import moves as actions
from kitchentable.games.toaster.actions.doors import ROLLS as ACTION_ROLLS
from kitchentable.games.toaster.aid import moves as aid
from kitchentable.games.toaster.book import CREDITS, PLAYTHROUGH, RULEBOOK
from kitchentable.games.toaster.changing import options_changed
from kitchentable.games.toaster.character import moves as character
from kitchentable.games.toaster.character.example import example
from kitchentable.games.toaster.combat import moves as combat
from kitchentable.games.toaster.combat.doors import ROLLS as COMBAT_ROLLS
from kitchentable.games.toaster.combat.tracker import conceal, fight_view
from kitchentable.games.toaster.harm import moves as harm
from kitchentable.games.toaster.harm.doors import ROLLS as HARM_ROLLS
from kitchentable.games.toaster.options import OPTIONS
from kitchentable.games.toaster.sheet import SHEET

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
    moves=(*actions.MOVES, *combat.MOVES, *character.MOVES, *aid.MOVES, *harm.MOVES),
    rolls={**ACTION_ROLLS, **COMBAT_ROLLS, **HARM_ROLLS},
    rulebook=RULEBOOK,
    example=example,
    fight=fight_view,
    conceal=conceal,
    hooks={**actions.HOOKS, **character.HOOKS, "options-changed": options_changed},
    playthrough=PLAYTHROUGH,
)
