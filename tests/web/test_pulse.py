"""Signs of life: one timer for all streams, which also ends those whose device was signed out."""

import asyncio
import logging

from kitchentable.app.clock import utc_now
from kitchentable.app.keys import KeyRing
from kitchentable.store import MemoryStore
from kitchentable.store.errors import StoreError
from kitchentable.web.pulse import GROUPS, Pulse


class Tokens(MemoryStore):
    """A store that notes which keys are asked for at once."""

    def __init__(self, *ended: str) -> None:
        super().__init__()
        self.ended, self.asked = set(ended), []
        self.broken = False

    def in_force(self, hashes, now):
        self.asked.append(set(hashes))
        if self.broken:
            raise StoreError("The disk is gone.", code="store/failed")
        return set(hashes) - self.ended


class Stream:
    """A stream that counts its signs of life."""

    def __init__(self, key: str | None = None) -> None:
        self.key, self.beats, self.over = key, 0, False

    def beat(self) -> None:
        self.beats += 1

    def sign_out(self) -> None:
        self.over = True


def visited(streams: list[Stream], tokens: Tokens, groups: int = GROUPS) -> None:
    """Add streams, and visit this many groups without waiting."""

    async def visit() -> None:
        pulse = Pulse(KeyRing(tokens, utc_now), 3600)
        for stream in streams:
            pulse.add(stream)
        for _ in range(groups):
            await pulse.visit()
        for stream in streams:
            pulse.discard(stream)
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(visit())


def test_each_stream_has_one_sign_of_life_in_a_period_and_none_at_once():
    early, streams = Stream(), [Stream() for _ in range(500)]
    visited(streams, Tokens())
    assert {stream.beats for stream in streams} == {1}
    visited([early], Tokens(), GROUPS - 1)
    assert early.beats == 0


def test_keys_are_looked_up_together():
    tokens, streams = Tokens("key 7"), [Stream(f"key {number % 10}") for number in range(100)]
    visited(streams, tokens)
    assert [stream.over for stream in streams] == [number % 10 == 7 for number in range(100)]
    assert len(tokens.asked) <= GROUPS


def test_a_database_that_does_not_answer_ends_no_stream(caplog):
    tokens, stream = Tokens("key"), Stream("key")
    tokens.broken = True
    with caplog.at_level(logging.WARNING):
        visited([stream], tokens)
    assert (stream.beats, stream.over) == (1, False)
    assert "detected late" in caplog.text


def test_streams_that_come_at_once_are_spread_over_the_period():
    streams, most = [Stream() for _ in range(1_000)], []

    async def come() -> None:
        pulse = Pulse(KeyRing(Tokens(), utc_now), 3600)
        for stream in streams:
            pulse.add(stream)
        for _ in range(GROUPS):
            before = sum(stream.beats for stream in streams)
            await pulse.visit()
            most.append(sum(stream.beats for stream in streams) - before)

    asyncio.run(come())
    assert max(most) <= 120
