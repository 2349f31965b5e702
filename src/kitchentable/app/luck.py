"""The luck of a campaign's players as one seat may know it, from a table or a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kitchentable.app.audit import reading
from kitchentable.app.held import event_of
from kitchentable.app.projections import Projection
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.events import Event
from kitchentable.campaign.luck import Luck, luck_of, roll_of, somebody_outside
from kitchentable.campaign.read_models import Entry
from kitchentable.campaign.state import Campaign, fold
from kitchentable.rules.table import Table
from kitchentable.store import read_journal

#: Limits: latest events searched for rolls, and latest rolls counted.
MOST_EVENTS = 20_000
MOST_ROLLS = 2_000


@dataclass(frozen=True, slots=True)
class Report:
    """The luck of everybody with rolls that a seat may see.

    `unknown` counts the rolls with odds or results hidden from the reader, and `more` means that
    older rolls are left out.
    """

    players: tuple[Luck, ...] = ()
    unknown: int = 0
    more: bool = False

    @property
    def outside(self) -> float:
        """The chance that the luck of at least one player is not ordinary."""
        return somebody_outside(self.players)


def luck_for(projection: Projection, session: int = 0) -> Report:
    """The luck of a session, or of the whole campaign (0), as the projection's seat may know it."""
    events, more = _latest(projection.known(), projection.state, session)
    return _report(projection.entries_of(events), projection.view.table, more)


def luck_in(path: Path, session: int = 0) -> Report:
    """The luck in an exported campaign, as its GM knows it.

    Errors: BadFile for a file that is not a sound journal; NewerEvent.
    """
    with reading(path):
        campaign = fold(map(event_of, read_journal(path)))
        if campaign is None:
            return Report()
        gm = campaign.table.gm
        events, more = _latest(reversed(campaign.events), campaign, session)
        known = (entry_for(campaign, event, gm.id) for event in events)
        return _report(filter(None, known), campaign.table, more)


def _latest(events: Iterable[Event], campaign: Campaign, session: int) -> tuple[list[Event], bool]:
    """The latest events with odds, oldest first, and whether older ones are left out.

    `events` are the latest first.
    """
    found: list[Event] = []
    now = campaign.table.session.number
    for looked_at, event in enumerate(events):
        if now < session:
            break
        if looked_at == MOST_EVENTS or len(found) > MOST_ROLLS:
            return found[:MOST_ROLLS][::-1], True
        if event.throw is not None and event.throw.odds and session in {0, now}:
            found.append(event)
        if event.kind == "session-began":
            now -= 1
    return found[:MOST_ROLLS][::-1], len(found) > MOST_ROLLS


def _report(entries: Iterable[Entry], table: Table, more: bool) -> Report:
    rolls = [
        roll_of(entry, _player(entry, table))
        for entry in entries
        if entry.card is not None and not entry.undone and (not entry.odds or entry.odds.judges)
    ]
    players = luck_of(filter(None, rolls))
    return Report(tuple(players), rolls.count(None), more)


def _player(entry: Entry, table: Table) -> str:
    """The name of the acting entity's player, or of the person who threw dice without an entity."""
    entity = table.entities.get(entry.card.entity) if entry.card is not None else None
    seat = table.seats.get(entity.owner) if entity is not None else None
    if seat is not None:
        return seat.name
    if entity is not None:
        return table.gm.name
    return entry.who
