"""One of two processes that play at the same table, on one database.

Each prints ``ready``, waits for the word to go, then sends its steps, a few at a time, and prints a
line of JSON for each that was acknowledged: the command, the event's number, the throw's, and the
faces. Steps whose id begins with ``both`` are sent by every process. It goes on with steps of its
own until one of them came after a step of the other's: who talks first may not have talked alone.
"""

import asyncio
import json
import os
from itertools import chain, count, islice
from pathlib import Path

from kitchentable.app.server import Server
from kitchentable.campaign import commands as c

AT_ONCE = 4


async def talk(server: Server, campaign: str, seat: str, name: str, steps: int) -> None:
    """Roll dice: `steps` of this process's own, half as many shared ones, and more as needed."""
    waiting = asyncio.Semaphore(AT_ONCE)
    own = (f"{name}-{number}" for number in count())

    async def step(ident: str) -> None:
        async with waiting:
            roll = c.RollNotation(id=ident, seat=seat, notation="3d20", label=ident)
            done = await server.tables.handle(campaign, roll)
        (event,) = done.events
        faces = [die["physical"] for die in event.throw.trace]
        print(json.dumps([ident, event.number, event.throw.number, faces]), flush=True)

    shared = (f"both-{number}" for number in range(steps // 2))
    await asyncio.gather(*(step(ident) for ident in chain(islice(own, steps), shared)))
    while not await asyncio.to_thread(after_another, server, campaign, name):
        await step(next(own))


def after_another(server: Server, campaign: str, name: str) -> bool:
    """Whether some step of this process came after one of another's."""
    events = server.tables.campaign(campaign).events
    authors = [event.command.partition("-")[0] for event in events if event.kind == "rolled"]
    own = [author == name for author in authors if author != "both"]
    return False in own and True in own[own.index(False) :]


def main(database: str, campaign: str, seat: str, name: str, steps: str, go: int) -> None:
    """Wait until the file `go` is complete, then talk."""
    server = Server.at(Path(database))
    server.tables.campaign(campaign)
    print("ready", flush=True)
    os.read(go, 1)
    asyncio.run(talk(server, campaign, seat, name, int(steps)))
    server.close()
