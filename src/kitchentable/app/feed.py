"""The feed: wakes the followers of a campaign after each commit.

The signal carries no events: each follower reads the log through its own projection. So a missed
signal costs a moment, never an event. `kitchentable.app.others` carries it to other servers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
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
        #: By campaign and server: the seats that follow it there.
        self._elsewhere: dict[str, dict[str, frozenset[str]]] = {}
        self._closing = ""
        #: Tells the other servers which seats follow a campaign here, and whom to drop.
        self.tell: Callable[..., None] = lambda kind, *words: None
        #: Called with each campaign in which something was recorded.
        self.heard: list[Callable[[str], None]] = []

    @contextmanager
    def follow(self, campaign: str, seat: str) -> Iterator[Follower]:
        """Follow a campaign for as long as the block lasts. Clean-up never waits."""
        follower = Follower(seat)
        if self._closing:
            follower.ended = self._closing
            follower.wake()
        here = self._followers.setdefault(campaign, set())
        came = self._stir(campaign, seat)
        here.add(follower)
        if came:
            self._tell(campaign)
        try:
            yield follower
        finally:
            follower.let_go()
            here.discard(follower)
            if not here:
                self._followers.pop(campaign, None)
            if self._stir(campaign, seat):
                self._tell(campaign)

    def _stir(self, campaign: str, seat: str) -> bool:
        """Wake the others if a seat comes with its first screen, or has gone with its last."""
        if self.screens(campaign, seat):
            return False
        self._here.pop(campaign, None)
        self.wake_all(campaign)
        return True

    def publish(self, campaign: str) -> None:
        """Wake the followers of a campaign after a commit."""
        for hear in self.heard:
            hear(campaign)
        self.wake_all(campaign)

    def wake_all(self, campaign: str) -> None:
        """Wake every follower of a campaign."""
        for follower in self._followers.get(campaign, ()):
            follower.wake()

    def here(self, campaign: str) -> frozenset[str]:
        """The seats that follow a campaign now, on any server; the same object until that changes.

        Where nobody follows it on this one, nobody is named.
        """
        if not self._followers.get(campaign):
            return frozenset()
        known = self._here.get(campaign)
        if known is None:
            elsewhere = self._elsewhere.get(campaign, {}).values()
            known = self._here[campaign] = self._local(campaign).union(*elsewhere)
        return known

    def followed(self) -> tuple[str, ...]:
        """The campaigns that are followed on this server."""
        return tuple(self._followers)

    def greet(self) -> None:
        """Tell the other servers who is here."""
        for campaign in self._followers:
            self._tell(campaign)

    def set_elsewhere(self, server: str, campaign: str, seats: Sequence[str]) -> None:
        """Another server tells which seats follow a campaign there."""
        there = self._elsewhere.setdefault(campaign, {})
        there.pop(server, None)
        if seats:
            there[server] = frozenset(seats)
        elif not there:
            del self._elsewhere[campaign]
        self._here.pop(campaign, None)
        self.wake_all(campaign)

    def lost(self, server: str) -> None:
        """Forget whom another server told of, because it has ended."""
        for campaign in [one for one, there in self._elsewhere.items() if server in there]:
            self.set_elsewhere(server, campaign, ())

    def _tell(self, campaign: str) -> None:
        self.tell("here", campaign, sorted(self._local(campaign)))

    def _local(self, campaign: str) -> frozenset[str]:
        return frozenset(one.seat for one in self._followers.get(campaign, ()))

    def screens(self, campaign: str, seat: str) -> int:
        """The number of screens of one seat that follow a campaign now."""
        return sum(1 for one in self._followers.get(campaign, ()) if one.seat == seat)

    def streams(self) -> int:
        """The number of screens of all campaigns here."""
        return sum(map(len, list(self._followers.values())))

    def drop(self, campaign: str, seat: str, why: str) -> None:
        """End the streams of a seat whose key was revoked."""
        for follower in self._followers.get(campaign, ()):
            if follower.seat == seat:
                follower.ended = why
                follower.wake()

    def drop_everywhere(self, campaign: str, seat: str, why: str) -> None:
        """As `drop`, on the other servers too."""
        self.drop(campaign, seat, why)
        self.tell("drop", campaign, seat, why)

    def close(self, why: str = "closing") -> None:
        """End every stream, and each new one at once, because the server stops."""
        self._closing = why
        for followers in self._followers.values():
            for follower in followers:
                follower.ended = why
                follower.wake()
