"""The table as one seat may know it, without the secrets of others.

Pages, feed, odds and verbs of a seat all use this projection; no other code decides what a seat may
know of the current table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.state import Campaign
from kitchentable.rules.game import Game
from kitchentable.rules.table import Ask, Entity, Seat, Table
from kitchentable.rules.values import GM, Field

#: A person who is only the GM, and no player.
_AS_GM = Seat("", "", GM)


def conceal(campaign: Campaign, game: Game, seat: Seat) -> Table:
    """The table as a seat may know it; the whole table for the GM and co-GMs.

    Hidden entities and other people's unfinished sheets are removed. Closed entities keep only
    their public facts. Cards for the GM alone are removed, and a card for other people shows only
    who has to answer it. The game removes its own secrets last. A seat that is not taken sees an
    empty table.
    """
    table = campaign.table
    if is_gm(seat):
        return table
    if not seat.is_seated:
        return Table(options=table.options)
    concealed = replace(
        table,
        seats={sid: one for sid, one in table.seats.items() if one.state in {"seated", "revoked"}},
        entities={
            eid: one if one.open or one.owner == seat.id else game.sheet.public(table, one)
            for eid, one in table.entities.items()
            if knows_of(seat, one)
        },
        asks={
            aid: as_put_to(table, ask, seat)
            for aid, ask in table.asks.items()
            if (set(ask.to) != {GM} or table.alone)
            and (not ask.entity or knows_of(seat, table.entities.get(ask.entity)))
        },
        number=0,
        salt="",
    )
    return game.conceal(concealed, seat).sharing(table)


def knows_of(seat: Seat, entity: Entity | None) -> bool:
    """Whether a seat knows of an entity.

    An entity that is gone stays known if it was in play; one that never was has no state.
    """
    if entity is None:
        return False
    if is_gm(seat) or entity.owner == seat.id:
        return True
    met = entity.stage == "play" or (entity.stage == "gone" and bool(entity.state))
    return met and not entity.hidden


def known_choices(table: Table, seat: Seat, fields: Iterable[Field]) -> tuple[Field, ...]:
    """Fields without the choices that the seat may not know.

    Answers are checked against these fields, so that a guessed hidden id and an invented one get
    the same refusal, and no refusal lists a hidden name.
    """
    if is_gm(seat):
        return tuple(fields)
    return tuple(_without_unknown(table, seat, field) for field in fields)


def _without_unknown(table: Table, seat: Seat, field: Field) -> Field:
    choices = tuple(
        choice
        for choice in field.choices
        if choice.value not in table.entities or knows_of(seat, table.entities[choice.value])
    )
    columns = tuple(_without_unknown(table, seat, column) for column in field.columns)
    return replace(field, choices=choices, columns=columns)


def is_put_to(table: Table, ask: Ask, seat: Seat) -> bool:
    """Whether a card waits for this seat.

    The GM gets the cards of people who have left; at a table without a GM, the players get the GM's
    cards.
    """
    return any(_is_one_of(table, who, seat) for who in ask.to)


def answers_as(table: Table, ask: Ask, seat: Seat) -> Seat:
    """The seat that answers a card: at a table without a GM, a player answers as one."""
    if table.alone and not is_gm(seat) and is_put_to(replace(table, alone=False), ask, _AS_GM):
        return replace(seat, role=GM)
    return seat


def _is_one_of(table: Table, who: str, seat: Seat) -> bool:
    if not seat.is_seated or seat.role == "spectator":
        return False
    person = _addressee(table, who)
    if person == GM:
        return is_gm(seat) or (table.alone and seat.role == "player")
    return seat in table.players() if person == "players" else person == seat.id


def _addressee(table: Table, who: str) -> str:
    """The person to whom an audience of a card leads: "gm", "players" or a seat that is taken."""
    if who.startswith("owner:"):
        entity = table.entities.get(who.removeprefix("owner:"))
        who = entity.owner if entity is not None else GM
    seat = table.seats.get(who)
    taken = seat is not None and seat.is_seated
    return who if taken or who == "players" else GM


def as_put_to(table: Table, ask: Ask, seat: Seat) -> Ask:
    """A card as a seat may know it: without secrets for its audience, otherwise blank."""
    if is_put_to(table, ask, seat):
        preset = {key: value for key, value in ask.preset.items() if key not in ask.secret}
        skippable = ask.skippable and (GM not in ask.to or table.alone)
        return replace(ask, preset=preset, secret=(), skippable=skippable)
    return Ask(id=ask.id, to=ask.to, move="", title="", entity=ask.entity)


def waits_for(table: Table, ask: Ask) -> str:
    """The people for whom a card waits, in words."""
    words = {"players": "the players", GM: "the players" if table.alone else "the GM"}
    people = (_addressee(table, who) for who in ask.to)
    names = (words[one] if one in words else table.seats[one].name for one in people)
    return " and ".join(dict.fromkeys(names))
