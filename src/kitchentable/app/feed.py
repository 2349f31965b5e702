"""The feed: wakes the followers of a campaign after each commit.

The signal has no events: each follower reads the log through its own projection, so a missed signal
only delays. `kitchentable.app.others` sends it to other servers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Self


class Follower:
    """One screen that follows a campaign, while used as a context manager. `ended` is the reason
    for its end. `wake` is called in the event loop's thread whenever there may be news, and must
    not wait.
    """

    __slots__ = ("_hub", "campaign", "ended", "seat", "wake")

    def __init__(self, hub: Hub, campaign: str, seat: str, wake: Callable[[], None]) -> None:
        self._hub = hub
        self.campaign = campaign
        self.seat = seat
        self.wake = wake
        self.ended = ""

    def __enter__(self) -> Self:
        self._hub.join(self)
        return self

    def __exit__(self, *error: object) -> None:
        self._hub.leave(self)


class Hub:
    """The followers of each campaign in this process."""

    def __init__(self) -> None:
        self._followers: dict[str, set[Follower]] = {}
        self._here: dict[str, frozenset[str]] = {}
        #: By campaign and server: the number of screens of each seat.
        self._elsewhere: dict[str, dict[str, Mapping[str, int]]] = {}
        self._closing = ""
        #: Sends the other servers the seats that follow a campaign here, and seats to drop.
        self.tell: Callable[..., None] = lambda kind, *words: None
        #: Called with each campaign in which something was recorded.
        self.heard: list[Callable[[str], None]] = []

    def follow(self, campaign: str, seat: str, wake: Callable[[], None] = lambda: None) -> Follower:
        """A follower of a campaign, for as long as the block lasts. Clean-up never waits."""
        return Follower(self, campaign, seat, wake)

    def join(self, follower: Follower) -> None:
        """Add a follower."""
        campaign = follower.campaign
        follower.ended = self._closing
        first = follower.seat not in self._local(campaign)
        # Other followers look at once who is here; the new one has no position in the log yet.
        others = tuple(self._followers.get(campaign, ()))
        self._followers.setdefault(campaign, set()).add(follower)
        self._tell(campaign)
        if first:
            self._here.pop(campaign, None)
            for other in others:
                other.wake()

    def leave(self, follower: Follower) -> None:
        """Forget a follower."""
        campaign = follower.campaign
        here = self._followers[campaign]
        here.remove(follower)
        if not here:
            del self._followers[campaign]
        if follower.seat not in self._local(campaign):
            self._here.pop(campaign, None)
            self.wake_all(campaign)
        self._tell(campaign)

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

        Empty if nobody follows it on this server.
        """
        if not self._followers.get(campaign):
            return frozenset()
        known = self._here.get(campaign)
        if known is None:
            elsewhere = self._elsewhere.get(campaign, {}).values()
            known = self._here[campaign] = frozenset().union(self._local(campaign), *elsewhere)
        return known

    def followed(self) -> tuple[str, ...]:
        """The campaigns that are followed on this server."""
        return tuple(self._followers)

    def greet(self) -> None:
        """Tell the other servers who is here."""
        for campaign in self._followers:
            self._tell(campaign)

    def set_elsewhere(self, server: str, campaign: str, screens: Mapping[str, int]) -> None:
        """Store the number of screens of each seat that follows a campaign on another server."""
        there = self._elsewhere.setdefault(campaign, {})
        before = there.pop(server, {})
        if screens:
            there[server] = screens
        elif not there:
            del self._elsewhere[campaign]
        if before.keys() != screens.keys():
            self._here.pop(campaign, None)
            self.wake_all(campaign)

    def lost(self, server: str) -> None:
        """Forget the followers on another server that has ended."""
        for campaign in [one for one, there in self._elsewhere.items() if server in there]:
            self.set_elsewhere(server, campaign, {})

    def _tell(self, campaign: str) -> None:
        self.tell("here", campaign, self._local(campaign))

    def _local(self, campaign: str) -> Counter[str]:
        return Counter(one.seat for one in self._followers.get(campaign, ()))

    def screens(self, campaign: str, seat: str) -> int:
        """The number of screens of one seat that follow a campaign now, on any server."""
        elsewhere = self._elsewhere.get(campaign, {}).values()
        return sum(there.get(seat, 0) for there in (self._local(campaign), *elsewhere))

    def streams(self) -> int:
        """The number of screens of all campaigns here."""
        return sum(map(len, list(self._followers.values())))

    def drop(self, campaign: str, seat: str, why: str) -> None:
        """End the streams of a seat, for a reason that its pages show."""
        for follower in self._followers.get(campaign, ()):
            if follower.seat == seat:
                follower.ended = why
                follower.wake()

    def drop_everywhere(self, campaign: str, seat: str, why: str) -> None:
        """End the streams of a seat on all servers."""
        self.drop(campaign, seat, why)
        self.tell("drop", campaign, seat, why)

    def close(self, why: str = "closing") -> None:
        """End every stream, and each new one at once, because the server stops."""
        self._closing = why
        for followers in self._followers.values():
            for follower in followers:
                follower.ended = why
                follower.wake()
