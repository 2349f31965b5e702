"""The load of many tables at once, compared with a bare handler on the same machine.

50 campaigns with 5 viewers each (the GM and four players) in one process, every event durable. Both
servers run in turn, several times; with two cores the server has one and the load the other. The
figures are medians and ratios: absolute figures depend more on the machine than on the server.

    python -m benchmarks.bench_table            the whole table (some minutes)
    python -m benchmarks.bench_table --quick    one short round
    python -m benchmarks.bench_table --profile  where the server's time goes
    python -m benchmarks.bench_table --odds     a line while others ask for expensive odds
    python -m benchmarks.bench_table --long     pages and searches of a log of 100,000 events
    python -m benchmarks.bench_table --memory   the memory during ten minutes of full load
    python -m benchmarks.bench_table --many     1,000 tables that are paced like people
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.fanout import Call, Place, Run, load
from kitchentable.app.keys import new_id
from kitchentable.app.server import Server
from kitchentable.campaign.commands import AskForSeat, BeginSession

TABLES = 50
PLAYERS = 4
#: Events a second of one table at a fixed pace, far below the limit of either server.
PACE = 1.0
THROW = "/roll 2d6+3 # MARK"
SERVER_CORE, LOAD_CORE = 0, 1


async def furnish(database: Path | str, tables: int) -> list[tuple[str, list[str]]]:
    """Add campaigns with a GM, four players and an open session; gives each seat's link key."""
    server = Server.at(database)
    made = []
    for number in range(tables):
        opened = await server.open_campaign(f"Table {number}", "toast")
        seats = [opened.gm_seat]
        for player in range(PLAYERS):
            seats.append(new_id())
            ask = AskForSeat(
                id=new_id(),
                seat=opened.gm_seat,
                new_seat=seats[-1],
                name=f"Player {player}",
                approved=True,
            )
            await server.tables.handle(opened.campaign, ask)
        begin = BeginSession(id=new_id(), seat=opened.gm_seat)
        await server.tables.handle(opened.campaign, begin)
        keys = [server.keys.issue("seat-link", opened.campaign, seat) for seat in seats]
        made.append((opened.campaign, keys))
    server.close()
    return made


class Browser:
    """The parts of a browser needed to join: cookies, and the token of a page's forms."""

    def __init__(self, port: int, *, must: bool = True) -> None:
        """With `must`, a status other than 200 is an error."""
        self._port = port
        self._must = must
        self.cookies: dict[str, str] = {}

    def get(self, path: str) -> str:
        """The page at a path, after redirects."""
        for _ in range(5):
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
            connection.request("GET", path, headers=self.headers())
            answer = connection.getresponse()
            text = answer.read().decode()
            for cookie in answer.headers.get_all("Set-Cookie") or ():
                name, _, value = cookie.split(";")[0].partition("=")
                self.cookies[name] = value
            connection.close()
            if answer.status // 100 != 3:
                assert answer.status == 200 or not self._must, (answer.status, text[:400])
                return text
            path = answer.headers["Location"]
        raise AssertionError("too many redirects")

    def headers(self) -> dict[str, str]:
        """The cookies, as a header."""
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}


