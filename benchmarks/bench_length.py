"""The cost of a long log: a campaign with 100 events beside one with 100,000, and 500 campaigns.

Both campaigns are in one database. Each figure is the least of several runs, taken in turns, in
milliseconds; pages are asked for through the whole application, without a network.

    python -m benchmarks.bench_length [events]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import msgspec
from litestar.testing import TestClient

from kitchentable.app.audit import to_take_home
from kitchentable.app.index import index_log
from kitchentable.app.overviews import Overviews
from kitchentable.app.server import Server
from kitchentable.campaign import codec
from kitchentable.campaign.commands import RollNotation, Say
from kitchentable.store import ExportData, Row
from kitchentable.web.application import make_app

SHORT = 100
RUNS = 7
HOME = 500


async def furnish(server: Server, long: int) -> str:
    """Two campaigns with as many events of talk and dice, and many small ones; gives the GM."""
    example = await server.open_example("toast")
    gm = next(iter(server.tables.campaign(example).table.seats))
    said = await server.tables.handle(example, Say(id="said", seat=gm, text="Hello"))
    rolled = await server.tables.handle(example, RollNotation(id="rolled", seat=gm, notation="3d6"))
    entry = server.store.campaign(example)
    assert entry is not None
    rows = server.store.read(example)

    def evening(campaign: str, events: int) -> Iterator[Row]:
        for row in rows[:events]:
            yield msgspec.structs.replace(row, campaign=campaign)
        for number in range(len(rows) + 1, events + 1):
            event = (said if number % 2 else rolled).events[0]
            data = {**event.data, "text": f"The {number}th word of the tale"}
            event = msgspec.structs.replace(
                event, number=number, command=f"c{number}", data=data if number % 2 else event.data
            )
            yield Row(campaign, number, event.command, event.time, event.kind, codec.encode(event))

    for campaign, events in (("short", SHORT), ("long", long)):
        server.store.adopt(
            replace(entry, id=campaign), partial(evening, campaign, events), ExportData()
        )
    for number in range(HOME):
        name = f"small-{number}"
        server.store.adopt(replace(entry, id=name), partial(evening, name, len(rows)), ExportData())
    return gm


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of a run."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def exported(server: Server, folder: Path, gm: str) -> Iterator[str]:
    """The time of each export of the long campaign, and the most memory that it takes."""
    state = server.tables.campaign("long")
    journal = partial(to_take_home, state, gm)
    numbers = count()
    for what, write in (
        ("the whole campaign", lambda: server.export("long", folder / f"{next(numbers)}.zip")),
        ("the GM's journal", lambda: deque(journal(), maxlen=0)),
    ):
        took = timed(write)
        tracemalloc.start()
        write()
        most = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        yield f"exporting {what}: {took / 1000:.1f} s, at most {most:.1f} MB of memory"


def main() -> None:
    """Measure, and print a table."""
    long = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaigns.db"
        server = Server.at(path)
        gm = asyncio.run(furnish(server, long))
        first = {}
        for campaign in ("short", "long"):
            first[campaign] = timed(lambda name=campaign: server.tables.campaign(name))
            index_log(server.store, campaign, server.tables.campaign(campaign))
        asyncio.run(server.tables.let_go(idle=0))
        figures: dict[str, dict[str, list[float]]] = {}

        def note(what: str, campaign: str, work: Callable[[], object]) -> None:
            figures.setdefault(what, {}).setdefault(campaign, []).append(timed(work))

        with TestClient(make_app(server)) as client:
            for campaign in ("short", "long"):
                key = server.keys.issue("seat-link", campaign, gm)
                assert client.get(f"/s/{key}").url.path == f"/t/{campaign}"
            for _ in range(RUNS):
                for campaign in ("short", "long"):
                    t = f"/t/{campaign}"
                    asyncio.run(server.tables.let_go(idle=0))
                    note("opening", campaign, lambda name=campaign: server.tables.campaign(name))
                    for what, way in (
                        ("the table's page", t),
                        ("the journal's last page", f"{t}/journal"),
                        ("a search: a frequent word", f"{t}/journal?words=word"),
                        ("a search: a rare word", f"{t}/journal?words=77th"),
                        ("a search: rolls", f"{t}/journal?kind=rolls"),
                    ):
                        assert client.get(way).status_code == 200
                        note(what, campaign, lambda way=way: client.get(way))
        server.close()
        for _ in range(RUNS):
            for campaign in ("short", "long"):

                def restart(name: str = campaign) -> None:
                    again = Server.at(path)
                    again.projections.of(name, gm).entries()
                    again.close()

                note("a restart, and the log's last page", campaign, restart)
        server = Server.at(path)
        listed = [one.id for one in server.campaigns()]
        overviews = [
            timed(lambda: [Overviews(server.tables).of(one) for one in listed]) for _ in range(3)
        ]
        exports = list(exported(server, Path(folder), gm))
        server.close()
        print(f"{'':36}{SHORT:>10,} events{long:>10,} events{'ratio':>9}")
        for what, found in figures.items():
            short, many = min(found["short"]), min(found["long"])
            print(f"{what:36}{short:>14.2f} ms{many:>14.2f} ms{many / short:>9.2f}")
        short, many = first["short"], first["long"]
        print(f"{'reading the log without a snapshot':36}{short:>14.2f} ms{many:>14.2f} ms")
        before, after = overviews[0], min(overviews[1:])
        print(f"an overview of {len(listed)} campaigns after a restart: {after:.0f} ms,")
        print(f"the first time without snapshots {before:.0f} ms")
        for line in exports:
            print(line)


if __name__ == "__main__":
    main()
