"""Objects, the JurviZ system of 2004, in which anything is an object."""

from kitchentable.rules import Game
from kitchentable.rulesets.objects.attempts import again, critical, roll
from kitchentable.rulesets.objects.basics import REFIT, options_changed
from kitchentable.rulesets.objects.consents import (
    accepted,
    agree,
    judge_talent,
    learn,
    objective,
    power,
    submitted,
)
from kitchentable.rulesets.objects.options import BOOK, OPTIONS
from kitchentable.rulesets.objects.rolls import ROLLS
from kitchentable.rulesets.objects.scenes import (
    FIGHTS,
    begin,
    end_fight,
    situation,
    situation_end,
    turn,
)
from kitchentable.rulesets.objects.sheet import SHEET, conceal, example
from kitchentable.rulesets.objects.status import day, death, fate, heal, judge_status, status
from kitchentable.rulesets.objects.thing import objects
from kitchentable.rulesets.objects.unions import merge, split

__all__ = ["game"]

game = Game(
    name="objects",
    title="Objects",
    version="1",
    about="A person, a ship, an army, a haunted house, a religion: everything is built and rolled "
    "for in the same way.",
    credits=BOOK.credits,
    options=OPTIONS,
    sheet=SHEET,
    moves=(
        roll,
        status,
        heal,
        learn,
        objective,
        situation,
        begin,
        turn,
        end_fight,
        split,
        merge,
        power,
        REFIT,
        fate,
        death,
        day,
        again,
        critical,
        judge_status,
        judge_talent,
        agree,
        situation_end,
    ),
    rolls=ROLLS,
    rulebook=BOOK.rulebook,
    example=example,
    fight=FIGHTS.view,
    conceal=conceal,
    hooks={
        "options-changed": options_changed,
        "entity-submitted": submitted,
        "entity-accepted": accepted,
    },
    playthrough=BOOK.playthrough,
    moment=objects.moment,
)
