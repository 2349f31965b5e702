"""The SQL of hashed keys, secrets and drafts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, replace
from datetime import datetime

from kitchentable.store import events
from kitchentable.store.checks import MOST_PICTURES
from kitchentable.store.database import Database, T, every, one
from kitchentable.store.errors import BadRecord
from kitchentable.store.rows import (
    CampaignEntry,
    Draft,
    ExportData,
    Picture,
    Row,
    Seed,
    Throw,
    Token,
)

KEYS = "select hash, purpose, created, campaign, seat, label, expires, revoked from tokens"
#: Keys that are looked up with one statement.
_AT_ONCE = 500
SETTING = "select value from settings where name = ?"
DRAFT = "select campaign, seat, key, body, saved from drafts"


def in_force(token: Token | None, now: str) -> Token | None:
    """The token, unless it is revoked or has expired by `now`."""
    if token is None or token.revoked is not None:
        return None
    if token.expires is None:
        return token
    at, end = datetime.fromisoformat(now), datetime.fromisoformat(token.expires)
    return token if at < end else None


def put_token(database: Database, token: Token, holder: str | None) -> None:
    """Store a token if its holder's key is in force; storing an equal one again is harmless."""
    events.require_key(database, holder)
    if token.campaign is not None:
        events.require_campaign(database, token.campaign)
    database.execute(
        "insert into tokens (hash, purpose, created, campaign, seat, label, expires, revoked) "
        "values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
        astuple(token),
    )
    if any_token(database, token.hash) != token:
        raise BadRecord(
            "This key already exists for another seat, purpose or time. Keys cannot be "
            "changed. Issue a new one.",
            code="store/token-known",
        )


def any_token(database: Database, hash: str) -> Token | None:
    """A token, in force or not."""
    return one(database, Token, f"{KEYS} where hash = ?", hash)


def hashes_in_force(database: Database, hashes: Sequence[str], now: str) -> set[str]:
    """The hashes among these of keys in force."""
    found = set()
    for at in range(0, len(hashes), _AT_ONCE):
        some = hashes[at : at + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        tokens = every(database, Token, f"{KEYS} where hash in ({marks})", *some)
        found |= {token.hash for token in tokens if in_force(token, now)}
    return found


def spend_token(database: Database, hash: str, now: str) -> Token | None:
    """Revoke and return a token in force."""
    token = in_force(any_token(database, hash), now)
    if token is None or not revoke_token(database, hash, now):
        return None
    return token


def revoke_token(database: Database, hash: str, now: str) -> bool:
    """Revoke a token; False when there was none, or it was revoked before."""
    changed = database.execute(
        "update tokens set revoked = ? where hash = ? and revoked is null", (now, hash)
    )
    return changed.rowcount == 1


def revoke_seat(database: Database, campaign: str, seat: str, now: str) -> None:
    """Revoke every token of a seat."""
    database.execute(
        "update tokens set revoked = ? where campaign = ? and seat = ? and revoked is null",
        (now, campaign, seat),
    )


def put_seed(database: Database, campaign: str, session: int, seed: bytes) -> None:
    """Store a session's seed; a different one for the same session is refused."""
    events.require_campaign(database, campaign)
    database.execute(
        "insert into seeds (campaign, session, seed) values (?, ?, ?) on conflict do nothing",
        (campaign, session, seed),
    )
    if seed_of(database, campaign, session) != seed:
        raise BadRecord(
            f"The dice of session {session} of campaign {campaign!r} are already committed to, and "
            "their seed cannot be changed.",
            code="store/seed-known",
        )


def seed_of(database: Database, campaign: str, session: int) -> bytes | None:
    """A session's seed."""
    sql = "select seed from seeds where campaign = ? and session = ?"
    return one(database, bytes, sql, campaign, session)


def keep_setting(database: Database, name: str, value: bytes) -> bytes:
    """Keep a setting if there is none; the one in force."""
    database.execute(
        "insert into settings (name, value) values (?, ?) on conflict do nothing", (name, value)
    )
    (kept,) = every(database, bytes, SETTING, name)
    return kept


def put_draft(database: Database, draft: Draft) -> None:
    """Keep a draft in place of the one before."""
    events.require_campaign(database, draft.campaign)
    database.execute(
        "insert into drafts (campaign, seat, key, body, saved) values (?, ?, ?, ?, ?) "
        "on conflict (campaign, seat, key) do update set body = excluded.body, "
        "saved = excluded.saved",
        astuple(draft),
    )


def put_picture(database: Database, campaign: str, picture: Picture) -> None:
    """Keep a picture; the same again is harmless."""
    events.require_campaign(database, campaign)
    known = picture_ids(database, campaign)
    if picture.id not in known and len(known) >= MOST_PICTURES:
        raise BadRecord(
            f"This campaign already has {MOST_PICTURES} pictures, the maximum. Use one "
            "of them again.",
            code="store/too-many-pictures",
        )
    database.execute(
        "insert into pictures (campaign, id, body) values (?, ?, ?) on conflict do nothing",
        (campaign, *astuple(picture)),
    )


def picture_ids(database: Database, campaign: str) -> list[str]:
    """The ids of a campaign's pictures, sorted."""
    return every(database, str, "select id from pictures where campaign = ? order by id", campaign)


def export_data(database: Database, campaign: str) -> ExportData:
    """The data of a campaign beyond its journal, for a move to another server."""

    def all_of(kind: Callable[..., T], sql: str) -> tuple[T, ...]:
        return tuple(every(database, kind, sql, campaign))

    return ExportData(
        seeds=all_of(Seed, "select session, seed from seeds where campaign = ? order by session"),
        throws=all_of(
            Throw,
            "select session, number, command from throws where campaign = ? "
            "order by session, number",
        ),
        drafts=all_of(Draft, f"{DRAFT} where campaign = ? order by seat, key"),
    )


def adopt(
    database: Database,
    entry: CampaignEntry,
    rows: Iterable[Row],
    export_data: ExportData,
    pictures: Iterable[Picture],
) -> None:
    """Import a whole campaign under the id of `entry`."""
    if events.campaign(database, entry.id) is not None:
        raise events.campaign_exists(entry.id)
    events.put_campaign(database, entry)
    events.insert(database, entry.id, rows)
    for seed in export_data.seeds:
        put_seed(database, entry.id, seed.session, seed.seed)
    database.executemany(
        "insert into throws (campaign, session, number, command) values (?, ?, ?, ?)",
        [(entry.id, *astuple(throw)) for throw in export_data.throws],
    )
    for item in export_data.drafts:
        put_draft(database, replace(item, campaign=entry.id))
    for picture in pictures:
        put_picture(database, entry.id, picture)


def remove(database: Database, campaign: str) -> None:
    """Remove a campaign and its data, except its index."""
    for table in ("pictures", "snapshots", "drafts", "seeds", "tokens", "throws", "events"):
        database.execute(f"delete from {table} where campaign = ?", (campaign,))  # noqa: S608
    database.execute("delete from campaigns where id = ?", (campaign,))
