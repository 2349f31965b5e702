"""Several workers on PostgreSQL beside one on SQLite: events a second, latency, processor time.

The same load as in `bench_table`: tables with five people each, an open page for everybody, every
event durable. On a machine with few cores more workers share the same cores, so the figure to
reckon with is the processor time of an event, told apart for the workers and for PostgreSQL.

    python -m benchmarks.bench_cluster              the whole table (two minutes)
    python -m benchmarks.bench_cluster --quick      short rounds

PostgreSQL is started for the benchmark, with `fsync` on; KITCHENTABLE_TEST_DATABASE names another
one, whose processor time is counted if it runs on this machine and is named in --postmaster.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bench_table import THROW, free_port, furnish, serving, sit_down
from benchmarks.fanout import Run, load
from tests.postgres import NAMED, a_schema, own_server

#: The number of workers on PostgreSQL.
WORKERS = (1, 2, 4)


@dataclass
class Measured:
    """A round: what was measured, and the processor time of an event at the database."""

    name: str
    load: str
    run: Run
    database: float

    def row(self) -> str:
        """The round as a row of a table."""
        run = self.run
        sound = "" if run.sound else f" LOST {run.lost}, REFUSED {run.refused}"
        return (
            f"| {self.name} | {self.load} | {run.rate:.0f} | {run.quantile(0.5):.1f} "
            f"| {run.quantile(0.99):.1f} | {run.work:.2f} | {self.database:.2f} |{sound}"
        )


def processes(first: int) -> Iterator[int]:
    """A process and all that it has begun."""
    yield first
    try:
        told = Path(f"/proc/{first}/task/{first}/children").read_text()
    except OSError:
        return
    for child in told.split():
        yield from processes(int(child))


def processor_time(first: int) -> float:
    """The processor time of a process and of all that it has begun, in seconds."""
    total = 0
    for number in processes(first):
        try:
            told = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        # With that of its children that have ended, such as connections of PostgreSQL.
        total += sum(map(int, told[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def measure(
    name: str, place: str, workers: int, postmaster: int, wanted: argparse.Namespace
) -> Iterator[Measured]:
    """Rounds of chat and of dice in a closed loop, and of chat at a fixed pace."""
    made = asyncio.run(furnish(place, wanted.tables))
    port = free_port()
    command = [sys.executable, "-m", "kitchentable", "serve", "--data", place]
    command += ["--port", str(port), "--behind-proxy", "--workers", str(workers)]
    with serving(command, port, {}, pinned=False) as process:
        for kind, text, rate in (
            ("chat", "MARK", None),
            ("dice", THROW, None),
            ("chat, paced", "MARK", 1.0),
        ):
            places = [sit_down(port, campaign, keys, text) for campaign, keys in made]
            before = processor_time(postmaster) if postmaster else 0.0
            run = asyncio.run(
                load(
                    port,
                    places,
                    wanted.seconds,
                    rate=rate,
                    meter=lambda: processor_time(process),
                )
            )
            spent = processor_time(postmaster) - before if postmaster else 0.0
            yield Measured(name, kind, run, spent * 1000 / max(1, len(run.lags)))


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each round (5)")
    parser.add_argument("--tables", type=int, default=50, help="tables with five people (50)")
    parser.add_argument("--quick", action="store_true", help="short rounds with few tables")
    parser.add_argument("--postmaster", type=int, default=0, help="the process of PostgreSQL")
    parser.add_argument("--json", action="store_true", help="print every round as JSON")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.seconds, wanted.tables = 2.0, 20
    found: list[Measured] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kt-bench-")))
        found += measure("SQLite, 1 worker", str(folder / "bench.db"), 1, 0, wanted)
        address = os.environ.get(NAMED)
        if address is None:
            server = stack.enter_context(own_server("bench", fsync=True))
            address, wanted.postmaster = server.get_uri(), server.get_pid()
        for workers in WORKERS:
            with a_schema(address) as place:
                name = f"PostgreSQL, {workers} worker{'s' if workers > 1 else ''}"
                found += measure(name, place, workers, wanted.postmaster, wanted)
    if wanted.json:
        print(json.dumps([(one.name, one.load, one.run.rate, one.run.work) for one in found]))
        return
    print("| | load | events/s | p50 ms | p99 ms | CPU ms, workers | CPU ms, PostgreSQL |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for one in found:
        print(one.row())


if __name__ == "__main__":
    main()
