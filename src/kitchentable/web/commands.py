"""Sends commands to a table and turns the result into a response."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from kitchentable.app.table import Handled
from kitchentable.campaign.commands import Command
from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.web.answers import HTML, Answer, is_script, piece, see_other, wants_json
from kitchentable.web.auth import Sitting, sit
from kitchentable.web.projections import view_of
from kitchentable.web.site import Asked, renderer_of, site_of

#: The header of a form in the queue that opens on pages without the feed.
QUEUE = "kt-queue"


async def send(request: Asked, sitting: Sitting, command: Command, *, sender: str = "") -> Handled:
    """Hand a command to the table in the name of the seat that asks, whatever it says itself.

    The command's id counts for its sender alone, so nobody can use up or repeat another's.
    Errors: those of the table.
    """
    server = site_of(request).server
    # The id is recorded: that of an unnamed command must not tell the seat either.
    before = "unnamed" if command.unnamed else sender or sitting.seat
    own = msgspec.structs.replace(command, seat=sitting.seat, id=f"{before}.{command.id}")
    return await server.tables.handle(sitting.campaign, own, sitting.key)


def told_on_page(
    request: Asked, kind: type[KitchenTableError] = BadInput
) -> tuple[type[KitchenTableError], ...]:
    """The errors that a page shows beside its form; none for a program, which gets JSON.

    Meant for `except told_on_page(request) as refused:`.
    """
    return () if wants_json(request) else (kind,)


def done(request: Asked, campaign: str, anchor: str = "", to: str = "table") -> Answer:
    """The response after a command: empty for a page with the feed, a redirect for others."""
    if is_script(request):
        if QUEUE in request.headers:
            view = view_of(request, sit(request, campaign))
            return piece(request, "parts/needs_news.html", view=view)
        headers = what_follows(request, campaign)
        return Answer(b"", media_type=HTML, status_code=200, headers=headers)
    return see_other(request, renderer_of(request).url(to, campaign=campaign) + anchor)


def what_follows(request: Asked, campaign: str) -> dict[str, str]:
    """Headers for a script after its command: a page without the feed reloads."""
    page = request.headers.get("hx-current-url")
    if page is None or urlsplit(page).path == renderer_of(request).url("table", campaign=campaign):
        return {}
    return {"HX-Refresh": "true"}
