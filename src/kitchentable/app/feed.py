"""The feed: tells those who follow a campaign that something new is on record.

It carries no news itself, only that there is some: the log is the news, and each follower reads it
through its own eyes. So a missed signal costs a moment, never an event; a second process, or
another database, needs nothing here but a way to call `publish`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Follower:
    """One screen that follows a campaign. `seat` is whose; `ended` says that it has to let go."""

    __slots__ = ("_woken", "ended", "seat")

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.ended = ""
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """There is news."""
        self._woken.set()

    async def news(self, within: float) -> bool:
        """Wait for news at most `within` seconds; whether there was any."""
        try:
            async with asyncio.timeout(within):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True


class Hub:
    """Who follows which campaign in this process."""

    def __init__(self) -> None:
        self._followers: dict[str, set[Follower]] = {}
        self._closing = ""

    @contextmanager
    def follow(self, campaign: str, seat: str) -> Iterator[Follower]:
        """Follow a campaign for as long as the block lasts. Clean-up never waits."""
        follower = Follower(seat)
        if self._closing:
            follower.ended = self._closing
            follower.wake()
        self._followers.setdefault(campaign, set()).add(follower)
        self.wake_all(campaign)
        try:
            yield follower
        finally:
            here = self._followers.get(campaign, set())
            here.discard(follower)
            if not here:
                self._followers.pop(campaign, None)
            self.wake_all(campaign)

    def publish(self, campaign: str) -> None:
        """Something of this campaign was committed."""
        self.wake_all(campaign)

    def wake_all(self, campaign: str) -> None:
        """Let every follower of a campaign look again."""
        for follower in self._followers.get(campaign, ()):
            follower.wake()

    def here(self, campaign: str) -> frozenset[str]:
        """The seats that follow a campaign right now."""
        return frozenset(follower.seat for follower in self._followers.get(campaign, ()))

    def drop(self, campaign: str, seat: str, why: str) -> None:
        """Streams outlive rights: end those of a seat whose key was taken back."""
        for follower in self._followers.get(campaign, ()):
            if follower.seat == seat:
                follower.ended = why
                follower.wake()

    def close(self, why: str = "closing") -> None:
        """The server stops: every stream ends, and new ones end at once."""
        self._closing = why
        for followers in self._followers.values():
            for follower in followers:
                follower.ended = why
                follower.wake()
