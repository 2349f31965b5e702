"""The server outside of play: its database with campaigns, links, exports and backups."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from kitchentable.app.buckets import shared
from kitchentable.app.clock import Clock, utc_now
from kitchentable.app.dice_sources import DiceSources
from kitchentable.app.keys import new_id
from kitchentable.app.local_games import LocalGames
from kitchentable.app.odds import A_SECOND, BURST, AtOnce, Odds, OddsProcess
from kitchentable.app.places import Data
from kitchentable.app.playable import check_playable
from kitchentable.app.projections import Projections
from kitchentable.app.table import Loader, NoSuchCampaign, Tables
from kitchentable.app.webhook_sender import Sender
from kitchentable.campaign.commands import (
    AskForSeat,
    Command,
    DecideSheet,
    MakeEntity,
    OpenCampaign,
    SetNote,
    SubmitSheet,
)
from kitchentable.campaign.events import Event
from kitchentable.rules.forms import with_ids
from kitchentable.rules.values import GM
from kitchentable.store import (
    CampaignEntry,
    Generation,
    Manifest,
    MemoryStore,
    SqliteStore,
    export_campaign,
    generations,
    import_campaign,
    restore,
)
from kitchentable.store.places import open_place
from kitchentable.store.sql import Store


@dataclass(frozen=True, slots=True)
class Opened:
    """A new campaign: its id and the GM's seat."""

    campaign: str
    gm_seat: str


#: Plays the beginning of a campaign that has just been laid out.
Beginning: TypeAlias = "Callable[[Server, str], Awaitable[None]]"


class Server:
    """A host's server: its store, its tables, and everything outside of play.

    `aside` computes odds that no table waits for.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = utc_now,
        dice_sources: DiceSources | None = None,
        local_games: LocalGames | None = None,
        load_game: Loader | None = None,
        folder: Path | None = None,
    ) -> None:
        self.store = store
        #: The folder for exports of removed campaigns; None for none.
        self.folder = store.path.parent if isinstance(store, SqliteStore) else folder
        self.local_games = local_games or LocalGames(None)
        self.tables = Tables(
            store,
            clock=clock,
            dice_sources=dice_sources,
            load_game=load_game or self.local_games.load,
        )
        self.aside: Odds = AtOnce()
        self.projections = Projections(self.tables)
        self.keys = self.tables.keys
        self.webhooks = Sender(store, self.tables.cursors, clock)
        self.tables.hub.heard.append(self.webhooks.wake)

    @classmethod
    def at(cls, place: Path | str | Data) -> Server:
        """Open the server's database, which is created if absent.

        Errors: StoreError, as a sentence for the host.
        """
        data = place if isinstance(place, Data) else Data.named(str(place))
        return cls(open_place(data.database), local_games=data.local_games, folder=data.folder)

    @contextmanager
    def odds_apart(self) -> Iterator[None]:
        """Solve odds in a separate process until the block ends.

        A running server needs this, so that nobody waits for another person's odds.
        """
        before = (self.tables.odds, self.aside)
        others = self.tables.others
        table = OddsProcess(shared(others, "odds", BURST, A_SECOND))
        aside = OddsProcess(shared(others, "odds-aside", BURST, A_SECOND))
        self.tables.odds, self.aside = table, aside
        try:
            yield
        finally:
            self.tables.odds, self.aside = before
            table.close()
            aside.close()

    def close(self) -> None:
        """End the streams, finish pending writes, and close the store.

        Errors: StoreError if throw numbers could not be returned; the store is closed nevertheless.
        """
        self.tables.hub.close()
        try:
            self.tables.dice_sources.put_back()
        finally:
            self.store.close()

    def campaigns(self) -> list[CampaignEntry]:
        """Every campaign of the server, oldest first."""
        return self.store.campaigns()

    async def open_campaign(
        self,
        title: str,
        game: str,
        *,
        gm_name: str = "GM",
        options: dict[str, Any] | None = None,
        settings: dict[str, Any] | None = None,
        command: str = "",
    ) -> Opened:
        """Create a campaign with its GM's seat."""
        campaign = new_id()
        gm_seat = new_id()
        await self.tables.handle(
            campaign,
            OpenCampaign(
                id=command or new_id(),
                seat=gm_seat,
                campaign=campaign,
                title=title,
                game=game,
                gm_name=gm_name,
                options=options or {},
                settings=settings or {},
                salt=new_id(24),
            ),
        )
        return Opened(campaign, gm_seat)

    async def open_example(
        self, game: str, begin: Beginning | None = None, kind: str = "example"
    ) -> str:
        """Open a game's example campaign, with its players seated; return its id. `begin` plays its
        beginning when it is first opened. Examples of another `kind` are separate campaigns. A
        server has each example once, even if it was renamed; an archived example is replaced by a
        new one. The example is prepared in memory and imported completely or not at all.
        """
        return await asyncio.to_thread(self._open_example, game, begin, kind)

    def _open_example(self, game: str, begin: Beginning | None, kind: str) -> str:
        name = f"{kind}-{game}"
        known = self.store.setting(name)
        entry = self.store.campaign(known.decode("ascii")) if known is not None else None
        if entry is not None and entry.archived is None:
            return entry.id
        tables = self.tables
        aside = Server(MemoryStore(), clock=tables.clock, load_game=tables.newest)

        async def lay() -> str:
            campaign = await lay_out(aside, game)
            if begin is not None:
                await begin(aside, campaign)
            return campaign

        campaign = asyncio.run(lay())
        laid = aside.store.campaign(campaign)
        if laid is None:
            raise NoSuchCampaign("The example campaign could not be created. Try again.")
        aside.tables.dice_sources.put_back(campaign)
        export_data = aside.store.export_data(campaign)
        self.store.adopt(laid, lambda: aside.store.read(campaign), export_data)
        self.store.put_setting(name, campaign.encode("ascii"))
        return campaign

    def host_link(self) -> str:
        """The key of a new one-time link for the host; earlier links stop working."""
        self.keys.end_purpose("host-link")
        return self.keys.issue("host-link")

    def seat_links(self, campaign: str) -> list[tuple[str, str, str]]:
        """Fresh keys for every seat that is taken: (name, role, key), the GM's first."""
        seats = self.tables.campaign(campaign).table.seats.values()
        return [
            (seat.name, seat.role, self.keys.issue("seat-link", campaign, seat.id))
            for seat in sorted(seats, key=lambda seat: seat.role != GM)
            if seat.state == "seated"
        ]

    def export(self, campaign: str, path: Path, *, secrets: bool = False) -> Manifest:
        """Write a campaign to one file. Errors: BadFile, BadRecord."""
        self.tables.dice_sources.put_back(campaign)
        return export_campaign(self.store, campaign, path, secrets=secrets)

    def take_in(self, path: Path, *, new_name: str | None = None) -> CampaignEntry:
        """Import an exported campaign that can be played here, completely or not at all. The whole
        journal is read first, so call this in a thread. Errors: CannotBePlayed, BadFile, BadRecord.
        """
        check = partial(check_playable, game_of=self.tables.game_of)
        return import_campaign(self.store, path, new_id=new_name, check=check)

    def backup_if_due(self) -> Generation | None:
        """Make an automatic copy if the last is an hour old and something was recorded since.

        Only a database file has such copies. Errors: StoreError.
        """
        if not isinstance(self.store, SqliteStore):
            return None
        return self.store.backup_if_due(datetime.fromisoformat(self.tables.clock()))


