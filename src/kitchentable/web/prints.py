"""The print set of any game: blank sheets and the GM's screen, from the game's one definition.

A character's own sheet and the record of a session are pages that print as they are.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from litestar import get
from litestar.params import FromPath

from kitchentable.rules.game import Game
from kitchentable.rules.sheets import Kind
from kitchentable.rules.table import Entity, Session, Table
from kitchentable.rules.values import GM
from kitchentable.web.answers import Answer, page
from kitchentable.web.at_table import AtTable
from kitchentable.web.forms import read_query
from kitchentable.web.phrases import group_by
from kitchentable.web.urls import paths

#: Empty lines in a list of a blank sheet, and its columns; what is left out fits into the last one.
LINES, COLUMNS = 6, 6
#: Longer lists of choices become a line to write on.
_MOST_CHOICES = 40


def _by_the_book(game: Game) -> Table:
    options = MappingProxyType(game.defaults())
    return Table(options=options, seats={}, session=Session(1, "open"))


@get(paths("prints"))
async def prints(request: AtTable, game: FromPath[str]) -> Answer:
    """The print set: by the book, or with the options of a table."""
    view = request.view if request.has_table else None
    loaded = request.game if view else request.tables.newest(game)
    table = view.table if view else _by_the_book(loaded)
    kinds = loaded.sheet.kinds(table)
    picked = read_query(request).one("kind")
    wanted = next((kind for kind in kinds if kind.key == picked), None)
    return page(
        request,
        "pages/prints.html",
        view=view,
        game=loaded,
        kinds=kinds,
        printed=wanted,
        **(_screen(loaded) if wanted is None else _blank_sheet(loaded, table, wanted)),
        options=table.options,
        lines=LINES,
        most=_MOST_CHOICES,
        columns_most=COLUMNS,
    )


def _blank_sheet(game: Game, table: Table, kind: Kind) -> dict[str, Any]:
    """The sections of a kind's empty sheet, and the rows of boxes of its state."""
    begun = Entity("", "", kind.key, GM, game.sheet.blank(table, kind.key), {}, stage="draft")
    playing = replace(begun, stage="play", state=dict(game.sheet.start(table, begun)))
    tracks = game.sheet.summary(table, playing).tracks
    return {"sections": game.sheet.sections(table, begun), "tracks": tracks}


def _screen(game: Game) -> dict[str, Any]:
    """The GM's screen of a game: numbers and tables by group, rules with tables, and the moves."""
    numbers = (one for one in game.options if one.field.kind not in {"tick", "story", "text"})
    moves = (one for one in game.moves if one.by and one.help)
    tables = [rule for rule in game.rulebook.rules.values() if rule.kind == "data"]
    return {
        "groups": group_by(numbers, "group"),
        "tables": tables,
        "moves": group_by(moves, "place"),
    }
