"""Appends of many campaigns as one statement of SQLite.

The writer's thread waits for the event loop's thread after each statement and each row that it
reads. So a batch is one statement without result rows, and one with all throw numbers in one row.
"""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from kitchentable.store.rows import Append, Appended, Row

#: A row that does not fit gets no number, which the table refuses: then nothing is inserted.
_INSERT = (
    "with new (campaign, expected, command, time, kind, body, key) as (values {rows}) "
    "insert into events (campaign, number, command, part, time, kind, body) "
    "select campaign, case when "
    "(select max(number) from events where campaign = new.campaign) = expected "
    "and not exists (select 1 from events "
    "where campaign = new.campaign and command = new.command) "
    "and (key is null or exists (select 1 from tokens where hash = key and revoked is null)) "
    "then expected + 1 end, command, 0, time, kind, body from new where campaign is not null"
)
#: Limit of rows in a statement: SQLite allows about 32,000 values.
MOST_ROWS = 2048
_RESERVE = (
    "with new (campaign, session) as (values {rows}) "
    "insert into throws (campaign, session, number) select campaign, session, "
    "(select coalesce(max(number), 0) + 1 from throws "
    "where campaign = new.campaign and session = new.session) from new where campaign is not null"
)
_RESERVED = (
    "with new (campaign, session) as (values {rows}) "
    "select json_group_object(campaign, (select max(number) from throws "
    "where campaign = new.campaign and session = new.session)) from new where campaign is not null"
)


def append_batch(database: sqlite3.Connection, batch: Sequence[Append]) -> list[Appended] | None:
    """Append for each of these campaigns like `events.append_one`, all or none. The result is None,
    and nothing was done, if one does not fit, if a campaign occurs twice, or if there are too many.
    """
    if len(batch) > MOST_ROWS:
        return None
    rows = [
        (new.campaign, new.expected, new.command, row.time, row.kind, row.body, new.key)
        for new in batch
        for row in new.rows
    ]
    try:
        database.execute(*_filled(_INSERT, rows))
    except sqlite3.IntegrityError:
        return None
    throws = [(new.campaign, new.next_throw_of) for new in batch if new.next_throw_of is not None]
    numbers: dict[str, int] = {}
    if throws:
        database.execute(*_filled(_RESERVE, throws))
        numbers = json.loads(database.execute(*_filled(_RESERVED, throws)).fetchone()[0])
    return [
        Appended(
            (Row(new.campaign, new.expected + 1, new.command, row.time, row.kind, row.body),),
            numbers[new.campaign] if new.next_throw_of is not None else None,
        )
        for new in batch
        for row in new.rows
    ]


def _filled(sql: str, rows: Sequence[tuple[Any, ...]]) -> tuple[str, list[Any]]:
    """A statement for these rows, padded with empty rows so that few different statements exist."""
    size, width = 1 << (len(rows) - 1).bit_length(), len(rows[0])
    marks = ", ".join([f"({', '.join('?' * width)})"] * size)
    values = [value for row in rows for value in row] + [None] * width * (size - len(rows))
    return sql.replace("{rows}", marks), values
