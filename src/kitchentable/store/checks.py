"""Limits of records, for every store and for imported files."""

import hashlib
import re
from collections.abc import Iterable
from datetime import datetime

import msgspec

from kitchentable.store.errors import BadRecord
from kitchentable.store.rows import Append, CampaignEntry, Draft, Picture, Token

#: The first bytes of a SQLite database, which is a server's whole store.
DATABASE = b"SQLite format 3\0"
MAX_BODY = 1 << 20
MAX_ROWS = 10_000
MAX_PICTURE = 1 << 20
MOST_PICTURES = 500
MAX_TEXT = 500

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORD = re.compile(r"[!-~]{1,200}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z")
_HASH = re.compile(r"[0-9a-f]{64}")
_JSON = msgspec.json.Decoder(dict[str, object])


def check_append(new: Append) -> None:
    """Refuse a command that could not be recorded, before anything is written.

    Errors: `BadRecord` with codes ``store/bad-...``.
    """
    check_id(new.campaign)
    check_word(new.command, "command id")
    if new.expected < 0:
        raise BadRecord(
            f"A log cannot be at entry {new.expected}: entries count from 1, and 0 means none.",
            code="store/bad-number",
        )
    if not 0 < len(new.rows) <= MAX_ROWS:
        raise BadRecord(
            f"A command must record 1 to {MAX_ROWS} entries, not {len(new.rows)}.",
            code="store/bad-rows",
        )
    for row in new.rows:
        check_row(row.time, row.kind, row.body)
    if new.entry is not None:
        check_entry(new.entry, new.campaign)
    if new.next_throw_of is not None:
        check_session(new.next_throw_of)


def check_row(time: str, kind: str, body: bytes) -> None:
    """Refuse a row with an invalid time, kind or body."""
    check_time(time)
    check_word(kind, "kind of entry")
    check_body(body)


def check_index_words(words: Iterable[str]) -> None:
    """Refuse marks and words with anything but letters and digits, which the index would split."""
    for word in words:
        if not word.isalnum() or len(word) > MAX_TEXT:
            raise BadRecord(
                f"The index needs words of at most {MAX_TEXT} letters and digits, "
                f"not {word[:40]!r}.",
                code="store/bad-word",
            )


def check_body(body: bytes) -> None:
    """Refuse a body that is not one JSON object on one line, as a journal needs it.

    >>> check_body(b'{"face": 5, "not yet known": [1.50]}')
    """
    _check_size("One entry", body, MAX_BODY)
    if body[:1] != b"{" or body[-1:] != b"}" or b"\n" in body or b"\r" in body:
        raise BadRecord(
            "The body of an entry must be one JSON object on a single line.",
            code="store/bad-body",
        )
    try:
        _JSON.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(
            f"The body of an entry is not valid JSON: {error}.", code="store/bad-body"
        ) from error


def check_id(campaign: str) -> None:
    """Refuse a campaign id that is not 1 to 64 letters, digits, ``-`` or ``_``."""
    if not _ID.fullmatch(campaign):
        raise BadRecord(
            "A campaign's id must have 1 to 64 letters, digits, hyphens or underscores; "
            f"{campaign[:80]!r} does not.",
            code="store/bad-id",
        )


def check_word(word: str, what: str) -> None:
    """Refuse a command id, kind, seat, key or purpose that is not 1 to 200 plain characters."""
    if not _WORD.fullmatch(word):
        raise BadRecord(
            f"A {what} must have 1 to 200 plain characters without spaces; {word[:80]!r} does not.",
            code="store/bad-word",
        )


def check_time(time: str) -> None:
    """Refuse a time that is not ISO-8601 in UTC with a closing ``Z``."""
    try:
        sound = _TIME.fullmatch(time) is not None and bool(datetime.fromisoformat(time))
    except ValueError:
        sound = False
    if not sound:
        raise BadRecord(
            "A time must be in UTC as in 2026-11-21T19:30:00Z, with up to six decimals of a "
            f"second; {time[:80]!r} is not.",
            code="store/bad-time",
        )


def check_entry(entry: CampaignEntry, campaign: str | None = None) -> None:
    """Refuse a directory line with a bad id, time or title, or for another campaign."""
    check_id(entry.id)
    if campaign not in (None, entry.id):
        raise BadRecord(
            f"The directory line of {entry.id!r} came with a step of {campaign!r}.",
            code="store/bad-id",
        )
    check_time(entry.created)
    check_word(entry.game, "game")
    if entry.archived is not None:
        check_time(entry.archived)
    if not 0 < len(entry.title) <= MAX_TEXT:
        raise BadRecord(
            f"A campaign's title must have 1 to {MAX_TEXT} characters, not {len(entry.title)}.",
            code="store/bad-title",
        )
    if "\0" in entry.title:
        raise BadRecord("A campaign's title must not have a NUL character.", code="store/bad-title")


def check_token(token: Token) -> None:
    """Refuse a token that is not hashed, or that names a seat without its campaign."""
    if not _HASH.fullmatch(token.hash):
        raise BadRecord(
            "A key is stored only as its SHA-256 in 64 lower-case hexadecimal digits, never as it "
            "is.",
            code="store/token-not-hashed",
        )
    check_word(token.purpose, "purpose")
    for time in (token.created, token.expires, token.revoked):
        if time is not None:
            check_time(time)
    if token.seat is not None:
        check_word(token.seat, "seat")
        if token.campaign is None:
            raise BadRecord("A seat's key must name its campaign.", code="store/bad-token")
    if len(token.label) > MAX_TEXT:
        raise BadRecord(
            f"A key's label has at most {MAX_TEXT} characters, not {len(token.label)}.",
            code="store/bad-token",
        )


def check_draft(draft: Draft) -> None:
    """Refuse a draft with a bad address or one that is too long."""
    check_id(draft.campaign)
    check_word(draft.seat, "seat")
    check_word(draft.key, "draft's key")
    check_time(draft.saved)
    _check_size("A draft", draft.body, MAX_BODY)


def picture_id(body: bytes) -> str:
    """The id of a picture: the start of the SHA-256 of its bytes.

    >>> picture_id(b"")
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4'
    """
    return hashlib.sha256(body).hexdigest()[:40]


def check_picture(picture: Picture) -> None:
    """Refuse a picture that is too large, not WebP, or does not match its id."""
    _check_size("A picture", picture.body, MAX_PICTURE)
    if picture.body[:4] != b"RIFF" or picture.body[8:12] != b"WEBP":
        raise BadRecord("A picture must be a WebP file.", code="store/bad-picture")
    if picture_id(picture.body) != picture.id:
        raise BadRecord("This picture does not match its id.", code="store/bad-picture")


def _check_size(what: str, body: bytes, most: int) -> None:
    if len(body) > most:
        raise BadRecord(
            f"{what} may have at most {most} bytes; this one has {len(body)}.",
            code="store/too-big",
        )


def check_session(session: int) -> None:
    """Refuse a session number below 1."""
    if session < 1:
        raise BadRecord(f"Sessions count from 1, not {session}.", code="store/bad-session")
