"""Situations of none, one or many rolls, and fights, in which the GM says whose turn it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import GM, FightRow, FightView, Table, listed
from kitchentable.rules.kit import Form, pick_many, several, somebody, text
from kitchentable.rulesets.objects.options import Options
from kitchentable.rulesets.objects.thing import At, Here, Thing, objects

_ASK = "situation"
_ROLLS, _FREE = ("objects.3-number-of-rolls",), ("objects.4-no-opposed",)


def situation_of(at: Here) -> dict[str, Any]:
    """The situation that is open; empty for none."""
    return at.table.own.get("situation") or {}


def note_roll(at: Here, grade: str) -> None:
    """A roll is noted with its situation and its fight (objects.3-number-of-rolls)."""
    here, fight = situation_of(at), at.table.fight
    if here:
        rolls = [*here["rolls"], {"who": at.me.id, "grade": grade}]
        at.write(("own", "situation", "rolls"), rolls)
        if _ASK in at.table.asks:
            at.asks.append(replace(at.table.asks[_ASK], text=so_far(at, rolls)))
    if fight is not None:
        at.write(("fight", "rolls"), (fight.get("rolls") or 0) + 1)


def so_far(at: Here, rolls: list[dict[str, Any]]) -> str:
    """The rolls of a situation in words."""
    people = ((at.find(one["who"]), one["grade"]) for one in rolls)
    names = [f"{one.name}: {grade}" for one, grade in people if one]
    return f"So far: {'; '.join(names)}." if names else "No roll so far, and none is needed."


# ---------------------------------------------------------------- situations


class SituationForm(Form):
    title = text(
        "What is to be decided?",
        longest=300,
        help="A glance or a siege; it may take no roll, one, or many.",
        rule="objects.3-define-situation",
    )


@objects.move(
    "situation",
    "Open a situation",
    "Say what is to be decided; every roll is noted with it until you say how it ends.",
    SituationForm,
    rules=("objects.3-define-situation", *_ROLLS),
    by=("gm",),
    place="gm",
    when=lambda at: "A situation is open already." if situation_of(at) else None,
    for_entity=False,
    examples=({"title": "Will the gate hold?"},),
)
def situation(at: At[SituationForm]) -> None:
    title = at.form.title
    at.write(("own", "situation"), {"title": title, "rolls": []})
    at.ask(situation_end, GM, title, so_far(at, []), ident=_ASK)
    at.tell("A situation", title, rules=("objects.3-define-situation",))


class EndForm(Form):
    outcome = text(
        "How does it end?",
        story=True,
        longest=2000,
        help="With or without dice; most situations need none.",
        rule="objects.3-number-of-rolls",
    )


@objects.answer("situation_end", "How does it end?", "Say what came of it.", EndForm, rules=_ROLLS)
def situation_end(at: At[EndForm]) -> None:
    here = situation_of(at)
    many = len(here.get("rolls", ()))
    at.say(here.get("title", ""))
    at.say(f"After {counted(many)}." if many else "Without a roll.")
    at.write(("own", "situation"), None)
    at.tell("A situation is settled", at.form.outcome, rules=_ROLLS)


def counted(rolls: int) -> str:
    return f"{rolls} roll{'s' * (rolls != 1)}"


# ---------------------------------------------------------------- fights


def in_fight(at: Here) -> list[Thing]:
    """Everybody in the fight that is on."""
    fight: Any = at.table.fight or {"order": []}
    return [one for one in map(at.find, fight["order"]) if one]


def peace(at: Here) -> str | None:
    if at.table.fight is not None:
        return "A fight is on already."
    return None if any(at.table.in_play()) else "Nobody is there to fight."


def war(at: Here) -> str | None:
    return None if at.table.fight is not None else "No fight is on."


class BeginForm(Form):
    who = several(
        "Who is in it?",
        lambda at: at.here(),
        default=lambda at: [one.id for one in at.here() if one.is_players],
        rule="objects.4-no-opposed",
    )


@objects.move(
    "fight",
    "Begin a fight",
    "Say who is in it. A fight is a chain of rolls and of what they do to each status.",
    BeginForm,
    rules=_FREE,
    by=("gm",),
    place="gm",
    when=peace,
    for_entity=False,
)
def begin(at: At[BeginForm]) -> None:
    who = at.form.who
    names = listed(one.name for one in who if not one.hidden)
    at.write(("fight",), {"order": [one.id for one in who], "turn": "", "rolls": 0})
    at.say("No order is fixed: the GM says whose turn it is.")
    at.tell("A fight begins", names and f"{names}.", rules=_FREE)


class TurnForm(Form):
    who = somebody("Whose turn is it?", lambda at: dict.fromkeys([*in_fight(at), *at.here()]))
    out = pick_many("Who is out of it?", lambda at: [(one.id, one.name) for one in in_fight(at)])


@objects.move(
    "turn",
    "Whose turn is it?",
    "Say who acts next; any order is right.",
    TurnForm,
    rules=_FREE,
    by=("gm",),
    place="fight",
    when=war,
    for_entity=False,
)
def turn(at: At[TurnForm]) -> None:
    """Any order, as the GM says; somebody new may come in, others may drop out."""
    fight: Any = at.table.fight
    who = at.form.who
    out = {*at.form.out} - {who.id}
    order = dict.fromkeys((*fight["order"], who.id))
    at.write(("fight", "order"), [one for one in order if one not in out])
    at.write(("fight", "turn"), who.id)
    at.tell(f"{who.name} acts", rules=_FREE, of=[who])


class OverForm(Form):
    why = text("How it ended", optional=True, longest=400)


@objects.move(
    "end_fight",
    "The fight is over",
    "When nobody fights any more.",
    OverForm,
    rules=_FREE,
    by=("gm",),
    place="fight",
    when=war,
    for_entity=False,
)
def end_fight(at: At[OverForm]) -> None:
    at.write(("fight",), None)
    at.tell("The fight is over", at.form.why, rules=_FREE)


def fight_view(table: Table) -> FightView | None:
    """Who is in the fight and how they are; nothing is rolled for order or damage."""
    fight: Any = table.fight
    if fight is None:
        return None
    people = [Thing(table, table.entities[o]) for o in fight["order"] if o in table.entities]
    rows = tuple(
        FightRow(o.id, o.name, "", *o.words, acting=o.id == fight["turn"], track=o.track)
        for o in people
    )
    acting = table.entities.get(fight["turn"])
    said = f"{acting.name} acts." if acting else "The GM says whose turn it is."
    house = Options(table.options).house_rules
    count = f"{counted(fight['rolls'])} so far."
    return FightView(0, rows, said, (count, *((house,) if house else ())))
