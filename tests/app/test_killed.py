"""The server is killed at random moments, again and again, while people play through real HTTP.

What was acknowledged is recorded once, as reported; what was never acknowledged is there
once or not at all; no throw of the dice is lost or given twice, and the evening verifies.
"""

import asyncio
import http.client
import json
import random
import signal
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from tests.app.party import verify
from tests.fork_server import Begun, ForkServer

#: The kills of one evening here; `make soak` has five hundred.
KILLS = 5
#: The longest that the server lives on after it has acknowledged something, in seconds.
LONGEST = 0.12


@dataclass
class Player:
    """Somebody who sends one command after another, each until it is acknowledged."""

    port: int
    campaign: str
    name: str
    key: str
    sent: int = 0
    told: dict[str, list[dict]] = field(default_factory=dict)
    broken: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    wrong: list[str] = field(default_factory=list)

    def play(self) -> None:
        line = None
        while not (self.over.is_set() and line is None):
            if line is None:
                self.sent += 1
                line = self.next_command()
            try:
                answer = self.post(line)
            except (OSError, http.client.HTTPException):
                self.broken += 1
                time.sleep(0.002)
                continue
            if answer is not None:
                self.told[line["id"]] = answer["entries"]
                line = None

    def next_command(self) -> dict:
        ident = f"{self.name}-{self.sent}"
        if self.sent % 2:
            return {"do": "say", "id": ident, "text": f"words of {ident}"}
        return {"do": "roll-notation", "id": ident, "notation": "2d20", "label": ident}

    def post(self, line: dict) -> dict | None:
        """The server's response; a broken connection raises, with the outcome unknown."""
        server = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            server.request(
                "POST",
                f"/t/{self.campaign}/api/v1/commands",
                json.dumps(line),
                {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
            )
            answer = server.getresponse()
            text = answer.read()
        finally:
            server.close()
        if answer.status != 200:
            self.wrong.append(f"{answer.status}: {text[:300]!r}")
            return None
        return json.loads(text)


async def lay_out(database: Path | str) -> tuple[str, dict[str, str], dict[str, str]]:
    """A campaign with a session begun: its id, the seats and the keys of its people."""
    server = Server.at(database)
    campaign = await server.open_example("toast")
    seats = {seat.name: seat.id for seat in server.tables.campaign(campaign).table.seats.values()}
    await server.tables.handle(campaign, c.BeginSession(id="begin", seat=seats["GM"]))
    words = c.Contribute(id="words", seat=seats["Mara"], text="seven crows")
    await server.tables.handle(campaign, words)
    keys = {name: key for name, _, key in server.seat_links(campaign)}
    server.close()
    return campaign, seats, keys


def played_and_killed(
    fork_server: ForkServer, database: Path | str, folder: Path, kills: int, seed: int, workers: int
):
    """Let three people play while one of the workers is killed this many times; returns them."""
    campaign, seats, keys = asyncio.run(lay_out(database))
    chance = random.Random(seed)
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener, ExitStack() as ends:
        port = listener.getsockname()[1]
        players = [Player(port, campaign, name, keys[name]) for name in ("GM", "Mara", "Jonas")]
        threads = [threading.Thread(target=player.play) for player in players]
        for thread in threads:
            thread.start()

        def begin() -> Begun:
            server = "tests.app.mortal:serve"
            lent = [listener.fileno()]
            return ends.enter_context(fork_server.begun(server, database, lent=lent, folder=folder))

        try:
            running = [begin() for _ in range(workers)]
            for _ in range(kills):
                before = sum(len(player.told) for player in players)
                while sum(len(player.told) for player in players) == before:
                    time.sleep(0.001)
                time.sleep(chance.uniform(0, LONGEST))
                child = running.pop(chance.randrange(workers))
                child.send(signal.SIGKILL)
                assert child.wait(30) == -signal.SIGKILL
                running.append(begin())
        finally:
            for player in players:
                player.over.set()
            for thread in threads:
                thread.join(120)
    return campaign, seats, players


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_or_doubled_by_kills(fork_server, tmp_path):
    nothing_is_lost_or_doubled(fork_server, tmp_path / "table.db", tmp_path, KILLS, 11)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_lost_by_five_hundred_kills(fork_server, tmp_path, seed):
    nothing_is_lost_or_doubled(fork_server, tmp_path / "table.db", tmp_path, 50, seed)


@pytest.mark.slow
def test_nothing_is_lost_where_one_of_three_workers_is_killed(fork_server, tmp_path, emptied):
    nothing_is_lost_or_doubled(fork_server, emptied, tmp_path, 3, 31, workers=3)


@pytest.mark.soak
def test_nothing_is_lost_where_one_of_three_workers_is_killed_a_hundred_times(
    fork_server, tmp_path, emptied
):
    nothing_is_lost_or_doubled(fork_server, emptied, tmp_path, 100, 32, workers=3)


def nothing_is_lost_or_doubled(
    fork_server: ForkServer,
    database: Path | str,
    folder: Path,
    kills: int,
    seed: int,
    *,
    workers: int = 1,
) -> None:
    campaign, seats, players = played_and_killed(
        fork_server, database, folder, kills, seed, workers
    )
    server = Server.at(database)
    events = server.tables.campaign(campaign).events
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    recorded: dict[str, list] = {}
    for event in events:
        recorded.setdefault(event.command, []).append(event)
    broken = sum(player.broken for player in players)
    # Of several workers, the one that is killed may have had nothing to do.
    least = kills if workers == 1 else kills // 20
    assert broken >= least, "every kill has to interrupt somebody, or it proves nothing"
    for player in players:
        assert not player.wrong
        assert len(player.told) == player.sent, "in the end everything was acknowledged"
        for ident, entries in player.told.items():
            (event,) = recorded[f"{seats[player.name]}.{ident}"]
            (entry,) = entries
            if event.kind == "said":
                assert entry["text"] == event.data["text"]
            else:
                faces = [int(die["face"]) for die in entry["dice"]]
                assert faces == [die["physical"] for die in event.throw.trace]
    mine = {f"{seats[player.name]}.{ident}" for player in players for ident in player.told}
    others = [event.kind for event in events if event.command not in mine]
    assert others.count("said") == others.count("rolled") == 0, "nothing nobody sent"
    throws = [event.throw.number for event in events if event.throw is not None]
    assert len(set(throws)) == len(throws) > kills
    asyncio.run(server.tables.handle(campaign, c.EndSession(id="end", seat=seats["GM"])))
    ((_, report),) = verify(server, campaign).sessions
    assert (report.verdict, report.faults) == ("fair", ())
    assert report.dice_checked == 2 * len(throws)
    server.close()
