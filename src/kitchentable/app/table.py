"""The composition root: the only module that joins store, rules, dice, clock and feed.

`handle` gives each command reserved dice, `campaign.decide` decides it on the state in memory, its
events are appended in one durable step, and then the feed is woken. A command decided on an
outdated state is decided again. Everything sent to people goes through `campaign.views`.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import msgspec

from kitchentable.app.clock import Clock, on_the_loop, utc_now
from kitchentable.app.cursors import Cursors
from kitchentable.app.dice_sources import DiceSources, Kept
from kitchentable.app.feed import Hub
from kitchentable.app.held import Held, decoded, trim
from kitchentable.app.index import index_log
from kitchentable.app.keys import KeyRing, new_id
from kitchentable.app.odds import FOR_A_THROW, AtOnce, Odds
from kitchentable.app.others import Others
from kitchentable.campaign import codec
from kitchentable.campaign.commands import (
    BeginSession,
    Command,
    EndSession,
    OpenCampaign,
    UpdateGame,
)
from kitchentable.campaign.decide import decide
from kitchentable.campaign.decide.game_update import describe_update
from kitchentable.campaign.dice_source import NO_DICE
from kitchentable.campaign.errors import BadEvent, DiceNeeded, EventsNeeded, OddsNeeded
from kitchentable.campaign.events import Event
from kitchentable.campaign.log import RECENT
from kitchentable.campaign.permissions import check_same_sender
from kitchentable.campaign.state import Campaign, evolve
from kitchentable.campaign.throws import Solved, Solver
from kitchentable.dice.errors import BadInput, NotSolved
from kitchentable.rules import registry
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Question
from kitchentable.store.errors import Conflict, KeyEnded, StoreError
from kitchentable.store.rows import AlreadyDone, Append, CampaignEntry, NewRow
from kitchentable.store.sql import Store

#: Limit of times a command is decided again because other processes recorded first.
_TRIES = 50
#: Limit of times odds are solved for one command, because its question may change.
_ASKS = 3
#: Seconds between looks at the campaigns in memory, and without use before one is dropped.
_EVERY, _IDLE = 60.0, 600.0
#: Campaigns saved at the same time when the server stops.
_TOGETHER = 16
#: Events after which a campaign in use gets a new snapshot.
SAVE_AFTER = 500

log = logging.getLogger("kitchentable.app")
#: Events that revoke a seat's keys and end its streams, with the reason for the pages.
_ENDS: Mapping[str, str] = MappingProxyType(
    {"seat-revoked": "revoked", "seat-refused": "refused", "seat-handed-over": "handed-over"}
)


#: Finds a game by its name and version; "" is the newest version.
Loader = Callable[..., Game]


class NoSuchCampaign(BadInput):
    """No campaign on this server has that id."""

    code = "campaign/unknown"


@dataclass(frozen=True, slots=True)
class Update:
    """A new version of a campaign's game, offered to its GM, with its changes."""

    was: str
    now: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Handled:
    """The result of a command: its events, and whether they had been recorded before."""

    events: tuple[Event, ...]
    repeated: bool = False


async def _at_once(work: Callable[..., Any], *words: Any, **more: Any) -> Any:
    return work(*words, **more)


