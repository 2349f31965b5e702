"""A seat at a table: reading, lines, commands, and the stream of events."""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self, TypeVar

import httpx
import msgspec

from kitchentable.app import shapes
from kitchentable.campaign.commands import Command
from kitchentable.campaign.read_models import Entry, SeenMove, View
from kitchentable.client.links import BadLink, Link, read_link
from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules.rulebook import Rule
from kitchentable.rules.table import Seat
from kitchentable.rules.values import Problem

T = TypeVar("T")
AnyTable = TypeVar("AnyTable", bound="Table")

#: Seconds to wait for an answer; seconds that a stream may be silent.
_ANSWER, _SILENCE = 30.0, 60.0
#: Seconds before the first retry after an outage, and the longest pause between two.
_SOON, _LATE = 0.5, 15.0
#: Entries in one request.
_PAGE = 500
_BYE: Mapping[str, str] = MappingProxyType(
    {
        "revoked": "The GM has ended your seat.",
        "handed-over": "Your seat was moved to another device. Ask for its new link.",
    }
)


class Refusal(BadInput):
    """The table refused a request; `told` is the server's complete answer."""

    def __init__(self, told: shapes.Refused, status: int) -> None:
        super().__init__(told.sentence)
        self.code = told.code
        self.told = told
        self.problems: tuple[Problem, ...] = told.problems
        self.status = status


class Unreachable(KitchenTableError):
    """The server does not answer, or another program answers at its address."""

    code = "client/unreachable"


class Gone(BadInput):
    """The seat of a stream has ended."""

    code = "client/gone"


