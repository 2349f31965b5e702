"""Entries a second of the event store, compared with bare SQLite doing the same writes.

python -m benchmarks.bench_store [--steps N] [--rounds N] [--folder PATH]

Each line is the median of several rounds, in which the store and bare SQLite take turns on the same
disk: every commit is synchronised (WAL, synchronous FULL) in both. Bare SQLite inserts prepared
tuples into the same table and checks nothing.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from kitchentable.store import Append, CampaignEntry, NewRow, SqliteStore, open_store
from kitchentable.store.connection import connect_writer

TIME = "2026-11-21T19:30:00.123456Z"
BODY = json.dumps(
    {"actor": "anna", "seat": "s-17", "outcome": {"total": 14, "word": "success"}}
    | {"throws": [{"die": "d10+", "physical": n, "label": "Aim", "fate": "kept"} for n in (5, 8)]}
).encode()
INSERT = (
    "insert into events (campaign, number, command, part, time, kind, body) "
    "values (?, ?, ?, ?, ?, ?, ?)"
)
FIRST = 2

Work = Callable[[SqliteStore, int], float]


def new_store(folder: Path, campaigns: int) -> SqliteStore:
    store = open_store(Path(tempfile.mkdtemp(dir=folder)) / "campaigns.db", software="0.1.0")
    for number in range(campaigns):
        entry = CampaignEntry(f"c{number}", f"Campaign {number}", "toast", TIME)
        store.append(Append(entry.id, 0, "founding", [NewRow(TIME, "founded", b"{}")], entry=entry))
    return store


def one_by_one(rows: int) -> Work:
    """One caller that waits for each command of `size` rows."""

    def work(store: SqliteStore, steps: int) -> float:
        new = [NewRow(TIME, "rolled", BODY)] * rows
        begun = time.perf_counter()
        for step in range(steps // rows):
            store.append(Append("c0", 1 + step * rows, f"command-{step}", new))
        return steps // rows * rows / (time.perf_counter() - begun)

    return work


def bare_one_by_one(rows: int) -> Work:
    def work(store: SqliteStore, steps: int) -> float:
        with closing(connect_writer(store.path, 1)) as database:
            begun = time.perf_counter()
            for step in range(steps // rows):
                first = FIRST + step * rows
                database.execute("begin immediate")
                database.executemany(
                    INSERT,
                    [
                        ("c0", first + part, f"command-{step}", part, TIME, "rolled", BODY)
                        for part in range(rows)
                    ],
                )
                database.execute("commit")
            return steps // rows * rows / (time.perf_counter() - begun)

    return work


def at_once(tasks: int) -> Work:
    """Several tasks of one event loop, each with its own campaign, waiting for its commits."""

    def work(store: SqliteStore, steps: int) -> float:
        async def play(number: int) -> None:
            new = [NewRow(TIME, "rolled", BODY)]
            for step in range(steps // tasks):
                await store.append_async(Append(f"c{number}", 1 + step, f"command-{step}", new))

        async def everybody() -> None:
            await asyncio.gather(*(play(number) for number in range(tasks)))

        begun = time.perf_counter()
        asyncio.run(everybody())
        return steps // tasks * tasks / (time.perf_counter() - begun)

    return work


def bare_at_once(tasks: int) -> Work:
    """The same rows, `tasks` of them per commit, written from a plain loop."""

    def work(store: SqliteStore, steps: int) -> float:
        with closing(connect_writer(store.path, 1)) as database:
            begun = time.perf_counter()
            for step in range(steps // tasks):
                database.execute("begin immediate")
                database.executemany(
                    INSERT,
                    [
                        (f"c{number}", FIRST + step, f"command-{step}", 0, TIME, "rolled", BODY)
                        for number in range(tasks)
                    ],
                )
                database.execute("commit")
            return steps // tasks * tasks / (time.perf_counter() - begun)

    return work


def read_back(store: SqliteStore, steps: int) -> float:
    """Read a whole log into rows."""
    one_by_one(100)(store, steps)
    begun = time.perf_counter()
    rows = store.read("c0")
    return len(rows) / (time.perf_counter() - begun)


def bare_read(store: SqliteStore, steps: int) -> float:
    one_by_one(100)(store, steps)
    with closing(sqlite3.connect(store.path)) as database:
        begun = time.perf_counter()
        rows = database.execute("select * from events order by campaign, number").fetchall()
        return len(rows) / (time.perf_counter() - begun)


CASES: tuple[tuple[str, int, Work, Work], ...] = (
    ("one asker, one entry a command", 1, one_by_one(1), bare_one_by_one(1)),
    ("one asker, ten entries a command", 1, one_by_one(10), bare_one_by_one(10)),
    ("one asker, a hundred entries a command", 1, one_by_one(100), bare_one_by_one(100)),
    ("5 tables at once, one entry a command", 5, at_once(5), bare_at_once(5)),
    ("50 tables at once, one entry a command", 50, at_once(50), bare_at_once(50)),
    ("200 tables at once, one entry a command", 200, at_once(200), bare_at_once(200)),
    ("reading a log", 1, read_back, bare_read),
)


def measure(work: Work, folder: Path, campaigns: int, steps: int) -> tuple[float, float]:
    """Entries a second, and the number of entries per commit."""
    with closing(new_store(folder, campaigns)) as store:
        commits, done = store.writer.commits, store.writer.jobs
        speed = work(store, steps)
        shared = (store.writer.jobs - done) / max(1, store.writer.commits - commits)
    return speed, shared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=5000, help="entries a round (5000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each case (5)")
    parser.add_argument("--folder", type=Path, help="measure the disk that holds this folder")
    chosen = parser.parse_args()
    print(f"{'entries a second':<40}{'store':>9}{'bare':>9}{'ratio':>7}{'shared':>8}")
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        for name, campaigns, ours, bare in CASES:
            mine, theirs, shared = [], [], []
            for _ in range(chosen.rounds):
                speed, together = measure(ours, Path(folder), campaigns, chosen.steps)
                mine.append(speed)
                shared.append(together)
                theirs.append(measure(bare, Path(folder), campaigns, chosen.steps)[0])
            fast, limit = statistics.median(mine), statistics.median(theirs)
            print(
                f"{name:<40}{fast:>9.0f}{limit:>9.0f}{fast / limit:>7.2f}"
                f"{statistics.median(shared):>8.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
