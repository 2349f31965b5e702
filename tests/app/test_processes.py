"""Two processes play at one table at once: nothing is lost, doubled, or thrown twice."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from kitchentable.app.house import House
from kitchentable.campaign import commands as c

ROOT = Path(__file__).parent.parent.parent
STEPS = 40


async def lay_out(database):
    house = House.at(database)
    campaign = await house.open_example("toast")
    seats = {seat.name: seat.id for seat in house.tables.campaign(campaign).table.seats.values()}
    await house.tables.handle(campaign, c.BeginSession(id="begin", seat=seats["GM"]))
    house.close()
    return campaign, seats


def talkers(database, campaign, seat, names):
    return [
        subprocess.Popen(
            [sys.executable, "-m", "tests.app.talker", database, campaign, seat, name, str(STEPS)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]


def test_two_processes_at_one_table(tmp_path):
    database = tmp_path / "house.db"
    campaign, seats = asyncio.run(lay_out(database))
    processes = talkers(database, campaign, seats["Mara"], ("one", "two"))
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [
        [json.loads(line) for line in process.communicate(timeout=120)[0].splitlines()]
        for process in processes
    ]
    assert [process.returncode for process in processes] == [0, 0]
    assert [len(lines) for lines in told] == [STEPS + STEPS // 2] * 2
    house = House.at(database)
    events = house.tables.campaign(campaign).events
    recorded = {event.command: event for event in events if event.kind == "rolled"}
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert (
        sum(event.kind == "rolled" for event in events) == len(recorded) == 2 * STEPS + STEPS // 2
    )
    for lines in told:
        for name, number, throw, faces in lines:
            event = recorded[name]
            assert (event.number, event.throw.number) == (number, throw)
            assert [die["physical"] for die in event.throw.trace] == faces
    numbers = [event.throw.number for event in recorded.values()]
    authors = "".join(event.command[:1] for event in events if event.command[:3] in {"one", "two"})
    assert "ot" in authors
    assert "to" in authors, "they did play at once"
    end = c.EndSession(id="end", seat=seats["GM"])
    unused = asyncio.run(house.tables.handle(campaign, end)).events[0].data["unused"]
    assert len(unused) <= len(processes), "each may leave the number that lay ready there"
    assert sorted(numbers + unused) == list(range(1, max(numbers) + 1))
    ((_, report),) = house.verify(campaign).sessions
    assert (report.verdict, report.dice_checked) == ("fair", 3 * len(recorded))
    house.close()
