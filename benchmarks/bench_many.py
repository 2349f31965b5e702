"""Many quiet tables on one process: 1,000 tables of five seats, each with an event every 20 s.

First all 5,000 pages only listen, for a minute: the memory and the processor time of idle streams.
Then people speak, for some minutes: the time until the last viewer of a table has an event, the
memory, and the processor time. At last one table has 1,000 pages, and a line in it every second.

    python -m benchmarks.bench_many [minutes [tables]]     three minutes without a number
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from benchmarks.bench_memory import memory
from benchmarks.bench_table import (
    LOAD_CORE,
    PLAYERS,
    free_port,
    furnish,
    pin,
    processor_time,
    serving,
)
from benchmarks.fanout import Call, Place, Run, load
from kitchentable.app.keys import new_id
from kitchentable.app.server import Server
from kitchentable.campaign.commands import AskForSeat
from kitchentable.store import ExportData

TABLES, MINUTES = 1_000, 3.0
#: The seats of one crowded table, and the pages of each seat.
SEATS, EACH = 40, 25
#: Seconds between two events of a table, of silence that are measured, before each first
#: measurement, and between measurements of memory.
GAP, IDLE, WARM, EVERY = 20.0, 40.0, 20.0, 30.0


@dataclass
class Figures:
    """What was measured: memory in megabytes, shares of one core, and the events."""

    begun: float = 0.0
    tables: float = 0.0
    idle: float = 0.0
    idle_share: float = 0.0
    memory: list[float] = field(default_factory=list)
    share: float = 0.0
    run: Run = field(default_factory=Run)
    crowd: Run = field(default_factory=Run)


def place_of(server: Server, campaign: str, seats: list[str]) -> Place:
    """A table whose first player speaks and whose people all listen, each with a key of a link."""
    keys = [server.keys.issue("seat-link", campaign, seat) for seat in seats]
    bearers = [{"Authorization": f"Bearer {key}"} for key in keys]
    form = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
    say = Call(f"/t/{campaign}/say", {**bearers[1], **form}, urlencode({"text": "MARK"}))
    return Place(say, [Call(f"/t/{campaign}/feed", one) for one in bearers])


async def lay_crowd(database: Path, seats: int, each: int) -> Place:
    """Add a table with this many seats, whose people have this many pages each."""
    opened = Server.at(database)
    made = await opened.open_campaign("A crowd", "toast")
    taken = [made.gm_seat]
    for number in range(1, seats):
        taken.append(new_id())
        ask = AskForSeat(
            id=new_id(), seat=taken[0], new_seat=taken[-1], name=f"Player {number}", approved=True
        )
        await opened.tables.handle(made.campaign, ask)
    place = place_of(opened, made.campaign, taken)
    opened.close()
    return replace(place, viewers=[*place.viewers] * each)


def lay_tables(database: Path, tables: int) -> list[Place]:
    """Add copies of one table with five people."""
    ((first, _),) = asyncio.run(furnish(database, 1))
    opened = Server.at(database)
    entry, rows = opened.store.campaign(first), opened.store.read(first)
    assert entry is not None
    seats = list(opened.tables.campaign(first).table.seats)

    def lay(name: str) -> Place:
        copied = [msgspec.structs.replace(row, campaign=name) for row in rows]
        opened.store.adopt(replace(entry, id=name), lambda: copied, ExportData())
        return place_of(opened, name, seats)

    # Side by side, because what is recorded at the same time waits for the disk together.
    with ThreadPoolExecutor(64) as threads:
        places = list(threads.map(lay, (f"table-{number}" for number in range(tables))))
    opened.close()
    return places


async def listen(port: int, places: list[Place], process: int, figures: Figures) -> None:
    """Open one page of each table, then all others, and let nobody speak."""
    first = [replace(place, viewers=place.viewers[:1]) for place in places]
    rest = [replace(place, viewers=place.viewers[1:]) for place in places]
    await load(port, places[:1], 1.0, rate=0)
    figures.begun = memory(process)
    waiting = [await opened(port, first, process)]
    await asyncio.sleep(WARM / 4)
    figures.tables = memory(process)
    waiting.append(await opened(port, rest, process))
    await asyncio.sleep(WARM)
    before = processor_time(process)
    await asyncio.sleep(IDLE)
    figures.idle_share = (processor_time(process) - before) / IDLE
    figures.idle = memory(process)
    for one in waiting:
        one.cancel()
    await asyncio.wait(waiting)


async def opened(
    port: int, places: list[Place], process: int, seconds: float = 3600.0, rate: float = 0
) -> asyncio.Task[Run]:
    """A load whose pages are all open, silent without a rate."""
    ready = asyncio.Event()

    def meter() -> float:
        ready.set()
        return processor_time(process)

    begun = asyncio.create_task(load(port, places, seconds, rate=rate, meter=meter))
    await ready.wait()
    return begun


async def talk(
    port: int, places: list[Place], process: int, figures: Figures, seconds: float
) -> None:
    """Let every table speak, and take the memory at equal intervals."""
    talking = await opened(port, places, process, WARM + seconds, 1 / GAP)
    await asyncio.sleep(WARM)
    while not talking.done():
        figures.memory.append(memory(process))
        await asyncio.wait([talking], timeout=EVERY)
    figures.run = await talking
    figures.share = figures.run.cpu / figures.run.seconds


def measure(minutes: float, tables: int, tell: Callable[[str], None] = print) -> Figures:
    """Serve the tables and measure them, first silent, then talking."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, 65_536), files))
    pin(os.getpid(), LOAD_CORE)
    figures = Figures()
    with tempfile.TemporaryDirectory() as name:
        database, port = Path(name) / "campaigns.db", free_port()
        places = lay_tables(database, tables)
        crowd = asyncio.run(lay_crowd(database, SEATS, EACH))
        command = [sys.executable, "-m", "kitchentable", "serve", "--data", str(database)]
        command += ["--port", str(port), "--behind-proxy"]
        with serving(command, port, {}) as process:
            asyncio.run(listen(port, places, process, figures))
            tell(told_of_idle(figures, tables))
            asyncio.run(talk(port, places, process, figures, 60 * minutes))
            tell(told_of_talk(figures))
            figures.crowd = asyncio.run(load(port, [crowd], WARM, rate=1.0))
    tell(told_of_crowd(figures.crowd))
    return figures


