"""One seat of one table: reading, lines, commands, and the stream of what happens."""

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

#: Seconds that an answer may take, and that a quiet stream may be silent.
_ANSWER, _SILENCE = 30.0, 60.0
#: Seconds before the first repetition after an outage, and between two at most.
_SOON, _LATE = 0.5, 15.0
#: Entries asked for at once.
_PAGE = 500
_BYE: Mapping[str, str] = MappingProxyType(
    {
        "revoked": "The GM has ended your seat.",
        "handed-over": "Your seat was given to another device. Ask for its new link.",
    }
)


class Refusal(BadInput):
    """The table refused; the sentence is for the person, `told` is all that the server told."""

    def __init__(self, told: shapes.Refused, status: int) -> None:
        super().__init__(told.sentence)
        self.code = told.code
        self.told = told
        self.problems: tuple[Problem, ...] = told.problems
        self.status = status


class Unreachable(KitchenTableError):
    """The server does not answer, or something else answers at its address."""

    code = "client/unreachable"


class Gone(BadInput):
    """The seat of a stream has ended."""

    code = "client/gone"


@dataclass
class Table:
    """A seat at a table, by its link. Requests are made one after another or from several threads.

    What is sent has an id of its own, so it is sent again after an outage and done once. `patience`
    is for how many seconds that is tried; `transport` is for tests.
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
    _away: KitchenTableError = field(default_factory=KitchenTableError, init=False, repr=False)
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
        """The table behind a seat's link. Errors: BadLink, Refusal, Unreachable."""
        read = read_link(link)
        if read.kind != "s":
            raise BadLink(
                "That is a link to join by, and opens no seat yet. Join in a browser or with "
                "`kitchentable play LINK --name NAME`, then take the link of your own seat."
            )
        return _checked(cls(read, **more))

    @classmethod
    def knock(cls, link: str, name: str, **more: Any) -> Self:
        """Ask for a seat with a link to join by; the table waits for the GM's yes.

        Errors: BadLink, Refusal, Unreachable.
        """
        invited = cls(read_link(link), **more)
        with invited:
            sent = {"id": new_id(), "name": name}
            knocked = invited._post(shapes.Knocked, "/api/v1/knock", sent)
        return _checked(cls(Link(invited.link.base, "s", knocked.key), **more))

    def wait_for_yes(self, every: float = 1.0) -> Seat:
        """Wait until the GM has let this seat in. Errors: Gone where the GM says no."""
        while (seat := self.find()).state == "waiting":
            time.sleep(every)
        return seat

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all connections, and a stream that another thread listens to."""
        # Before the streams wake up, which would take it for an outage.
        self._closed = True
        for answer in list(self._streams):
            if (stream := answer.extensions.get("network_stream")) is not None:
                # Closing alone does not wake whoever reads.
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
        """The whole table as this seat sees it."""
        return self._get(View, self._path("view"))

    def entries(self, *, after: str = "", before: str = "", limit: int = 60) -> tuple[Entry, ...]:
        """Entries of the log, oldest first: those after a cursor, or the last ones before one."""
        asked = {"after": after, "before": before, "limit": limit}
        return self._get(shapes.Entries, self._path("entries"), asked).entries

    def sheet(self, entity: str) -> shapes.Sheet:
        """Somebody's sheet."""
        return self._get(shapes.Sheet, self._path(f"sheets/{entity}"))

    def rules(self, words: str = "") -> tuple[Rule, ...]:
        """The rules that hold all of these words."""
        return self._get(shapes.Rules, self._path("rules"), {"words": words}).rules

    def moves(self, entity: str = "") -> tuple[SeenMove, ...]:
        """The moves that this seat may start now, for somebody of its own or for nobody."""
        return self._get(shapes.Moves, self._path("moves"), {"entity": entity}).moves

    def odds(self, move: str, entity: str = "", **answers: str) -> shapes.Odds:
        """A move with these answers: its questions and its odds.

        Errors: Refusal for answers that the move would refuse; missing ones are not an error.
        """
        given = {f"a.{name}": value for name, value in answers.items()}
        asked = {"move": move, "entity": entity, **given}
        return self._get(shapes.Odds, self._path("odds"), asked)

    def read(self, text: str, entity: str = "") -> shapes.ReadLine:
        """The meaning of a line, and the odds of its move; nothing is done."""
        asked = {"text": text, "entity": entity}
        return self._get(shapes.ReadLine, self._path("line"), asked)

    def lines(self) -> tuple[str, ...]:
        """Whole lines to choose from while one is typed."""
        return self._get(shapes.Lines, self._path("lines")).lines

    def say(self, text: str, entity: str = "") -> shapes.Done:
        """Send a line as it is typed at the table: speech, dice, or a move by name."""
        body = {"id": new_id(), "text": text, "entity": entity, "dialect": self.dialect}
        done = self._post(shapes.Done, self._path("lines"), body)
        if done.dialect is not None:
            self.dialect = done.dialect
        return done

    def do(self, command: Command | Mapping[str, Any]) -> shapes.Done:
        """Send a command; one without an id is given one."""
        body = dict(shapes.plain(command) if isinstance(command, Command) else command)
        return self._post(
            shapes.Done, self._path("commands"), {**body, "id": body.get("id") or new_id()}
        )

    def take_back(self, cursor: str, reason: str = "") -> shapes.Done:
        """Take the step of an entry back."""
        body = {"id": new_id(), "cursor": cursor, "reason": reason}
        return self._post(shapes.Done, self._path("undo"), body)

    def follow(
        self, after: str = "", *, lost: Callable[[str], None] | None = None
    ) -> Iterator[shapes.News]:
        """The news of the table, for as long as the seat lasts.

        Nothing is missed and nothing comes twice; each new connection brings the whole view. `lost`
        is called with "lost" at an outage and with "back" at its end.
        Errors: Gone; Refusal where the server refuses the stream.
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
            # More happened than a stream tells: the log has it all.
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
                raise Unreachable("The server cannot answer just now.")
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
        """An answer to a request, which is repeated while the server is away."""
        until = time.monotonic() + (self.patience if patience is None else patience)
        wait = _SOON
        while (answer := self._try(method, path, **more)) is None:
            if time.monotonic() + wait > until:
                raise self._away
            time.sleep(wait)
            wait = min(wait * 2, _LATE)
        if answer.is_error:
            raise self._refused(answer)
        return self._decode(kind, answer.content)

    def _try(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """An answer to a request; None where the server is away."""
        try:
            answer = self._http.request(method, path, **more)
        except httpx.TransportError as error:
            self._away = self._silent(f": {error}" if str(error) else "")
            return None
        if answer.status_code not in {502, 503, 504}:
            return answer
        try:
            # The server is there, and says why it cannot answer.
            told = msgspec.json.decode(answer.content, type=shapes.Refused)
            self._away = Refusal(told, answer.status_code)
        except msgspec.DecodeError:
            self._away = self._silent(f": status {answer.status_code}")
        return None

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
            f"What answers at {self.link.base} is not a table of this version. Check the link, or "
            "install the version of the server."
        )


@dataclass(slots=True)
class _Place:
    """A place in a stream: its cursor, and where the log has to be read from after a `reload`.

    `caught` are the cursors of entries that came from the log; `anew` asks for a new connection.
    """

    cursor: str
    behind: str = ""
    caught: frozenset[str] = frozenset()
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a stream: its name, its data and the cursor that it goes up to."""

    name: str
    data: str
    cursor: str


def lines_of(texts: Iterable[str]) -> Iterator[str]:
    r"""The lines of a text that comes in parts.

    Line breaks are those of server-sent events; httpx also breaks at separators that people type,
    such as U+2028.

    >>> list(lines_of(["data: a\u2028", "b\r\n\n"]))
    ['data: a\u2028b', '']
    """
    rest = ""
    for text in texts:
        *whole, rest = (rest + text).split("\n")
        yield from (line.removesuffix("\r") for line in whole)


def read_events(lines: Iterator[str]) -> Iterator[Event]:
    """Server-sent events from the lines of a stream.

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
    """Look up the key of a table, which is closed after a refusal."""
    try:
        table.find(patience=0)
    except KitchenTableError:
        table.close()
        raise
    return table


def new_id() -> str:
    """A fresh id of a command."""
    return secrets.token_hex(8)
