"""Toast, a small universal role-playing game by Ethan Greer, as it is played at this table."""

from kitchentable.game import Game
from kitchentable.games.toast.attacks import ATTACK
from kitchentable.games.toast.book import CREDITS, PLAYTHROUGH, RULEBOOK
from kitchentable.games.toast.closing import (
    ADVANCE,
    JUDGE_PETITION,
    PETITION,
    session_began,
    session_closing,
    session_ended,
)
from kitchentable.games.toast.contests import CONTEST, TIE
from kitchentable.games.toast.doors import ROLLS
from kitchentable.games.toast.example import example
from kitchentable.games.toast.gear import GEAR
from kitchentable.games.toast.healing import DAY, FIRST_AID, HURT, REJOIN
from kitchentable.games.toast.initiative import INITIATIVE, INITIATIVE_ALL, INITIATIVE_TIE
from kitchentable.games.toast.lists import ROLES_MOVE, SPEND_POINTS, options_changed
from kitchentable.games.toast.lost import LOST_TRAITS
from kitchentable.games.toast.many import FREE_FOR_ALL
from kitchentable.games.toast.mechanics import D10_PLUS
from kitchentable.games.toast.melee import FIGHTS
from kitchentable.games.toast.npcs import IMPORTANCE_MOVE, NPC
from kitchentable.games.toast.options import OPTIONS
from kitchentable.games.toast.perk_upkeep import DROP_PERK, PERK_COVERS, REFILL
from kitchentable.games.toast.perks import JUDGE_PERK, accepted, submitted
from kitchentable.games.toast.rounds import BEGIN, END_FIGHT, NEXT_ROUND, STILL_FIGHTING
from kitchentable.games.toast.sheet import SHEET
from kitchentable.games.toast.tasks import TASK
from kitchentable.games.toast.tracker import conceal, fight_view
from kitchentable.games.toast.turns import ACT, END_TURN, JOIN, LEAVE, ONE_MORE, STEP
from kitchentable.games.toast.twists import TWIST
from kitchentable.games.toast.wounds import CONSENT, DEATH, FATE

__all__ = ["game"]

game = Game(
    name="toast",
    title="Toast",
    version="1",
    about="Rules-light and universal: one die with a flub and a kick, traits, perks, any world.",
    credits=CREDITS,
    options=OPTIONS,
    sheet=SHEET,
    moves=(
        TASK,
        CONTEST,
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
        FREE_FOR_ALL,
        HURT,
        DAY,
        DEATH,
        ROLES_MOVE,
        TWIST,
        TIE,
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
)
