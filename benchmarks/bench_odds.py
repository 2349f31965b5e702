"""The time of a line while others ask for the most expensive odds.

    python -m benchmarks.bench_table --odds

One seat sends lines at a table of five: first alone; then while another seat of the server and a
visitor without a seat each ask for odds that cannot be solved in time, one after another.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.bench_table import Browser, free_port, furnish, serving, sit_down
from benchmarks.fanout import Run, load
from kitchentable.app.server import Server
from kitchentable.rules.values import GM

#: Lines a second of the speaking seat.
PACE = 25.0


async def furnish_toaster(database: Path) -> tuple[str, str]:
    """Add Toaster's example campaign to a server; gives its id and the key of the GM's link."""
    server = Server.at(database)
    campaign = await server.open_example("toaster")
    seats = server.tables.campaign(campaign).table.seats.values()
    gm = next(seat.id for seat in seats if seat.role == GM)
    key = server.keys.issue("seat-link", campaign, gm)
    server.close()
    return campaign, key


def ask_for_ever(over: threading.Event, ask: Callable[[int], None], asked: list[int]) -> None:
    """Ask for ever new odds until the end."""
    for number in count():
        if over.is_set():
            return
        ask(number)
        asked.append(number)


def worst_outside(port: int) -> Callable[[int], None]:
    """Dice on the public page: the odds that once took 103 seconds."""
    browser = Browser(port, must=False)

    def ask(number: int) -> None:
        browser.get("/dice?" + urlencode({"notation": f"1000d{10_000 - number}kh1"}))

    return ask


def worst_at_a_table(port: int, campaign: str, key: str) -> Callable[[int], None]:
    """A seat that asks for the odds of every move, with new numbers each time."""
    browser = Browser(port, must=False)
    browser.get(f"/s/{key}")

    def ask(number: int) -> None:
        notation = "*".join([f"d{20 + number}"] * 7)
        browser.get("/dice?" + urlencode({"notation": notation}))
        browser.get(f"/t/{campaign}?" + urlencode({"move": "task", "a.modifier": number % 90}))

    return ask


def measure(seconds: float, *, odds: bool) -> tuple[Run, int]:
    """One round, alone or with others asking for odds; also gives the number of their answers."""
    with tempfile.TemporaryDirectory() as name:
        database, port = Path(name) / "table.db", free_port()
        [(campaign, keys)] = asyncio.run(furnish(database, 1))
        toaster, key = asyncio.run(furnish_toaster(database))
        command = [sys.executable, "-m", "kitchentable", "serve", "--data", str(database)]
        with serving([*command, "--port", str(port)], port, {}, pinned=False):
            place = sit_down(port, campaign, keys, "MARK")
            over, asked = threading.Event(), list[int]()
            askers = [worst_outside(port), worst_at_a_table(port, toaster, key)] if odds else []
            threads = [
                threading.Thread(target=ask_for_ever, args=(over, ask, asked)) for ask in askers
            ]
            for thread in threads:
                thread.start()
            run = asyncio.run(load(port, [place], seconds, rate=PACE))
            over.set()
            for thread in threads:
                thread.join()
    assert run.sound, (run.lost, run.refused, run.complaints[:2])
    return run, len(asked)


def compare(rounds: int, seconds: float) -> None:
    """Measure both in turn, and print medians and their ratio."""
    alone, beside, answers = [], [], 0
    for _ in range(rounds):
        alone.append(measure(seconds, odds=False)[0])
        run, asked = measure(seconds, odds=True)
        beside.append(run)
        answers += asked
    print(f"One seat says {PACE:g} lines a second; medians of {rounds} rounds of {seconds:g} s")
    print(f"{'':34}{'p50 ms':>8}{'p99 ms':>8}")
    figures = {}
    for title, runs in (("alone", alone), ("while others ask for odds", beside)):
        figures[title] = [statistics.median(r.quantile(q) for r in runs) for q in (0.5, 0.99)]
        print(f"{title:34}{figures[title][0]:8.1f}{figures[title][1]:8.1f}")
    ratio = figures["while others ask for odds"][1] / figures["alone"][1]
    print(f"ratio of the p99: {ratio:.1f} (at most 3); {answers} pages with odds were answered")


if __name__ == "__main__":
    compare(int(sys.argv[1]), float(sys.argv[2]))
