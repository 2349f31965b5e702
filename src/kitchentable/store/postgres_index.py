"""The SQL of the full-text index in PostgreSQL: which events of a campaign have which words."""

from collections.abc import Iterable, Sequence

from kitchentable.store.database import Database, every
from kitchentable.store.index import known_to, mark_of, marks_of, words_of
from kitchentable.store.readers import Place
from kitchentable.store.rows import IndexedEvent

_ADD = (
    "insert into search (campaign, number, words) "
    "select campaign, number, cast(? as tsvector) from events where campaign = ? and number = ? "
    "on conflict (campaign, number) do update set words = excluded.words"
)


def add(database: Database, campaign: str, events: Sequence[IndexedEvent]) -> None:
    """Index events of a campaign."""
    database.executemany(
        _ADD,
        [
            (
                " ".join((*_as("1A", marks_of(campaign, one)), *_as("2B", words_of(one)))),
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
    wanted = [_as("A", known_to(place, one)) for one in (mark_of(place.campaign), *marks)]
    wanted += [_as("*B", known_to(place, one)) for one in prefixes]
    return every(
        database,
        int,
        "select number from search where campaign = ? "  # noqa: S608
        "and words @@ cast(? as tsquery) and number > ? and number < ? "
        f"order by number {place.order} limit ?",
        place.campaign,
        " & ".join(f"({' | '.join(one)})" for one in wanted),
        place.low,
        place.high,
        place.limit,
    )


def remove(database: Database, campaign: str) -> None:
    """Remove a campaign from the index, before its events are removed."""
    database.execute("delete from search where campaign = ?", (campaign,))


def _as(what: str, words: Iterable[str]) -> list[str]:
    """Words with their class in PostgreSQL's syntax; the words have no quotation marks."""
    return [f"'{word}':{what}" for word in words]
