"""Quick rolls: a roll with its answers, stored under a name with its character."""

from __future__ import annotations

from litestar import get

from kitchentable.campaign.errors import CannotBe
from kitchentable.web.answers import Answer, page
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.forms import read_query
from kitchentable.web.panel import fields_with, moves_of, only
from kitchentable.web.urls import path


@get(path("quick"))
async def quick(request: AtTable) -> Answer:
    """The page that names a quick roll."""
    projection = request.projection
    view, query = view_in(projection), read_query(request)
    entity = query.one("entity")
    seen = next(
        (one for one in moves_of(projection, entity) if one.name == query.one("move")), None
    )
    if seen is None or not seen.entity or not view.is_mine(entity):
        raise CannotBe("Only a roll of a character of yours can be kept.", code="quick/not-yours")
    answers = only(seen, query.answers())
    fields = fields_with(projection, seen, answers)
    labels = [
        choice.label
        for field in fields
        for choice in field.choices
        if choice.value and choice.value == answers.get(field.name)
    ]
    name = ", ".join(labels)[:60] or seen.title
    return page(request, "pages/quick.html", view=view, seen=seen, answers=answers, name=name)
