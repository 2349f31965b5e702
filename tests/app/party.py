"""A party to test with: a server with one campaign of the coin game, and people in their seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from kitchentable.app.audit import Audit, audit
from kitchentable.app.dice_sources import DiceSources
from kitchentable.app.keys import new_id
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.campaign.events import Event
from kitchentable.dice import SeededSource
from kitchentable.rules.game import Game
from kitchentable.store import MemoryStore
from kitchentable.store.sql import Store
from tests.campaign.coin import COIN


def ticking() -> Callable[[], str]:
    """A clock that advances by a second with each reading."""
    seconds = count()
    return lambda: f"2026-11-21T19:{(now := next(seconds)) // 60 % 60:02}:{now % 60:02}.000000Z"


def coin_only(name: str, version: str = "") -> Game:
    assert name == COIN.name
    return COIN


@dataclass
class Party:
    """Ida is the GM; Mara and Jon play; Kes is Mara's."""

    server: Server
    campaign: str
    ida: str
    mara: str
    jon: str
    kes: str

    async def do(self, command: type[c.Command], seat: str, **parts: Any) -> Event:
        """Send a command with a new id; gives its last event."""
        done = await self.server.tables.handle(
            self.campaign, command(**{"id": new_id(), "seat": seat, **parts})
        )
        return done.events[-1]

    async def roll(self, seat: str = "", **parts: Any) -> Event:
        return await self.do(c.RollNotation, seat or self.mara, **{"notation": "8d6", **parts})

    @property
    def state(self):
        return self.server.tables.campaign(self.campaign)

    @property
    def log(self) -> list[Event]:
        return list(self.state.events)


async def gather(store: Store | None = None, *, begun: bool = True) -> Party:
    """A party at its table, with a session begun."""
    store = store or MemoryStore()
    server = Server(
        store,
        clock=ticking(),
        dice_sources=DiceSources(store, SeededSource(1)),
        load_game=coin_only,
    )
    opened = await server.open_campaign("Salt", "coin", gm_name="Ida")
    party = Party(server, opened.campaign, opened.gm_seat, "s-mara", "s-jon", "")
    for seat, name in ((party.mara, "Mara"), (party.jon, "Jon")):
        await party.do(c.AskForSeat, party.ida, new_seat=seat, name=name, approved=True)
    sheet = {"coins": 3, "skill": 2}
    made = await party.do(
        c.MakeEntity, party.ida, kind="pc", name="Kes", owner=party.mara, sheet=sheet
    )
    party.kes = made.data["entity"]
    if begun:
        await party.do(c.BeginSession, party.ida)
    return party


def at_once(*coroutines: Any) -> Any:
    """Run everything at once; returns all results."""
    return asyncio.gather(*coroutines)


def verify(server: Server, campaign: str) -> Audit:
    """Check the dice of a campaign's sessions against their commitments."""
    return audit(campaign, server.tables.campaign(campaign).events)