def copies_of(database: Path) -> list[Generation]:
    """The automatic copies of a database file, oldest first, without opening it."""
    return generations(database)


def put_back(copy: Path, database: Path) -> Path | None:
    """Replace a database that is not open with a copy; return the former file's new path.

    Errors: BadFile, StoreError ("store/in-use" while the table is open).
    """
    return restore(copy, database)


async def send(
    server: Server, campaign: str, kind: type[Command], seat: str, /, **parts: Any
) -> Event:
    """Send a command from a seat under a new id; return its first event. Errors: as `handle`."""
    command = kind(id=new_id(), seat=seat, **parts)
    return (await server.tables.handle(campaign, command)).events[0]


async def lay_out(server: Server, game: str) -> str:
    """Open a game's example: its GM and players seated, its entities in play; gives its id."""
    played = server.tables.load_game(game)
    example = played.example()
    opened = await server.open_campaign(example.title, game)
    campaign, gm = opened.campaign, opened.gm_seat
    do = partial(send, server, campaign)
    seats = {GM: gm}
    for name in example.players:
        seats[name] = new_id()
        await do(AskForSeat, gm, new_seat=seats[name], name=name, approved=True)
    ids: dict[str, str] = {}
    for one in example.entities:
        table = server.tables.campaign(campaign).table
        sections = played.sheet.sections(table, one)
        made = await do(
            MakeEntity,
            seats[one.owner],
            kind=one.kind,
            name=one.name,
            sheet=with_ids(sections, one.sheet, ids),
            hidden=one.hidden,
            open=one.open if one.owner == GM else None,
            line=one.line,
        )
        entity = ids[one.id] = str(made.data["entity"])
        if one.owner != GM:
            await do(SubmitSheet, seats[one.owner], entity=entity)
            await do(DecideSheet, gm, entity=entity, accept=True)
    if example.notes:
        await do(SetNote, gm, which="table", text=example.notes)
    return campaign
