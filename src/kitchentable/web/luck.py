"""The luck of the players: the results of their rolls against their odds."""

from __future__ import annotations

from litestar import get

from kitchentable.app.luck import luck_for
from kitchentable.web.answers import Answer, page
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.forms import read_query
from kitchentable.web.urls import path


@get(path("luck"))
async def luck(request: AtTable) -> Answer:
    """Everybody's luck in a session, or in the whole campaign."""
    projection = request.projection
    view, wanted = view_in(projection), read_query(request).one("session")
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 6 else 0
    number = min(number, view.table.session.number)
    report = await request.site.beside(luck_for, projection, number)
    return page(request, "pages/luck.html", view=view, number=number, report=report)
