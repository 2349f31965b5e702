"""Permissions: which roles may send a command, and which entities a seat acts for.

Each command names the lowest role that may send it. Permissions that depend on more than the role
(the owner of a character, the readers of a card) are checked by the command's decider.
"""

from __future__ import annotations

from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.commands import Command, Who
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.state import Campaign
from kitchentable.rules.moves import Move
from kitchentable.rules.table import Actor, Entity, Seat
from kitchentable.rules.values import GM


def check_same_sender(command: Command, events: tuple[Event, ...]) -> None:
    """Check that a command's id belongs to its sender. Errors: CannotBe."""
    first = events[0]
    newcomer = not command.seat and first.kind in {"seat-asked", "campaign-opened"}
    unnamed = command.unnamed and not first.seat
    if not (newcomer or unnamed) and first.seat != command.seat:
        raise CannotBe(
            "Another step already has this id. Send your command again with a new id.",
            code="command/id-taken",
        )


def seat_of(campaign: Campaign, seat: str, *, waiting: bool = False) -> Seat:
    """The seat with this id. Errors: NotAllowed if it does not exist or is not taken.

    With `waiting`, it may also be one that waits for the GM's approval.
    """
    one = campaign.table.seats.get(seat)
    if one is None:
        raise NotAllowed("You have no seat at this table. Open your own link.", code="seat/unknown")
    if one.state == "waiting" and not waiting:
        raise NotAllowed("The GM has not let you in yet. Wait a moment.", code="seat/waiting")
    if one.state not in {"seated", "waiting"}:
        raise NotAllowed("The GM has ended this seat.", code="seat/revoked")
    return one


def admit(campaign: Campaign, command: Command) -> Seat:
    """The sender's seat. Errors: NotAllowed if its role may not send this kind of command."""
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
    """Whether an entity belongs to this seat: a player's character, or the GM's."""
    return is_gm(seat) if entity.owner == GM else entity.owner == seat.id


def speaks_for(seat: Seat, entity: Entity) -> bool:
    """Whether a seat may act for an entity: a player for their own, the GM for any."""
    return is_gm(seat) or owns(seat, entity)


def may_start(actor: Actor, move: Move) -> bool:
    """Whether this actor may start a move, for its entity or without one."""
    return actor.role in move.by and move.for_entity == bool(actor.entity)


def actor_for(
    seat: Seat, entity: str = "", ask: str = "", hidden: frozenset[str] = frozenset()
) -> Actor:
    """The actor of a move; games see a co-GM as a GM."""
    return Actor(seat.id, GM if is_gm(seat) else seat.role, entity, ask, hidden)
