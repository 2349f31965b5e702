"""Who may do what. Each kind of command stands here with the least that its sender has to be.

What depends on more than the role (whose character it is, to whom a card was put) is judged where
the command is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from kitchentable.campaign import commands as c
from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.state import Campaign
from kitchentable.rules.table import Actor, Entity, Seat
from kitchentable.rules.values import GM


class Who(Enum):
    """The least that the sender of a command has to be."""

    NEWCOMER = "anybody who has the link"
    PLAYER = "a player or the GM"
    GM = "the GM or a co-GM"
    PRINCIPAL = "the GM"


ALLOWED: Mapping[type[c.Command], Who] = MappingProxyType(
    {
        c.OpenCampaign: Who.NEWCOMER,
        c.AskForSeat: Who.NEWCOMER,
        c.SetOptions: Who.PRINCIPAL,
        c.UpdateGame: Who.PRINCIPAL,
        c.SetSettings: Who.PRINCIPAL,
        c.DecideSeat: Who.PRINCIPAL,
        c.SetRole: Who.PRINCIPAL,
        c.HandOver: Who.PRINCIPAL,
        c.RenameSeat: Who.PLAYER,
        c.BeginSession: Who.GM,
        c.CloseSession: Who.GM,
        c.EndSession: Who.GM,
        c.Contribute: Who.PLAYER,
        c.MakeEntity: Who.PLAYER,
        c.SaveSheet: Who.PLAYER,
        c.SubmitSheet: Who.PLAYER,
        c.DecideSheet: Who.GM,
        c.ChangeEntity: Who.GM,
        c.Propose: Who.PLAYER,
        c.Settle: Who.PLAYER,
        c.Decline: Who.GM,
        c.Withdraw: Who.PLAYER,
        c.Throw: Who.PLAYER,
        c.MakeMove: Who.PLAYER,
        c.SkipAsk: Who.PLAYER,
        c.Say: Who.PLAYER,
        c.RollNotation: Who.PLAYER,
        c.SetNote: Who.PLAYER,
        c.Reveal: Who.GM,
        c.Override: Who.GM,
        c.Alter: Who.GM,
        c.Undo: Who.PLAYER,
    }
)


def seat_of(campaign: Campaign, seat: str) -> Seat:
    """The seat of that id. Errors: NotAllowed where there is none, or nobody (any longer) in it."""
    one = campaign.table.seats.get(seat)
    if one is None:
        raise NotAllowed("Nobody sits there at this table.", code="seat/unknown")
    if one.state == "waiting":
        raise NotAllowed("The GM has not said yes yet; please wait a moment.", code="seat/waiting")
    if one.state != "seated":
        raise NotAllowed("The GM has ended this seat.", code="seat/revoked")
    return one


def admit(campaign: Campaign, command: c.Command) -> Seat:
    """The seat that a command comes from, when it may send this kind of command at all."""
    seat = seat_of(campaign, command.seat)
    who = ALLOWED[type(command)]
    if who is Who.PLAYER and seat.role == "spectator":
        raise NotAllowed("Spectators watch and do not act.", code="seat/spectator")
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
    """Who makes a move, as a game sees it: a co-GM is a GM there."""
    return Actor(seat.id, GM if is_gm(seat) else seat.role, entity, ask, hidden)
