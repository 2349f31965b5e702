"""The luck of the players: the results of their rolls against their odds."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath

from kitchentable.app.luck import luck_for
from kitchentable.web.answers import Answer, page
from kitchentable.web.auth import sit
from kitchentable.web.forms import read_query
from kitchentable.web.projections import projection_of, view_in
from kitchentable.web.site import Asked, site_of
from kitchentable.web.urls import path


@get(path("luck"), include_in_schema=False)
async def luck(request: Asked, campaign: FromPath[str]) -> Answer:
    """Everybody's luck in a session, or in the whole campaign."""
    projection = projection_of(request, sit(request, campaign))
    view, wanted = view_in(projection), read_query(request).one("session")
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 6 else 0
    number = min(number, view.table.session.number)
    report = await site_of(request).beside(luck_for, projection, number)
    return page(request, "pages/luck.html", view=view, number=number, report=report)


ROUTES = (luck,)
