"""Toast, a small universal role-playing game by Ethan Greer, as it is played at this table."""

from kitchentable.rules import Game
from kitchentable.rulesets.toast.attacks import ATTACK
from kitchentable.rulesets.toast.book import CREDITS, PLAYTHROUGH, RULEBOOK
from kitchentable.rulesets.toast.closing import (
    ADVANCE,
    JUDGE_PETITION,
    PETITION,
    session_began,
    session_closing,
    session_ended,
)
from kitchentable.rulesets.toast.example import example
from kitchentable.rulesets.toast.fights import Fight
from kitchentable.rulesets.toast.gear import GEAR
from kitchentable.rulesets.toast.healing import DAY, FIRST_AID, HURT, REJOIN
from kitchentable.rulesets.toast.initiative import INITIATIVE, INITIATIVE_ALL, INITIATIVE_TIE
from kitchentable.rulesets.toast.lists import ROLES_MOVE, SPEND_POINTS, options_changed
from kitchentable.rulesets.toast.lost import LOST_TRAITS
from kitchentable.rulesets.toast.mechanics import D10_PLUS
from kitchentable.rulesets.toast.melee import FIGHTS
from kitchentable.rulesets.toast.npcs import IMPORTANCE_MOVE, NPC
from kitchentable.rulesets.toast.options import OPTIONS
from kitchentable.rulesets.toast.people import toast
from kitchentable.rulesets.toast.perk_upkeep import DROP_PERK, PERK_COVERS, REFILL
from kitchentable.rulesets.toast.perks import JUDGE_PERK, accepted, submitted
from kitchentable.rulesets.toast.rolls import ROLLS
from kitchentable.rulesets.toast.rounds import BEGIN, END_FIGHT, NEXT_ROUND, STILL_FIGHTING
from kitchentable.rulesets.toast.sheet import SHEET
from kitchentable.rulesets.toast.tasks import contest, free_for_all, task, tie
from kitchentable.rulesets.toast.tracker import conceal, fight_view
from kitchentable.rulesets.toast.turns import ACT, END_TURN, JOIN, LEAVE, ONE_MORE, STEP
from kitchentable.rulesets.toast.twists import twist
from kitchentable.rulesets.toast.wounds import CONSENT, DEATH, FATE

__all__ = ["Fight", "game"]

game = Game(
    name="toast",
    title="Toast",
    version="1",
    about="Rules-light and universal: one die with a flub and a kick, traits, perks, any world.",
    credits=CREDITS,
    options=OPTIONS,
    sheet=SHEET,
    moves=(
        task,
        contest,
        ATTACK,
        INITIATIVE,
        STEP,
        ACT,
        END_TURN,
        LEAVE,
        FIRST_AID,
        ADVANCE,
        PETITION,
        REFILL,
        PERK_COVERS,
        DROP_PERK,
        SPEND_POINTS,
        GEAR,
        BEGIN,
        INITIATIVE_ALL,
        NEXT_ROUND,
        END_FIGHT,
        JOIN,
        ONE_MORE,
        NPC,
        IMPORTANCE_MOVE,
        free_for_all,
        HURT,
        DAY,
        DEATH,
        ROLES_MOVE,
        twist,
        tie,
        INITIATIVE_TIE,
        STILL_FIGHTING,
        FATE,
        REJOIN,
        CONSENT,
        JUDGE_PERK,
        JUDGE_PETITION,
        LOST_TRAITS,
    ),
    rolls=ROLLS,
    rulebook=RULEBOOK,
    example=example,
    dice={D10_PLUS.name: D10_PLUS},
    fight=fight_view,
    fights=FIGHTS,
    conceal=conceal,
    hooks={
        "session-began": session_began,
        "session-closing": session_closing,
        "session-ended": session_ended,
        "options-changed": options_changed,
        "entity-submitted": submitted,
        "entity-accepted": accepted,
    },
    playthrough=PLAYTHROUGH,
    moment=toast.moment,
)
