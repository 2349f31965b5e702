"""The SQLite store: acknowledged writes are durable, errors are clear, commits are shared."""

import asyncio
import itertools
import os
import sqlite3
import stat
import threading
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from kitchentable.store import (
    Append,
    Appended,
    BadRecord,
    Conflict,
    KeyEnded,
    MemoryStore,
    SqliteStore,
    StoreError,
    open_store,
)
from kitchentable.store.batch import MOST_ROWS, append_batch
from kitchentable.store.connection import APPLICATION_ID
from kitchentable.store.writer import Writer
from tests.store.samples import HARBOUR, founded, new


def hold(path: Path) -> sqlite3.Connection:
    """Another program that holds the write lock until its `rollback`."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    return other


def test_commits_are_durable_and_references_checked(opened):
    store = opened()
    pragmas = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "fullfsync": 1,
        "application_id": APPLICATION_ID,
        # A log that a long reader let grow is cut again.
        "journal_size_limit": 64 << 20,
    }

    def look(database: sqlite3.Connection) -> dict[str, object]:
        return {name: database.execute(f"pragma {name}").fetchone()[0] for name in pragmas}

    assert store.writer.call(look) == pragmas


def test_the_file_and_its_folder_are_the_owners_alone(opened, path: Path):
    founded(opened())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.with_name("campaigns.db-wal").stat().st_mode) == 0o600


def test_what_waits_is_committed_together(opened, path: Path):
    store = founded(opened())
    for name in range(50):
        store.writer.call(lambda db, name=name: copy_entry(db, name))

    async def play() -> list[Appended]:
        with closing(hold(path)) as other:
            waiting = [
                store.append_async(Append(f"c{name}", 0, "founding", [new(), new()]))
                for name in range(50)
            ]
            await asyncio.sleep(0.05)
            other.execute("rollback")
            return await asyncio.gather(*waiting)

    commits, steps = store.writer.commits, store.writer.jobs
    done = asyncio.run(play())
    assert all(isinstance(answer, Appended) and len(answer.rows) == 2 for answer in done)
    assert store.writer.jobs - steps == 50
    assert store.writer.commits - commits <= 2


@pytest.mark.parametrize("refused", [False, True])
def test_rows_of_many_campaigns_are_one_statement_with_the_same_result(opened, path, refused):
    store, twin = founded(opened()), founded(MemoryStore())
    for store_or_twin, name in itertools.product((store, twin), ("a", "b", "c", "d", "e")):
        founded(store_or_twin, replace(HARBOUR, id=name))
    batch = [
        Append("a", 1, "once", [new("1")], next_throw_of=1),
        Append("b", 1, "once", [new("2", "rolled")]),
        Append("c", 1, "once", [new("3")], next_throw_of=2),
        Append("a", 2, "again", [new("4")], next_throw_of=1),
    ]
    if refused:
        batch.insert(2, Append("d", 7, "late", [new("never")]))
        batch.append(Append("e", 1, "founding", [new("never")]))
        batch.append(Append("harbour", 1, "once", [new("never")], key="0" * 64))
    statements: list[str] = []
    store.writer.call(lambda db: db.set_trace_callback(statements.append))

    async def play() -> list[object]:
        with closing(hold(path)) as other:
            # Two of a campaign wait for each other at a table; here the second comes later.
            waiting = [store.append_async(one) for one in batch if one.command != "again"]
            await asyncio.sleep(0.05)
            other.execute("rollback")
            done = await asyncio.gather(*waiting, return_exceptions=True)
        second = await store.append_async(next(one for one in batch if one.command == "again"))
        return [*done, second]

    done = asyncio.run(play())
    for one, got in zip(sorted(batch, key=lambda one: one.command == "again"), done, strict=True):
        assert told(got) == told(appended(twin, one))
    for name in ("a", "b", "c", "d", "e", "harbour"):
        assert store.read(name) == twin.read(name)
        assert store.export_data(name).throws == twin.export_data(name).throws
    inserts = [one for one in statements if "insert into events" in one]
    assert len(inserts) <= 3 or refused


@pytest.mark.parametrize("many", [MOST_ROWS, 20 * MOST_ROWS])
def test_however_many_rows_come_at_once_sqlite_takes_their_values(opened, many):
    store = opened()
    batch = [Append(f"unknown-{at}", 1, "once", [new("1")]) for at in range(many)]
    assert store.writer.call(lambda db: append_batch(db, batch)) is None


def appended(store: MemoryStore, one: Append) -> object:
    try:
        return store.append(one)
    except (Conflict, KeyEnded) as refused:
        return refused


def told(done: object) -> object:
    """The result, or the kind of refusal."""
    return type(done) if isinstance(done, Exception) else done


def copy_entry(database: sqlite3.Connection, name: int) -> None:
    database.execute(
        "insert into campaigns select ?, title, game, created, archived from campaigns "
        "where id = 'harbour'",
        (f"c{name}",),
    )


def test_each_event_loop_is_woken_once_a_batch(opened, path: Path):
    store = founded(opened())

    async def play() -> int:
        loop = asyncio.get_running_loop()
        calls: list[object] = []
        wake = loop.call_soon_threadsafe
        loop.call_soon_threadsafe = lambda *args, **kw: calls.append(args) or wake(*args, **kw)
        with closing(hold(path)) as other:
            waiting = [store.reserve_async("harbour", 1) for _ in range(40)]
            await asyncio.sleep(0.05)
            other.execute("rollback")
            assert sorted(await asyncio.gather(*waiting)) == list(range(1, 41))
        return len(calls)

    assert asyncio.run(play()) <= 2


def test_a_refused_step_does_not_disturb_the_others_of_its_batch(opened, path: Path):
    store = founded(opened())

    def broken(database: sqlite3.Connection) -> None:
        database.execute("insert into settings values ('half', x'00')")
        database.execute("insert into settings values ('half', x'00')")

    def buggy(database: sqlite3.Connection) -> None:
        database.execute("insert into settings values ('bug', x'00')")
        raise ZeroDivisionError

    async def play() -> list[object]:
        with closing(hold(path)) as other:
            waiting = [
                store.append_async(Append("harbour", 1, "c2", [new("first")])),
                store.append_async(Append("harbour", 1, "c3", [new("late")])),
                store.writer.later(broken),
                store.writer.later(buggy),
                store.append_async(Append("tower", 0, "c4", [new()])),
                store.append_async(Append("harbour", 2, "c5", [new("second")])),
                store.append_async(Append("harbour", 1, "c2", [new("first")])),
            ]
            await asyncio.sleep(0.05)
            other.execute("rollback")
            return await asyncio.gather(*waiting, return_exceptions=True)

    first, late, half, bug, nowhere, second, again = asyncio.run(play())
    assert isinstance(late, Conflict)
    assert late.latest == 2
    assert isinstance(half, StoreError)
    assert half.code == "store/unexpected"
    assert isinstance(bug, ZeroDivisionError)
    assert isinstance(nowhere, BadRecord)
    assert (first.rows[0].number, second.rows[0].number) == (2, 3)
    assert again.rows == first.rows
    assert store.setting("half") is None
    assert store.setting("bug") is None
    assert store.latest("harbour") == 3


def fill(store: SqliteStore) -> None:
    for step in range(1, 1000):
        store.append(Append("harbour", step, f"big{step}", [new("x" * 2000)]))


def test_a_step_whose_next_throw_number_cannot_be_kept_is_not_recorded(opened, path: Path):
    store = founded(opened())
    with closing(sqlite3.connect(path)) as other:
        other.execute(
            "create trigger full before insert on throws begin select raise(abort, 'full'); end"
        )
    with pytest.raises(StoreError):
        store.append(Append("harbour", 1, "c2", [new("lost")], next_throw_of=1))
    assert store.latest("harbour") == 1
    assert store.append(Append("harbour", 1, "c2", [new("kept")])).rows[0].number == 2


def test_a_full_disk_is_told_and_nothing_is_acknowledged(opened):
    store = founded(opened())
    room = "pragma max_page_count = %d"
    pages: int = store.writer.call(lambda db: db.execute("pragma page_count").fetchone()[0])
    store.writer.call(lambda db: db.execute(room % (pages + 2)))
    with pytest.raises(StoreError) as caught:
        fill(store)
    step = store.latest("harbour")
    assert caught.value.code == "store/disk-full"
    assert "Free some space" in str(caught.value)
    assert 1 < step < 10
    assert store.recorded("harbour", f"big{step - 1}") != ()
    assert store.recorded("harbour", f"big{step}") == ()
    store.writer.call(lambda db: db.execute(room % 100_000))
    done = store.append(Append("harbour", step, f"big{step}", [new("x" * 2000)]))
    assert done.rows[0].number == step + 1


def test_a_database_that_may_not_be_written_is_told(opened):
    store = founded(opened())
    store.writer.call(lambda db: db.execute("pragma query_only = on"))
    with pytest.raises(StoreError) as caught:
        store.append(Append("harbour", 1, "c2", [new()]))
    assert caught.value.code == "store/read-only"
    assert store.latest("harbour") == 1


def test_a_database_without_write_access_is_read_and_left_as_it_is(opened, path, monkeypatch):
    store = founded(opened(software="0.0.9"))
    store.put_setting("secret", b"first")
    store.close()
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda one, _: one != path)
    store = opened(software="0.1.0")
    assert store.latest("harbour") == 1
    assert store.keep_setting("secret", b"other") == b"first"
    for write in (partial(store.put_setting, "a", b""), partial(store.keep_setting, "a", b"")):
        with pytest.raises(StoreError) as caught:
            write()
        assert caught.value.code == "store/read-only"
    store.backup(path.with_name("copy.db"))
    store.close()
    assert sorted(one.name for one in path.parent.iterdir()) == ["campaigns.db", "copy.db"]
    assert path.read_bytes() == before


def test_what_a_running_server_wrote_is_read_without_write_access(opened, path, monkeypatch):
    store = founded(opened())
    monkeypatch.setattr(os, "access", lambda one, _: one.suffix != ".db")
    assert opened().latest("harbour") == store.latest("harbour") == 1
    linked = path.parent.parent / "linked.db"
    linked.symlink_to(path)
    with closing(open_store(linked, software="0.1.0")) as other:
        assert other.latest("harbour") == 1


def test_a_database_held_by_another_program_is_told(opened, path: Path):
    store = founded(opened(wait=0.05))
    with closing(hold(path)) as other:
        with pytest.raises(StoreError) as caught:
            store.append(Append("harbour", 1, "c2", [new()]))
        assert caught.value.code == "store/busy"
        assert store.latest("harbour") == 1
        other.execute("rollback")
    assert store.append(Append("harbour", 1, "c2", [new()])).rows[0].number == 2


def test_a_damaged_database_is_told(opened, path: Path):
    store = founded(opened())
    for step in range(1, 60):
        store.append(Append("harbour", step, f"c{step}", [new("x" * 2000)]))
    store.close()
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\x5a" * 4096 * 30)
    with pytest.raises(StoreError) as caught:
        opened().read("harbour")
    assert caught.value.code == "store/damaged"
    assert "backups" in str(caught.value)


def test_a_text_with_damaged_utf_8_is_told(opened):
    store = founded(opened())
    store.writer.call(lambda db: db.execute("update events set kind = cast(x'ff' as text)"))
    with pytest.raises(StoreError, match=r"is damaged \(Could not decode") as caught:
        store.read("harbour")
    assert caught.value.code == "store/damaged"


def test_a_writer_that_cannot_roll_back_writes_no_more(path: Path):
    class Broken:
        in_transaction = True

        def execute(self, statement: str) -> None:
            statements.append(statement)
            if statement.startswith("pragma"):
                return
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error

        def close(self) -> None:
            """Nothing is open."""

    statements: list[str] = []
    writer = Writer(Broken(), path, 1.0)
    for _ in range(2):
        with pytest.raises(StoreError) as caught:
            writer.call(lambda db: db.execute("insert into settings values ('a', x'00')"))
        assert caught.value.code == "store/disk-error"
    writer.close()
    assert statements[1:] == ["begin immediate", "rollback"]


@pytest.mark.parametrize("content", [b"not a database at all" * 500, b"KTb1"])
def test_another_programs_file_is_left_as_it_is(opened, path: Path, content: bytes):
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        opened()
    assert caught.value.code == "store/not-a-database"
    assert path.read_bytes() == content


def test_another_programs_database_is_left_as_it_is(opened, path: Path):
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("create table events (id)")
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        opened()
    assert caught.value.code == "store/not-a-database"
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_place_that_cannot_hold_a_database_is_told(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path / "file" / "campaigns.db")
    assert caught.value.code == "store/cannot-write"
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path)
    assert caught.value.code == "store/cannot-open"


def test_closing_writes_what_was_asked_before(opened, path: Path):
    store = founded(opened())

    async def play() -> None:
        with closing(hold(path)) as other:
            waiting = [
                store.append_async(Append("harbour", 1 + step, f"c{step}", [new()]))
                for step in range(600)
            ]
            closer = threading.Thread(target=store.close)
            closer.start()
            await asyncio.sleep(0.05)
            other.execute("rollback")
            done = await asyncio.gather(*waiting)
            closer.join()
        assert [answer.rows[0].number for answer in done] == list(range(2, 602))

    asyncio.run(play())
    assert [file.name for file in path.parent.iterdir()] == [path.name], "the log is folded in"
    assert opened().latest("harbour") == 601


def test_a_task_that_no_longer_waits_harms_nobody(opened, path: Path):
    store = founded(opened())

    async def give_up() -> None:
        with closing(hold(path)) as other:
            gone = store.append_async(Append("harbour", 1, "c2", [new()]))
            other_task = store.append_async(Append("harbour", 2, "c3", [new()]))
            await asyncio.sleep(0.05)
            gone.cancel()
            other.execute("rollback")
            assert (await other_task).rows[0].number == 3

    asyncio.run(give_up())

    async def leave() -> None:
        store.append_async(Append("harbour", 3, "c4", [new()]))

    with closing(hold(path)) as other:
        asyncio.run(leave())
        other.execute("rollback")
    assert store.append(Append("harbour", 4, "c5", [new()])).rows[0].number == 5


def test_many_readers_read_while_somebody_writes(opened):
    store: SqliteStore = founded(opened())
    wrong: list[object] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.wait(0.001):
            rows = store.read("harbour")
            if [row.number for row in rows] != list(range(1, len(rows) + 1)):
                wrong.append(rows)

    readers = [threading.Thread(target=look) for _ in range(6)]
    for reader in readers:
        reader.start()
    for step in range(1, 100):
        store.append(Append("harbour", step, f"c{step}", [new()]))
    stop.set()
    for reader in readers:
        reader.join()
    assert not wrong
    assert len(store.readers.idle) <= 4
