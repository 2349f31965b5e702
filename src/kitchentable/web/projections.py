"""Views of the table for the person who asks: where all pages of a campaign start."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kitchentable.app.projections import Projection
from kitchentable.campaign.audiences import is_gm
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.kinds import QUIET
from kitchentable.campaign.read_models import Entry, View
from kitchentable.rules.game import Game
from kitchentable.rules.table import Seat
from kitchentable.rules.values import GM
from kitchentable.web.auth import Sitting
from kitchentable.web.errors import NoSeat
from kitchentable.web.folding import grown
from kitchentable.web.site import Asked, Site, site_of


def aloud(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that the log at the table shows; the journal has all."""
    return grown(entry for entry in entries if entry.kind not in QUIET)


def seat_of(site: Site, sitting: Sitting) -> Seat:
    """The seat somebody sits in, whatever its state. Errors: NoSeat, NoSuchCampaign."""
    seat = site.server.projections.seat(sitting.campaign, sitting.seat)
    if seat is None:
        raise NoSeat("That seat is no longer at the table.")
    return seat


def projection_of(request: Asked, sitting: Sitting, *, known: bool = False) -> Projection:
    """The projection for a seat; with `known` only as far as it is in memory."""
    return site_of(request).server.projections.of(sitting.campaign, sitting.seat, known=known)


def view_of(request: Asked, sitting: Sitting, *, known: bool = False) -> View:
    """The table as the one who asks sees it; see `view_in`."""
    return view_in(projection_of(request, sitting, known=known))


def view_in(projection: Projection) -> View:
    """The table as a page shows it.

    A co-GM's pages are a GM's; what only the GM may do is refused when it is sent.
    Errors: NotAllowed for a seat that waits or has ended.
    """
    view = projection.view
    if view.me.state != "seated":
        raise NotAllowed(
            "The GM has not let you in yet; please wait a moment.", code="seat/waiting"
        )
    return replace(view, me=replace(view.me, role=GM)) if is_gm(view.me) else view


def must_be_gm(request: Asked, sitting: Sitting) -> None:
    """Refuse a seat that is neither GM nor co-GM. Errors: NotAllowed."""
    if view_of(request, sitting).me.role != GM:
        raise NotAllowed("Only the GM can do that.")


def gm_seat_of(site: Site, campaign: str) -> str:
    """The id of the GM's seat."""
    seats = site.server.tables.campaign(campaign).table.seats.values()
    return next(seat.id for seat in seats if seat.role == GM)


def game_of(request: Asked, view: View) -> Game:
    """The game a table plays."""
    return site_of(request).server.tables.game(view.campaign)
