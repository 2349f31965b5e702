"""Permissions: who may send a command, and for whom a seat acts.

The least that a sender has to be stands with each command. What depends on more than the role
(whose character it is, to whom a card was put) is judged where the command is decided.
"""

from __future__ import annotations

from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.commands import Command, Who
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.state import Campaign
from kitchentable.rules.table import Actor, Entity, Seat
from kitchentable.rules.values import GM


def seat_of(campaign: Campaign, seat: str) -> Seat:
    """The seat of that id. Errors: NotAllowed where there is none, or nobody (any longer) in it."""
    one = campaign.table.seats.get(seat)
    if one is None:
        raise NotAllowed("Nobody sits there at this table.", code="seat/unknown")
    if one.state == "waiting":
        raise NotAllowed("The GM has not let you in yet. Wait a moment.", code="seat/waiting")
    if one.state != "seated":
        raise NotAllowed("The GM has ended this seat.", code="seat/revoked")
    return one


def admit(campaign: Campaign, command: Command) -> Seat:
    """The seat that a command comes from, when it may send this kind of command at all."""
    seat = seat_of(campaign, command.seat)
    who = command.sender
    if who is Who.PLAYER and seat.role == "spectator":
        raise NotAllowed(
            "Spectators cannot act. Ask the GM to make you a player.", code="seat/spectator"
        )
    if who is Who.GM and not is_gm(seat):
        raise NotAllowed("Only the GM can do that.")
    if who is Who.PRINCIPAL and seat.role != GM:
        raise NotAllowed(
            "Only the GM can do that, not a co-GM." if is_gm(seat) else "Only the GM can do that."
        )
    return seat


def owns(seat: Seat, entity: Entity) -> bool:
    """Whether somebody is this seat's own: a player's character, or whatever is the GM's."""
    return is_gm(seat) if entity.owner == GM else entity.owner == seat.id


def speaks_for(seat: Seat, entity: Entity) -> bool:
    """Whether a seat may act for somebody: its own, and for the GM anybody."""
    return is_gm(seat) or owns(seat, entity)


def actor_for(
    seat: Seat, entity: str = "", ask: str = "", hidden: frozenset[str] = frozenset()
) -> Actor:
    """The actor of a move; games see a co-GM as a GM."""
    return Actor(seat.id, GM if is_gm(seat) else seat.role, entity, ask, hidden)
