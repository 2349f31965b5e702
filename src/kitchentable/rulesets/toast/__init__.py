"""Toast, a small universal role-playing game by Ethan Greer."""

from kitchentable.rules import Art
from kitchentable.rules.kit import conceal, fight_view
from kitchentable.rulesets.toast import (
    attacks,
    fights,
    lists,
    melee,
    npcs,
    perks,
    recovery,
    tasks,
    twists,
    wrap_up,
)
from kitchentable.rulesets.toast.mechanics import D10_PLUS
from kitchentable.rulesets.toast.options import BOOK
from kitchentable.rulesets.toast.people import toast
from kitchentable.rulesets.toast.rolls import ROLLS
from kitchentable.rulesets.toast.sheet import SHEET

__all__ = ["game"]

_MOVES = (attacks, fights, lists, npcs, perks, recovery, tasks, twists, wrap_up)

game = BOOK.game(
    toast,
    SHEET,
    (*_MOVES, *fights.FIGHT.values()),
    rolls=ROLLS,
    art=Art(cover="road", die="d12"),
    dice={D10_PLUS.name: D10_PLUS},
    fight=fight_view(toast),
    fights=melee.FIGHTS,
    conceal=conceal,
    hooks={
        "session-began": wrap_up.wipe,
        "session-closing": wrap_up.session_closing,
        "session-ended": wrap_up.wipe,
        "options-changed": lists.options_changed,
        "entity-submitted": perks.submitted,
        "entity-accepted": perks.accepted,
    },
)
