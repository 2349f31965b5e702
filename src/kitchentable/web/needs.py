"""What waits for a seat, asked for by every page of a campaign that has no live feed."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath

from kitchentable.web.answers import Answer, piece
from kitchentable.web.auth import sit
from kitchentable.web.projections import view_of
from kitchentable.web.site import Asked
from kitchentable.web.urls import path


@get(path("needs"), include_in_schema=False)
async def needs(request: Asked, campaign: FromPath[str]) -> Answer:
    """The sign in the head of a page: how many cards wait for this seat."""
    view = view_of(request, sit(request, campaign))
    return piece(request, "parts/needs.html", view=view)


ROUTES = (needs,)
