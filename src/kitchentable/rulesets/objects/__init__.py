"""Objects, the JurviZ system of 2004: anything is an object, and two dice decide."""

from kitchentable.rules import Game
from kitchentable.rulesets.objects.agreeing import (
    accepted,
    agree,
    judge_talent,
    learn,
    objective,
    power,
    submitted,
)
from kitchentable.rulesets.objects.attempts import TEST
from kitchentable.rulesets.objects.being import objects
from kitchentable.rulesets.objects.book import CREDITS, PLAYTHROUGH, RULEBOOK
from kitchentable.rulesets.objects.critical import CRITICAL
from kitchentable.rulesets.objects.doors import ROLLS
from kitchentable.rulesets.objects.example import example
from kitchentable.rulesets.objects.joining import MERGE, SPLIT
from kitchentable.rulesets.objects.options import OPTIONS
from kitchentable.rulesets.objects.reroll import AGAIN
from kitchentable.rulesets.objects.retyping import REFIT, options_changed
from kitchentable.rulesets.objects.scenes import (
    BEGIN,
    END_FIGHT,
    SITUATION,
    SITUATION_END,
    TURN,
    fight_view,
)
from kitchentable.rulesets.objects.sheet import SHEET, conceal
from kitchentable.rulesets.objects.status import day, death, fate, heal, judge_status, status

__all__ = ["game"]

game = Game(
    name="objects",
    title="Objects",
    version="1",
    about="A person, a ship, an army, a haunted house, a religion: everything is built and rolled "
    "for in the same way.",
    credits=CREDITS,
    options=OPTIONS,
    sheet=SHEET,
    moves=(
        TEST,
        status,
        heal,
        learn,
        objective,
        SITUATION,
        BEGIN,
        TURN,
        END_FIGHT,
        SPLIT,
        MERGE,
        power,
        REFIT,
        fate,
        death,
        day,
        AGAIN,
        CRITICAL,
        judge_status,
        judge_talent,
        agree,
        SITUATION_END,
    ),
    rolls=ROLLS,
    rulebook=RULEBOOK,
    example=example,
    fight=fight_view,
    conceal=conceal,
    hooks={
        "options-changed": options_changed,
        "entity-submitted": submitted,
        "entity-accepted": accepted,
    },
    playthrough=PLAYTHROUGH,
    moment=objects.moment,
)
