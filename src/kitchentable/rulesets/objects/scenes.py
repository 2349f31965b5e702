"""Situations of none, one or many rolls, and fights, in which the GM says whose turn it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    FightRow,
    FightView,
    Line,
    Move,
    Result,
    Table,
    card_audience,
    choose,
    listed,
    whole,
)
from kitchentable.rulesets.objects.options import setting
from kitchentable.rulesets.objects.sheet import status_track, status_words

_ASK = "situation"


def stakes_now(table: Table) -> str:
    """What is at stake in the situation that is open, "" for none."""
    situation: Any = table.own.get("situation")
    return str(situation["title"]) if situation else ""


def note_roll(
    table: Table, entity: Entity, grade: str
) -> tuple[tuple[Change, ...], tuple[Ask, ...]]:
    """A roll is noted with its situation and its fight (objects.3-number-of-rolls)."""
    changes: list[Change] = []
    asks: tuple[Ask, ...] = ()
    if table.own.get("situation"):
        situation: Any = table.own["situation"]
        rolls = [*situation["rolls"], {"who": entity.id, "grade": grade}]
        changes.append(Change(("own", "situation", "rolls"), rolls))
        waiting = table.asks.get(_ASK)
        if waiting is not None:
            asks = (replace(waiting, text=_so_far(table, rolls)),)
    if table.fight is not None:
        changes.append(Change(("fight", "rolls"), whole(table.fight.get("rolls")) + 1))
    return tuple(changes), asks


def _so_far(table: Table, rolls: list[dict[str, Any]]) -> str:
    names = [
        f"{table.entities[one['who']].name}: {one['grade']}"
        for one in rolls
        if one["who"] in table.entities
    ]
    return f"So far: {'; '.join(names)}." if names else "No roll so far, and none is needed."


# ---------------------------------------------------------------- situations


def _when_none(table: Table, actor: Actor) -> str | None:
    return "A situation is open already." if table.own.get("situation") else None


def _open_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "title",
            "What is to be decided?",
            longest=300,
            help="A glance or a siege; it may take no roll, one, or many.",
            rule="objects.3-define-situation",
        ),
    )


def _open(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    title = str(answers["title"])
    ask = Ask(
        _ASK,
        (GM,),
        "situation_end",
        title,
        _so_far(table, []),
        rules=("objects.3-number-of-rolls",),
    )
    card = Card("A situation", title, rules=("objects.3-define-situation",))
    return Result(card, (Change(("own", "situation"), {"title": title, "rolls": []}),), (ask,))


SITUATION = Move(
    "situation",
    "Open a situation",
    "Say what is to be decided; every roll is noted with it until you say how it ends.",
    ("objects.3-define-situation", "objects.3-number-of-rolls"),
    _open,
    by=("gm",),
    place="gm",
    when=_when_none,
    fields=_open_fields,
    for_entity=False,
    examples=({"title": "Will the gate hold?"},),
)


def _end_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "outcome",
            "How does it end?",
            "story",
            longest=2000,
            help="With or without dice; most situations need none.",
            rule="objects.3-number-of-rolls",
        ),
    )


def _end(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    situation: Any = table.own.get("situation") or {"title": "", "rolls": []}
    many = len(situation["rolls"])
    words = "Without a roll." if many == 0 else f"After {many} roll{'s' * (many != 1)}."
    card = Card(
        "A situation is settled",
        str(answers["outcome"]),
        lines=(Line(situation["title"]), Line(words)),
        rules=("objects.3-number-of-rolls",),
    )
    return Result(card, (Change(("own", "situation"), None),), closes=(_ASK,))


SITUATION_END = Move(
    "situation_end",
    "How does it end?",
    "Say what came of it.",
    ("objects.3-number-of-rolls",),
    _end,
    by=(),
    fields=_end_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- fights


def _when_peace(table: Table, actor: Actor) -> str | None:
    if table.fight is not None:
        return "A fight is on already."
    return None if any(table.in_play()) else "Nobody is there to fight."


def _when_fight(table: Table, actor: Actor) -> str | None:
    return None if table.fight is not None else "No fight is on."


def _fight_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    here = tuple(table.in_play())
    return (
        Field(
            "who",
            "Who is in it?",
            "many",
            choose(here),
            default=[one.id for one in here if one.is_players],
            rule="objects.4-no-opposed",
        ),
    )


def _begin(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    order = [str(one) for one in answers["who"]]
    names = [table.entities[one].name for one in order if not table.entities[one].hidden]
    card = Card(
        "A fight begins",
        f"{listed(names)}." if names else "",
        lines=(Line("No order is fixed: the GM says whose turn it is."),),
        rules=("objects.4-no-opposed",),
    )
    fight = {"order": order, "turn": "", "rolls": 0}
    return Result(card, (Change(("fight",), fight),))


BEGIN = Move(
    "fight",
    "Begin a fight",
    "Say who is in it. A fight is a chain of rolls and of what they do to each status.",
    ("objects.4-no-opposed",),
    _begin,
    by=("gm",),
    place="gm",
    when=_when_peace,
    fields=_fight_fields,
    for_entity=False,
)


def _turn_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    fight: Any = table.fight or {"order": []}
    people = [table.entities[one] for one in fight["order"] if one in table.entities]
    newcomers = [one for one in table.in_play() if one.id not in fight["order"]]
    return (
        Field("who", "Whose turn is it?", "entity", choose((*people, *newcomers))),
        Field(
            "out",
            "Who is out of it?",
            "many",
            tuple(Choice(one.id, one.name) for one in people),
            default=[],
            required=False,
        ),
    )


def _turn(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """Any order, as the GM says; somebody new may come in, others may drop out."""
    fight: Any = table.fight
    who = table.entities[str(answers["who"])]
    out = {str(one) for one in answers.get("out") or []} - {who.id}
    order = [one for one in dict.fromkeys((*fight["order"], who.id)) if one not in out]
    card = Card(
        f"{who.name} acts",
        rules=("objects.4-no-opposed",),
        entity=who.id,
        audience=card_audience(who),
    )
    return Result(card, (Change(("fight", "order"), order), Change(("fight", "turn"), who.id)))


TURN = Move(
    "turn",
    "Whose turn is it?",
    "Say who acts next; any order is right.",
    ("objects.4-no-opposed",),
    _turn,
    by=("gm",),
    place="fight",
    when=_when_fight,
    fields=_turn_fields,
    for_entity=False,
)


def _end_fight(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    why = str(answers.get("why") or "")
    card = Card("The fight is over", why, rules=("objects.4-no-opposed",))
    return Result(card, (Change(("fight",), None),))


def _why(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("why", "How it ended", required=False, default="", longest=400),)


END_FIGHT = Move(
    "end_fight",
    "The fight is over",
    "When nobody fights any more.",
    ("objects.4-no-opposed",),
    _end_fight,
    by=("gm",),
    place="fight",
    when=_when_fight,
    fields=_why,
    for_entity=False,
)


def fight_view(table: Table) -> FightView | None:
    """Who is in the fight and how they are; nothing is rolled for order or damage."""
    if table.fight is None:
        return None
    fight: Any = table.fight
    rows = tuple(_row(table, fight, who) for who in fight["order"] if who in table.entities)
    turn = table.entities.get(fight["turn"])
    said = f"{turn.name} acts." if turn else "The GM says whose turn it is."
    many = whole(fight["rolls"])
    house = str(setting(table.options, "house_rules") or "")
    counted = f"{many} roll{'s' * (many != 1)} so far."
    return FightView(0, rows, said, (counted, *((house,) if house else ())))


def _row(table: Table, fight: Any, who: str) -> FightRow:
    entity = table.entities[who]
    words, tone = status_words(entity)
    acting = fight["turn"] == who
    return FightRow(who, entity.name, "", words, tone, acting=acting, track=status_track(entity))
