"""A session in the terminal: prints results of commands, and news from the stream."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kitchentable.app.plaintext import tell
from kitchentable.app.shapes import Done, News, plain, read_as
from kitchentable.campaign.commands import Command
from kitchentable.campaign.kinds import QUIET
from kitchentable.campaign.read_models import Entry, SeenProposal, View
from kitchentable.cli.terminal import telling
from kitchentable.client import Table
from kitchentable.dice.errors import KitchenTableError

_LOST = "The connection is lost. Your lines are sent when it is back."
_BACK = "The connection is back."


@dataclass
class Session:
    """A seat in a terminal. `say` prints a line; with `as_json` every line is a JSON object.

    A second thread prints news from the stream. `ended` is the error that ended the stream.
    """

    table: Table
    say: Callable[[str], None]
    as_json: bool = False
    people: tuple[str, ...] = ()
    ended: KitchenTableError | OSError | None = None
    _parts: dict[str, Any] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _asked: frozenset[str] = frozenset()
    _acting: tuple[str, ...] = ()
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def tell(self, what: str, data: Any, lines: Iterable[str]) -> None:
        """Print data as lines, or as a JSON object with one key."""
        with self._lock:
            if self.as_json:
                self.say(msgspec.json.encode({what: plain(data)}).decode())
                return
            for line in lines:
                self.say(line)

    def tell_log(self, entries: tuple[Entry, ...]) -> None:
        """Print earlier entries; the stream does not repeat them."""
        self._news(entries)
        self.tell("log", entries, [tell(one) for one in entries if one.kind not in QUIET])

    def do(self, command: Command | Mapping[str, Any]) -> None:
        """Send a command, and print its result."""
        self.tell_done(self.table.do(command))

    def tell_done(self, done: Done) -> None:
        """Print the result of this seat's command; the stream does not repeat it."""
        with self._lock:
            new = self._news(done.entries)
            if self.as_json:
                self.tell("done", done, ())
            else:
                self._tell_entries(new)
                if done.dialect is not None:
                    place = f"{done.dialect} notation" if done.dialect else "the table's notation"
                    self.say(f"Dice are read in {place} from now on.")
                elif all(one.kind in QUIET for one in done.entries):
                    self.say("Done.")
                if done.link:
                    self.say(f"The new link of the seat, shown only once: {done.link}")

    def tell_news(self, news: News) -> None:
        """Print news from the stream."""
        with self._lock:
            self.people = news.people
            new = self._news(news.entries)
            if self.as_json:
                if new or news.altered or news.view:
                    self.tell("news", msgspec.structs.replace(news, entries=tuple(new)), ())
                return
            self._tell_entries(new)
            for entry in news.altered:
                self.say(f"Changed: {tell(entry, time=False)}")
            if news.view:
                self._parts.update(news.view)
                self._tell_changes(read_as(View, self._parts))

    def tell_connection(self, what: str) -> None:
        """Report that the connection is "lost" or "back"."""
        self.tell("connection", what, [_LOST if what == "lost" else _BACK])

    def follow(self, cursor: str) -> None:
        """Print news from the stream until the seat ends, or nobody reads the output."""
        try:
            for news in self.table.follow(cursor, lost=self.tell_connection):
                self.tell_news(news)
        except (KitchenTableError, OSError) as error:
            self.ended = error

    def _news(self, entries: Iterable[Entry]) -> list[Entry]:
        """The entries that were not printed before."""
        new = [one for one in entries if one.cursor not in self._told]
        self._told.update(one.cursor for one in new)
        return new

    def _tell_entries(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if entry.kind not in QUIET:
                self.say(tell(entry, time=False))

    def _tell_changes(self, view: View) -> None:
        """Print new requests to this seat, and a new turn in the fight."""
        requests = telling.requests_of(view)
        mine = {
            _state_of(one): (at, one) for at, one in enumerate(requests, 1) if telling.is_mine(one)
        }
        for state, (at, one) in mine.items():
            if state not in self._asked:
                self.say("This waits for you:")
                for line in telling.tell_request(at, one):
                    self.say(line)
        self._asked = frozenset(mine)
        rows = view.fight.rows if view.fight is not None else ()
        acting = tuple(row.name for row in rows if row.acting)
        if acting and acting != self._acting:
            self.say(f"It is the turn of {' and '.join(acting)}.")
        self._acting = acting


def _state_of(request: telling.Request) -> str:
    """Identify a request by its id and questions; with new questions it is shown again."""
    if isinstance(request, SeenProposal):
        asked = ",".join(one.name for one in request.mine)
        return f"{request.id} {asked} {request.may_throw}"
    return telling.ident(request)
