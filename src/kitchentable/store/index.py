"""The SQL of the full-text index in SQLite: which events of a campaign have which words."""

from collections.abc import Sequence

from kitchentable.store.database import Database, every, one
from kitchentable.store.readers import Place, known_to
from kitchentable.store.rows import IndexedEvent

_ADD = (
    "insert or replace into search (rowid, marks, words) "
    "select id, ?, ? from events where campaign = ? and number = ?"
)


def add(database: Database, campaign: str, events: Sequence[IndexedEvent]) -> None:
    """Index events of a campaign."""
    mark = mark_of(campaign)
    database.executemany(
        _ADD,
        [
            (" ".join((mark, *one.marks)), " ".join(one.words), campaign, one.number)
            for one in events
        ],
    )


def find(
    database: Database, place: Place, marks: Sequence[str], prefixes: Sequence[str]
) -> list[int]:
    """The numbers of the events with these marks and words, in the order of `Store.find`."""
    wanted = [f"marks : {one}" for one in (mark_of(place.campaign), *marks)]
    wanted += [f"words : {one}*" for one in prefixes]
    beyond, end = (">", place.after) if place.after is not None else ("<", place.before)
    # The rows of the log are numbered as they were written, so a campaign's are in its order.
    bound = "" if end is None else f"and search.rowid {beyond} ?"
    rows = () if end is None else (_row(database, place.campaign, end),)
    known, readers = known_to(place, "events.campaign", "events.number")
    return every(
        database,
        int,
        "select number from search cross join events on events.id = search.rowid "  # noqa: S608
        f"where search match ? {bound} and {known} order by search.rowid {place.order} limit ?",
        " AND ".join(wanted),
        *rows,
        *readers,
        place.limit,
    )


def remove(database: Database, campaign: str) -> None:
    """Remove a campaign from the index, before its events are removed."""
    database.execute(
        "delete from search where rowid in (select id from events where campaign = ?)", (campaign,)
    )


def _row(database: Database, campaign: str, number: int) -> int:
    """The row of a campaign's event; 0 or the largest there can be, for one that does not exist."""
    sql = "select id from events where campaign = ? and number = ?"
    return one(database, int, sql, campaign, number) or (0 if number < 1 else 2**62)


def mark_of(campaign: str) -> str:
    """The mark of a campaign's events."""
    return f"c{campaign.encode().hex()}"
