"""Toast, a small universal role-playing game by Ethan Greer."""

from kitchentable.rules import Game
from kitchentable.rules.kit import conceal, fight_view
from kitchentable.rulesets.toast.attacks import attack, death, dies, fate
from kitchentable.rulesets.toast.fights import FIGHT, roles
from kitchentable.rulesets.toast.lists import lost_traits, options_changed, spend_points
from kitchentable.rulesets.toast.mechanics import D10_PLUS
from kitchentable.rulesets.toast.melee import FIGHTS
from kitchentable.rulesets.toast.npcs import importance, npc
from kitchentable.rulesets.toast.options import BOOK, OPTIONS
from kitchentable.rulesets.toast.people import toast
from kitchentable.rulesets.toast.perks import (
    accepted,
    add,
    drop,
    gear,
    judge_perk,
    perk_covers,
    submitted,
)
from kitchentable.rulesets.toast.recovery import day, first_aid, hurt, rejoin
from kitchentable.rulesets.toast.rolls import ROLLS
from kitchentable.rulesets.toast.sheet import SHEET, example
from kitchentable.rulesets.toast.tasks import contest, free_for_all, task, tie
from kitchentable.rulesets.toast.twists import twist
from kitchentable.rulesets.toast.wrap_up import (
    advance,
    judge_petition,
    petition,
    session_closing,
    wipe,
)

__all__ = ["game"]

_FIRST = ("initiative", "step", "act", "end_turn", "leave")
_GMS = ("fight", "initiative_all", "next_round", "end_fight", "join", "one_more")

game = Game(
    name="toast",
    title="Toast",
    version="1",
    about="Rules-light and universal: one die with a flub and a kick, traits, perks, any world.",
    credits=BOOK.credits,
    options=OPTIONS,
    sheet=SHEET,
    moves=(
        task,
        contest,
        attack,
        *(FIGHT[name] for name in _FIRST),
        first_aid,
        advance,
        petition,
        add,
        perk_covers,
        drop,
        spend_points,
        gear,
        *(FIGHT[name] for name in _GMS),
        npc,
        importance,
        free_for_all,
        hurt,
        day,
        death,
        roles,
        twist,
        tie,
        FIGHT["initiative_tie"],
        FIGHT["still_fighting"],
        fate,
        rejoin,
        dies,
        judge_perk,
        judge_petition,
        lost_traits,
    ),
    rolls=ROLLS,
    rulebook=BOOK.rulebook,
    example=example,
    dice={D10_PLUS.name: D10_PLUS},
    fight=fight_view(toast),
    fights=FIGHTS,
    conceal=conceal,
    hooks={
        "session-began": wipe,
        "session-closing": session_closing,
        "session-ended": wipe,
        "options-changed": options_changed,
        "entity-submitted": submitted,
        "entity-accepted": accepted,
    },
    playthrough=BOOK.playthrough,
    moment=toast.moment,
)
