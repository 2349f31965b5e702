"""Streams of server-sent events: one for each open page or listening program.

A silent stream uses little more memory than its connection: the needed parts of its request are in
a `Watcher`, and one timer sends all heartbeats. New entries of the log are written at once; a
task exists only while a stream has to wait: for a view, for odds, or for a slow client.
"""

from __future__ import annotations

import asyncio
from typing import Any

from litestar.types import Receive, Send
from msgspec.structs import replace

from kitchentable.app.cursors import BadCursor
from kitchentable.app.projections import Following
from kitchentable.app.spans import Update
from kitchentable.campaign.errors import NotAllowed
from kitchentable.web.connections import Pipe
from kitchentable.web.errors import TooManyScreens
from kitchentable.web.feed import (
    ALIVE,
    FEED_HEADERS,
    MOVES,
    RELOAD,
    Screen,
    Shown,
    Watcher,
    bye,
)
from kitchentable.web.security import headers_once

#: Pages of one seat that are kept up to date at once.
MOST_SCREENS = 30
#: The part of the campaign that waiting cards show, with their odds.
_ASKED = frozenset({"asks"})


def check_screens(watcher: Watcher) -> None:
    """Refuse one more stream than a seat may have. Errors: TooManyScreens."""
    sitting = watcher.sitting
    screens = watcher.site.server.tables.hub.screens(sitting.campaign, sitting.seat)
    if screens >= MOST_SCREENS:
        raise TooManyScreens(
            f"{MOST_SCREENS} pages of your seat are already live. Close one, then reload this one."
        )


class Stream:
    """The ASGI application of one stream: events after a cursor, then new ones as they come.

    `secure` is whether the client's connection is encrypted; `pipe` writes at once, where the
    server can.
    """

    __slots__ = (
        "_again",
        "_cursor",
        "_due",
        "_end",
        "_last",
        "_main",
        "_pending",
        "_pipe",
        "_place",
        "_screen",
        "_secure",
        "_send",
        "_task",
        "_woken",
    )
    _place: Following
    _send: Send
    #: The task of the whole response.
    _main: asyncio.Task[Any] | None

    def __init__(
        self, screen: Shown, cursor: str | None, *, secure: bool, pipe: Pipe | None
    ) -> None:
        self._screen = screen
        self._cursor = cursor
        self._secure = secure
        self._pipe = pipe
        #: The task of what is being sent, and an update that was left to it.
        self._task: asyncio.Task[None] | None = None
        self._pending: Update | None = None
        #: The last words, or the error; None while the stream continues.
        self._end: bytes | Exception | None = None
        #: The cursor and the people of the last update.
        self._last: tuple[str, tuple[str, ...]] | None = None
        #: Whether there may be news, and whether waiting cards are looked at again.
        self._woken, self._again = True, False
        #: What else is due: the first message has a sign of life.
        self._due = ALIVE

    @property
    def key(self) -> str | None:
        """The hash of the key of the stream's device."""
        return self._screen.watcher.sitting.key

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Send until the client disconnects, or the stream ends from this side."""
        self._send, self._main = send, asyncio.current_task()
        head = headers_once(FEED_HEADERS, secure=self._secure)
        await send({"type": "http.response.start", "status": 200, "headers": head})
        try:
            with self._follow() as self._place:
                self._screen.watcher.site.pulse.add(self)
                self.wake()
                while (await receive())["type"] != "http.disconnect":
                    pass
        except asyncio.CancelledError:
            if self._end is None:
                raise
        except BadCursor:
            self._end = RELOAD
        finally:
            self._leave()
        if isinstance(self._end, Exception):
            raise self._end
        await self._say(self._end or b"")
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def wake(self) -> None:
        """Send the news, if there are any: at once, unless a task has to wait for something."""
        self._woken = True
        if self._task is None and not self._tell_at_once():
            self._task = asyncio.create_task(self._work())

    @property
    def place(self) -> tuple[str, str]:
        """The campaign and the seat."""
        sitting = self._screen.watcher.sitting
        return sitting.campaign, sitting.seat

    def beat(self) -> None:
        """Send a sign of life."""
        self._due = self._due or ALIVE
        self.wake()

    def look_again(self) -> None:
        """Show odds that are known by now: those of waiting cards, and those of the moves."""
        self._again = self._last is not None
        if isinstance(self._screen, Screen):
            self._due = MOVES + ALIVE
        self.wake()

    def sign_out(self) -> None:
        """End the stream, because its device was signed out."""
        self._finish(RELOAD)

    def _follow(self) -> Following:
        watcher = self._screen.watcher
        sitting, projections = watcher.sitting, watcher.site.server.projections
        return projections.follow(sitting.campaign, sitting.seat, self._cursor, self.wake)

    def _leave(self) -> None:
        self._screen.watcher.site.pulse.discard(self)
        self._end = self._end or b""
        if self._task is not None:
            self._task.cancel()

    def _finish(self, end: bytes | Exception) -> None:
        if self._end is None and self._main is not None:
            self._end = end
            self._main.cancel()

    def _tell_at_once(self) -> bool:
        """Send news that only add to the log, if the client keeps up; gives whether it did."""
        if self._pipe is None or self._end is not None or self._again:
            return False
        try:
            update = self._pending = self._place.update()
            news = b"" if update is None else self._screen.heard(update)
        except Exception:  # noqa: BLE001 - the task meets it again, and tells who listens
            return False
        if news is None:
            return False
        news += self._due
        if news and not self._pipe.write(news):
            return False
        self._pending, self._due, self._woken = None, b"", False
        self._remember(update)
        return True

    async def _work(self) -> None:
        try:
            while self._woken and self._end is None:
                await self._tell()
        except NotAllowed as gone:
            self._finish(bye(gone.code))
        except Exception as error:  # noqa: BLE001 - the task of the response raises it
            self._finish(error)
        finally:
            self._task = None
            if self._woken and self._end is None:
                self.wake()  # a signal to stop came just now

    async def _tell(self) -> None:
        """Send the news, and then the odds that they asked for."""
        screen = self._screen
        odds = screen.watcher.site.server.tables.odds
        due, self._due = self._due, b""
        update, self._pending = self._pending, None
        if update is None:
            self._woken = False
            update = await self._place.read()
        if self._again and self._last is not None:
            cursor, people = self._last
            update = update or Update(cursor, people=people)
            update = replace(update, touched=update.touched | _ASKED)
        self._again = False
        self._remember(update)
        if update is None:
            await self._say(due)
            return
        if update.ended or update.reload:
            closing = update.ended == "closing"
            self._finish(b"" if closing else bye(update.ended) if update.ended else RELOAD)
            return
        with odds.watch() as missing:
            news = screen.heard(update)
            if news is None:
                news = screen.news(update)
        if screen.stale:
            self._finish(RELOAD)
            return
        await self._say(news + due)
        if missing:
            # What happened is sent at once; the odds of what it opened follow it.
            screen.watcher.site.solve_later(*self.place, missing)

    def _remember(self, update: Update | None) -> None:
        if update is not None:
            self._last = update.cursor, update.people

    async def _say(self, words: bytes) -> None:
        if words:
            await self._send({"type": "http.response.body", "body": words, "more_body": True})