@dataclass
class Table:
    """A seat at a table. Several threads may use it.

    Every line and command has an id, so it can be sent again after an outage and takes effect once.
    `patience` is the number of seconds for which to retry; `transport` is for tests.
    """

    link: Link
    patience: float = 60.0
    transport: httpx.BaseTransport | None = None
    campaign: str = ""
    title: str = ""
    game: str = ""
    seat: Seat | None = None
    dialect: str = ""
    _http: httpx.Client = field(init=False, repr=False)
    _streams: set[httpx.Response] = field(default_factory=set, init=False, repr=False)
    _closed: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        self._http = httpx.Client(
            transport=self.transport,
            base_url=self.link.base,
            headers={"authorization": f"Bearer {self.link.key}", "accept": "application/json"},
            timeout=_ANSWER,
        )

    @classmethod
    def at(cls, link: str, **more: Any) -> Self:
        """Open the table of a link to a seat. Errors: BadLink, Refusal, Unreachable."""
        read = read_link(link)
        if read.kind != "s":
            raise BadLink(
                "That is an invitation link, which opens no seat. Join in a browser or with "
                "`kitchentable play LINK --name NAME`, then use the link of your own seat."
            )
        return _checked(cls(read, **more))

    @classmethod
    def knock(cls, link: str, name: str, **more: Any) -> Self:
        """Ask for a seat with an invitation link; the GM has to approve the seat.

        Errors: BadLink, Refusal, Unreachable.
        """
        invited = cls(read_link(link), **more)
        with invited:
            sent = {"id": new_id(), "name": name}
            knocked = invited._post(shapes.Knocked, "/api/v1/knock", sent)
        return _checked(cls(Link(invited.link.base, "s", knocked.key), **more))

    def wait_for_yes(self, every: float = 1.0) -> Seat:
        """Wait until the GM approves this seat. Errors: Gone if the GM declines."""
        while (seat := self.find()).state == "waiting":
            time.sleep(every)
        return seat

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections, including streams that other threads read."""
        # Set first, or the streams would treat the end as an outage.
        self._closed = True
        for answer in list(self._streams):
            if (stream := answer.extensions.get("network_stream")) is not None:
                # Closing alone does not wake a thread that reads.
                with suppress(OSError):
                    stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._http.close()

    def find(self, *, patience: float | None = None) -> Seat:
        """Look up the seat of the key. Errors: Refusal, Unreachable."""
        place = self._send(shapes.Place, "GET", "/api/v1/seat", patience=patience)
        self.campaign, self.title, self.game = place.campaign, place.title, place.game
        self.seat = place.seat
        return place.seat

    def view(self) -> View:
        """Get the whole table as this seat sees it."""
        return self._get(View, self._path("view"))

    def entries(self, *, after: str = "", before: str = "", limit: int = 60) -> tuple[Entry, ...]:
        """Get entries of the log, oldest first: those after a cursor, or the last before one."""
        asked = {"after": after, "before": before, "limit": limit}
        return self._get(shapes.Entries, self._path("entries"), asked).entries

    def sheet(self, entity: str) -> shapes.Sheet:
        """Get a character's sheet."""
        return self._get(shapes.Sheet, self._path(f"sheets/{entity}"))

    def rules(self, words: str = "") -> tuple[Rule, ...]:
        """Get the rules that contain all of these words."""
        return self._get(shapes.Rules, self._path("rules"), {"words": words}).rules

    def moves(self, entity: str = "") -> tuple[SeenMove, ...]:
        """Get the moves that this seat may start now, for a character of its own or for nobody."""
        return self._get(shapes.Moves, self._path("moves"), {"entity": entity}).moves

    def odds(self, move: str, entity: str = "", **answers: str) -> shapes.Odds:
        """Get the questions and odds of a move with these answers.

        Errors: Refusal for invalid answers; missing answers are not an error.
        """
        given = {f"a.{name}": value for name, value in answers.items()}
        asked = {"move": move, "entity": entity, **given}
        return self._get(shapes.Odds, self._path("odds"), asked)

    def read(self, text: str, entity: str = "") -> shapes.ReadLine:
        """Get the meaning of a line, and the odds of its move; nothing is done."""
        asked = {"text": text, "entity": entity}
        return self._get(shapes.ReadLine, self._path("line"), asked)

    def lines(self) -> tuple[str, ...]:
        """Get completions while a line is typed, which nobody waits for during an outage."""
        return self._send(shapes.Lines, "GET", self._path("lines"), patience=0).lines

    def say(self, text: str, entity: str = "") -> shapes.Done:
        """Send a line as typed at the table: speech, dice, or a move by name."""
        body = {"id": new_id(), "text": text, "entity": entity, "dialect": self.dialect}
        done = self._post(shapes.Done, self._path("lines"), body)
        if done.dialect is not None:
            self.dialect = done.dialect
        return done

    def do(self, command: Command | Mapping[str, Any]) -> shapes.Done:
        """Send a command; a command without an id gets one."""
        body = dict(shapes.plain(command) if isinstance(command, Command) else command)
        return self._post(
            shapes.Done, self._path("commands"), {**body, "id": body.get("id") or new_id()}
        )

    def take_back(self, cursor: str, reason: str = "") -> shapes.Done:
        """Take back the step of an entry."""
        body = {"id": new_id(), "cursor": cursor, "reason": reason}
        return self._post(shapes.Done, self._path("undo"), body)

    def follow(
        self, after: str = "", *, lost: Callable[[str], None] | None = None
    ) -> Iterator[shapes.News]:
        """Yield the news of the table until the seat ends.

        No news is missed or repeated; each new connection sends the whole view. `lost` is called
        with "lost" at an outage and with "back" at its end.
        Errors: Gone; Refusal if the server refuses the stream.
        """
        at, wait, away = _Place(after), _SOON, False
        while not self._closed:
            at.anew = False
            with suppress(httpx.TransportError, Unreachable):
                for event in self._stream(at.cursor):
                    if away and lost is not None:
                        lost("back")
                    wait, away = _SOON, False
                    yield from self._news_in(event, at)
                    if at.anew:
                        break
            if at.anew or self._closed:
                continue
            if not away and lost is not None:
                lost("lost")
            away = True
            time.sleep(wait)
            wait = min(wait * 2, _LATE)

    def _news_in(self, event: Event, at: _Place) -> Iterator[shapes.News]:
        """The news in an event. Errors: Gone."""
        if event.name == "bye":
            raise Gone(_BYE.get(event.data, f"Your seat has ended: {event.data}."))
        if event.name == "reload":
            # Too much happened for the stream, so read the log instead.
            at.behind, at.cursor, at.anew = at.cursor, "", True
            return
        at.cursor = event.cursor or at.cursor
        if event.name != "news":
            return
        news = self._decode(shapes.News, event.data)
        if at.behind:
            entries = tuple(self._since(at.behind))
            at.behind, at.caught = "", frozenset(one.cursor for one in entries)
        else:
            entries = tuple(one for one in news.entries if one.cursor not in at.caught)
        yield msgspec.structs.replace(news, entries=entries)

    def _since(self, cursor: str) -> Iterator[Entry]:
        while entries := self.entries(after=cursor, limit=_PAGE):
            yield from entries
            cursor = entries[-1].cursor

    def _stream(self, cursor: str) -> Iterator[Event]:
        sent = {"last-event-id": cursor} if cursor else {}
        limits = httpx.Timeout(_ANSWER, read=_SILENCE)
        with self._http.stream("GET", self._path("events"), headers=sent, timeout=limits) as answer:
            if answer.status_code >= 500:
                raise Unreachable("The server cannot answer now. Try again later.")
            if answer.is_error:
                answer.read()
                raise self._refused(answer)
            self._streams.add(answer)
            try:
                yield from read_events(lines_of(answer.iter_text()))
            finally:
                self._streams.discard(answer)

    def _path(self, below: str) -> str:
        return f"/t/{self.campaign}/api/v1/{below}"

    def _get(self, kind: type[T], path: str, asked: Mapping[str, Any] | None = None) -> T:
        words = {name: value for name, value in (asked or {}).items() if value != ""}
        return self._send(kind, "GET", path, params=words)

    def _post(self, kind: type[T], path: str, body: Mapping[str, Any]) -> T:
        return self._send(kind, "POST", path, json=body)

    def _send(
        self, kind: type[T], method: str, path: str, *, patience: float | None = None, **more: Any
    ) -> T:
        """Send a request, and retry while the server does not answer."""
        until = time.monotonic() + (self.patience if patience is None else patience)
        wait = _SOON
        while isinstance(answer := self._try(method, path, **more), KitchenTableError):
            if time.monotonic() + wait > until:
                raise answer
            time.sleep(wait)
            wait = min(wait * 2, _LATE)
        if answer.is_error:
            raise self._refused(answer)
        return self._decode(kind, answer.content)

    def _try(self, method: str, path: str, **more: Any) -> httpx.Response | KitchenTableError:
        """Send a request once; returns an error if the server does not answer now."""
        try:
            answer = self._http.request(method, path, **more)
        except httpx.TransportError as error:
            return self._silent(f": {error}" if str(error) else "")
        if answer.status_code not in {502, 503, 504}:
            return answer
        try:
            # The server runs, and its answer has the reason.
            told = msgspec.json.decode(answer.content, type=shapes.Refused)
        except msgspec.DecodeError:
            return self._silent(f": status {answer.status_code}")
        return Refusal(told, answer.status_code)

    def _silent(self, why: str) -> Unreachable:
        return Unreachable(
            f"{self.link.base} does not answer{why}. Check the address and the network, then try "
            "again."
        )

    def _refused(self, answer: httpx.Response) -> KitchenTableError:
        try:
            told = msgspec.json.decode(answer.content, type=shapes.Refused)
        except msgspec.DecodeError:
            return self._strange()
        return Refusal(told, answer.status_code)

    def _decode(self, kind: type[T], content: bytes | str) -> T:
        try:
            return shapes.read_as(kind, msgspec.json.decode(content))
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise self._strange() from error

    def _strange(self) -> Unreachable:
        return Unreachable(
            f"The server at {self.link.base} is not a table of this version. Check the link, or "
            "install the server's version of kitchentable."
        )


