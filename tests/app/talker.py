"""One process of two that play at the same table, each through tables of its own on one record.

    python -m tests.app.talker DATABASE CAMPAIGN SEAT NAME STEPS

prints ``ready``, waits for a line, then sends its steps, a few at a time, and prints a line of JSON
for each that was acknowledged: the command, the event's number, the throw's, and the faces. Steps
whose id begins with ``both`` are sent by every process.
"""

import asyncio
import json
import sys
from pathlib import Path

from kitchentable.app.house import House
from kitchentable.campaign import commands as c

AT_ONCE = 4


async def talk(house: House, campaign: str, seat: str, names: list[str]) -> None:
    """Roll dice under each of these command ids."""
    waiting = asyncio.Semaphore(AT_ONCE)

    async def step(name: str) -> None:
        async with waiting:
            roll = c.RollNotation(id=name, seat=seat, notation="3d20", label=name)
            done = await house.tables.handle(campaign, roll)
        (event,) = done.events
        faces = [die["physical"] for die in event.throw.trace]
        print(json.dumps([name, event.number, event.throw.number, faces]), flush=True)

    await asyncio.gather(*(step(name) for name in names))


def main() -> None:
    """Wait for the word, then talk."""
    database, campaign, seat, name, steps = sys.argv[1:]
    house = House.at(Path(database))
    house.tables.campaign(campaign)
    print("ready", flush=True)
    sys.stdin.readline()
    own = [f"{name}-{number}" for number in range(int(steps))]
    shared = [f"both-{number}" for number in range(int(steps) // 2)]
    asyncio.run(talk(house, campaign, seat, [*own, *shared]))
    house.close()


if __name__ == "__main__":
    main()
