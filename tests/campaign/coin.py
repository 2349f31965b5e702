"""A tiny game to play the campaign's tests with: coins, one d6, two numbers on a sheet.

- "flip": a conversing roll. Player: skill, a charm (needs the GM's yes). GM: the number, hideable.
  With a target, its owner sets "brace". A 1 asks the roller's player for a sentence.
- "tell": only the answer to that ask. "vote": the answer to an ask to all players.
- "lose": the GM takes coins from somebody; no dice. "jinx": a GM's roll without conversation.
- Sheets: coins 0..9 (more than 6 in all refuses), skill, a story. NPCs show their name when closed.
"""

from __future__ import annotations

from dataclasses import replace

from kitchentable.dice import Mechanic, mechanic
from kitchentable.rules.game import Credits, Example, Game
from kitchentable.rules.moves import Band, Card, Change, Line, Part, Question, Result, Side
from kitchentable.rules.rulebook import read_rulebook
from kitchentable.rules.sheets import Kind, Section, SheetRules, Summary
from kitchentable.rules.table import Actor, Ask, Entity, Seat, Table, fresh
from kitchentable.rules.values import EVERYONE, GM, Answers, Choice, Field, Option, Problem
from tests.handmade import Handmade

BOOK = read_rulebook(
    """
[book]
title = "Coin"
[[section]]
id = "1"
title = "The coin"
[[rule]]
id = "coin.1-flip"
section = "1"
kind = "core"
title = "The flip"
text = "Die and skill against the number."
"""
)


@mechanic
def flip(dice, skill: int, number: int, against: int) -> str:
    die = dice.die(6, label="roll")
    foe = dice.die(6, label="foe") if against else 0
    if die == 1:
        return "slip"
    return "win" if die + skill >= number + foe else "lose"


BANDS = (
    Band("win", "wins", "good", good=True),
    Band("lose", "loses", "bad"),
    Band("slip", "slips", "bad"),
)


def people(table: Table) -> tuple[Choice, ...]:
    return (Choice("", "nobody"), *(Choice(one.id, one.name) for one in table.in_play()))


def fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    asked = [
        Field("skill", "Skill", "choice", (Choice("wit", "Wit"), Choice("luck", "Luck")), "wit"),
        Field("charm", "Charm", default="", required=False, needs_yes=True, veto_only=True),
        Field("target", "Against", "entity", people(table), "", required=False),
    ]
    if answers.get("target"):
        asked.append(
            Field("brace", "Brace", "tick", default=False, required=False, set_by="owner:target")
        )
    number = Field("number", "Number", "number", default=4, low=1, set_by="gm")
    asked.append(replace(number, hideable=True, hidden=bool(table.options.get("dark"))))
    return tuple(asked)


def question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    who = table.entities.get(actor.entity)
    if (
        who is None
        or "skill" not in who.sheet
        or ("number" in actor.hidden) > ("number" in answers)
    ):
        return None
    skill = int(who.sheet["skill"]) + bool(answers.get("charm")) - bool(answers.get("brace"))
    target = table.entities.get(str(answers.get("target", "")))
    if target is not None and "skill" not in target.sheet:
        return None
    number = int(answers.get("number", 4)) + (int(target.sheet["skill"]) if target else 0)
    closed = ("foe",) if target is not None and not target.open else ()
    return Question(flip, (skill, number, int(target is not None)), BANDS, str, closed)


def consequences(table: Table, actor: Actor, answers: Answers, outcome: object) -> Result:
    who = table.entities[actor.entity]
    coins = int(who.state["coins"])
    now = max(0, coins + {"win": 1}.get(str(outcome), -1))
    kept = GM if "number" in actor.hidden else EVERYONE
    target = table.entities.get(str(answers.get("target", "")))
    sides = [Side(who.name, "roll", (Part("Skill", int(who.sheet["skill"])),), 3)]
    if target is not None:
        hidden = EVERYONE if target.open else GM
        part = Part("Skill", int(target.sheet["skill"]))
        sides.append(Side(target.name, "foe", (part,), 3, audience=hidden))
    asks = ()
    if outcome == "slip":
        asks = (
            Ask(
                fresh(table, "slip"),
                (f"owner:{who.id}",),
                "tell",
                "What slips?",
                preset={"why": "a slip", "trap": "TRAP"},
                secret=("trap",),
                skippable=True,
                entity=who.id,
            ),
        )
    card = Card(
        f"{who.name} flips",
        outcome=str(outcome),
        tone="good" if outcome == "win" else "bad",
        sides=tuple(sides),
        lines=(Line(f"Against {answers['number']}.", kept),),
        rules=("coin.1-flip",),
        entity=who.id,
    )
    change = Change(("entities", who.id, "state", "coins"), now)
    return Result(card, (change, Change(("session", "notes", "flips", who.id), coins)), asks)


FLIP = Handmade(
    "flip",
    "Flip",
    "Throw the die.",
    ("coin.1-flip",),
    consequences=consequences,
    fields=fields,
    throws=True,
    question=question,
    converses=True,
    when=lambda table, actor: (
        "No coins are left."
        if actor.entity in table.entities and table.entities[actor.entity].state.get("coins") == 0
        else None
    ),
)

