"""Migrations of a database to the current form, in numbered steps, never back."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from kitchentable.store.connection import APPLICATION_ID
from kitchentable.store.database import Database
from kitchentable.store.errors import StoreError

_NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
_RELEASE = re.compile(r"\d+(?:\.\d+)*")

BOOKKEEPING = """
create table if not exists migrations (
    number integer primary key,
    name text not null,
    software text not null,
    applied text not null
);
create table if not exists openings (
    id integer primary key,
    software text not null,
    since text not null
);
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from form `number` - 1 to form `number`, as SQL."""

    number: int
    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a database file: its last migration and the last software that wrote it."""

    number: int = 0
    software: str | None = None


def migrations() -> tuple[Migration, ...]:
    """The migrations of this version, in order and without gaps.

    >>> [step.number for step in migrations()][:2]
    [1, 2]
    """
    found = [
        Migration(int(matched[1]), matched[2], file.read_text("utf-8"))
        for file in files("kitchentable.store").joinpath("migrations").iterdir()
        if (matched := _NAME.fullmatch(file.name))
    ]
    return tuple(sorted(found, key=lambda step: step.number))


def release(software: str) -> tuple[int, ...]:
    """The numbers of a version, for comparison; suffixes do not count.

    >>> release("0.10.2rc1") > release("0.9")
    True
    """
    matched = _RELEASE.match(software)
    numbers = [int(number) for number in matched[0].split(".")] if matched else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def form_of(database: sqlite3.Connection, path: Path) -> Form:
    """Read the form of a database file, without changing a byte.

    Errors: `StoreError` ``store/not-a-database`` for another program's database.
    """
    database.execute("begin")
    try:
        owner: int = database.execute("pragma application_id").fetchone()[0]
        tables: int = database.execute("select count(*) from sqlite_schema").fetchone()[0]
        if owner != APPLICATION_ID:
            if owner == 0 and tables == 0:
                return Form()
            raise StoreError(
                f"The file {path} is a database of another program. Choose another file. This one "
                "was not changed.",
                code="store/not-a-database",
            )
        return noted(database)
    finally:
        # SQLite has already ended the transaction if the disk is full.
        if database.in_transaction:
            database.execute("rollback")


def noted(database: Database) -> Form:
    """The form as the database's own bookkeeping states it."""
    number: int | None = database.execute("select max(number) from migrations").fetchone()[0]
    last = database.execute("select software from openings order by id desc").fetchone()
    return Form(number or 0, None if last is None else last[0])


def refuse_newer(form: Form, steps: tuple[Migration, ...], software: str, path: Path | str) -> None:
    """Refuse a database of a newer version, which this one could misread or harm."""
    newest = steps[-1].number
    if form.software is not None and release(form.software) > release(software):
        by = f"Kitchen Table {form.software}"
    elif form.number > newest:
        by = f"a newer Kitchen Table (its form is {form.number}, this version knows {newest})"
    else:
        return
    raise StoreError(
        f"The database {path} was last written by {by}, and this is {software}. Install that "
        "version again, or restore the copy from before the change from the backups "
        "folder. This database was not changed.",
        code="store/newer-version",
    )


def bring_up(
    database: sqlite3.Connection,
    path: Path,
    steps: tuple[Migration, ...],
    software: str,
    at: str,
) -> None:
    """Apply missing migrations to a database file, and note the writing software."""
    begun = f"{BOOKKEEPING}pragma application_id = {APPLICATION_ID};"
    hold = partial(_transaction, database)
    apply(database, path, steps, software, at, begun, hold, sqlite3.Error)


def apply(
    database: Database,
    place: Path | str,
    steps: tuple[Migration, ...],
    software: str,
    at: str,
    bookkeeping: str,
    transaction: Callable[[], AbstractContextManager[None]],
    fault: type[Exception],
) -> None:
    """Apply missing steps, each in its own transaction, and record the writing software.

    Two processes may do this at once: each checks again inside its transaction, which makes the
    other wait. `at` is the recorded time, `fault` the error class of the database.
    """
    with transaction():
        for statement in statements(bookkeeping):
            database.execute(statement)
    for step in steps:
        try:
            with transaction():
                _apply(database, step, software, at)
        except fault as error:
            raise StoreError(
                f"The database {place} could not be brought to form {step.number} ({step.name}): "
                f"{error}. This step changed nothing.",
                code="store/migration-failed",
            ) from error
    with transaction():
        if noted(database).software != software:
            database.execute("insert into openings (software, since) values (?, ?)", (software, at))


def _apply(database: Database, step: Migration, software: str, at: str) -> None:
    done = database.execute("select 1 from migrations where number = ?", (step.number,))
    if done.fetchone() is not None:
        return
    for statement in statements(step.sql):
        database.execute(statement)
    database.execute(
        "insert into migrations (number, name, software, applied) values (?, ?, ?, ?)",
        (step.number, step.name, software, at),
    )


def statements(sql: str) -> Iterator[str]:
    """The statements of a script, one at a time, so that a transaction can hold them all.

    >>> [part.strip() for part in statements("create table a (b); insert into a values (';');")]
    ['create table a (b);', "insert into a values (';');"]
    """
    waiting = ""
    for piece in re.split(r"(?<=;)", sql):
        waiting += piece
        if sqlite3.complete_statement(waiting):
            yield waiting
            waiting = ""
    if waiting.strip():
        yield waiting


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Hold the write lock from the start; commit at the end, or roll back on an error."""
    with database:
        database.execute("begin immediate")
        yield
