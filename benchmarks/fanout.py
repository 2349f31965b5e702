"""A load of many tables: at each, one person speaks and all viewers must receive the text.

The time of an event runs from just before its request is written until the last of its table's
viewers has received it, on one clock. The server only has to show the spoken text to each viewer.
"""

from __future__ import annotations

import asyncio
import math
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_MARK = re.compile(rb"mark-(\d+)-(\d+)-end")
_LENGTH = re.compile(rb"(?i)content-length: *(\d+)")
#: Seconds after which a browser does not rely on a connection that it used before.
_KEPT = 10.0
_CHUNKED = re.compile(rb"(?i)transfer-encoding: *chunked")


@dataclass(frozen=True)
class Call:
    """A request: its address, its headers, and a body with MARK in place of the text."""

    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True)
class Place:
    """One table: the requests for its next event, one for each speaker, and its viewers."""

    send: Call
    viewers: Sequence[Call]


@dataclass
class Run:
    """The measurements of a load; `cpu` is the server's processor time in seconds."""

    seconds: float = 0.0
    sent: int = 0
    lags: list[float] = field(default_factory=list)
    lost: int = 0
    refused: int = 0
    complaints: list[bytes] = field(default_factory=list)
    cpu: float = 0.0

    def quantile(self, share: float) -> float:
        """A quantile of the lags, in milliseconds."""
        ordered = sorted(self.lags)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000 if ordered else 0.0

    @property
    def rate(self) -> float:
        """Events a second that reached all viewers."""
        return len(self.lags) / self.seconds if self.seconds else 0.0

    @property
    def work(self) -> float:
        """The server's processor time for one event, in milliseconds."""
        return self.cpu / len(self.lags) * 1000 if self.lags else 0.0

    @property
    def sound(self) -> bool:
        """Whether every event reached every viewer."""
        return not (self.lost or self.refused)


