"""Seats: joining, approval, names, roles and handing a seat over."""

from __future__ import annotations

from kitchentable.campaign.commands import (
    AskForSeat,
    DecideSeat,
    HandOver,
    RenameSeat,
    SetRole,
)
from kitchentable.campaign.decide.bounds import a_name, an_id, same_name
from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.kinds import ROLES
from kitchentable.rules.moves import Change
from kitchentable.rules.table import Seat
from kitchentable.rules.values import GM

_MOST_WAITING = 30
_MOST_SEATS = 200


def ask_for_seat(context: Context, command: AskForSeat) -> Event:
    """Ask for a seat; the GM may also create a seat that is approved at once (`approved`)."""
    seats = context.table.seats
    name = _free_name(context, command.name)
    new = an_id(command.new_seat)
    if new in seats or len(seats) >= _MOST_SEATS:
        raise CannotBe("This seat is taken. Ask to join again.")
    if command.role not in {"player", "spectator"}:
        raise CannotBe("Join as a player or as a spectator.")
    laid_out = context.me.role == GM
    joining = context.campaign.settings.get("joining")
    if command.approved and not laid_out:
        raise NotAllowed("Only the GM can add a seat.")
    if not laid_out and joining == "closed":
        raise NotAllowed(
            "This table accepts no new players at the moment. Ask the GM.", code="seat/closed"
        )
    waiting = sum(1 for seat in seats.values() if seat.state == "waiting")
    if not laid_out and waiting >= _MOST_WAITING:
        raise NotAllowed(
            "Too many people are waiting for a seat at this table. Try again later.",
            code="seat/closed",
        )
    state = "seated" if command.approved or joining == "open" else "waiting"
    plain = {"name": name, "role": command.role, "state": state}
    return context.event(
        "seat-asked",
        [Change(("seats", new), plain)],
        data={"of": new, "name": name, "role": command.role, "state": state},
        audience="all" if state == "seated" else GM,
    )


def decide_seat(context: Context, command: DecideSeat) -> Event:
    """Admit or refuse a waiting person, end a seat, or restore it."""
    seat = _seat(context, command.of)
    kind, now, before = {
        "approve": ("seat-approved", "seated", {"waiting", "revoked", "refused"}),
        "refuse": ("seat-refused", "refused", {"waiting"}),
        "revoke": ("seat-revoked", "revoked", {"seated"}),
    }.get(command.verdict, ("", "", set()))
    if not kind:
        raise CannotBe("A seat can only be approved, refused or revoked.")
    if seat.role == GM:
        raise NotAllowed("The GM's seat cannot be ended. Hand it over instead.", code="seat/one-gm")
    if seat.state not in before:
        raise CannotBe(f"This cannot be done while {seat.name} is {seat.state}.")
    if now == "seated" and seat.state != "waiting":
        _free_name(context, seat.name, besides=seat.id)
    return context.event(
        kind,
        [Change(("seats", seat.id, "state"), now)],
        data={"of": seat.id, "name": seat.name, "role": seat.role},
        audience=GM if kind == "seat-refused" else "all",
    )


def rename_seat(context: Context, command: RenameSeat) -> Event:
    """Rename a seat, as its person or the GM."""
    if command.of != context.me.id and context.me.role != GM:
        raise NotAllowed("Only the person in this seat and the GM can change its name.")
    seat = _seat(context, command.of)
    name = _free_name(context, command.name, besides=seat.id)
    return context.event(
        "seat-renamed",
        [Change(("seats", seat.id, "name"), name)],
        data={"of": seat.id, "was": seat.name, "name": name},
        audience="all" if seat.is_seated else GM,
        unchanged="The seat already has this name.",
    )


def set_role(context: Context, command: SetRole) -> Event:
    """Change a seat's role to player, spectator or co-GM; the GM's role cannot change."""
    seat = _seat(context, command.of)
    if GM in {command.role, seat.role}:
        raise NotAllowed(
            "A table has exactly one GM. Make somebody a co-GM, or hand the GM's seat over.",
            code="seat/one-gm",
        )
    if command.role not in ROLES:
        raise CannotBe("A seat's role must be player, spectator or co-GM.")
    if command.role == seat.role:
        raise CannotBe(f"{seat.name} is already {ROLES[seat.role]}.")
    return context.event(
        "seat-role",
        [Change(("seats", seat.id, "role"), command.role)],
        data={"of": seat.id, "name": seat.name, "was": seat.role, "role": command.role},
    )


def hand_over(context: Context, command: HandOver) -> Event:
    """Hand over a seat: the event ends its link, and the server creates a new one."""
    seat = _seat(context, command.of)
    if not seat.is_seated:
        raise CannotBe("Only a seat that is taken can be handed over.")
    return context.event("seat-handed-over", data={"of": seat.id, "name": seat.name})


def _seat(context: Context, of: str) -> Seat:
    seat = context.table.seats.get(of)
    if seat is None:
        raise CannotBe("There is no such seat at this table.", code="seat/nobody")
    return seat


def _free_name(context: Context, name: str, besides: str = "") -> str:
    name = a_name(name)
    for seat in context.table.seats.values():
        there = seat.state in {"seated", "waiting"} and seat.id != besides
        if there and same_name(seat.name, name):
            raise CannotBe(
                f"Somebody at this table is called {seat.name}. Choose another name.",
                code="name/taken",
            )
    return name
