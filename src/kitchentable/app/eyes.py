"""What leaves the house: views, log entries, odds and the feed, each through one seat's eyes.

Nothing here decides who may see what; that is `campaign.views` alone. News are made for each screen
and each event, so they are of the kind that is made fastest.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from kitchentable.app.table import Tables
from kitchentable.campaign.events import Event
from kitchentable.campaign.seen import Entry, NoOdds, SeenMove, SeenOdds, View
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.views import entry_for, moves_for, odds_for, view_for
from kitchentable.rules.combat import Battle, Fought
from kitchentable.rules.table import Seat

#: More news than this at once is not replayed: the page is told to load itself again.
MOST_NEWS = 200
#: How often a follower looks for what another process recorded, in seconds.
LOOK_EVERY = 2.0


class Update(msgspec.Struct, frozen=True):
    """News for one screen. Without entries and `touched` it only says that the line is alive.

    `altered` are earlier entries that read otherwise now: taken back, or shown to all. `touched`
    names the parts of the campaign that changed ("entities", "fight", "asks" ...), seen or not;
    `here` the seats that follow right now, and `people` their names; `ended` why the stream is
    over; `reload` that too much has happened to tell it piece by piece.
    """

    cursor: str
    entries: tuple[Entry, ...] = ()
    altered: tuple[Entry, ...] = ()
    touched: frozenset[str] = frozenset()
    here: frozenset[str] = frozenset()
    people: tuple[str, ...] = ()
    ended: str = ""
    reload: bool = False


class Span(msgspec.Struct, frozen=True, eq=False):
    """What happened after place `last` of a log, before it is asked who may know: the same for all.

    `anew` numbers the earlier steps that read otherwise since; `given` are seats that were given to
    another device.
    """

    state: Campaign
    last: int
    here: frozenset[str]
    cursor: str
    new: tuple[Event, ...]
    anew: tuple[int, ...]
    touched: frozenset[str]
    people: tuple[str, ...]
    given: frozenset[str]


class Eyes:
    """Everything a screen, a terminal or a program may read, for the seat that it sits in."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        #: The latest of each campaign that is followed; every seat's screen asks for the same one.
        self._spans: dict[str, Span] = {}

    def seat(self, campaign: str, seat: str) -> Seat | None:
        """A seat of a campaign, or None."""
        return self._tables.campaign(campaign).table.seats.get(seat)

    def view(self, campaign: str, seat: str, *, known: bool = False) -> View:
        """The whole table as one seat sees it; with `known` as far as it was read here already."""
        state = (self._tables.known(campaign) if known else None) or self._tables.campaign(campaign)
        cursor = self._tables.cursors.seal(campaign, state.number)
        view = view_for(state, self._tables.game_of(state), seat, cursor, self._tables.odds.look)
        # A copy that was taken in beside the original goes by its own id in this house.
        return replace(view, campaign=campaign)

    def moves(self, campaign: str, seat: str, entity: str = "") -> tuple[SeenMove, ...]:
        """The moves a seat may start now, for an entity of its own or for nobody."""
        return moves_for(self.view(campaign, seat), self._tables.game(campaign), entity)

    def odds(
        self, campaign: str, seat: str, move: str, entity: str, answers: Mapping[str, Any]
    ) -> SeenOdds | NoOdds:
        """The odds of a move as filled in so far, or why this seat is shown none."""
        view, look = self.view(campaign, seat), self._tables.odds.look
        return odds_for(view, self._tables.game(campaign), move, entity, answers, look)

    def standing(self, campaign: str, seat: str) -> tuple[Fought, Battle] | None:
        """The fight that is on and where it stands, by what this seat knows; None for none."""
        table = self.view(campaign, seat).table
        for fought in self._tables.game(campaign).fights.values():
            start = fought.standing(table)
            if start is not None:
                return fought, start
        return None

    def entries(
        self,
        campaign: str,
        seat: str,
        *,
        after: str | None = None,
        before: str | None = None,
        limit: int = 60,
    ) -> list[Entry]:
        """Entries of the log, oldest first: those after a cursor, or the last ones before one."""
        state = self._tables.campaign(campaign)
        return self.entries_of(campaign, state, seat, after=after, before=before, limit=limit)

    def entries_of(
        self,
        campaign: str,
        state: Campaign,
        seat: str,
        *,
        after: str | None = None,
        before: str | None = None,
        limit: int = 60,
    ) -> list[Entry]:
        """As `entries`, of a state: it reads no record, so that a thread can look through it."""
        opened = self._tables.cursors.open
        if after is not None:
            found = []
            for event in state.events[opened(campaign, after) :]:
                entry = self._entry(campaign, state, event, seat)
                if entry is not None:
                    found.append(entry)
                    if len(found) == limit:
                        break
            return found
        last = opened(campaign, before) - 1 if before is not None else state.number
        found = []
        for event in reversed(state.events[: max(0, last)]):
            entry = self._entry(campaign, state, event, seat)
            if entry is not None:
                found.append(entry)
                if len(found) == limit:
                    break
        return found[::-1]

    async def follow(
        self, campaign: str, seat: str, cursor: str | None = None, keep_alive: float = 20.0
    ) -> AsyncIterator[Update]:
        """News after a cursor (None: from now on), for as long as somebody listens.

        Following begins before the log is read, so nothing falls between. Every `keep_alive`
        seconds without news an empty update says that the line is alive. Who is woken finds what
        is new in memory, read once for everybody; who is not looks for it in the record.
        """
        tables = self._tables
        with tables.hub.follow(campaign, seat) as follower:
            state = tables.campaign(campaign)
            last = tables.cursors.open(campaign, cursor) if cursor else state.number
            here: frozenset[str] = frozenset()
            quiet = 0.0
            while not follower.ended:
                now_here = tables.hub.here(campaign)
                if state.number > last or now_here != here or quiet >= keep_alive:
                    update = self._update(campaign, state, seat, last, now_here)
                    last, here, quiet = state.number, now_here, 0.0
                    yield update
                    if update.ended or update.reload:
                        return
                    state = tables.known(campaign) or state
                    continue
                within = min(LOOK_EVERY, keep_alive)
                if await follower.news(within):
                    quiet = 0.0
                    state = tables.known(campaign) or state
                else:
                    quiet += within
                    state = tables.campaign(campaign)
            yield Update(tables.cursors.seal(campaign, last), ended=follower.ended)

    def _update(
        self, campaign: str, state: Campaign, seat: str, last: int, here: frozenset[str]
    ) -> Update:
        span = self._spans.get(campaign)
        if span is None or span.state is not state or span.last != last or span.here is not here:
            span = self._spans[campaign] = self._span(campaign, state, last, here)
        ended = _ended(span, seat)
        if ended:
            return Update(span.cursor, ended=ended)
        if len(span.new) > MOST_NEWS:
            return Update(span.cursor, here=here, reload=True)
        anew = [state.events[number - 1] for number in span.anew]
        return Update(
            span.cursor,
            self._entries(campaign, state, span.new, seat),
            self._entries(campaign, state, anew, seat) if anew else (),
            span.touched,
            here,
            span.people,
        )

    def _entries(
        self, campaign: str, state: Campaign, events: Iterable[Event], seat: str
    ) -> tuple[Entry, ...]:
        """These events as far as a seat may know of them."""
        game, seal = self._tables.game_of(state), self._tables.cursors.seal
        entries = [
            entry_for(state, game, event, seat, seal(campaign, event.number)) for event in events
        ]
        return tuple([entry for entry in entries if entry is not None])

    def _span(self, campaign: str, state: Campaign, last: int, here: frozenset[str]) -> Span:
        new = state.events[last:]
        changed = [change.path for event in new for change in event.changes]
        # A campaign's first event lays out both parts, which name no step yet.
        named = [path for path in changed if len(path) > 1]
        anew = {int(path[1]) for path in named if path[0] in {"undone", "revealed"}}
        seats = [state.table.seats[seat] for seat in here if seat in state.table.seats]
        return Span(
            state,
            last,
            here,
            self._tables.cursors.seal(campaign, state.number),
            new,
            tuple(sorted(number for number in anew if number <= last)),
            frozenset(path[0] for path in changed),
            tuple(sorted(seat.name for seat in seats if seat.state == "seated")),
            frozenset(str(event.data["of"]) for event in new if event.kind == "seat-handed-over"),
        )

    def _entry(self, campaign: str, state: Campaign, event: Event, seat: str) -> Entry | None:
        cursor = self._tables.cursors.seal(campaign, event.number)
        return entry_for(state, self._tables.game_of(state), event, seat, cursor)


def _ended(span: Span, seat: str) -> str:
    """Why a seat's stream is over, also where another process ended it; "" while it goes on."""
    sitting = span.state.table.seats.get(seat)
    if sitting is None or sitting.state not in {"seated", "waiting"}:
        return "revoked"
    return "handed-over" if seat in span.given else ""
