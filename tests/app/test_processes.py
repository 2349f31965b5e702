"""Two processes play at one table at once: nothing is lost, doubled, or thrown twice."""

import asyncio
import json
import os
from contextlib import ExitStack

from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from tests.app.party import verify

STEPS = 40


async def lay_out(database):
    server = Server.at(database)
    campaign = await server.open_example("toast")
    seats = {seat.name: seat.id for seat in server.tables.campaign(campaign).table.seats.values()}
    await server.tables.handle(campaign, c.BeginSession(id="begin", seat=seats["GM"]))
    server.close()
    return campaign, seats


def told_by_talkers(fork_server, database, campaign, seat, names):
    """What processes of these names were told, each talking from the moment when all are ready."""
    with ExitStack() as ends:
        ready, go = os.pipe()
        talkers = [
            ends.enter_context(
                fork_server.begun(
                    "tests.app.talker:main",
                    *(database, campaign, seat, name, STEPS),
                    lent=[ready],
                    folder=database.parent,
                )
            )
            for name in names
        ]
        os.close(ready)
        assert [talker.out.readline() for talker in talkers] == ["ready\n"] * len(names)
        os.close(go)
        told = [[json.loads(line) for line in talker.out] for talker in talkers]
        assert [talker.wait(120) for talker in talkers] == [0] * len(names)
    return told


def test_two_processes_at_one_table(fork_server, tmp_path):
    database = tmp_path / "table.db"
    campaign, seats = asyncio.run(lay_out(database))
    told = told_by_talkers(fork_server, database, campaign, seats["Mara"], ("one", "two"))
    steps = [{name for name, *_ in lines} for lines in told]
    assert len(steps[0] & steps[1]) == STEPS // 2
    assert [len(names) for names in steps] == [len(lines) for lines in told]
    assert min(len(names) for names in steps) >= STEPS + STEPS // 2
    server = Server.at(database)
    events = server.tables.campaign(campaign).events
    recorded = {event.command: event for event in events if event.kind == "rolled"}
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert set(recorded) == steps[0] | steps[1]
    assert sum(event.kind == "rolled" for event in events) == len(recorded)
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
    unused = asyncio.run(server.tables.handle(campaign, end)).events[0].data["unused"]
    assert len(unused) <= len(told), "each may leave the number that lay ready there"
    assert sorted(numbers + unused) == list(range(1, max(numbers) + 1))
    ((_, report),) = verify(server, campaign).sessions
    assert (report.verdict, report.dice_checked) == ("fair", 3 * len(recorded))
    server.close()
