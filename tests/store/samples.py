"""A campaign to write to, and rows that look like a table's."""

from kitchentable.store import Append, CampaignEntry, NewRow, Row, Store

TIME = "2026-11-21T19:30:00Z"
LATER = "2026-11-21T20:30:00.5Z"
HARBOUR = CampaignEntry("harbour", "The Harbour at Night", "toast", TIME)


def new(text: str = "Hello", kind: str = "said") -> NewRow:
    return NewRow(TIME, kind, b'{"text":"%s"}' % text.encode())


def founded(store: Store, entry: CampaignEntry = HARBOUR) -> Store:
    """The store with one campaign, which has one row."""
    store.append(Append(entry.id, 0, "founding", [new("once", "founded")], entry=entry))
    return store


def texts(rows: list[Row] | tuple[Row, ...]) -> list[str]:
    return [row.body.decode().removeprefix('{"text":"').removesuffix('"}') for row in rows]