def told_of_idle(figures: Figures, tables: int) -> str:
    """The figures of the silence, as lines."""
    each = (figures.idle - figures.tables) * 1024 / (tables * PLAYERS)
    first = (figures.tables - figures.begun) * 1024 / tables
    return (
        f"{tables * (PLAYERS + 1):,} idle streams: {each:.1f} kB each, and {first:.1f} kB for a "
        f"table with its first; {100 * figures.idle_share:.1f} % of a core "
        f"({figures.begun:.0f} MB before, {figures.idle:.0f} MB then)"
    )


def told_of_talk(figures: Figures) -> str:
    """The figures of the talk, as lines."""
    run = figures.run
    return (
        f"{len(run.lags):,} events in {run.seconds:.0f} s, {run.lost} lost: to the last viewer "
        f"p50 {run.quantile(0.5):.1f} ms, p99 {run.quantile(0.99):.1f} ms; "
        f"{100 * figures.share:.1f} % of a core\n"
        f"memory: {' '.join(f'{one:.0f}' for one in figures.memory)} MB"
    )


def told_of_crowd(run: Run) -> str:
    """The figures of the table with many pages, as a line."""
    return (
        f"{SEATS * EACH:,} pages of one table: {len(run.lags)} lines, {run.lost} lost; to the last "
        f"page p50 {run.quantile(0.5):.0f} ms, p99 {run.quantile(0.99):.0f} ms"
    )


def main() -> None:
    """Measure, and print the figures."""
    words = sys.argv[1:]
    measure(float(words[0]) if words else MINUTES, int(words[1]) if len(words) > 1 else TABLES)


if __name__ == "__main__":
    main()
