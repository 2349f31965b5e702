"""Projections for one seat: the view, log entries, moves, odds and the feed.

`campaign.views` alone decides who may see what.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Self

import msgspec

from kitchentable.app.feed import Follower
from kitchentable.app.index import later_for, latest_for
from kitchentable.app.spans import Span, Update
from kitchentable.app.table import Tables
from kitchentable.campaign.audiences import LogReader, is_gm, known_as
from kitchentable.campaign.entries import is_known, read_entry
from kitchentable.campaign.errors import EventsNeeded
from kitchentable.campaign.events import Event
from kitchentable.campaign.permissions import actor_for
from kitchentable.campaign.questions import Filled, fill_in
from kitchentable.campaign.read_models import Entry, NoOdds, SeenMove, SeenOdds, View
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.views import moves_for, odds_for, view_for
from kitchentable.rules.combat import Battle, Fought
from kitchentable.rules.moves import Moment
from kitchentable.rules.table import Actor, Seat

#: With more visible events than this at once, the page is told to reload.
MOST_NEWS = 200
#: Limit of visible events searched for the latest roll of a kind.
LOOKED_BACK = 200
#: Limits: cached projections, and campaigns with a cached span.
_REMEMBERED, _SPANS = 50, 100


class Projection:
    """One seat's view of a campaign at one moment.

    A projection can be used in a thread while play continues, and reads only old log entries from
    the store. The view and the moves are made once, and all forms of an actor share one moment.
    """

    def __init__(self, tables: Tables, campaign: str, state: Campaign, seat: str) -> None:
        self.campaign = campaign
        self.game = tables.game_of(state)
        self.state = state
        self._seat = seat
        self._sitting = state.table.seats.get(seat)
        self._tables = tables
        self._cursors = tables.cursors
        self._look = tables.odds.look
        self._view: View | None = None
        self._moves: dict[str, tuple[SeenMove, ...]] = {}
        self._moments: dict[Actor, Moment] = {}
        #: The last form filled in: its move, actor, raw answers and result.
        self._filled: tuple[tuple[str, str, dict[str, Any]], Filled] | None = None

    @property
    def view(self) -> View:
        """The whole table as the seat sees it."""
        view = self._view
        if view is None:
            cursor = self._cursors.place(self.campaign, self.state.number)
            view = view_for(self.state, self.game, self._seat, cursor, self._look)
            # A copy imported next to the original has another id here.
            view = self._view = replace(view, campaign=self.campaign)
        return view

    def look_again(self) -> None:
        """Drop a cached view with odds of open proposals, so that they are looked up again.

        Any other view gets a new cursor: an equal one would reveal that nothing has happened since.
        """
        view = self._view
        if view is not None:
            cursor = self._cursors.place(self.campaign, self.state.number)
            self._view = None if view.proposals else replace(view, cursor=cursor)

    def moves(self, entity: str = "") -> tuple[SeenMove, ...]:
        """The moves that the seat may start now, for its entity or without one."""
        if entity not in self._moves:
            self._moves[entity] = moves_for(
                self.view, self.game, entity, self._moment(entity, self.view.me)
            )
        return self._moves[entity]

    def move(self, name: str, entity: str = "") -> SeenMove | None:
        """The move of that name, as `moves` has it; None for none."""
        return next((one for one in self.moves(entity) if one.name == name), None)

    def fill_in(self, move: str, entity: str, answers: Mapping[str, Any]) -> Filled:
        """A move's form with these answers, which may be incomplete."""
        key, last = (move, entity, dict(answers)), self._filled
        if last is not None and last[0] == key:
            return last[1]
        asked = self.game.move(move)
        moment = self._moment(entity, self._who_rolls(entity) if asked.converses else self.view.me)
        filled = fill_in(asked.title, lambda given: moment.fields(asked, given), answers)
        self._filled = key, filled
        return filled

    def odds(self, move: str, entity: str, answers: Mapping[str, Any]) -> SeenOdds | NoOdds:
        """The odds of a move as filled in so far, or the reason why none are shown."""
        fill = partial(self.fill_in, move, entity, answers)
        return odds_for(self.view, self.game, move, entity, answers, self._look, fill)

    def _who_rolls(self, entity: str) -> Seat:
        """The seat of an entity's player, who throws when the GM asks for a roll."""
        me, table = self.view.me, self.view.table
        one = table.entities.get(entity) if is_gm(me) else None
        return table.seats.get(one.owner, me) if one is not None else me

    def _moment(self, entity: str, seat: Seat) -> Moment:
        actor = actor_for(seat, entity)
        if actor not in self._moments:
            self._moments[actor] = self.game.moment(self.view.table, actor)
        return self._moments[actor]

    def latest(self, move: str, entity: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answers of the latest roll of this kind that agrees with `given`; {} for none.

        Only rolls that the seat may see count, without their hidden answers.
        """
        for event in islice(self.known(), LOOKED_BACK):
            data = event.data
            if event.kind != "move" or (data["move"], data["entity"]) != (move, entity):
                continue
            said = data["answers"]
            if all(str(said.get(name)) == str(value) for name, value in given.items()):
                return {name: said[name] for name in said if name not in data["hidden"]}
        return {}

    def standing(self) -> tuple[Fought, Battle] | None:
        """The current fight and its state, as known to the seat; None without one."""
        for fought in self.game.fights.values():
            start = fought.standing(self.view.table)
            if start is not None:
                return fought, start
        return None

    def entries(
        self,
        *,
        after: str | None = None,
        before: str | None = None,
        limit: int = 60,
        without: Container[str] = (),
    ) -> list[Entry]:
        """Entries of the log, oldest first: those after a cursor, or the last ones before one.

        Events of the kinds `without` are passed over.
        """
        end = self._cursors.open(self.campaign, before) if before is not None else None
        place = self._cursors.open(self.campaign, after) if after is not None else None
        events = self.events(after=place, before=end)
        told = self.entries_of(event for event in events if event.kind not in without)
        return list(islice(told, limit))[:: 1 if after is not None else -1]

    def events(self, *, after: int | None = None, before: int | None = None) -> Iterator[Event]:
        """The events that the seat may know of, and a few others, by their numbers.

        Those after a number come oldest first; otherwise those before one, the latest first.
        """
        seat, index = self._sitting, self._tables.store
        if seat is None or seat.state != "seated":
            return iter(())
        if after is not None:
            return later_for(index, self.campaign, self.state, seat, after)
        return latest_for(index, self.campaign, self.state, seat, before)

    def known(self, *, after: int | None = None) -> Iterator[Event]:
        """The events of `events` that the seat may see completely."""
        if self._sitting is not None:
            reader = LogReader(known_as(self._sitting))
            for event in self.events(after=after):
                if is_known(self.state, event, reader):
                    yield event

    @property
    def readers(self) -> tuple[str, ...]:
        """The seat's reader names in the index."""
        return known_as(self._sitting) if self._sitting is not None else ("",)

    def entries_of(self, events: Iterable[Event]) -> Iterator[Entry]:
        """The entries of these events that the seat may read."""
        if self._sitting is None:
            return
        reader = LogReader(known_as(self._sitting))
        for event in events:
            entry = read_entry(self.state, event, reader)
            if entry is not None:
                # Hidden events must cost as little time as possible.
                cursor = self._cursors.seal(self.campaign, event.number)
                yield msgspec.structs.replace(entry, cursor=cursor)


class Following:
    """The position of one screen in a campaign's log, while used as a context manager."""

    __slots__ = ("_follower", "_here", "_last", "_projections", "_tables")

    def __init__(
        self, projections: Projections, tables: Tables, follower: Follower, last: int | None
    ) -> None:
        self._projections = projections
        self._tables = tables
        self._follower = follower
        number = tables.campaign(follower.campaign).number
        self._last = number if last is None else last
        self._here: frozenset[str] = frozenset()

    def __enter__(self) -> Self:
        self._follower.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._follower.__exit__()
        self._projections.drop_news(self._follower.campaign)

    async def read(self) -> Update | None:
        """The news of `update`, read in a thread if the new events are no longer in memory."""
        try:
            return self.update()
        except EventsNeeded:
            return await asyncio.to_thread(self.update, beside=True)

    def update(self, *, beside: bool = False) -> Update | None:
        """The news since the last update; None without any.

        A thread `beside` the event loop does not share its results. Errors: EventsNeeded.
        """
        tables, follower, last = self._tables, self._follower, self._last
        campaign = follower.campaign
        if follower.ended:
            return Update(tables.cursors.place(campaign, last), ended=follower.ended)
        state, here = tables.known(campaign), tables.hub.here(campaign)
        if state is None or ((number := state.events.last) <= last and here == self._here):
            return None
        made = self._projections.update
        update = made(campaign, follower.seat, state, last, here, beside=beside)
        self._last, self._here = number, here
        return update


class Projections:
    """Projections and live updates for every seat of every campaign."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._latest: OrderedDict[tuple[str, str], Projection] = OrderedDict()
        #: The latest span of campaigns with recent events, shared by their screens.
        self._spans: dict[str, Span] = {}
        tables.leaving.append(self._drop)

    def seat(self, campaign: str, seat: str) -> Seat | None:
        """A seat of a campaign, or None."""
        return self._tables.campaign(campaign).table.seats.get(seat)

    def of(self, campaign: str, seat: str, *, known: bool = False) -> Projection:
        """The projection for a seat now; with `known` from memory, without reading the database."""
        state = (self._tables.known(campaign) if known else None) or self._tables.campaign(campaign)
        found = self._latest.pop((campaign, seat), None)
        if found is None or found.state is not state:
            found = Projection(self._tables, campaign, state, seat)
        found.look_again()
        self._latest[campaign, seat] = found
        self._forget()
        return found

    def _drop(self, campaign: str) -> None:
        """Drop the projections of a campaign that leaves memory."""
        for key in [one for one in self._latest if one[0] == campaign]:
            del self._latest[key]

    def _forget(self) -> None:
        """Drop the projections used longest ago, if they are outdated or too many."""
        while True:
            oldest = next(iter(self._latest.values()))
            outdated = self._tables.known(oldest.campaign) is not oldest.state
            if not outdated and len(self._latest) <= _REMEMBERED:
                return
            self._latest.popitem(last=False)

    def follow(
        self, campaign: str, seat: str, cursor: str | None, wake: Callable[[], None]
    ) -> Following:
        """A seat's updates after a cursor (None: from now on); `wake` is called for each.

        Errors: BadCursor, NoSuchCampaign.
        """
        last = self._tables.cursors.open(campaign, cursor) if cursor else None
        return Following(self, self._tables, self._tables.hub.follow(campaign, seat, wake), last)

    def drop_news(self, campaign: str) -> None:
        """Drop the shared news of a campaign, once its last follower is gone."""
        if not self._tables.hub.here(campaign):
            self._spans.pop(campaign, None)

    def update(
        self,
        campaign: str,
        seat: str,
        state: Campaign,
        last: int,
        here: frozenset[str],
        *,
        beside: bool = False,
    ) -> Update:
        """A seat's share of the events after `last`, and the seats that follow now."""
        span = None if beside else self._spans.get(campaign)
        if span is None or span.state is not state or span.last != last or span.here is not here:
            if whole := state.events.last - last <= MOST_NEWS:
                events = state.events.since(last)
            elif beside:
                known_to = Projection(self._tables, campaign, state, seat).known(after=last)
                events = list(islice(known_to, MOST_NEWS + 1))
            else:
                raise EventsNeeded
            if len(events) > MOST_NEWS:
                cursor = self._tables.cursors.place(campaign, state.number)
                return Update(cursor, here=here, reload=True)
            touched = frozenset(
                [one.path[0] for event in events for one in event.changes] if whole else state.tree
            )
            span = self._span(campaign, state, last, here, events, touched)
            if not beside:
                self._keep(span)
        if ended := span.ended(seat):
            return Update(span.cursor, ended=ended)
        names = known_as(state.table.seats[seat])
        for known, update in span.updates:
            if known.agrees(names):
                return update
        reader, seal = LogReader(names), self._tables.cursors.seal
        new = span.entries_of(reader, span.new, seal)
        anew = [state.events[number - 1] for number in span.anew]
        altered = span.entries_of(reader, anew, seal) if anew else ()
        update = Update(span.cursor, new, altered, span.touched, here, span.people)
        span.updates.append((reader, update))
        return update

    def _keep(self, span: Span) -> None:
        self._spans.pop(span.campaign, None)
        while len(self._spans) >= _SPANS:
            del self._spans[next(iter(self._spans))]
        self._spans[span.campaign] = span

    def _span(
        self,
        campaign: str,
        state: Campaign,
        last: int,
        here: frozenset[str],
        new: Sequence[Event],
        touched: frozenset[str],
    ) -> Span:
        # A campaign's first event creates both parts and names no step.
        anew = {
            int(path[1])
            for path in (change.path for event in new for change in event.changes)
            if path[0] in {"undone", "revealed"} and len(path) > 1 and int(path[1]) <= last
        }
        seats = [one for seat in here if (one := state.table.seats.get(seat)) is not None]
        return Span(
            campaign,
            state,
            last,
            here,
            self._tables.cursors.place(campaign, state.number),
            new,
            tuple(sorted(anew)),
            touched,
            tuple(sorted([seat.name for seat in seats if seat.state == "seated"])),
            frozenset([str(one.data["of"]) for one in new if one.kind == "seat-handed-over"]),
            {},
            [],
        )