class Load:
    """Counts the viewers that each event has yet to reach."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.missing: dict[tuple[int, int], int] = {}
        self.began: dict[tuple[int, int], float] = {}
        self.waiting: dict[tuple[int, int], asyncio.Future] = {}

    def begin(self, key: tuple[int, int], viewers: int) -> asyncio.Future:
        self.missing[key] = viewers
        done = self.waiting[key] = asyncio.get_running_loop().create_future()
        self.began[key] = time.perf_counter()
        return done

    def seen(self, key: tuple[int, int], now: float) -> None:
        if key not in self.missing:
            return
        self.missing[key] -= 1
        if self.missing[key]:
            return
        del self.missing[key]
        self.run.lags.append(now - self.began.pop(key))
        done = self.waiting.pop(key)
        if not done.done():
            done.set_result(None)


class Viewer(asyncio.Protocol):
    """One screen, which reads its stream and notes every mark once."""

    def __init__(self, load: Load, call: Call, ready: asyncio.Future) -> None:
        self._load, self._call, self._ready = load, call, ready
        self._tail = b""
        self._seen: set[tuple[int, int]] = set()

    def connection_made(self, transport) -> None:
        transport.write(_head("GET", self._call, {"Accept": "text/event-stream"}))

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        data = self._tail + data
        if not self._ready.done():
            if b"\r\n\r\n" not in data:
                self._tail = data
                return
            if data.split(b" ", 2)[1] != b"200":
                self._load.run.refused += 1
                self._load.run.complaints.append(data[:400])
            self._ready.set_result(None)
        end = 0
        for mark in _MARK.finditer(data):
            end = mark.end()
            key = (int(mark[1]), int(mark[2]))
            if key not in self._seen:
                self._seen.add(key)
                self._load.seen(key, now)
        self._tail = data[max(end, len(data) - 64) :]

    def connection_lost(self, error) -> None:
        if not self._ready.done():
            self._ready.set_result(None)


class Sender(asyncio.Protocol):
    """One speaker, with a connection that stays open."""

    def __init__(self, load: Load, call: Call) -> None:
        self._load, self._call = load, call
        self._answers: list[asyncio.Future] = []
        self._buffer = b""

    def connection_made(self, transport) -> None:
        self._transport = transport

    def hang_up(self) -> None:
        self._transport.close()

    def send(self, mark: str) -> asyncio.Future:
        body = self._call.body.replace("MARK", mark).encode()
        done = asyncio.get_running_loop().create_future()
        self._answers.append(done)
        head = _head("POST", self._call, {"Content-Length": str(len(body))})
        self._transport.write(head + body)
        return done

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (at := self._buffer.find(b"\r\n\r\n")) >= 0:
            head, rest = self._buffer[:at], self._buffer[at + 4 :]
            length = _LENGTH.search(head)
            if _CHUNKED.search(head):
                end = rest.find(b"0\r\n\r\n")
                if end < 0:
                    return
                size = end + 5
            else:
                size = int(length[1]) if length else 0
            if len(rest) < size:
                return
            if head.split(b" ", 2)[1][:1] not in b"23":
                self._load.run.refused += 1
                self._load.run.complaints.append(head[:300] + b"\n" + rest[:300])
            self._buffer = rest[size:]
            done = self._answers.pop(0)
            if not done.done():
                done.set_result(None)


def _head(verb: str, call: Call, more: Mapping[str, str]) -> bytes:
    headers = {"Host": "127.0.0.1", **call.headers, **more}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{verb} {call.path} HTTP/1.1\r\n{lines}\r\n".encode()


async def load(
    port: int,
    places: Sequence[Place],
    seconds: float,
    *,
    rate: float | None = None,
    meter: Callable[[], float] = lambda: 0.0,
) -> Run:
    """Load a server for some seconds.

    With `rate`, each table speaks that often a second whatever the answers take (open loop), with 0
    never; left out, each table speaks again when its last viewer has the former event (closed
    loop). `meter` reads the server's processor time.
    """
    run = Run()
    book = Load(run)
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(40)
    transports = []

    async def watch(call: Call) -> None:
        async with gate:
            ready = loop.create_future()
            made = await loop.create_connection(
                lambda: Viewer(book, call, ready), "127.0.0.1", port
            )
            await ready
            transports.append(made[0])

    await asyncio.gather(*(watch(call) for place in places for call in place.viewers))
    senders: dict[int, Sender] = {}

    async def connect(index: int) -> None:
        if index in senders:
            senders[index].hang_up()
        made = await loop.create_connection(
            lambda: Sender(book, places[index].send), "127.0.0.1", port
        )
        senders[index] = made[1]
        transports.append(made[0])

    await asyncio.sleep(0.5)
    worked = meter()
    began = time.perf_counter()
    base = int(time.time() * 1000)

    def speak(index: int) -> asyncio.Future:
        run.sent += 1
        key = (index, base + run.sent)
        done = book.begin(key, len(places[index].viewers))
        senders[index].send(f"mark-{key[0]}-{key[1]}-end")
        return done

    async def closed(index: int) -> None:
        await connect(index)
        while time.perf_counter() - began < seconds:
            await asyncio.wait_for(speak(index), 30)

    async def paced(index: int, gap: float) -> None:
        due = began + random.random() * gap
        while due < began + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if gap > _KEPT or index not in senders:
                await connect(index)
            speak(index)
            due += gap * random.uniform(0.5, 1.5)
        await asyncio.sleep(max(0.0, began + seconds - time.perf_counter()))

    gap = 1 / rate if rate else math.inf
    try:
        await asyncio.gather(
            *(closed(i) if rate is None else paced(i, gap) for i in range(len(places)))
        )
        run.seconds = time.perf_counter() - began
        patience = time.perf_counter() + 10
        for straggler in list(book.waiting.values()):
            await asyncio.wait([straggler], timeout=max(0.0, patience - time.perf_counter()))
        run.cpu = meter() - worked
        run.lost = len(book.missing)
    finally:
        for transport in transports:
            transport.abort()
    return run
