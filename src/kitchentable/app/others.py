"""The other servers of the same database: what they tell this one, and what it tells them.

Each message is short and may be lost. Events are never in one: a server that hears of events reads
them, and looks every few seconds for those of which it heard nothing. So a lost message costs a
moment, never an event. A server that has its database for itself tells nobody.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec

from kitchentable.app.keys import new_id
from kitchentable.store.errors import StoreError
from kitchentable.store.protocols import Signals

#: How often news of other servers are looked for, whether heard of or not, in seconds.
LOOK_EVERY = 2.0
#: How often a server says that it is there, and after how long it counts as gone, in seconds.
_ALIVE, _GONE = 5.0, 16.0

log = logging.getLogger("kitchentable.app")


class Others:
    """Sends messages to the other servers of a database, and hands theirs to their listeners."""

    def __init__(self, signals: Signals | None) -> None:
        self._signals = signals
        self._me = new_id()
        #: By kind of message: who is called with its sender and its words.
        self._ears: dict[str, Callable[..., None]] = {}
        #: When each other server was heard last.
        self.heard: dict[str, float] = {}
        #: Those that counted as gone, until they are heard again.
        self._gone: set[str] = set()
        self._told = 0
        self._due: set[str] = set()
        self._stir = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def attended(self) -> bool:
        """Whether this server hears the others and looks for their news."""
        return self._loop is not None

    @property
    def servers(self) -> int:
        """The number of servers of the database, this one included, as far as they were heard."""
        return 1 + len(self.heard)

    def hear(self, kind: str, ear: Callable[..., None]) -> None:
        """Call `ear` with the sender and the words of each message of a kind, on the event loop."""
        self._ears[kind] = ear

    def tell(self, kind: str, *words: Any) -> None:
        """Tell the other servers; before `attend`, or where none was heard, this does nothing."""
        if self._signals is None or self._loop is None:
            return
        if self.heard or kind in {"hello", "alive"}:
            # Of equal messages only one arrives, which is enough of news.
            self._told += kind != "news"
            message = (self._me, self._told if kind != "news" else 0, kind, *words)
            self._signals.send(msgspec.json.encode(message).decode())

    def mark(self, campaign: str) -> None:
        """Have a campaign's news looked for at once."""
        self._due.add(campaign)
        self._stir.set()

    async def attend(
        self,
        catch_up: Callable[[set[str], bool], Awaitable[None]],
        greet: Callable[[], None],
        gone: Callable[[str], None],
    ) -> None:
        """Hear the other servers until cancelled.

        `catch_up` reads the news of the campaigns named and, where that is asked, of all that are
        followed. `greet` tells a server that has begun to listen what is so; `gone` is called with
        the name of one that has said nothing for a while.
        """
        if self._signals is None:
            return
        self._loop = loop = asyncio.get_running_loop()
        self.hear("news", lambda _, campaign: self.mark(campaign))
        self.hear("hello", lambda _: self._answer(greet))

        def missed() -> None:
            _call(loop, self.tell, "hello")
            _call(loop, greet)

        self._signals.start(lambda message: _call(loop, self._heard, message), missed)
        looked = said = 0.0
        try:
            while True:
                now = time.monotonic()
                if now - said >= _ALIVE:
                    said = now
                    self.tell("alive")
                    self._forget_silent(now - _GONE, gone)
                whole = now - looked >= LOOK_EVERY
                looked = now if whole else looked
                due, self._due = self._due, set()
                try:
                    await catch_up(due, whole)
                except StoreError as error:
                    # The next look finds what this one did not.
                    log.warning("News of other servers come late: %s", error)
                if not self._due:
                    self._stir.clear()
                    # `wait_for` could lose the cancellation if a message comes at that moment.
                    with suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_EVERY):
                            await self._stir.wait()
        finally:
            self._loop = None
            await asyncio.to_thread(self._signals.stop)

    def _heard(self, message: str) -> None:
        who, _, kind, *words = msgspec.json.decode(message)
        if who == self._me:
            return
        self.heard[who] = time.monotonic()
        if who in self._gone:
            self._gone.remove(who)
            self.tell("hello")  # so that it tells again who is there
        if kind in self._ears:
            self._ears[kind](who, *words)

    def _answer(self, greet: Callable[[], None]) -> None:
        self.tell("alive")
        greet()

    def _forget_silent(self, last: float, gone: Callable[[str], None]) -> None:
        for who in [who for who, heard in self.heard.items() if heard < last]:
            del self.heard[who]
            self._gone.add(who)
            gone(who)


def _call(loop: asyncio.AbstractEventLoop, do: Callable[..., None], *words: Any) -> None:
    """Call in the thread of an event loop, unless that has ended meanwhile."""
    try:
        loop.call_soon_threadsafe(do, *words)
    except RuntimeError:
        log.debug("A message came after the end.")