class Tables:
    """Every campaign of a server: decides commands and holds states in memory."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = utc_now,
        dice_sources: DiceSources | None = None,
        load_game: Loader = registry.load,
    ) -> None:
        self.store = store
        self.odds: Odds = AtOnce()
        self.clock = clock
        self.dice_sources = dice_sources or DiceSources(store)
        self.newest = load_game
        # Finding a game searches all installed packages, so each version is looked up once.
        self.load_game: Loader = functools.cache(load_game)
        self.hub = Hub()
        #: Counters since this server began, for `kitchentable.app.metrics`.
        self.counts: dict[str, float] = defaultdict(float)
        self.begun = time.monotonic()
        self.others = Others(store.signals)
        self.keys = KeyRing(store, clock)
        self.cursors = Cursors(store.keep_setting("cursor-secret", new_id(24).encode()))
        self._held: dict[str, Held] = {}
        #: Called with each campaign that leaves memory.
        self.leaving: list[Callable[[str], None]] = []
        #: Campaigns that are being read for the first time.
        self._reading: dict[str, asyncio.Task[Held]] = {}

    async def handle(self, campaign: str, command: Command, key: str | None = None) -> Handled:
        """Decide a command and record its events; the same command id is done once.

        `key` is the hash of the sender's key; if it was revoked, nothing is recorded. When a seat
        is ended or handed over, its keys are revoked and its open pages are closed. Errors:
        BadInput and its subclasses, such as KeyEnded, with sentences for the sender; StoreError if
        the disk fails, and then nothing was done.
        """
        kept, asks = self.dice_sources.kept(), _ASKS
        solver: Solver = self.odds.look
        done: Handled | None = None
        while done is None:
            try:
                done = await self._once(campaign, command, key, kept, solver)
            except OddsNeeded as needed:
                # The lock is free here, so nobody else at the table waits for the odds.
                asks -= 1
                solver = await self._work_out(campaign, command, needed.question, last=not asks)
        for event in done.events:
            if event.kind in _ENDS:
                self.hub.drop(campaign, str(event.data["of"]), _ENDS[event.kind])
        self.hub.publish(campaign)
        self.counts["commands"] += 1
        self.others.tell("news", campaign)
        return done

    def campaign(self, campaign: str) -> Campaign:
        """The current state of a campaign, with events of other processes.

        On an event loop with a remote database, this is the state last read by `ready` or by the
        task for news of other servers. Errors: NoSuchCampaign.
        """
        held = self._held.get(campaign) or Held(self.store, campaign)
        if held.campaign is None or not (self.store.far and on_the_loop()):
            held.catch_up()
        if held.campaign is None:
            raise NoSuchCampaign("There is no such campaign here.")
        self._held.setdefault(campaign, held).used = time.monotonic()
        return held.campaign

    async def ready(self, campaign: str) -> None:
        """Load a campaign; with a remote database, also read the newer events of other servers.

        Errors: those of its events and of its game.
        """
        held = self.held(campaign)
        if self.store.far and held is not None:
            await asyncio.to_thread(held.catch_up)
        else:
            await self.load(campaign)

    async def load(self, campaign: str) -> None:
        """Load a campaign and its game into memory, in a thread, so that others can play.

        Errors: those of its events and of its game.
        """
        if self.known(campaign) is not None:
            return
        reading = self._reading.get(campaign)
        if reading is None:
            reading = self._reading[campaign] = asyncio.create_task(self._read(campaign))
        read = await asyncio.shield(reading)
        if read.campaign is not None:
            self._hold(campaign).adopt(read)

    async def _read(self, campaign: str) -> Held:
        """A campaign read from the store, not yet shared."""

        def read() -> Held:
            held = Held(self.store, campaign)
            if held.catch_up() and held.campaign is not None:
                self.game_of(held.campaign)
            return held

        try:
            return await asyncio.to_thread(read)
        finally:
            del self._reading[campaign]

    def _hold(self, campaign: str) -> Held:
        """The campaign in memory, marked as used; it may still be empty."""
        held = self._held.get(campaign)
        if held is None:
            held = self._held[campaign] = Held(self.store, campaign)
        held.used = time.monotonic()
        return held

    async def keep(self) -> None:
        """Save and drop idle campaigns once a minute, until cancelled."""
        while True:
            await asyncio.sleep(_EVERY)
            await self.let_go()

    def in_memory(self) -> int:
        """The number of campaigns in memory."""
        return len(self._held)

    def held(self, campaign: str) -> Held | None:
        """A campaign in memory; None if nothing of it was read."""
        held = self._held.get(campaign)
        return held if held is not None and held.campaign is not None else None

    async def let_go(self, idle: float = _IDLE) -> None:
        """Drop campaigns unused for `idle` seconds and without followers; save snapshots.

        The others keep their share of the recent events in memory. Campaigns that are dropped or
        have many new events get a snapshot, and their logs are indexed. Both only save time later,
        so failures are logged and the other campaigns are still saved.
        """
        oldest = time.monotonic() - idle
        places = list(self._held.items())
        trim([held for _, held in places])
        # When the server stops, parallel writes share their waits for the disk. During play, one
        # thread at a time leaves the processor to players.
        size = 1 if idle else _TOGETHER
        for at in range(0, len(places), size):
            some = places[at : at + size]
            await asyncio.gather(*(self._let_go(*place, oldest) for place in some))

    async def _let_go(self, campaign: str, held: Held, oldest: float) -> None:
        if self._held.get(campaign) is not held:
            return  # removed while others were saved
        unused = held.used <= oldest and not held.lock.locked() and not self.hub.here(campaign)
        if unused:
            self._drop(campaign)
        snapshot = held.snapshot() if unused or held.unsaved >= SAVE_AFTER else None
        state = held.campaign if unused or held.unindexed >= RECENT else None
        if not unused and snapshot is None and state is None:
            return

        def save() -> None:
            if unused:
                self.dice_sources.put_back(campaign)
            if snapshot is not None:
                self.store.put_snapshot(snapshot)
            if state is not None:
                index_log(self.store, campaign, state)

        try:
            await asyncio.to_thread(save)
            held.indexed = state.number if state is not None else held.indexed
        except (StoreError, BadEvent) as error:
            log.warning("The state of campaign %s could not be saved: %s", campaign, error)

    def known(self, campaign: str) -> Campaign | None:
        """A campaign's state in memory, without reading the store.

        It has everything recorded by this process, and by others up to the last read.
        """
        held = self._held.get(campaign)
        return held.campaign if held is not None else None

    def removed(self, campaign: str) -> None:
        """Drop a removed campaign from the memory of every server."""
        self.forget(campaign)
        self.others.tell("gone", campaign)

    def forget(self, campaign: str, why: str = "revoked") -> None:
        """Drop a campaign from memory, and end its streams."""
        held = self._drop(campaign)
        if held is not None and held.campaign is not None:
            for seat in held.campaign.table.seats:
                self.hub.drop(campaign, seat, why)

    def _drop(self, campaign: str) -> Held | None:
        held = self._held.pop(campaign, None)
        for tell in self.leaving:
            tell(campaign)
        return held

    def game(self, campaign: str) -> Game:
        """The game a campaign plays."""
        return self.game_of(self.campaign(campaign))

    def game_of(self, state: Campaign) -> Game:
        """The game of a campaign's state."""
        return self.load_game(str(state.tree["game"]), str(state.tree["game_version"]))

    def update_for(self, campaign: str) -> Update | None:
        """The update offered to a campaign's GM, with its changes; None for none."""
        state = self.campaign(campaign)
        game = self.newest(str(state.tree["game"]))
        was = str(state.tree["game_version"])
        if game.version == was:
            return None
        before = self._before(state)
        return Update(was, game.version, describe_update(state, game, before))

    def _before(self, state: Campaign) -> Game | None:
        """The game in the exact version of the campaign; None if it is gone."""
        game = self.game_of(state)
        return game if game.version == str(state.tree["game_version"]) else None

    async def _once(
        self,
        campaign: str,
        command: Command,
        key: str | None,
        kept: Kept,
        solver: Solver,
    ) -> Handled | None:
        """Record a command, unless it is already recorded. None if the campaign left memory while
        the command waited.
        """
        held = self._hold(campaign)
        async with held.lock:
            await self.load(campaign)
            if self._held.get(campaign) is not held:
                return None
            done = await self._record(campaign, held, command, key, kept, solver)
            if done.repeated:
                check_same_sender(command, done.events)
            return done

    async def _work_out(
        self, campaign: str, command: Command, question: Question, *, last: bool
    ) -> Solver:
        """Solve the odds that a command needs; return the solver to decide it with."""
        why = "The odds of this throw could not be computed in time."
        try:
            await self.odds.work_out(f"{campaign}/{command.seat}", [question], FOR_A_THROW)
        except NotSolved as refused:
            why, last = str(refused), True
        return functools.partial(no_odds, why) if last else self.odds.look

    async def _record(
        self,
        campaign: str,
        held: Held,
        command: Command,
        key: str | None,
        loose: Kept,
        solver: Solver,
    ) -> Handled:
        """Record a command's events.

        The command is decided on the state in memory. If another process recorded first, the store
        refuses the write; a refused command is final only after the store was read.
        """
        for _ in range(_TRIES):
            if known := held.done(command.id):
                self.dice_sources.release(campaign, loose)
                return Handled(known, repeated=True)
            # While this waits for the disk, a page may read newer events, so the events must
            # directly follow this state or are not recorded.
            state = held.campaign
            try:
                try:
                    events = await self._decide(campaign, state, command, loose, solver)
                except EventsNeeded:
                    run = asyncio.to_thread
                    events = await self._decide(campaign, state, command, loose, solver, run)
            except BadInput:
                if await asyncio.to_thread(held.catch_up):
                    continue
                if rows := await asyncio.to_thread(self.store.recorded, campaign, command.id):
                    self.dice_sources.release(campaign, loose)
                    return Handled(decoded(rows), repeated=True)
                await self.dice_sources.release_refused(campaign, command.id, loose)
                raise
            session = self.dice_sources.next_of(campaign, events)
            began = time.monotonic()
            try:
                done = await self.store.append_async(
                    Append(
                        campaign,
                        state.number if state else 0,
                        command.id,
                        [NewRow(event.time, event.kind, codec.encode(event)) for event in events],
                        entry=await self._directory_line(campaign, state, events),
                        next_throw_of=session,
                        key=key,
                        end_keys_of=[str(one.data["of"]) for one in events if one.kind in _ENDS],
                    )
                )
            except Conflict:
                self.counts["conflicts"] += 1
                await asyncio.to_thread(held.catch_up)
                continue
            except KeyEnded:
                await self.dice_sources.release_refused(campaign, command.id, loose)
                raise
            if isinstance(done, AlreadyDone):
                await asyncio.to_thread(held.catch_up)
                self.dice_sources.release(campaign, loose)
                return Handled(decoded(done.rows), repeated=True)
            if session is not None and done.next_throw is not None:
                self.dice_sources.keep_reserved(campaign, session, done.next_throw)
            self.dice_sources.release(campaign, loose, events)
            self.counts["events"] += len(events)
            self.counts["append_seconds"] += time.monotonic() - began
            # A page may have read these events already, between the commit and this point.
            held.apply(events)
            return Handled(events)
        await self.dice_sources.release_refused(campaign, command.id, loose)
        raise StoreError(
            f"This step was not recorded, because other steps were recorded first {_TRIES} times. "
            "Try again in a moment.",
            code="store/conflict",
        )

    async def _decide(
        self,
        campaign: str,
        state: Campaign | None,
        command: Command,
        loose: Kept,
        solver: Solver,
        run: Callable[..., Awaitable[tuple[Event, ...]]] = _at_once,
    ) -> tuple[Event, ...]:
        """Decide with the reserved dice; if more are needed, wait for them first. Errors:
        EventsNeeded if `run` is not a thread and the command needs old events.
        """
        if isinstance(command, OpenCampaign):
            game = self.newest(command.game)
            return await run(decide, state, game, command, NO_DICE, self.clock())
        if state is None:
            raise NoSuchCampaign("There is no such campaign here.")
        updates = isinstance(command, UpdateGame)
        game = self.newest(str(state.tree["game"])) if updates else self.game_of(state)
        command = await self._complete(campaign, state, command)
        before = self._before(state) if updates else None
        now = self.clock()
        faces: tuple[str, ...] | None = getattr(command, "faces", None)
        if faces is not None:
            hand = self.dice_sources.typed(state, faces)
        else:
            await self.dice_sources.prepare(campaign, state)
            hand = self.dice_sources.at_hand(campaign, state, loose)
        try:
            return await run(decide, state, game, command, hand, now, before, solver)
        except DiceNeeded:
            hand = await self.dice_sources.thrown(campaign, state, command.id, loose)
        return await run(decide, state, game, command, hand, now, before, solver)

    async def _complete(self, campaign: str, state: Campaign, command: Command) -> Command:
        """The command with the commitments or secrets of the session's dice."""
        if isinstance(command, BeginSession):
            seed, screen = await asyncio.to_thread(self.dice_sources.seal, campaign, state)
            return msgspec.structs.replace(command, commitment=seed, screen_commitment=screen)
        if isinstance(command, EndSession):
            seed, screen, unused = await asyncio.to_thread(
                self.dice_sources.reveal, campaign, state
            )
            return msgspec.structs.replace(command, seed=seed, screen=screen, unused=unused)
        return command

    async def _directory_line(
        self, campaign: str, state: Campaign | None, events: tuple[Event, ...]
    ) -> CampaignEntry | None:
        """The campaign's entry in the directory, written with its first event or a new title."""
        if state is None:
            first = evolve(None, events[0])
            return CampaignEntry(first.id, first.title, str(first.tree["game"]), events[0].time)
        titles = [one.now for event in events for one in event.changes if one.path == ("title",)]
        known = await asyncio.to_thread(self.store.campaign, campaign) if titles else None
        return replace(known, title=str(titles[-1])) if known is not None else None


def no_odds(why: str, question: Question) -> Solved:
    """A solver for throws without odds. Errors: NotSolved, always."""
    raise NotSolved(why)