TELL = Handmade(
    "tell",
    "Tell",
    "Say what slips.",
    (),
    consequences=lambda table, actor, answers, outcome: Result(
        Card("It slips", str(answers["text"]), lines=(Line(str(answers["trap"]), GM),)),
        (Change(("own", "slips", fresh(table, "s")), answers["text"]),),
    ),
    by=(),
    fields=lambda table, actor, answers: (
        Field("text", "What slips?", "story"),
        Field("why", "Why"),
        Field("trap", "Trap"),
    ),
)


def vote_result(table: Table, actor: Actor, answers: Answers, outcome: object) -> Result:
    ask = table.asks[actor.ask]
    votes = {**ask.votes, actor.seat: answers["yes"]}
    if {seat.id for seat in table.players()} <= votes.keys():
        agreed = all(votes.values())
        return Result(
            Card("The vote", "Agreed." if agreed else "Refused."),
            (Change(("own", "agreed"), agreed),),
            closes=(ask.id,),
        )
    return Result(None, asks=(replace(ask, votes=votes),))


VOTE = Handmade(
    "vote",
    "Vote",
    "Say yes or no.",
    (),
    consequences=vote_result,
    by=(),
    fields=lambda table, actor, answers: (Field("yes", "Yes", "tick", default=False),),
    for_entity=False,
)

CALL = Handmade(
    "call",
    "Call a vote",
    "All players vote.",
    (),
    consequences=lambda table, actor, answers, outcome: Result(
        Card("A vote is called"), asks=(Ask(fresh(table, "vote"), ("players",), "vote", "Yes?"),)
    ),
    by=("gm", "player"),
    for_entity=False,
)

LOSE = Handmade(
    "lose",
    "Lose coins",
    "Somebody loses coins.",
    (),
    consequences=lambda table, actor, answers, outcome: Result(
        Card(f"{table.entities[actor.entity].name} loses coins", audience=str(answers["for"])),
        (
            Change(
                ("entities", actor.entity, "state", "coins"),
                max(0, int(table.entities[actor.entity].state["coins"]) - int(answers["coins"])),
            ),
        ),
    ),
    by=("gm",),
    fields=lambda table, actor, answers: (
        Field("coins", "Coins", "number", default=1, low=0, high=9),
        Field("for", "For", "choice", (Choice("all", "All"), Choice("gm", "GM")), "all"),
    ),
)

POINT = Handmade(
    "point",
    "Point",
    "A card about somebody, which has to be answered.",
    (),
    consequences=lambda table, actor, answers, outcome: Result(
        Card("A finger points"),
        asks=(Ask(fresh(table, "point"), ("gm",), "tell", "Who?", entity=actor.entity),),
    ),
    by=("gm",),
)

JINX = Handmade(
    "jinx",
    "Jinx",
    "The GM throws a die for somebody.",
    (),
    consequences=lambda table, actor, answers, outcome: Result(
        Card("A jinx", outcome=str(outcome)),
        (Change(("own", "jinx"), str(outcome)),),
    ),
    by=("gm",),
    throws=True,
    question=lambda table, actor, answers: Question(flip, (0, 4, 0), BANDS, str),
)


def check(table: Table, entity: Entity, stage: str) -> tuple[Problem, ...]:
    coins = entity.sheet.get("coins", 0)
    if isinstance(coins, int) and coins > 6 and stage == "creation":
        return (Problem("coins", "coin.1-flip", "At most six coins."),)
    return ()


def amend(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    same = before.sheet.get("story") == after.sheet.get("story")
    if actor.seat != before.owner != GM and not same:
        return (Problem("story", "coin.1-flip", "The story is the player's."),)
    if before.owner == actor.seat and after.sheet["skill"] == 0 != before.sheet["skill"]:
        return (Problem("skill", "coin.1-flip", "Nobody forgets it all."),)
    return ()


def conceal(table: Table, seat: Seat) -> Table:
    return replace(table, own={key: one for key, one in table.own.items() if key != "secret"})


RULES = SheetRules(
    kinds=lambda table: (Kind("pc", "Character", "player"), Kind("npc", "Somebody else")),
    blank=lambda table, kind: {"coins": 3, "skill": 2, "story": ""},
    sections=lambda table, entity: (
        Section(
            "all",
            "All",
            (
                Field("coins", "Coins", "number", low=0, high=9),
                Field("skill", "Skill", "number", low=0, high=5),
                Field("story", "Story", "story", required=False),
            ),
        ),
    ),
    check=check,
    start=lambda table, entity: {"coins": entity.sheet["coins"]},
    summary=lambda table, entity: Summary(entity.name, str(entity.state.get("coins", ""))),
    public=lambda table, entity: replace(entity, sheet={}, state={}),
    amend=amend,
)

COIN = Game(
    name="coin",
    title="Coin",
    version="1",
    about="Flip.",
    credits=Credits("Nobody", "-", "-", "-"),
    options=(
        Option(Field("dark", "Dark numbers", "tick", default=False, required=False), "All"),
        Option(Field("rate", "Rate", "number", default=2, low=1, high=5), "All"),
    ),
    sheet=RULES,
    moves=(FLIP, TELL, VOTE, CALL, LOSE, POINT, JINX),
    rolls={},
    rulebook=BOOK,
    example=lambda: Example("Coins", (), ()),
    conceal=conceal,
    hooks={
        "session-began": lambda table: Result(None, (Change(("own", "evenings"), 1),)),
        "session-ended": lambda table: Result(None, (Change(("session", "notes"), {}),)),
    },
)

assert isinstance(flip, Mechanic)
