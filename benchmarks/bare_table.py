"""A minimal table, for comparison: it takes a line, makes it durable and shows it to everyone.

A bare ASGI handler without framework, rules, rights, rendering or secrets, on the same SQLite, the
same durability (WAL, synchronous FULL, group commit by one thread) and the same server. The cost of
the table is stated as a ratio to this handler.

POST /t/TABLE/say   the body is one line of text       GET /t/TABLE/feed   server-sent events
"""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import threading
from collections import defaultdict

MOST = 256


class Record:
    """One thread that writes; callers of `append` wait for the commit."""

    def __init__(self, path: str, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: queue.SimpleQueue = queue.SimpleQueue()
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._database.execute("pragma journal_mode = wal")
        self._database.execute("pragma synchronous = full")
        self._database.execute("pragma wal_autocheckpoint = 4000")
        self._database.execute(
            "create table if not exists line "
            "(id integer primary key, place int, number int, text blob)"
        )
        self._database.execute("create unique index if not exists at on line (place, number)")
        threading.Thread(target=self._write, daemon=True).start()

    def append(self, place: int, number: int, text: bytes) -> asyncio.Future:
        done = self._loop.create_future()
        self._waiting.put(((place, number, text), done))
        return done

    def _write(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while len(batch) < MOST:
                try:
                    batch.append(self._waiting.get_nowait())
                except queue.Empty:
                    break
            self._database.execute("begin immediate")
            self._database.executemany(
                "insert into line (place, number, text) values (?, ?, ?)",
                [row for row, _ in batch],
            )
            self._database.execute("commit")
            self._loop.call_soon_threadsafe(self._tell, [done for _, done in batch])

    @staticmethod
    def _tell(done: list) -> None:
        for one in done:
            if not one.done():
                one.set_result(None)


class Screen:
    """One open stream, with the lines that it has not been sent."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.woken = asyncio.Event()

    def push(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.woken.set()

    async def next(self) -> bytes:
        await self.woken.wait()
        self.woken.clear()
        frames, self.frames = self.frames, []
        return b"".join(frames)


class Bare:
    """The ASGI application."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self.numbers: dict[int, int] = defaultdict(int)
        self.screens: dict[int, set[Screen]] = defaultdict(set)

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        _, _, place, what = scope["path"].split("/", 3)
        if what == "say":
            await self._say(int(place), receive, send)
        else:
            await self._feed(int(place), receive, send)

    async def _live(self, receive, send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self.record = Record(os.environ["BARE_DB"], asyncio.get_running_loop())
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return

    async def _say(self, place: int, receive, send) -> None:
        text = b""
        while True:
            message = await receive()
            text += message.get("body", b"")
            if not message.get("more_body"):
                break
        self.numbers[place] += 1
        number = self.numbers[place]
        await self.record.append(place, number, text)
        frame = b"id: %d\ndata: <p>%b</p>\n\n" % (number, text)
        for screen in self.screens[place]:
            screen.push(frame)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def _feed(self, place: int, receive, send) -> None:
        screen = Screen()
        self.screens[place].add(screen)
        task = asyncio.current_task()

        async def gone() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            task.cancel()

        watching = asyncio.ensure_future(gone())
        start = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache")],
        }
        try:
            await send(start)
            await send({"type": "http.response.body", "body": b": open\n\n", "more_body": True})
            while True:
                body = await screen.next()
                await send({"type": "http.response.body", "body": body, "more_body": True})
        except asyncio.CancelledError:
            pass
        finally:
            self.screens[place].discard(screen)
            watching.cancel()


app = Bare()
