"""The SQL of the full-text index in SQLite: which events of a campaign have which words.

Marks and words are stored separately for each reader, so a search skips other readers' events.
"""

from collections.abc import Iterator, Sequence

from kitchentable.store.database import Database, every, one
from kitchentable.store.readers import Place
from kitchentable.store.rows import IndexedEvent

_ADD = (
    "insert or replace into search (rowid, marks, words) "
    "select id, ?, ? from events where campaign = ? and number = ?"
)


def add(database: Database, campaign: str, events: Sequence[IndexedEvent]) -> None:
    """Index events of a campaign."""
    database.executemany(
        _ADD,
        [
            (" ".join(marks_of(campaign, one)), " ".join(words_of(one)), campaign, one.number)
            for one in events
        ],
    )


def find(
    database: Database, place: Place, marks: Sequence[str], prefixes: Sequence[str]
) -> list[int]:
    """The numbers of the events with these marks and words, in the order of `Store.find`."""
    wanted = [
        f"marks : ({' OR '.join(known_to(place, one))})"
        for one in (mark_of(place.campaign), *marks)
    ]
    wanted += [f"words : ({' OR '.join(known_to(place, one, '*'))})" for one in prefixes]
    # Row ids follow the order of writing, so a campaign's rows are in the order of its log.
    return every(
        database,
        int,
        "select number from search cross join events on events.id = search.rowid "  # noqa: S608
        "where search match ? and search.rowid > ? and search.rowid < ? "
        f"order by search.rowid {place.order} limit ?",
        " AND ".join(wanted),
        _row(database, place.campaign, place.low),
        _row(database, place.campaign, place.high),
        place.limit,
    )


def remove(database: Database, campaign: str) -> None:
    """Remove a campaign from the index, before its events are removed."""
    database.execute(
        "delete from search where rowid in (select id from events where campaign = ?)", (campaign,)
    )


def _row(database: Database, campaign: str, number: int) -> int:
    """The row id of a campaign's event; 0 or the largest possible one if it does not exist."""
    sql = "select id from events where campaign = ? and number = ?"
    return one(database, int, sql, campaign, number) or (0 if number < 1 else 2**62)


def mark_of(campaign: str) -> str:
    """The mark of a campaign's events."""
    return f"c{campaign.encode().hex()}"


def marks_of(campaign: str, event: IndexedEvent) -> Iterator[str]:
    """The marks of an event, each for everybody who may know of it."""
    for reader in event.readers:
        for mark in (mark_of(campaign), *event.marks):
            yield _for(reader, mark)


def words_of(event: IndexedEvent) -> Iterator[str]:
    """The words of an event, each for those who read it."""
    for reader, words in event.words.items():
        for word in words:
            yield _for(reader, word)


def known_to(place: Place, word: str, end: str = "") -> list[str]:
    """A mark or a word as stored for each of the readers, followed by `end`."""
    return [_for(reader, word) + end for reader in place.readers]


def _for(reader: str, word: str) -> str:
    # No reader's prefix begins another's, because x is not a hexadecimal digit.
    return f"{reader.encode().hex()}x{word}"
