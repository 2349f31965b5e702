"""The updates of a stream, one after another."""

import asyncio
from collections.abc import AsyncIterator

from kitchentable.app.projections import Projections
from kitchentable.app.spans import Update


async def updates(
    projections: Projections, campaign: str, seat: str, cursor: str | None = None
) -> AsyncIterator[Update]:
    """What a seat is told after a cursor (None: from now on), as it comes."""
    woken = asyncio.Event()
    with projections.follow(campaign, seat, cursor, woken.set) as place:
        while True:
            woken.clear()
            update = await place.read()
            if update is not None:
                yield update
                if update.ended or update.reload:
                    return
            else:
                await woken.wait()
