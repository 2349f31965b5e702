"""The Basics of These Lucky Stars, a game by Sword in Board Workshop."""

from kitchentable.rules import Art
from kitchentable.rulesets.lucky_stars import (
    claims,
    decisions,
    fights,
    stat_list,
    supplies,
)
from kitchentable.rulesets.lucky_stars.library import ROLLS
from kitchentable.rulesets.lucky_stars.options import BOOK
from kitchentable.rulesets.lucky_stars.people import FIGHTS, stars
from kitchentable.rulesets.lucky_stars.sheet import SHEET

__all__ = ["game"]

game = BOOK.game(
    stars,
    SHEET,
    (claims, decisions, stat_list, supplies, *FIGHTS.moves()),
    rolls=ROLLS,
    art=Art(cover="river", die="d8"),
    fight=FIGHTS.view,
    fights=fights.FIGHTS,
    conceal=claims.conceal,
    hooks={"options-changed": stat_list.options_changed},
)
