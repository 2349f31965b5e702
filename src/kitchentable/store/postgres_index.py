"""The SQL of the full-text index in PostgreSQL: which events of a campaign have which words."""

from collections.abc import Iterable, Sequence

from kitchentable.store.database import Database, every
from kitchentable.store.index import mark_of
from kitchentable.store.readers import Place, known_to
from kitchentable.store.rows import IndexedEvent

_ADD = (
    "insert into search (campaign, number, words) "
    "select campaign, number, cast(? as tsvector) from events where campaign = ? and number = ? "
    "on conflict (campaign, number) do update set words = excluded.words"
)


def add(database: Database, campaign: str, events: Sequence[IndexedEvent]) -> None:
    """Index events of a campaign."""
    mark = mark_of(campaign)
    database.executemany(
        _ADD,
        [
            (
                " ".join((*_as("1A", (mark, *one.marks)), *_as("2B", one.words))),
                campaign,
                one.number,
            )
            for one in events
        ],
    )


def find(
    database: Database, place: Place, marks: Sequence[str], prefixes: Sequence[str]
) -> list[int]:
    """The numbers of the events with these marks and words, in the order of `Store.find`."""
    wanted = " & ".join((*_as("A", (mark_of(place.campaign), *marks)), *_as("*B", prefixes)))
    beyond, end = (">", place.after) if place.after is not None else ("<", place.before)
    bound = "" if end is None else f"and number {beyond} ?"
    ends = () if end is None else (end,)
    known, readers = known_to(place, "search.campaign", "search.number")
    return every(
        database,
        int,
        f"select number from search where campaign = ? "  # noqa: S608
        f"and words @@ cast(? as tsquery) {bound} and {known} "
        f"order by number {place.order} limit ?",
        place.campaign,
        wanted,
        *ends,
        *readers,
        place.limit,
    )


def remove(database: Database, campaign: str) -> None:
    """Remove a campaign from the index, before its events are removed."""
    database.execute("delete from search where campaign = ?", (campaign,))


def _as(what: str, words: Iterable[str]) -> list[str]:
    """Words with their class, as PostgreSQL reads them: they have no quotes of their own."""
    return [f"'{word}':{what}" for word in words]
