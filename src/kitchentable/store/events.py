"""The SQL of steps on the log, the directory and the dice streams' counters."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple

from kitchentable.store.database import Database, every, one
from kitchentable.store.errors import BadRecord, Conflict, KeyEnded, no_such_campaign
from kitchentable.store.rows import (
    AlreadyDone,
    Append,
    Appended,
    CampaignEntry,
    Row,
)

_INSERT = (
    "insert into events (campaign, number, command, part, time, kind, body) "
    "values (?, ?, ?, ?, ?, ?, ?)"
)
# Every step is a single statement, because the writer's thread may wait for the event loop's thread
# before each one.
_INSERT_NEXT = (
    "insert into events (campaign, number, command, part, time, kind, body) "
    "select :campaign, :expected + 1, :command, 0, :time, :kind, :body "
    "where (select max(number) from events where campaign = :campaign) = :expected "
    "and not exists (select 1 from events where campaign = :campaign and command = :command) "
    "and (cast(:key as text) is null "
    "or exists (select 1 from tokens where hash = :key and revoked is null /*pg for share */))"
)
_RESERVE = (
    "insert into throws (campaign, session, number, command) "
    "select id, :session, (select coalesce(max(number), 0) + 1 from throws "
    "where campaign = :campaign and session = :session), :command from campaigns "
    "where id = :campaign on conflict do nothing returning number"
)
_RESERVED = (
    "select number from throws where campaign = :campaign and session = :session "
    "and command = :command"
)
#: Limits of one query for news: campaigns, and rows of each.
_AT_ONCE, NEWS = 100, 1000
ROW = "select campaign, number, command, time, kind, body from events"
ENTRY = "select id, title, game, created, archived from campaigns"


def append(database: Database, new: Append) -> Appended | AlreadyDone:
    """Record a command's rows, inside the caller's transaction."""
    if done := recorded(database, new.campaign, new.command):
        return AlreadyDone(done)
    require_key(database, new.key)
    last = latest(database, new.campaign)
    if not last and new.entry is None:
        require_campaign(database, new.campaign)
    if last != new.expected:
        raise Conflict(new.expected, last)
    if new.entry is not None:
        put_campaign(database, new.entry)
    rows = tuple(
        Row(new.campaign, number, new.command, row.time, row.kind, row.body)
        for number, row in enumerate(new.rows, last + 1)
    )
    insert(database, new.campaign, rows)
    return Appended(rows)


def append_one(database: Database, new: Append) -> Appended | AlreadyDone:
    """Append one row in one statement to a campaign that already has rows."""
    row = new.rows[0]
    values = {
        "campaign": new.campaign,
        "expected": new.expected,
        "command": new.command,
        "time": row.time,
        "kind": row.kind,
        "body": row.body,
        "key": new.key,
    }
    if database.execute(_INSERT_NEXT, values).rowcount == 1:
        number = new.expected + 1
        return Appended((Row(new.campaign, number, new.command, row.time, row.kind, row.body),))
    # The reason is found step by step.
    return append(database, new)


def require_key(database: Database, key: str | None) -> None:
    """Refuse a step with a revoked key. Errors: KeyEnded."""
    held = "select 1 from tokens where hash = ? and revoked is null /*pg for share */"
    if key is not None and database.execute(held, (key,)).fetchone() is None:
        raise KeyEnded


def news(database: Database, after: Mapping[str, int]) -> list[Row]:
    """The rows of several campaigns after these numbers, at most a thousand of each."""
    found: list[Row] = []
    places = list(after.items())
    while places:
        some, places = places[:_AT_ONCE], places[_AT_ONCE:]
        values = ", ".join(["(?, ?, ?)"] * len(some))
        bounds = [bound for name, number in some for bound in (name, number, number + NEWS)]
        found += every(
            database,
            Row,
            f"with due (name, low, high) as (values {values}) "  # noqa: S608 - question marks
            "select campaign, number, command, time, kind, body from due "
            "join events on campaign = name and number > low and number <= high "
            "order by campaign, number",
            *bounds,
        )
    return found


def recorded(database: Database, campaign: str, command: str) -> tuple[Row, ...]:
    """The rows of a command."""
    sql = f"{ROW} where campaign = ? and command = ? order by part"
    return tuple(every(database, Row, sql, campaign, command))


def latest(database: Database, campaign: str) -> int:
    """The number of the campaign's last row, 0 for none."""
    found = database.execute("select max(number) from events where campaign = ?", (campaign,))
    number: int | None = found.fetchone()[0]
    return number or 0


def campaign(database: Database, id: str) -> CampaignEntry | None:
    """One line of the directory."""
    return one(database, CampaignEntry, f"{ENTRY} where id = ?", id)


def require_campaign(database: Database, id: str) -> None:
    """Refuse an id that is not in the directory."""
    if campaign(database, id) is None:
        raise no_such_campaign(id)


def put_campaign(database: Database, entry: CampaignEntry) -> None:
    """Write a line of the directory, new or changed."""
    database.execute(
        "insert into campaigns (id, title, game, created, archived) values (?, ?, ?, ?, ?) "
        "on conflict (id) do update set title = excluded.title, game = excluded.game, "
        "created = excluded.created, archived = excluded.archived",
        astuple(entry),
    )


def reserve(database: Database, id: str, session: int, command: str | None) -> int:
    """Reserve the next throw number of a session, or give the one of this command."""
    values = {"campaign": id, "session": session, "command": command}
    found = database.execute(_RESERVE, values).fetchone()
    if found is None:
        # The campaign is unknown, or the command has its number.
        require_campaign(database, id)
        found = database.execute(_RESERVED, values).fetchone()
    number: int = found[0]
    return number


def insert(database: Database, campaign: str, rows: Iterable[Row]) -> None:
    """Write rows of a campaign after the ones that it has."""
    database.executemany(
        _INSERT,
        (
            (campaign, row.number, row.command, part, row.time, row.kind, row.body)
            for part, row in parted(rows)
        ),
    )


def parted(rows: Iterable[Row]) -> Iterator[tuple[int, Row]]:
    """Each row with its index (from 0) among the rows of its command."""
    command, part = None, 0
    for row in rows:
        part = part + 1 if row.command == command else 0
        command = row.command
        yield part, row


def campaign_exists(id: str) -> BadRecord:
    """The error when a campaign's id is taken."""
    return BadRecord(
        f"A campaign with the id {id!r} already exists here and was not changed. To import "
        "this one as well, give it another id: --as ID.",
        code="store/campaign-exists",
    )
