"""The search of a campaign for rolls, moves, people, pages and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import urlencode

from litestar import get

from kitchentable.app.projections import Projection
from kitchentable.campaign.read_models import View
from kitchentable.rules.game import Game
from kitchentable.web.answers import Answer, is_script, page, piece
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.forms import read_query
from kitchentable.web.panel import default_actor, moves_of
from kitchentable.web.phrases import group_by
from kitchentable.web.typed_moves import rows_of
from kitchentable.web.urls import path

#: The most results that are shown of each group, and the most characters of a word.
_MOST, _LONGEST = 8, 80
#: The rank of what a word does not find.
_NO_RESULT = 3
#: Gives the path of a page by its name, at the table of the request where it has one there.
PathTo = Callable[..., str]
#: Pages that can be found from a table, and those of them that are the GM's.
_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "table": "Table",
        "recap": "Recap",
        "luck": "Luck",
        "journal": "Journal",
        "rules": "Rulebook",
        "desk": "Desk",
        "plan": "Plan a fight",
        "dice": "Dice and odds",
        "help": "Commands and keys",
    }
)
_GMS = frozenset({"desk", "plan"})


@dataclass(frozen=True, slots=True)
class Found:
    """A result of the search: its group, its text and its address.

    `fills`: the table opens it as a roll, filled in.
    """

    group: str
    text: str
    href: str
    fills: bool = False
    note: str = ""


@get(path("find"))
async def find(request: AtTable) -> Answer:
    """The search page, with the results for a word."""
    projection = request.projection
    view, word = view_in(projection), read_query(request).one("q").strip()[:_LONGEST]
    found = _best(_everything(projection, view, request.path_to), word)
    if is_script(request) and "kt-fragment" not in request.headers:
        return piece(request, "parts/found.html", view=view, word=word, found=found)
    return page(request, "pages/find.html", view=view, word=word, found=found)


def _everything(projection: Projection, view: View, path_to: PathTo) -> Iterator[Found]:
    table = path_to("table")

    def start(move: str, entity: str, answers: tuple[tuple[str, str], ...] = ()) -> str:
        asked = [
            ("entity", entity),
            ("move", move),
            *((f"a.{name}", said) for name, said in answers),
        ]
        return f"{table}?{urlencode(asked)}#dock"

    actor = default_actor(view) if view.me.role != "spectator" else ""
    if actor in view.summaries:
        for text, begins in rows_of(view.summaries[actor]):
            yield Found("Roll", text, start(begins.move, actor, begins.answers), fills=True)
    for seen in moves_of(projection, actor):
        if not seen.why_not and seen.place != "closing":
            href = start(seen.name, seen.entity)
            yield Found("Moves", seen.title, href, fills=True, note=f"/{seen.name}")
    for entity, summary in view.summaries.items():
        href = path_to("sheet", entity=entity)
        yield Found("People", summary.name, href, note=summary.line)
    yield from _pages(view, path_to)
    yield from _rules(projection.game, view, path_to)


def _pages(view: View, path_to: PathTo) -> Iterator[Found]:
    for name, title in _PAGES.items():
        if view.for_gm or name not in _GMS:
            game = view.game if name == "rules" else ""
            yield Found("Pages", title, path_to(name, game=game))


def _rules(game: Game, view: View, path_to: PathTo) -> Iterator[Found]:
    for rule in game.rulebook.rules.values():
        page = path_to("rules", game=view.game, rule=rule.id)
        yield Found("Rules", rule.title, f"{page}#{rule.id}")


def _best(every: Iterator[Found], word: str) -> dict[str, list[Found]]:
    """The results for a word by group: titles that begin with it, then words, then the rest."""
    sought = word.casefold()

    def rank(one: Found) -> int:
        text, note = one.text.casefold(), one.note.casefold()
        begins = any(part.startswith(sought) for part in text.split())
        return (text.startswith(sought), begins, sought in text or sought in note, True).index(True)

    found = [one for one in dict.fromkeys(every) if rank(one) < _NO_RESULT]
    groups = group_by(sorted(found, key=rank), "group")
    return {name: best[:_MOST] for name, best in groups.items() if sought or name != "Rules"}
