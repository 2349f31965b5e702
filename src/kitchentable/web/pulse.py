"""Heartbeats of all streams, from one timer that visits each stream once per period."""

from __future__ import annotations

import asyncio
import itertools
from typing import Protocol

from kitchentable.app.keys import KeyRing

#: Groups of streams, which the timer visits one after another.
GROUPS = 20
#: This many streams may be in a group, whatever the others have.
_FEW = 10


class Living(Protocol):
    """A stream: the hash of its key (None for none), its sign of life, and its end."""

    @property
    def key(self) -> str | None:
        """The hash of the key of the stream's device."""
        ...

    @property
    def place(self) -> tuple[str, str]:
        """The campaign and the seat."""
        ...

    def beat(self) -> None:
        """Send a sign of life."""
        ...

    def look_again(self) -> None:
        """Show odds that are known by now."""
        ...

    def sign_out(self) -> None:
        """End the stream, because its device was signed out."""
        ...


class Pulse:
    """The streams of a server.

    Each stream gets a heartbeat every `period` seconds, whatever happens at its table, so
    heartbeats reveal nothing. The stream is then ended if its device was signed out on any server.
    """

    def __init__(self, keys: KeyRing, period: float) -> None:
        self._keys = keys
        self._pause = period / GROUPS
        self._groups: list[set[Living]] = [set() for _ in range(GROUPS)]
        #: The group that was visited last.
        self._at = 0
        self._beating: asyncio.Task[None] | None = None

    def add(self, stream: Living) -> None:
        """Visit a stream from now on, as late in the first period as the other groups allow."""
        most = _FEW + 2 * sum(map(len, self._groups)) // GROUPS
        order = (self._groups[self._at - late] for late in range(GROUPS))
        next(group for group in order if len(group) < most).add(stream)
        if self._beating is None or self._beating.done():
            self._beating = asyncio.create_task(self._beat())

    def discard(self, stream: Living) -> None:
        """Forget a stream."""
        for group in self._groups:
            group.discard(stream)
        if self._beating is not None and not any(self._groups):
            self._beating.cancel()
            self._beating = None

    def look_again(self, campaign: str, seat: str) -> None:
        """Have the pages of a seat show odds that are known by now."""
        for stream in itertools.chain(*self._groups):
            if stream.place == (campaign, seat):
                stream.look_again()

    async def visit(self) -> None:
        """Visit the next group of streams."""
        self._at = (self._at + 1) % GROUPS
        group = self._groups[self._at]
        ended = await self._keys.ended({one.key for one in group if one.key is not None})
        for stream in list(group):
            if stream.key in ended:
                stream.sign_out()
            else:
                stream.beat()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            await self.visit()
