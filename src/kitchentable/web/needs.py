"""The queue of a seat, in the head of every page of a campaign without a live feed."""

from __future__ import annotations

from litestar import get

from kitchentable.web.answers import Answer, piece
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.urls import path


@get(path("needs"))
async def needs(request: AtTable) -> Answer:
    """The sign in the head of a page and the cards behind it, with their odds."""
    view = await request.with_odds(view_in)
    return piece(request, "parts/needs_news.html", view=view)
