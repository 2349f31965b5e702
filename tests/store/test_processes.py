"""Several processes on one database: racing, and killed at random moments."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from kitchentable.store import Row
from kitchentable.store.places import is_address, open_place
from tests.store.samples import founded

APPENDER = Path(__file__).with_name("appender.py")
#: The kills here, and with the long tests.
KILLS = {"sqlite": 24, "postgres": 8}
MANY_KILLS = {"sqlite": 500, "postgres": 100}
#: The steps of each of two processes that race.
STEPS = 150
AT_ONCE = 2

Promises = dict[str, tuple[int, int, int]]
"""What a process was told by the store: command -> its two row numbers and its throw number."""


@dataclass
class Writer:
    """A process that appends, and the file with what it was told."""

    number: int
    told: Path
    wait: Callable[[int], int]

    def lines(self) -> list[bytes]:
        text = self.told.read_bytes() if self.told.exists() else b""
        return [line for line in text.splitlines(keepends=True) if line.endswith(b"\n")]

    def send(self, sign: signal.Signals) -> None:
        os.kill(self.number, sign)

    def end(self, code: int) -> Promises:
        assert self.wait(self.number) == code
        ready, *steps = self.lines()
        assert ready == b"ready\n"
        if code == 0:
            assert steps.pop() == b"done\n"
        split = [line.decode().split() for line in steps]
        return {command: (int(a), int(b), int(throw)) for command, a, b, throw in split}


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, path: Path) -> str:
    """Where the database is."""
    return str(path) if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture
def start(place: str, tmp_path: Path) -> Iterator[Callable[[str, int], Writer]]:
    """Starts processes that append to the database, and lets none of them outlive the test."""
    writers: list[Writer] = []
    with subprocess.Popen(
        [sys.executable, str(APPENDER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as fork_server:

        def ask(*words: object) -> int:
            fork_server.stdin.write("\t".join(map(str, words)) + "\n")
            fork_server.stdin.flush()
            return int(fork_server.stdout.readline())

        def start_one(name: str, steps: int) -> Writer:
            told = tmp_path / name
            number = ask("start", place, told, name, steps)
            writers.append(Writer(number, told, lambda number: ask("wait", number)))
            return writers[-1]

        yield start_one
        fork_server.kill()


def set_off(writers: list[Writer]) -> None:
    """Start all at the same moment, once all have opened the database."""
    deadline = time.monotonic() + 60
    while not all(writer.lines() for writer in writers):
        assert time.monotonic() < deadline, "a process did not get ready"
        time.sleep(0.002)
    for writer in writers:
        writer.send(signal.SIGUSR1)


def check_log(rows: list[Row], promised: Promises) -> None:
    """Check for gaps, duplicate or partial commands, and acknowledged rows in their places."""
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    steps = rows[1:]
    commands = [row.command for row in steps]
    assert commands[::2] == commands[1::2]
    assert len(set(commands[::2])) == len(commands[::2])
    for command, (first, second, _) in promised.items():
        assert (rows[first - 1].command, rows[second - 1].command) == (command, command)
    assert all(row.body == b'{"by":"%s"}' % row.command.encode() for row in steps)


def check_throws(place: str, promised: Promises) -> None:
    """Every throw number was handed out once, and to the command that was told so."""
    with closing(open_place(place, software="0.1.0")) as store:
        throws = store.export_data("harbour").throws
    assert [throw.number for throw in throws] == list(range(1, len(throws) + 1))
    owner = {throw.command: throw.number for throw in throws}
    assert len(owner) == len(throws)
    for command, (_, _, number) in promised.items():
        assert owner[command] == number


@pytest.mark.slow
def test_two_processes_write_at_once_and_nothing_is_lost_or_doubled(place: str, start):
    with closing(open_place(place, software="0.1.0")) as store:
        founded(store)
        writers = [start(name, STEPS) for name in ("p", "q")]
        set_off(writers)
        promised = writers[0].end(0) | writers[1].end(0)
        rows = store.read("harbour")
    assert len(promised) == 2 * STEPS
    assert len(rows) == 4 * STEPS + 1
    check_log(rows, promised)
    check_throws(place, promised)
    names = [row.command[0] for row in rows[1:]]
    assert names not in (sorted(names), sorted(names, reverse=True)), "they did not race"


@pytest.mark.slow
def test_several_processes_open_a_new_database_at_once(place: str, start):
    writers = [start(f"o{number}", 0) for number in range(8)]
    set_off(writers)
    for writer in writers:
        assert writer.end(0) == {}
    with closing(open_place(place, software="0.1.0")) as store:
        assert store.campaigns() == []


@pytest.mark.slow
@pytest.mark.parametrize("kills", [KILLS, pytest.param(MANY_KILLS, marks=pytest.mark.soak)],
                         ids=["some", "many"])  # fmt: skip
def test_killed_at_random_moments_no_acknowledged_step_is_lost_or_doubled(
    place: str, start, kills: dict[str, int]
):
    seed = random.randrange(1 << 32)
    print(f"the moments come from seed {seed}")
    moments = random.Random(seed)
    with closing(open_place(place, software="0.1.0")) as store:
        founded(store)
    promised: Promises = {}
    most = kills["postgres" if is_address(place) else "sqlite"]
    cut_short, longest = 0, 0.04
    deadline = time.monotonic() + 60 + most
    for turn in count():
        if turn >= most // AT_ONCE and cut_short > most // 4:
            break
        assert time.monotonic() < deadline, "too few were killed in the middle of their work"
        writers = [start(f"k{turn}-{who}", 100_000) for who in range(AT_ONCE)]
        set_off(writers)
        for writer in writers:
            time.sleep(moments.uniform(0, longest))
            writer.send(signal.SIGKILL)
        before = cut_short
        for writer in writers:
            told = writer.end(-signal.SIGKILL)
            cut_short += len(told) > 0
            promised |= told
        # A machine that others keep busy comes to its first step later.
        longest *= 1 if cut_short > before else 1.5
        with closing(open_place(place, software="0.1.0")) as store:
            assert store.latest("harbour") >= max((b for _, b, _ in promised.values()), default=0)
    with closing(open_place(place, software="0.1.0")) as store:
        check_log(store.read("harbour"), promised)
    check_throws(place, promised)
