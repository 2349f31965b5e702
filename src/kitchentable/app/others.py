"""Messages between the servers of the same database.

Each message is short and may be lost. Messages contain no events: a server reads new events from
the database when a message arrives and every few seconds, so a lost message only delays. A server
with a database of its own sends no messages.
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

#: Seconds between look-ups of other servers' events, with or without messages.
LOOK_EVERY = 2.0
#: Seconds between a server's signs of life, and until a silent server counts as gone.
_ALIVE, _GONE = 5.0, 16.0

log = logging.getLogger("kitchentable.app")


class Others:
    """Sends messages to the other servers of a database, and passes theirs to listeners."""

    def __init__(self, signals: Signals | None) -> None:
        self._signals = signals
        self._me = new_id()
        #: By kind of message: the listeners, called with its sender and words.
        self._ears: dict[str, Callable[..., None]] = {}
        #: The time of each server's last message.
        self.heard: dict[str, float] = {}
        #: Servers that count as gone, until their next message.
        self._gone: set[str] = set()
        self._told = 0
        self._due: set[str] = set()
        self._stir = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def servers(self) -> int:
        """The number of known servers of the database, including this one."""
        return 1 + len(self.heard)

    def hear(self, kind: str, ear: Callable[..., None]) -> None:
        """Call `ear` with the sender and the words of each message of a kind, on the event loop."""
        self._ears[kind] = ear

    def tell(self, kind: str, *words: Any) -> None:
        """Send a message to the other servers; does nothing before `attend` or without others."""
        if self._signals is None or self._loop is None:
            return
        if self.heard or kind in {"hello", "alive"}:
            # PostgreSQL merges equal messages, which is harmless for news.
            self._told += kind != "news"
            message = (self._me, self._told if kind != "news" else 0, kind, *words)
            self._signals.send(msgspec.json.encode(message).decode())

    def mark(self, campaign: str) -> None:
        """Mark a campaign for an immediate look-up of new events."""
        self._due.add(campaign)
        self._stir.set()

    async def attend(
        self,
        catch_up: Callable[[set[str], bool], Awaitable[None]],
        greet: Callable[[], None],
        gone: Callable[[str], None],
    ) -> None:
        """Process the messages and the new events of other servers until cancelled.

        Without messages events are looked up too, because other processes, such as a command in a
        terminal, may write to a database file. `catch_up` reads the new events of the given
        campaigns or, if its second argument is true, of all followed ones. `greet` sends the
        current state to a server that has begun to listen; `gone` is called with the name of a
        server that has been silent for a while.
        """
        self._loop = loop = asyncio.get_running_loop()
        self.hear("news", lambda _, campaign: self.mark(campaign))
        self.hear("hello", lambda _: self._answer(greet))

        def missed() -> None:
            _call(loop, self.tell, "hello")
            _call(loop, greet)

        if self._signals is not None:
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
                    # The next look-up finds missed events.
                    log.warning("News of other servers come late: %s", error)
                if not self._due:
                    self._stir.clear()
                    # `wait_for` could lose the cancellation if a message comes at that moment.
                    with suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_EVERY):
                            await self._stir.wait()
        finally:
            self._loop = None
            if self._signals is not None:
                await asyncio.to_thread(self._signals.stop)

    def _heard(self, message: str) -> None:
        who, _, kind, *words = msgspec.json.decode(message)
        if who == self._me:
            return
        self.heard[who] = time.monotonic()
        if who in self._gone:
            self._gone.remove(who)
            self.tell("hello")  # so that it sends its followers again
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
