"""Rendering of the templates, and of log entries, each once for all who see the same.

A rendered entry is cached by its whole value. Seats that see the same entry share its bytes; if
visibility makes a difference, the values differ, and so do the bytes.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from jinja2 import BytecodeCache, Environment, FileSystemLoader, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from msgspec.structs import replace

from kitchentable.app.keys import new_id
from kitchentable.campaign.pictures import SIGN
from kitchentable.campaign.read_models import Entry, View
from kitchentable.rules.game import Game
from kitchentable.rules.sheets import FightRow
from kitchentable.rules.table import Entity
from kitchentable.web.assets import Assets
from kitchentable.web.busts import draw_portrait
from kitchentable.web.covers import recipe_of, seed_of
from kitchentable.web.drawn import (
    PICTURES,
    draw_dice,
    draw_line,
    draw_marks,
    draw_rolled,
    open_item,
    tell_dice,
    why,
)
from kitchentable.web.folding import ends_thread, runs
from kitchentable.web.markdown import render_markdown
from kitchentable.web.phrases import FILTERS, anchor
from kitchentable.web.urls import Urls

_TEMPLATES = Path(__file__).parent / "templates"
_MOST_ENTRIES = 4000
#: The variable of a page that lists its contexts.
_CONTEXTS = "_contexts"
#: The variable of a page that gives the ids of its commands.
_IDS = "_ids"
_DICE = re.compile(r"\d*d(\d|F|%)")
#: Holds the place of what differs between seats; people's words are escaped and never hold it.
_ASIDE = Markup("<!--aside-->")

T = TypeVar("T")


def _page_ids() -> Iterator[str]:
    """Ids for the commands of one page, which share a beginning: so they pack well."""
    page = new_id()
    return (f"{page}.{number}" for number in count())


@pass_context
def _fresh_id(context: Context) -> str:
    """A new id for a command."""
    ids: Iterator[str] | None = context.get(_IDS)
    return new_id() if ids is None else next(ids)


class PageContext(Context):
    """A template's variables, listed among the contexts of its page."""

    def __init__(
        self, environment: Environment, parent: dict[str, Any], *others: Any, **named: Any
    ) -> None:
        super().__init__(environment, parent, *others, **named)
        if (contexts := parent.get(_CONTEXTS)) is not None:
            contexts.append(self)


