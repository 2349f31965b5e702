"""Situations of any number of rolls, and fights in which the GM sets the turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import GM, Table, plural
from kitchentable.rules.kit import Form, Row, Rows, text
from kitchentable.rules.kit.free_order import FreeOrder
from kitchentable.rulesets.objects.options import Options
from kitchentable.rulesets.objects.thing import At, Here, objects

_ASK = "situation"


def situation_of(at: Here) -> Row:
    """The open situation, or {}."""
    return at.table.own.get("situation") or {}


def note_roll(at: Here, grade: str) -> None:
    """Note a roll in its situation and its fight (objects.3-number-of-rolls)."""
    here, fight = situation_of(at), at.table.fight
    if here:
        rolls = [*here["rolls"], {"who": at.me.id, "grade": grade}]
        at.write(("own", "situation", "rolls"), rolls)
        if _ASK in at.table.asks:
            at.asks.append(replace(at.table.asks[_ASK], text=so_far(at, rolls)))
    if fight is not None:
        at.write(("fight", "rolls"), (fight.get("rolls") or 0) + 1)


def so_far(at: Here, rolls: Rows) -> str:
    """The rolls of a situation so far, in words."""
    people = ((at.find(one["who"]), one["grade"]) for one in rolls)
    names = [f"{one.name}: {grade}" for one, grade in people if one]
    return f"So far: {'; '.join(names)}." if names else "No roll so far, and none is needed."


# ---------------------------------------------------------------- situations


class SituationForm(Form):
    title = text()


@objects.move(
    "situation",
    when=lambda at: "A situation is open already." if situation_of(at) else None,
)
def situation(at: At[SituationForm]) -> None:
    title = at.form.title
    at.write(("own", "situation"), {"title": title, "rolls": []})
    at.ask(situation_end, GM, title, so_far(at, []), ident=_ASK)
    at.tell_as("situation", title=title)


class EndForm(Form):
    outcome = text(story=True)


@objects.answer("situation_end")
def situation_end(at: At[EndForm]) -> None:
    here = situation_of(at)
    many = len(here.get("rolls", ()))
    at.say(here.get("title", ""))
    at.say(f"After {plural(many, 'roll')}." if many else "Without a roll.")
    at.write(("own", "situation"), None)
    at.tell_as("settled", outcome=at.form.outcome)


# ---------------------------------------------------------------- fights


def notes(table: Table) -> tuple[str, ...]:
    """The number of rolls so far, and the table's own rules."""
    fight: Any = table.fight
    house = Options(table.options).house_rules
    return (f"{plural(fight['rolls'], 'roll')} so far.", *((house,) if house else ()))


FIGHTS = FreeOrder(
    objects,
    ("objects.4-no-opposed",),
    "Say who is in it. A fight is a chain of rolls and of what they do to each status.",
    lambda one: (*one.words, one.track),
    notes,
)
