"""The rulebook of a game: open to everybody, and at a table with its options."""

from __future__ import annotations

from typing import Any

from litestar import get
from litestar.params import FromPath

from kitchentable.web.answers import Answer, page, see_other
from kitchentable.web.auth import sit
from kitchentable.web.forms import Form, read_query
from kitchentable.web.projections import view_of
from kitchentable.web.site import Asked, renderer_of, site_of
from kitchentable.web.urls import path


@get(path("rules", 1), include_in_schema=False)
async def rules(request: Asked, game: FromPath[str]) -> Answer:
    """The rulebook, outside any campaign; from one, on to the campaign's own."""
    query = read_query(request)
    if query.one("campaign"):
        url = renderer_of(request).url
        to = url("rules", game=game, campaign=query.one("campaign"), words=query.one("words"))
        return see_other(request, to)
    return _rules(request, game, query, view=None, options={})


@get(path("rules", 0), include_in_schema=False)
async def campaign_rules(request: Asked, campaign: FromPath[str], game: FromPath[str]) -> Answer:
    """The rulebook, with the options as this table has set them."""
    view = view_of(request, sit(request, campaign))
    return _rules(request, game, read_query(request), view=view, options=view.table.options)


def _rules(request: Asked, game: str, query: Form, *, view: Any, options: Any) -> Answer:
    tables = site_of(request).house.tables
    own = view is not None and view.game == game
    loaded = tables.game(view.campaign) if own else tables.newest(game)
    words = query.one("words").strip()
    return page(
        request,
        "pages/rules.html",
        view=view if own else None,
        game=loaded,
        options=options,
        words=words,
        found=loaded.rulebook.search(words) if words else (),
    )


ROUTES = (rules, campaign_rules)
