"""The state of a campaign: plain facts, typed facts, and all events.

The state results from the recorded changes of its events alone. No rule runs here, so a corrected
rule does not change the past; facts unknown to this version are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, TypeVar

from kitchentable.campaign.errors import RESTORE, BadEvent
from kitchentable.campaign.events import Event
from kitchentable.campaign.log import Log, Reader
from kitchentable.campaign.paths import apply, record
from kitchentable.campaign.settings import SOLO
from kitchentable.rules.moves import Band, Card, Change, Line, Side
from kitchentable.rules.table import Ask, Entity, Seat, Session, Table

#: The parts of a table that are read alike.
Part = TypeVar("Part", Seat, Entity, Ask)


@dataclass(frozen=True, slots=True)
class Campaign:
    """One group's game: `tree` is plain JSON, `table` has the same facts as types for the game.

    `events` is the whole log, event n at index n - 1; older events may be only in the store.
    Entities, seats and asks that an event did not change stay the same objects.
    """

    tree: Mapping[str, Any]
    table: Table
    events: Log

    @property
    def id(self) -> str:
        """The campaign's id."""
        return str(self.tree["id"])

    @property
    def title(self) -> str:
        """The campaign's title."""
        return str(self.tree["title"])

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the table."""
        settings: Mapping[str, Any] = self.tree["settings"]
        return settings

    @property
    def number(self) -> int:
        """The number of the last event."""
        return self.events.last

    def event(self, number: int) -> Event | None:
        """The event with this number, or None."""
        return self.events[number - 1] if 0 < number <= len(self.events) else None

    def session_throws(self) -> Iterator[int]:
        """Yield the throw numbers of the latest session, the last first; 0 for typed faces."""
        session = self.table.session.number
        for event in reversed(self.events):
            if event.throw is not None and event.throw.session == session:
                yield event.throw.number
            if event.kind == "session-began":
                return

    def revealed(self, number: int) -> bool:
        """Whether all of this step was revealed to everybody."""
        return str(number) in self.tree["revealed"]

    def undone(self, number: int) -> bool:
        """Whether this step has been undone."""
        return str(number) in self.tree["undone"]


def has_played(campaign: Campaign, entity: Entity) -> bool:
    """Whether an entity is or was in play, even if its sheet was sent back."""
    kept = campaign.tree["entities"].get(entity.id, {})
    return entity.stage == "play" or bool(kept.get("played", False))


def evolve(campaign: Campaign | None, event: Event) -> Campaign:
    """Return the campaign after an event, by its recorded changes alone.

    `campaign` is None before the first event. Errors: BadEvent if the event is not the next.
    """
    before = campaign.events if campaign else Log.of()
    tree = _after(campaign.tree if campaign else {}, event, len(before))
    table = read_table(tree, event.number, (campaign.tree, campaign.table) if campaign else None)
    return Campaign(tree, table, before.after(event))


def with_changes(campaign: Campaign, changes: Iterable[Change]) -> Campaign:
    """Return the campaign as it would be after changes that no event records yet."""
    _, tree = record(campaign.tree, changes)
    table = read_table(tree, campaign.number, (campaign.tree, campaign.table))
    return replace(campaign, tree=tree, table=table)


def fold(
    events: Iterable[Event],
    snapshot: tuple[int, Mapping[str, Any]] = (0, MappingProxyType({})),
    reader: Reader | None = None,
) -> Campaign | None:
    """Return the campaign after these events, from the first on; None for no events.

    With a snapshot (a number of events and the tree after them) the events begin after that number.
    `reader` reads events that the campaign does not keep in memory.
    """
    number, tree = snapshot
    log = Log.of(start=number, reader=reader)
    for event in events:
        tree = _after(tree, event, len(log))
        log = log.after(event)
    return Campaign(tree, read_table(tree, len(log)), log) if log else None


def _after(tree: Mapping[str, Any], event: Event, before: int) -> Any:
    if event.number != before + 1:
        raise BadEvent(f"Event {event.number} cannot follow event {before}. {RESTORE}")
    try:
        return apply(tree, event.changes)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise BadEvent(
            f"Event {event.number} does not fit the events before it: {error!r}."
        ) from error


def read_table(
    tree: Mapping[str, Any], number: int, before: tuple[Mapping[str, Any], Table] | None = None
) -> Table:
    """Return the table of a tree, as typed values.

    `before` is an earlier tree with its table; unchanged parts are taken from it.
    """
    old_tree, old = before or ({}, Table(options={}))
    session = tree["session"]
    return Table(
        options=tree["options"],
        seats=_each(Seat, tree["seats"], old_tree.get("seats", {}), old.seats),
        entities=_each(Entity, tree["entities"], old_tree.get("entities", {}), old.entities),
        session=Session(session["number"], session["phase"], session.get("notes", {})),
        day=tree["day"],
        fight=tree["fight"],
        asks=_each(Ask, tree["asks"], old_tree.get("asks", {}), old.asks),
        own=tree["own"],
        number=number,
        salt=tree.get("salt", ""),
        alone=tree.get("settings", {}).get("gm_confirms") == SOLO,
    ).sharing(old)


def _each(
    kind: type[Part], now: Mapping[str, Any], was: Mapping[str, Any], old: Mapping[str, Part]
) -> Mapping[str, Part]:
    if now is was:
        return old
    return {
        one: old[one] if was.get(one) is plain else read(kind, one, plain)
        for one, plain in now.items()
    }


def read(kind: type[Part], id: str, plain: Mapping[str, Any]) -> Part:
    """Read a seat, an entity or an ask from plain data; absent facts get their defaults.

    >>> read(Seat, "s1", {"name": "Mara", "role": "player"})
    Seat(id='s1', name='Mara', role='player', state='seated')
    """
    known = {one.name: plain[one.name] for one in fields(kind) if one.name in plain}
    lists = {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
    return kind(id=id, **{**known, **lists})


def fields_of(value: Entity | Ask | Card | Side | Line | Band) -> dict[str, Any]:
    """Return the fields of a value by name, as the tree and events store them: without the id.

    >>> fields_of(Line("The lamp goes out."))
    {'text': 'The lamp goes out.', 'audience': 'all'}
    """
    return {one.name: getattr(value, one.name) for one in fields(value) if one.name != "id"}
