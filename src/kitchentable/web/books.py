"""The rulebook of a game: public, and at a table with its options."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath

from kitchentable.rules.game import Game
from kitchentable.rules.rulebook import Chapter
from kitchentable.web.answers import Answer, page
from kitchentable.web.at_table import AtTable
from kitchentable.web.forms import read_query
from kitchentable.web.urls import paths


@get(paths("rules"))
async def rules(request: AtTable, game: FromPath[str]) -> Answer:
    """The rulebook: by the book, or with the options of a table."""
    query = read_query(request)
    view = request.view if request.has_table else None
    own = view is not None and view.game == game
    loaded = request.game if own else request.tables.newest(game)
    words = query.one("words").strip()
    book = loaded.rulebook
    order = _in_order(loaded)
    wanted = book[query.one("rule")].section if query.one("rule") in book else query.one("chapter")
    chapter = next((one for one in order if one.id == wanted), None)
    at = order.index(chapter) if chapter is not None else -1
    return page(
        request,
        "pages/rules.html",
        view=view if own else None,
        game=loaded,
        options=view.table.options if view else {},
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
