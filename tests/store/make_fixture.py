"""Writes a database of each form as SQL text, when a migration has been added.

From the project's folder: python -m tests.store.make_fixture. It never overwrites: a fixture shows
what a form was when it was today's.
"""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from kitchentable.store import Append, Draft, IndexedEvent, Snapshot, Token, index
from kitchentable.store.connection import APPLICATION_ID, Pool, connect_reader, connect_writer
from kitchentable.store.migrate import bring_up, migrations
from kitchentable.store.sqlite import SqliteStore
from kitchentable.store.writer import Writer
from tests.store.samples import LATER, TIME, founded, new

#: The beginnings of the lines that `iterdump` writes for a virtual table.
_VIRTUAL = (
    "PRAGMA writable_schema",
    "INSERT INTO sqlite_master",
    'INSERT INTO "search',
    "CREATE TABLE 'search_",
)
FIXTURES = Path(__file__).with_name("fixtures")
HASH = "6ca13d52ca70c883e0f0bb101e425a89e8624de51db2d2392593af6a84118090"


def fixture(number: int) -> Path:
    """Where the fixture of a form is."""
    return FIXTURES / f"form_{number:04}.sql"


def fill(store: SqliteStore, number: int) -> None:
    """Something in every table of the form, through the store's own methods."""
    founded(store)
    store.append(Append("harbour", 1, "c2", [new("Who goes there?"), new("5", "rolled")]))
    store.reserve("harbour", 1, "c2")
    store.put_token(Token(HASH, "device", TIME, "harbour", "anna", "a phone", LATER))
    store.put_seed("harbour", 1, b"\x00secret")
    store.put_setting("csrf", b"\xffsecret")
    if number >= 2:
        store.put_draft(Draft("harbour", "anna", "sheet", b"name=Anna", TIME))
    if number >= 4:
        store.put_snapshot(Snapshot("harbour", 3, 2, b'{"title":"The Harbour"}'))
    found = IndexedEvent(1, ("gtalk",), {"all": ("the", "harbour")})
    if number >= 7:
        store.index("harbour", [found])
    elif number >= 5:
        store._write(lambda database: index.add(database, "harbour", [found]))
        noted = "insert into indexed (campaign, number) values ('harbour', 1)"
        store._write(lambda database: database.execute(noted))


def dump(number: int) -> str:
    """A filled database of this form, as SQL."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "campaigns.db"
        database = connect_writer(path, 1)
        bring_up(database, path, migrations()[:number], "0.1.0", TIME)
        readers = Pool(partial(connect_reader, path, 1))
        with closing(SqliteStore(path, Writer(database, path, 1), readers)) as store:
            fill(store, number)
        with closing(sqlite3.connect(path)) as finished:
            lines = [f"PRAGMA application_id = {APPLICATION_ID};", *statements(finished)]
    return "\n".join(lines) + "\n"


def statements(database: sqlite3.Connection) -> Iterator[str]:
    """A database as SQL; `iterdump` writes a virtual table so that nothing can read it."""
    virtual = "select sql from sqlite_schema where name = 'search'"
    for line in database.iterdump():
        if line == "COMMIT;" and (made := database.execute(virtual).fetchone()):
            yield f"{made[0]};"
            for row in database.execute("select rowid, marks, words from search"):
                yield f"INSERT INTO search (rowid, marks, words) VALUES{row};"
        if not line.startswith(_VIRTUAL):
            yield line


def main() -> None:
    FIXTURES.mkdir(exist_ok=True)
    for step in migrations():
        path = fixture(step.number)
        if not path.exists():
            path.write_text(dump(step.number), encoding="utf-8")
            sys.stdout.write(f"wrote {path}\n")


if __name__ == "__main__":
    main()