class Renderer:
    """The templates, with addresses below one prefix.

    `compiled` keeps what a template was made into, for the next server in this process.
    `find_game` gives a game by its name, or None.
    """

    def __init__(
        self,
        assets: Assets,
        prefix: str = "",
        *,
        compiled: BytecodeCache | None = None,
        find_game: Callable[[str], Game | None] = lambda name: None,
        most: int = _MOST_ENTRIES,
    ) -> None:
        self.url = Urls(prefix)
        self._most = most
        self._find_game = find_game
        self._kept: dict[Hashable, Any] = {}
        self._lock = threading.Lock()
        self._environment = Environment(
            loader=FileSystemLoader(_TEMPLATES),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            bytecode_cache=compiled,
        )
        self._environment.context_class = PageContext
        self._environment.filters.update(FILTERS)
        self._environment.globals.update(
            url=self.url,
            asset=lambda name: self.url("asset", name=assets[name].name),
            within=lambda name: f"data:{assets[name].media_type},{quote(assets[name].plain)}",
            fresh_id=_fresh_id,
            draw_dice=draw_dice,
            face=draw_portrait,
            portrait=self._portrait,
            rich=self._rich,
            marked=render_markdown,
            cover=self._cover,
            draw_rolled=draw_rolled,
            open_item=open_item,
            tell_dice=tell_dice,
            why=why,
            runs=runs,
            fighters=grouped,
            titles=self._titles,
            die_of=self._die_of,
            logged=self.entry,
        )
        log: Any = self._environment.get_template("parts/log.html").module
        self._entry_macro = log.entry

    def _titles(self, game: str) -> Mapping[str, str]:
        """The titles of a game's rules by their ids; none where the game is not to be read."""

        def read() -> Mapping[str, str]:
            found = self._find_game(game)
            rules = found.rulebook.rules if found is not None else {}
            return {ident: rule.title for ident, rule in rules.items()}

        return self.once((game, "titles"), read)

    def _die_of(self, game: str) -> str:
        """The die of a game, as the outline of all that can be rolled; "" for none."""
        found = self._find_game(game) if game else None
        return found.art.die if found is not None else ""

    def _portrait(self, view: View | None, entity: str) -> str:
        """The address of an entity's portrait, or ""."""
        if view is None or entity not in view.portraits:
            return ""
        picture = view.portraits[entity]
        return (
            SIGN
            if picture == SIGN
            else self.url("picture", campaign=view.campaign, picture=picture)
        )

    def _rich(self, text: str, view: View, level: int = 4) -> Markup:
        """A text of people with its Markdown, for one reader."""
        return render_markdown(text, lambda name: self._leads(name, view), level)

    def _leads(self, name: str, view: View) -> str:
        """The address that a reference in a text leads to, or ""."""
        for one in view.table.entities.values():
            if one.id in view.summaries and one.name.casefold() == name.casefold():
                return self.url("sheet", campaign=view.campaign, entity=one.id)
        for rule, title in self._titles(view.game).items():
            if name.casefold() in {rule.casefold(), title.casefold()}:
                book = self.url("rules", game=view.game, campaign=view.campaign, rule=rule)
                return f"{book}#{rule}"
        return self.url("dice", notation=name) if _DICE.match(name) else ""

    def _cover(self, game: Game, title: str) -> str:
        """The address of a campaign's cover."""
        return self.url("cover", recipe=recipe_of(game.name, game.art.cover), seed=seed_of(title))

    def warm(self) -> None:
        """Compile every template, so that the first page does not wait."""
        for name in self._environment.list_templates(extensions=["html", "svg"]):
            self._environment.get_template(name)

    def render(self, template: str, **context: Any) -> str:
        """A template with its context."""
        contexts: list[PageContext] = []
        try:
            return self._environment.get_template(template).render(
                {**context, _CONTEXTS: contexts, _IDS: _page_ids()}
            )
        finally:
            # Macros and contexts refer to each other: without this, each page would wait for the
            # garbage collector, which stops every thread.
            for one in contexts:
                one.vars.clear()
                one.parent.clear()

    def entry(self, entry: Entry, campaign: str, game: str, fresh: bool = False) -> Markup:
        """An entry of the log; the same value is rendered once."""
        return self.once(
            (entry, campaign, game, fresh),
            lambda: Markup(  # noqa: S704 - put together from what is escaped
                self._rendered(entry, campaign, game, fresh=fresh)
            ),
        )

    def news(self, entries: Iterable[Entry], campaign: str, game: str) -> str:
        """Entries that have just arrived, for the end of the log on an open page.

        They are not kept one by one: whoever sends them keeps the message.
        """
        html = gone = ""
        for entry in entries:
            html += self._rendered(entry, campaign, game, fresh=True)
            if ends_thread(entry):
                part = f'hx-target=".of-{anchor(entry.thread)}" hx-swap="delete"'
                gone += f"<hx-partial {part}></hx-partial>"
        return f'{gone}<hx-partial hx-target="#log-list" hx-swap="beforeend">{html}</hx-partial>'

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The cached result of `make` by its key.

        The key has to contain, by value, everything that the result depends on.
        """
        try:
            known: T | None = self._kept.get(key)
        except TypeError:  # a details value that cannot be a key: made each time
            return make()
        if known is None:
            made = make()
            with self._lock:  # pages are drawn in a thread, news on the loop
                known = self._kept.setdefault(key, made)
                while len(self._kept) > self._most:
                    del self._kept[next(iter(self._kept))]
        return known

    def _rendered(self, entry: Entry, campaign: str, game: str, *, fresh: bool) -> str:
        # What only buttons and chips depend on is left out of the whole and put in afterwards: the
        # GM, whoever did it and everybody else then share one rendering of the card.
        shared = replace(entry, number=0, may_undo=False, hidden_from="")
        before, _, after = self.once(
            (shared, game, fresh, _ASIDE),
            lambda: str(self._card(shared, game, fresh=fresh)).partition(_ASIDE),
        )
        drawn = f"{before}{draw_marks(self.url, entry, campaign)}{after}"
        if entry.card is not None and entry.card.rules:
            book = self.url("rules", game=game)
            here = self.url("rules", game=game, campaign=campaign)
            drawn = drawn.replace(f'"{book}?', f'"{here}?')
        if entry.picture or entry.face not in {"", "drawn", SIGN}:
            address = self.url("picture", campaign=campaign, picture="-").removesuffix("-")
            drawn = drawn.replace(f'"{PICTURES}', f'"{address}')
        return drawn

    def _card(self, entry: Entry, game: str, *, fresh: bool) -> Markup:
        """An entry as everybody reads it who reads the same, whatever the campaign is called."""
        drawn = draw_line(entry, _ASIDE, fresh)
        if drawn is not None:
            return drawn
        card: Markup = self._entry_macro(entry, game, fresh, _ASIDE)
        return card


_NUMBER = re.compile(r"\s+\d+$")


def grouped(
    rows: Iterable[FightRow], entities: Mapping[str, Entity]
) -> list[tuple[str, list[FightRow]]]:
    """Rows with the name that several share, or "" for a row of its own.

    The GM's people of one kind whose names differ by a number alone stand in one row, where the
    first of them stood; whoever acts now has a row of their own.

    >>> guards = [Entity(f"g{n}", f"Guard {n}", "minion", "gm", {}, {}) for n in (1, 2, 3)]
    >>> rows = [FightRow(one.id, one.name, "", acting=one.id == "g2") for one in guards]
    >>> groups = grouped(rows, {one.id: one for one in guards})
    >>> [(name, [row.name for row in group]) for name, group in groups]
    [('Guard', ['Guard 1', 'Guard 3']), ('', ['Guard 2'])]
    """
    found: dict[object, list[FightRow]] = {}
    for row in rows:
        one = entities.get(row.entity)
        stem = _NUMBER.sub("", row.name)
        shared = one is not None and not one.is_players and not row.acting and stem != row.name
        key = (stem, one.kind) if one is not None and shared else row.entity
        found.setdefault(key, []).append(row)
    return [
        (_NUMBER.sub("", group[0].name) if len(group) > 1 else "", group)
        for group in found.values()
    ]
