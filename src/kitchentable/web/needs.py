"""The queue of a seat, in the head of every page of a campaign without a live feed."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath

from kitchentable.web.answers import Answer, piece
from kitchentable.web.auth import sit
from kitchentable.web.odds import with_odds
from kitchentable.web.projections import view_in
from kitchentable.web.site import Asked
from kitchentable.web.urls import path


@get(path("needs"), include_in_schema=False)
async def needs(request: Asked, campaign: FromPath[str]) -> Answer:
    """The sign in the head of a page and the cards behind it, with their odds."""
    view = await with_odds(request, sit(request, campaign), view_in)
    return piece(request, "parts/needs_news.html", view=view)


ROUTES = (needs,)
