"""Objects, the JurviZ system of 2004, in which everything is an object."""

from kitchentable.rules import Art
from kitchentable.rulesets.objects import attempts, basics, consents, fights, scenes, status, unions
from kitchentable.rulesets.objects.options import BOOK
from kitchentable.rulesets.objects.rolls import ROLLS
from kitchentable.rulesets.objects.sheet import SHEET, conceal
from kitchentable.rulesets.objects.thing import objects

__all__ = ["game"]

game = BOOK.game(
    objects,
    SHEET,
    (attempts, basics, consents, scenes, status, unions, *scenes.FIGHTS.moves()),
    rolls=ROLLS,
    art=Art(cover="nest", die="d20"),
    fight=scenes.FIGHTS.view,
    fights=fights.FIGHTS,
    conceal=conceal,
    hooks={
        "options-changed": basics.options_changed,
        "entity-submitted": consents.submitted,
        "entity-accepted": consents.accepted,
    },
)
