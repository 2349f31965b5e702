"""A small valid game, to be broken in one place at a time."""

from __future__ import annotations

from dataclasses import replace

from kitchentable.dice import Dice, mechanic
from kitchentable.rules import (
    Actor,
    Answers,
    Band,
    Card,
    Change,
    Credits,
    Entity,
    Example,
    Field,
    Game,
    Kind,
    Option,
    Problem,
    Question,
    Result,
    Rolled,
    Section,
    SheetRules,
    Summary,
    Table,
    read_rulebook,
)
from tests.handmade import Handmade

BOOK = read_rulebook(
    """
[book]
title = "Pebble"
[[section]]
id = "1"
title = "Pebbles"
[[rule]]
id = "pebble.1-toss"
section = "1"
kind = "core"
title = "The toss"
text = "Reach four."
option = "low"
[[rule]]
id = "pebble.1-kin"
section = "1"
kind = "text"
title = "Kin"
text = "See the toss."
see = ["pebble.1-toss"]
"""
)


@mechanic
def toss(dice: Dice, skill: int) -> str:
    """A die and the skill, to reach four."""
    return "reached" if dice.die(6, label="toss") + skill >= 4 else "missed"


def question(table: Table, actor: Actor, answers: Answers) -> Question:
    skill = int(table.entities[actor.entity].sheet["skill"])
    bands = (Band("reached", "reached", good=True), Band("missed", "missed"))
    return Question(toss, (skill,), bands, str)


def consequences(table: Table, actor: Actor, answers: Answers, outcome: object) -> Result:
    card = Card("A toss", str(outcome), rules=("pebble.1-toss",))
    return Result(card, (Change(("own", "last"), str(outcome)),))


TOSS = Handmade(
    "toss",
    "Toss",
    "Toss a pebble.",
    ("pebble.1-toss",),
    consequences=consequences,
    throws=True,
    fields=lambda table, actor, answers: (
        Field("what", "What", required=False, default="", rule="pebble.1-toss"),
    ),
    question=question,
    examples=({"what": "the well"},),
)

SHEET = SheetRules(
    kinds=lambda table: (Kind("pc", "Somebody", "player"),),
    blank=lambda table, kind: {"skill": 0},
    sections=lambda table, entity: (
        Section("all", "All", (Field("skill", "Skill", "number", low=0, high=3),)),
    ),
    check=lambda table, entity, stage: (
        (Problem("skill", "pebble.1-toss", "Three at most."),)
        if int(entity.sheet.get("skill") or 0) > 3
        else ()
    ),
    start=lambda table, entity: {},
    summary=lambda table, entity: Summary(entity.name),
    public=lambda table, entity: replace(entity, sheet={}, state={}),
)

EXAMPLE = Example("By the well", ("Ana",), (Entity("a", "Ama", "pc", "Ana", {"skill": 2}, {}),))

PEBBLE = Game(
    name="pebble",
    title="Pebble",
    version="1",
    about="A pebble is tossed.",
    credits=Credits("Nobody", "-", "none", "-"),
    options=(
        Option(
            Field("low", "Low", "number", default=4, low=1, high=9, help="What to reach."), "All"
        ),
    ),
    sheet=SHEET,
    moves=(TOSS,),
    rolls={"toss": Rolled(toss, lambda options, *, skill: (skill,), "A toss.", ({"skill": 1},))},
    rulebook=BOOK,
    example=lambda: EXAMPLE,
    playthrough="# An evening that was written down.\n",
)
