"""The feed: wakes the followers of a campaign after each commit.

The signal carries no events: each follower reads the log through its own projection. So a missed
signal costs a moment, never an event; a second process, or another database, only needs a way to
call `publish`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Follower:
    """One screen that follows a campaign: its `seat`, and the reason of its end in `ended`."""

    __slots__ = ("_alarm", "_due", "_waiting", "_woken", "ended", "seat")

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.ended = ""
        self._woken = False
        self._waiting: asyncio.Future[None] | None = None
        self._due = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    def wake(self) -> None:
        """Wake the follower; call it in the thread of the event loop."""
        self._woken = True
        self._stir()

    async def news(self, within: float) -> bool:
        """Wait for news for at most `within` seconds; gives whether there was any."""
        if not self._woken:
            # A future with one timer that is postponed at each wait, because each screen waits here
            # for every event, and `asyncio.timeout` around an `asyncio.Event` takes several times
            # as long.
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            self._due = loop.time() + within
            if self._alarm is None or self._alarm.when() > self._due:
                self._set_alarm(loop)
            try:
                await self._waiting
            finally:
                self._waiting = None
        woken, self._woken = self._woken, False
        return woken

    def let_go(self) -> None:
        """Forget the waiting future."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _set_alarm(self, loop: asyncio.AbstractEventLoop) -> None:
        self.let_go()
        self._alarm = loop.call_at(self._due, self._ring, loop)

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        self._alarm = None
        if self._waiting is None:
            return
        if loop.time() < self._due:
            self._set_alarm(loop)
        else:
            self._stir()

    def _stir(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    """The followers of each campaign in this process."""

    def __init__(self) -> None:
        self._followers: dict[str, set[Follower]] = {}
        self._here: dict[str, frozenset[str]] = {}
        self._closing = ""

    @contextmanager
    def follow(self, campaign: str, seat: str) -> Iterator[Follower]:
        """Follow a campaign for as long as the block lasts. Clean-up never waits."""
        follower = Follower(seat)
        if self._closing:
            follower.ended = self._closing
            follower.wake()
        here = self._followers.setdefault(campaign, set())
        self._tell_of(campaign, seat)
        here.add(follower)
        try:
            yield follower
        finally:
            follower.let_go()
            here.discard(follower)
            self._tell_of(campaign, seat)
            if not here:
                self._followers.pop(campaign, None)

    def _tell_of(self, campaign: str, seat: str) -> None:
        """Wake the others if a seat comes with its first screen, or has gone with its last."""
        if not self.screens(campaign, seat):
            self._here.pop(campaign, None)
            self.wake_all(campaign)

    def publish(self, campaign: str) -> None:
        """Wake the followers of a campaign after a commit."""
        self.wake_all(campaign)

    def wake_all(self, campaign: str) -> None:
        """Wake every follower of a campaign."""
        for follower in self._followers.get(campaign, ()):
            follower.wake()

    def here(self, campaign: str) -> frozenset[str]:
        """The seats that follow a campaign now; the same object until that changes."""
        followers = self._followers.get(campaign)
        if not followers:
            return frozenset()
        known = self._here.get(campaign)
        if known is None:
            known = self._here[campaign] = frozenset(one.seat for one in followers)
        return known

    def screens(self, campaign: str, seat: str) -> int:
        """The number of screens of one seat that follow a campaign now."""
        return sum(1 for one in self._followers.get(campaign, ()) if one.seat == seat)

    def drop(self, campaign: str, seat: str, why: str) -> None:
        """End the streams of a seat whose key was revoked."""
        for follower in self._followers.get(campaign, ()):
            if follower.seat == seat:
                follower.ended = why
                follower.wake()

    def close(self, why: str = "closing") -> None:
        """End every stream, and each new one at once, because the server stops."""
        self._closing = why
        for followers in self._followers.values():
            for follower in followers:
                follower.ended = why
                follower.wake()