def sit_down(port: int, campaign: str, keys: Sequence[str], text: str) -> Place:
    """Open every seat's link like a browser; the first player speaks, everybody watches."""
    viewers, speaker, token = [], Browser(port), ""
    for index, key in enumerate(keys):
        browser = Browser(port)
        page = browser.get(f"/s/{key}")
        feed = re.search(r'"(/t/[^"]*/feed[^"]*)"', page)
        assert feed, "the page names no feed"
        viewers.append(Call(feed[1].replace("&amp;", "&"), browser.headers()))
        if index == 1:
            found = re.search(r'name="_csrf_token" value="([^"]+)"', page)
            assert found, "the page has no token"
            speaker, token = browser, found[1]
    headers = {
        **speaker.headers(),
        "Content-Type": "application/x-www-form-urlencoded",
        "X-CSRFToken": token,
        "HX-Request": "true",
    }
    return Place(Call(f"/t/{campaign}/say", headers, urlencode({"text": text})), viewers)


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(
    command: Sequence[str], port: int, env: dict[str, str], *, pinned: bool = True
) -> Iterator[int]:
    """A server in a process of its own, on its own core, for as long as the block lasts."""
    process = subprocess.Popen(command, env={**os.environ, **env}, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    raise SystemExit("The server did not start.") from None
                time.sleep(0.05)
        if pinned:
            pin(process.pid, SERVER_CORE)
        yield process.pid
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def pin(process: int, core: int) -> None:
    """Keep a process and its threads on one core, where there is more than one."""
    if (os.cpu_count() or 1) > 1:
        for thread in Path(f"/proc/{process}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {core})


def processor_time(process: int) -> float:
    """The processor time of a process and its threads, in seconds; 0 without /proc."""
    try:
        told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def profiler() -> str:
    """The path of py-spy, which is not installed with the other tools."""
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which("py-spy", path=paths)
    if found is None:
        raise SystemExit("A profile needs py-spy: install it into this environment.")
    return found


def measure_bare(folder: Path, seconds: float, rate: float | None) -> Run:
    """One round on the bare handler."""
    port = free_port()
    database = folder / f"bare-{port}.db"
    command = [
        sys.executable, "-m", "uvicorn", "benchmarks.bare_table:app", "--port", str(port),
        "--log-level", "warning",
    ]  # fmt: skip
    with serving(command, port, {"BARE_DB": str(database)}) as process:
        places = [
            Place(
                Call(f"/t/{number}/say", {}, "MARK"),
                [Call(f"/t/{number}/feed")] * (PLAYERS + 1),
            )
            for number in range(TABLES)
        ]
        meter = partial(processor_time, process)
        return asyncio.run(load(port, places, seconds, rate=rate, meter=meter))


def measure_table(
    folder: Path, seconds: float, rate: float | None, text: str, profile: str = ""
) -> Run:
    """One round on Kitchen Table; each begins with a fresh server."""
    port = free_port()
    database = folder / f"house-{port}.db"
    made = asyncio.run(furnish(database, TABLES))
    command = [sys.executable, "-m", "kitchentable", "serve", "--data", str(database)]
    # All requests come from one address, as behind a proxy.
    command += ["--port", str(port), "--behind-proxy"]
    with serving(command, port, {}) as process:
        places = [sit_down(port, campaign, keys, text) for campaign, keys in made]
        watching = None
        if profile:
            watching = subprocess.Popen(
                [profiler(), "record", "-p", str(process), "-o", profile, "-f", "raw", "-r", "400",
                 "-d", str(int(seconds))]
            )  # fmt: skip
        meter = partial(processor_time, process)
        run = asyncio.run(load(port, places, seconds, rate=rate, meter=meter))
        if watching is not None:
            watching.wait()
        return run


def median(runs: Sequence[Run], what: str) -> float:
    """The median of a figure over rounds."""
    figures = {
        "rate": lambda run: run.rate,
        "p50": lambda run: run.quantile(0.5),
        "p99": lambda run: run.quantile(0.99),
        "work": lambda run: run.work,
    }
    return statistics.median(figures[what](run) for run in runs)


def main() -> None:
    """Measure both in turn, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--profile", metavar="FILE", help="record the server with py-spy")
    parser.add_argument("--dice", action="store_true", help="profile throws, not speech")
    parser.add_argument("--odds", action="store_true", help="a line beside the worst odds")
    parser.add_argument("--long", action="store_true", help="the cost of a long log")
    parser.add_argument("--memory", action="store_true", help="memory under a full load")
    parser.add_argument("--many", action="store_true", help="many quiet tables")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rounds, seconds = (1, 3.0) if asked.quick else (asked.rounds, asked.seconds)
    # The other modules import this one, so they run as programs of their own.
    others = {
        "bench_odds": (asked.odds, [str(rounds), str(seconds)]),
        "bench_length": (asked.long, []),
        "bench_memory": (asked.memory, []),
        "bench_many": (asked.many, []),
    }
    for module, (wanted, words) in others.items():
        if wanted:
            command = [sys.executable, "-m", f"benchmarks.{module}", *words]
            raise SystemExit(subprocess.call(command))
    pin(os.getpid(), LOAD_CORE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked.profile:
            text = THROW if asked.dice else "MARK"
            run = measure_table(folder, seconds, None, text, asked.profile)
            print(f"{run.rate:.0f} events/s while profiled; stacks in {asked.profile}")
            return
        cases = [
            ("speech, closed loop", None, "MARK"),
            ("speech, paced", PACE, "MARK"),
            ("dice, closed loop", None, THROW),
        ]
        report = []
        for title, rate, text in cases:
            bare, table = [], []
            for _ in range(rounds):
                bare.append(measure_bare(folder, seconds, rate))
                table.append(measure_table(folder, seconds, rate, text))
            for run in (*bare, *table):
                assert run.sound, (run.lost, run.refused, run.complaints[:2])
            report.append((title, bare, table))
        show(report, as_json=asked.json)


def show(report: Sequence[tuple[str, list[Run], list[Run]]], *, as_json: bool) -> None:
    """Print the figures and the ratios."""
    rows = [
        {
            "case": title,
            **{
                f"{who} {what}": median(runs, what)
                for who, runs in (("bare", bare), ("table", table))
                for what in ("rate", "p50", "p99", "work")
            },
        }
        for title, bare, table in report
    ]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{TABLES} tables, {PLAYERS + 1} viewers each; medians of {len(report[0][1])} rounds")
    print(f"{'':22}{'events/s':>22}{'p50 ms':>19}{'p99 ms':>19}{'cpu ms/event':>19}")
    print(f"{'':22}{'bare':>8}{'table':>7}{'ratio':>7}" + f"{'bare':>7}{'table':>7}{'x':>5}" * 3)
    for row in rows:
        cells = f"{row['case']:22}{row['bare rate']:8.0f}{row['table rate']:7.0f}"
        cells += f"{row['table rate'] / row['bare rate']:7.3f}"
        for what, digits in (("p50", 1), ("p99", 1), ("work", 2)):
            bare, table = row[f"bare {what}"], row[f"table {what}"]
            times = f"{table / bare:5.1f}" if bare else f"{'':5}"
            cells += f"{bare:7.{digits}f}{table:7.{digits}f}{times}"
        print(cells)


if __name__ == "__main__":
    main()
