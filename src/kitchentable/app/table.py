"""The composition root: where store, rules, dice, clock and feed meet, and the only place they do.

A command walks one way: `handle` folds the campaign to its latest event, lets `campaign.decide`
judge it, throws the dice it asks for, appends the events in one durable step, and only then tells
the feed. Whatever leaves goes through `campaign.views`.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from kitchentable.app.clock import Clock, utc_now
from kitchentable.app.cursors import Cursors
from kitchentable.app.feed import Hub
from kitchentable.app.hands import Hands
from kitchentable.app.keys import KeyRing, new_id
from kitchentable.campaign import codec
from kitchentable.campaign.commands import BeginSession, Command, EndSession, OpenCampaign
from kitchentable.campaign.decide import decide
from kitchentable.campaign.errors import DiceNeeded
from kitchentable.campaign.events import Event
from kitchentable.campaign.hand import EMPTY
from kitchentable.campaign.state import Campaign, evolve, fold
from kitchentable.dice.errors import BadInput
from kitchentable.game import registry
from kitchentable.game.game import Game
from kitchentable.store.errors import Conflict
from kitchentable.store.protocols import Store
from kitchentable.store.rows import CampaignEntry, NewRow, Row

#: How often a command is decided again when other processes keep coming first.
_TRIES = 50


class NoSuchCampaign(BadInput):
    """No campaign has that id here."""

    code = "campaign/unknown"


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a command: its events, and whether it had been done before."""

    events: tuple[Event, ...]
    repeated: bool = False


@dataclass(slots=True)
class Held:
    """A campaign in memory, folded up to its latest known event."""

    campaign: Campaign | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def number(self) -> int:
        """The number of the last event known here."""
        return self.campaign.number if self.campaign else 0


class Tables:
    """Every campaign of a house: commands go in here, and events are kept."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = utc_now,
        hands: Hands | None = None,
        load_game: Callable[[str], Game] = registry.load,
    ) -> None:
        self.store = store
        self.clock = clock
        self.hands = hands or Hands(store)
        # Finding a game looks through every installed package; once is enough.
        self.load_game: Callable[[str], Game] = functools.cache(load_game)
        self.hub = Hub()
        self.keys = KeyRing(store, clock)
        self.cursors = Cursors(store.keep_setting("cursor-secret", new_id(24).encode()))
        self._held: dict[str, Held] = {}

    async def handle(self, campaign: str, command: Command) -> Handled:
        """Decide a command and record what follows; the same command id is done once.

        Errors: BadInput and its kin, as sentences for the sender; StoreError when the disk fails,
        and then nothing was done.
        """
        held = self._held.setdefault(campaign, Held())
        async with held.lock:
            before = self.store.recorded(campaign, command.id)
            if before:
                return Handled(tuple(codec.decode(row.body) for row in before), repeated=True)
            rows = await self._record(campaign, held, command)
            events = self._take_in(held, rows)
        self.hub.publish(campaign)
        return Handled(events)

    def campaign(self, campaign: str) -> Campaign:
        """A campaign's state as it is now, with what other processes recorded.

        Errors: NoSuchCampaign.
        """
        held = self._held.get(campaign) or Held()
        self._catch_up(campaign, held)
        if held.campaign is None:
            raise NoSuchCampaign("There is no such campaign here.")
        self._held.setdefault(campaign, held)
        return held.campaign

    def game(self, campaign: str) -> Game:
        """The game a campaign plays."""
        return self.load_game(str(self.campaign(campaign).tree["game"]))

    async def _record(self, campaign: str, held: Held, command: Command) -> tuple[Row, ...]:
        for _ in range(_TRIES):
            self._catch_up(campaign, held)
            events = await self._decide(campaign, held, command)
            try:
                done = await self.store.append_async(
                    campaign,
                    held.number,
                    command.id,
                    [NewRow(event.time, event.kind, codec.encode(event)) for event in events],
                    entry=_directory_line(held.campaign, events),
                )
            except Conflict:
                continue
            return done.rows
        raise Conflict(campaign, held.number, self.store.latest(campaign))

    async def _decide(self, campaign: str, held: Held, command: Command) -> tuple[Event, ...]:
        """Decide without dice first; where some are asked for, hand them over and decide again."""
        state = held.campaign
        if isinstance(command, OpenCampaign):
            game = self.load_game(command.game)
            return decide(state, game, command, EMPTY, self.clock())
        if state is None:
            raise NoSuchCampaign("There is no such campaign here.")
        game = self.load_game(str(state.tree["game"]))
        command = self._complete(campaign, state, command)
        now = self.clock()
        faces: tuple[str, ...] | None = getattr(command, "faces", None)
        if faces is not None:
            return decide(state, game, command, self.hands.typed(faces), now)
        try:
            return decide(state, game, command, EMPTY, now)
        except DiceNeeded:
            hand = await self.hands.thrown(state, command.id)
        return decide(state, game, command, hand, now)

    def _complete(self, campaign: str, state: Campaign, command: Command) -> Command:
        """What only the house knows of a command: the promise and the secret of its dice."""
        session = state.table.session
        if isinstance(command, BeginSession):
            seal = self.hands.seal(campaign, session.number + 1)
            return msgspec.structs.replace(command, commitment=seal)
        if isinstance(command, EndSession):
            seed = self.hands.reveal(campaign, session.number)
            return msgspec.structs.replace(command, seed=seed)
        return command

    def _catch_up(self, campaign: str, held: Held) -> None:
        rows = self.store.read(campaign, held.number)
        if rows:
            self._take_in(held, tuple(rows))

    def _take_in(self, held: Held, rows: tuple[Row, ...]) -> tuple[Event, ...]:
        events = tuple(codec.decode(row.body) for row in rows)
        new = [event for event in events if event.number > held.number]
        if held.campaign is None:
            held.campaign = fold(new)
            return events
        for event in new:
            held.campaign = evolve(held.campaign, event)
        return events


def _directory_line(state: Campaign | None, events: tuple[Event, ...]) -> CampaignEntry | None:
    """The campaign's line in the house's list, with the first events of a campaign."""
    if state is not None:
        return None
    folded = evolve(None, events[0])
    return CampaignEntry(folded.id, folded.title, str(folded.tree["game"]), events[0].time)
