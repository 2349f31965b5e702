"""Errors of PostgreSQL as sentences for the host."""

import psycopg

from kitchentable.store.errors import StoreError, in_words, store_closed

_UNREACHABLE = (
    "store/unreachable",
    (
        "The database {place} cannot be reached ({error}). Check that PostgreSQL runs there and "
        "that the address is right. The current step may not have been saved. Repeat it."
    ),
)
#: By PostgreSQL's error codes, or their first two characters.
_SENTENCES = {
    "53100": (
        "store/disk-full",
        "The disk of the database {place} is full. {unsaved} Free some space and repeat it.",
    ),
    "53200": (
        "store/out-of-memory",
        "The database {place} has too little memory. {unsaved} Repeat it.",
    ),
    "53300": (
        "store/too-many-connections",
        (
            "The database {place} accepts no more connections. {unsaved} Raise its "
            "max_connections, or start fewer workers."
        ),
    ),
    "25006": (
        "store/read-only",
        "The database {place} cannot be written to. {unsaved} Use the primary server's address.",
    ),
    "42501": (
        "store/read-only",
        (
            "The user of the database {place} lacks a permission ({error}). {unsaved} Grant it "
            "the right to create and change tables in its schema."
        ),
    ),
    "28": (
        "store/cannot-open",
        "The database {place} refuses this user or password ({error}).",
    ),
    "3D": ("store/cannot-open", "There is no such database as {place}. Create it first."),
    "3F": (
        "store/cannot-open",
        "There is no such schema in the database {place}. Create it first.",
    ),
    "40": (
        "store/busy",
        "Other programs were using the same rows of {place}. {unsaved} Repeat it.",
    ),
    "55P03": (
        "store/busy",
        "Another program has locked {place} for too long. {unsaved} Repeat it.",
    ),
    "57014": (
        "store/busy",
        "The database {place} took too long. {unsaved} Repeat it.",
    ),
    "57": _UNREACHABLE,
    "08": _UNREACHABLE,
    "58": (
        "store/disk-error",
        "The machine of the database {place} reported a fault ({error}). {unsaved}",
    ),
    "XX": (
        "store/damaged",
        (
            "The database {place} reports damage ({error}). {unsaved} Stop the server and "
            "restore the newest good copy."
        ),
    ),
}


def explain_postgres(error: psycopg.Error, place: str) -> StoreError:
    """Turn PostgreSQL's error into a sentence for the host, with a stable code.

    >>> explain_postgres(psycopg.errors.DiskFull(), "postgresql://table").code
    'store/disk-full'
    """
    if isinstance(error, psycopg.InterfaceError):
        return store_closed()
    state = error.sqlstate or ("08" if isinstance(error, psycopg.OperationalError) else "")
    return in_words(_SENTENCES.get(state) or _SENTENCES.get(state[:2]), place, error)