@dataclass(slots=True)
class _Place:
    """A position in a stream: its cursor, and the cursor to read the log from after a `reload`.

    `caught` has the cursors of entries read from the log; `anew` asks for a new connection.
    """

    cursor: str
    behind: str = ""
    caught: frozenset[str] = frozenset()
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a stream: its name, its data, and the cursor after it."""

    name: str
    data: str
    cursor: str


def lines_of(texts: Iterable[str]) -> Iterator[str]:
    r"""Split a text that arrives in parts into lines.

    Only the line breaks of server-sent events count. httpx would also break at characters that
    people type, such as U+2028.

    >>> list(lines_of(["data: a\u2028", "b\r\n\n"]))
    ['data: a\u2028b', '']
    """
    rest = ""
    for text in texts:
        *whole, rest = (rest + text).split("\n")
        yield from (line.removesuffix("\r") for line in whole)


def read_events(lines: Iterator[str]) -> Iterator[Event]:
    """Read server-sent events from the lines of a stream.

    >>> [event.data for event in read_events(iter(["id: 7", "event: news", "data: {}", ""]))]
    ['{}']
    """
    name, cursor = "", ""
    data: list[str] = []
    for line in lines:
        if not line:
            if name or data:
                yield Event(name, "\n".join(data), cursor)
            name, data = "", []
            continue
        key, _, value = line.partition(": ")
        if key == "event":
            name = value
        elif key == "id":
            cursor = value
        elif key == "data":
            data.append(value)


def _checked(table: AnyTable) -> AnyTable:
    """Look up the seat of a table; after an error, close the table."""
    try:
        table.find(patience=0)
    except KitchenTableError:
        table.close()
        raise
    return table


def new_id() -> str:
    """Make an id for a command."""
    return secrets.token_hex(8)
