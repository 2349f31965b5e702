"""Errors of the event store, each with a sentence for the person who can act."""

import os
import sqlite3

from kitchentable.dice.errors import BadInput, KitchenTableError

Place = str | os.PathLike[str]


class StoreError(KitchenTableError):
    """Data could not be stored or read; no failed step was acknowledged. `code` is stable (such as
    ``store/disk-full``), and the message tells the host what to do.
    """

    code = "store/failed"


class Conflict(StoreError):
    """Another step was recorded first: decide again on the newer state, with the same dice.

    `latest` is the number of the campaign's last row.
    """

    code = "store/conflict"

    def __init__(self, expected: int, latest: int) -> None:
        super().__init__(
            f"The table has changed: this step was decided after entry {expected}, "
            f"but the log is already at entry {latest}. Look again, then repeat it."
        )
        self.latest = latest


class KeyEnded(BadInput):
    """A step came with a revoked key and was not recorded."""

    code = "store/key-ended"

    def __init__(self) -> None:
        super().__init__("Your key was revoked, so nothing was done. Ask the GM for a new link.")


class BadRecord(BadInput):
    """Invalid data that cannot be stored, such as an empty command or a body that is not JSON."""

    code = "store/bad-record"


class BadFile(BadInput):
    """A file that cannot be imported, read as a journal, written to or restored from."""

    code = "store/bad-file"


def no_such_campaign(campaign: str) -> BadRecord:
    """The error for a campaign's id that is not in the directory."""
    return BadRecord(
        f"There is no campaign with the id {campaign!r} here.", code="store/no-such-campaign"
    )


def store_closed() -> StoreError:
    """The error after the store was closed."""
    return StoreError(
        "The database is closed because the server is shutting down. This step was not "
        "saved. Repeat it when the server is back.",
        code="store/closed",
    )


def explain(error: sqlite3.Error, path: Place) -> StoreError:
    """Turn SQLite's error into a sentence for the host, with a stable code.

    >>> explain(sqlite3.OperationalError("odd"), "campaigns.db").code
    'store/unexpected'
    """
    if isinstance(error, sqlite3.ProgrammingError):
        return store_closed()
    kind = kind_of(error)
    return in_words(_SENTENCES.get(_ALIKE.get(kind, kind)), path, error)


def kind_of(error: sqlite3.Error) -> int:
    """SQLite's code for the kind of an error; 0 for an error of Python's module."""
    # SQLite does not check texts, so only Python's module notices damage in one.
    unreadable = str(error).startswith("Could not decode to UTF-8")
    own = sqlite3.SQLITE_CORRUPT if unreadable else 0
    number: int = getattr(error, "sqlite_errorcode", own)
    return number & 0xFF


def in_words(found: tuple[str, str] | None, place: Place, error: Exception) -> StoreError:
    """The error with this code and sentence; without them, one that quotes the database."""
    code, sentence = found or _UNKNOWN
    told = sentence.format(place=os.fspath(place), error=str(error).strip(), unsaved=UNSAVED)
    return StoreError(told, code=code)


#: The text for {unsaved} in sentences about database errors.
UNSAVED = "This step was not saved."

#: Errors that share a sentence.
_ALIKE = {
    sqlite3.SQLITE_LOCKED: sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_PERM: sqlite3.SQLITE_READONLY,
}
_UNKNOWN = (
    "store/unexpected",
    (
        "The database {place} answered with an error that Kitchen Table does not know: {error}. "
        "{unsaved}"
    ),
)
_SENTENCES = {
    sqlite3.SQLITE_FULL: (
        "store/disk-full",
        "The disk that holds {place} is full. {unsaved} Free some space and repeat it.",
    ),
    sqlite3.SQLITE_BUSY: (
        "store/busy",
        "Another program has locked {place} for too long. {unsaved} Repeat it.",
    ),
    sqlite3.SQLITE_READONLY: (
        "store/read-only",
        (
            "The database {place} cannot be written to. {unsaved} Check who owns the file and "
            "its folder, and whether the disk is mounted read-only."
        ),
    ),
    sqlite3.SQLITE_IOERR: (
        "store/disk-error",
        (
            "The disk that holds {place} reported a fault ({error}). {unsaved} Check the disk, "
            "and keep the newest copy from the backups folder in a safe place."
        ),
    ),
    sqlite3.SQLITE_CORRUPT: (
        "store/damaged",
        (
            "The database {place} is damaged ({error}). {unsaved} Stop the server, keep the "
            "file, and restore the newest good copy from the backups folder next to it."
        ),
    ),
    sqlite3.SQLITE_NOTADB: (
        "store/not-a-database",
        "The file {place} is not a Kitchen Table database. Choose another; this was not changed.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "store/cannot-open",
        "The database {place} cannot be opened. Check its folder and whether you may write there.",
    ),
    sqlite3.SQLITE_NOMEM: (
        "store/out-of-memory",
        "There was not enough memory to use {place}. {unsaved} Close other programs and repeat it.",
    ),
    sqlite3.SQLITE_TOOBIG: (
        "store/too-big",
        "The data was too long for the database {place}. {unsaved}",
    ),
}
