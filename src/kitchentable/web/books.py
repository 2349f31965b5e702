"""The rulebook of a game: open to everybody, and at a table with its options."""

from __future__ import annotations

from typing import Any

from litestar import get
from litestar.params import FromPath

from kitchentable.rules.game import Game
from kitchentable.rules.rulebook import Chapter
from kitchentable.web.answers import Answer, go_to, page
from kitchentable.web.at_table import AtTable
from kitchentable.web.forms import Form, read_query
from kitchentable.web.site import Asked
from kitchentable.web.urls import path


@get(path("rules", 1))
async def rules(request: Asked, game: FromPath[str]) -> Answer:
    """The rulebook, outside any campaign; from one, on to the campaign's own."""
    query = read_query(request)
    if query.one("campaign"):
        return go_to(
            request,
            "rules",
            game=game,
            campaign=query.one("campaign"),
            words=query.one("words"),
            chapter=query.one("chapter"),
            rule=query.one("rule"),
        )
    return _rules(request, game, query, view=None, options={})


@get(path("rules", 0))
async def campaign_rules(request: AtTable, game: FromPath[str]) -> Answer:
    """The rulebook, with the options as this table has set them."""
    view = request.view
    return _rules(request, game, read_query(request), view=view, options=view.table.options)


def _rules(request: Asked, game: str, query: Form, *, view: Any, options: Any) -> Answer:
    tables = request.server.tables
    own = view is not None and view.game == game
    loaded = tables.game(view.campaign) if own else tables.newest(game)
    words = query.one("words").strip()
    book = loaded.rulebook
    order = _in_order(loaded)
    wanted = book.rules[query.one("rule")].section if query.one("rule") in book else ""
    chapter = next(
        (one for one in order if one.id == (wanted or query.one("chapter"))),
        None,
    )
    at = order.index(chapter) if chapter is not None else -1
    return page(
        request,
        "pages/rules.html",
        view=view if own else None,
        game=loaded,
        options=options,
        words=words,
        found=book.search(words) if words else (),
        chapters=order,
        chapter=chapter,
        whole=query.one("chapter") == "all",
        before=order[at - 1] if at > 0 else None,
        after=order[at + 1] if 0 <= at < len(order) - 1 else None,
    )


def _in_order(game: Game) -> list[Chapter]:
    """The chapters in reading order: first that of the first move, last the credits."""
    book = game.rulebook
    cited = (rule for move in game.moves for rule in move.rules if rule in book)
    first = next((book[rule].section for rule in cited), "")
    chapters = sorted(book.chapters, key=lambda one: (one.id == "0", one.id != first))
    return [one for one in chapters if book.of_chapter(one.id)]
