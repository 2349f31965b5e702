"""The SQL of an index of readers: the events of a campaign that each reader may know of. The index
covers the same events as the index of words, and stores how many these are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kitchentable.store.database import EVERY, Database, every, one
from kitchentable.store.rows import IndexedEvent, Row


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a campaign's log for these `readers`; see `Store.find`."""

    campaign: str
    readers: tuple[str, ...]
    after: int | None
    before: int | None
    limit: int

    @property
    def low(self) -> int:
        """The number below those of the range."""
        return -1 if self.after is None else self.after

    @property
    def high(self) -> int:
        """The number above those of the range, which has no end if it has an `after`."""
        return EVERY if self.before is None or self.after is not None else self.before

    @property
    def order(self) -> str:
        """The order of the events, as SQL names it."""
        return "desc" if self.after is None else "asc"


def add(database: Database, campaign: str, events: Sequence[IndexedEvent]) -> None:
    """Store the readers of recorded events, and the number of the last indexed event."""
    database.executemany(
        "insert into readers (campaign, reader, number) "
        "select campaign, ?, number from events where campaign = ? and number = ? "
        "on conflict do nothing",
        [(reader, campaign, event.number) for event in events for reader in event.readers],
    )
    database.execute(
        "insert into indexed (campaign, number) select id, ? from campaigns where id = ? "
        "on conflict (campaign) do update set number = excluded.number "
        "where excluded.number > indexed.number",
        (events[-1].number, campaign),
    )


def indexed(database: Database, campaign: str) -> int:
    """The number of the last indexed event; 0 for none."""
    return one(database, int, "select number from indexed where campaign = ?", campaign) or 0


def read(database: Database, place: Place) -> list[Row]:
    """The rows that one of the readers may know of."""
    sql, values = _numbers(place)
    return every(
        database,
        Row,
        "select campaign, number, command, time, kind, body from events "  # noqa: S608
        f"where campaign = ? and number in ({sql}) order by number {place.order}",
        place.campaign,
        *values,
    )


def remove(database: Database, campaign: str) -> None:
    """Remove the readers of a campaign's events, before the events are removed."""
    database.execute("delete from readers where campaign = ?", (campaign,))
    database.execute("delete from indexed where campaign = ?", (campaign,))


def _numbers(place: Place) -> tuple[str, list[Any]]:
    """The numbers of the events of each reader, each list read no further than needed."""
    each = (
        "select number from (select number from readers where campaign = ? and reader = ? "  # noqa: S608
        f"and number > ? and number < ? order by number {place.order} limit ?) as one"
    )
    sql = " union ".join([each] * len(place.readers))
    values = [
        value
        for reader in place.readers
        for value in (place.campaign, reader, place.low, place.high, place.limit)
    ]
    return (
        f"select number from ({sql}) as every order by number {place.order} limit ?",  # noqa: S608
        [*values, place.limit],
    )
