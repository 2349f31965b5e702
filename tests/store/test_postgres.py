"""The store in PostgreSQL: cut connections, writers that race, other programs' tables."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from kitchentable.store import (
    Append,
    Appended,
    Conflict,
    ExportData,
    Row,
    StoreError,
    open_store,
    postgres_signals,
)
from kitchentable.store.places import open_place
from kitchentable.store.postgres import PostgresStore, open_postgres, place_of
from kitchentable.store.postgres_errors import explain_postgres
from tests.store.samples import HARBOUR, TIME, founded, new


@pytest.fixture
def opened(emptied: str) -> Iterator[Callable[..., PostgresStore]]:
    """Open the database as often as asked; whatever is open at the end is closed."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(
            closing(open_postgres(emptied, **({"software": "0.1.0"} | options)))
        )


@pytest.fixture
def admin(postgres_server: str) -> Iterator[psycopg.Connection]:
    """Somebody who may end connections."""
    with closing(psycopg.connect(postgres_server, autocommit=True)) as database:
        yield database


def cut(admin: psycopg.Connection) -> None:
    """Cut every connection of the tests of this process."""
    admin.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity "
        "where application_name = 'harbour' and pid <> pg_backend_pid()"
    )


def columns(place: str, path: Path) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    with closing(psycopg.connect(place)) as database:
        ours = database.execute(
            "select table_name, column_name from information_schema.columns "
            "where table_schema = current_schema()"
        ).fetchall()
    open_store(path).close()
    with closing(sqlite3.connect(path)) as file:
        theirs = file.execute(
            "select t.name, c.name from sqlite_schema t, pragma_table_info(t.name) c "
            "where t.type = 'table'"
        ).fetchall()
    return set(ours), set(theirs)


def test_both_databases_have_the_same_tables(opened, emptied: str, tmp_path: Path):
    opened()
    ours, theirs = columns(emptied, tmp_path / "campaigns.db")
    assert {one for one in ours if one[0] != "search"} == {
        one for one in theirs if not one[0].startswith("search")
    }


def test_writers_on_two_servers_lose_nothing_and_double_nothing(opened):
    """Each server adds rows, throws and words of several campaigns as fast as it can."""
    servers = [opened(), opened()]
    for number in range(3):
        founded(servers[0], replace(HARBOUR, id=f"h{number}"))
    given: list[tuple[str, int]] = []
    together = threading.Barrier(2)

    async def play(store: PostgresStore, name: str) -> None:
        store.latest("h0")
        together.wait(30)

        async def one(campaign: str) -> None:
            for step in range(15):
                command, session = f"{name}-{step}", 1 if step % 3 == 0 else None
                while True:
                    last = await asyncio.to_thread(store.latest, campaign)
                    try:
                        done = await store.append_async(
                            Append(campaign, last, command, [new(command)], next_throw_of=session)
                        )
                        break
                    except Conflict:
                        continue
                assert isinstance(done, Appended)
                if done.next_throw:
                    given.append((campaign, done.next_throw))

        await asyncio.gather(*(one(f"h{number}") for number in range(3)))

    threads = [
        threading.Thread(target=asyncio.run, args=(play(store, name),))
        for store, name in zip(servers, "pq", strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    raced = False
    for number in range(3):
        rows = servers[0].read(f"h{number}")
        assert [row.number for row in rows] == list(range(1, 32))
        commands = [row.command for row in rows[1:]]
        assert sorted(commands) == sorted(f"{name}-{step}" for name in "pq" for step in range(15))
        names = [command[0] for command in commands]
        raced |= names not in (sorted(names), sorted(names, reverse=True))
        throws = servers[1].export_data(f"h{number}").throws
        assert [throw.number for throw in throws] == list(range(1, 11))
    assert raced
    assert len(set(given)) == 30


def test_a_campaign_is_taken_in_whole_however_often_it_is_begun(emptied, admin):
    whole = [Row("harbour", at, f"c{at}", TIME, "said", b"{}") for at in range(1, 601)]
    tries = []

    def rows() -> Iterator[Row]:
        tries.append(len(tries))
        for row in whole:
            if row.number == 500 and len(tries) == 1:
                cut(admin)
            yield row

    with closing(open_postgres(f"{emptied}&application_name=harbour")) as store:
        store.adopt(HARBOUR, rows, ExportData())
        assert len(tries) == 2
        assert store.read("harbour") == whole


def test_cut_connections_cost_a_moment_and_no_step(emptied: str, admin: psycopg.Connection):
    with closing(open_postgres(f"{emptied}&application_name=harbour")) as store:
        founded(store)
        # One cut for each call, at some moment of it: on a busy machine a clock would cut each
        # of its attempts.
        cuts, over = threading.Semaphore(0), threading.Event()

        def trouble() -> None:
            while cuts.acquire() and not over.is_set():
                cut(admin)

        maker = threading.Thread(target=trouble)
        maker.start()
        try:
            for step in range(1, 25):
                cuts.release()
                rows = store.append(Append("harbour", step, f"c{step}", [new()])).rows
                assert [row.number for row in rows] == [step + 1]
                cuts.release()
                assert store.reserve("harbour", 1, f"c{step}") == step
                cuts.release()
                assert len(store.read("harbour")) == step + 1
        finally:
            over.set()
            cuts.release()
            maker.join()


def test_what_others_hold_for_too_long_is_told(emptied: str):
    with closing(open_postgres(emptied)) as store:
        founded(store)
        with closing(psycopg.connect(emptied)) as other:
            other.execute("lock table events in access exclusive mode")
            store.pool.idle[0].raw.execute("set lock_timeout = '10ms'")
            with pytest.raises(StoreError) as caught:
                store.append(Append("harbour", 1, "c2", [new()]))
            assert caught.value.code == "store/busy"
        assert store.append(Append("harbour", 1, "c2", [new()])).rows[0].number == 2


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("postgresql://127.0.0.1:1/play", "store/unreachable"),
        ("postgresql://table@/play?host=/nowhere", "store/unreachable"),
        ("postgresql://?nonsense=1", "store/cannot-open"),
        ("postgresql://table@[::1", "store/cannot-open"),
    ],
)
def test_an_address_where_nothing_is_is_told_without_its_password(address: str, code: str):
    with pytest.raises(StoreError) as caught:
        open_place(address.replace("table@", "table:secret@"))
    assert caught.value.code == code
    assert "secret" not in str(caught.value)
    if code == "store/unreachable":
        assert "PostgreSQL runs" in str(caught.value)


def test_another_programs_tables_are_left_as_they_are(postgres: str):
    with closing(psycopg.connect(postgres, autocommit=True)) as other:
        other.execute("create table events (id int)")
        with pytest.raises(StoreError) as caught:
            open_postgres(postgres)
        assert caught.value.code == "store/not-a-database"
        found = other.execute(
            "select count(*) from information_schema.tables where table_schema = current_schema()"
        )
        assert found.fetchone() == (1,)


def test_an_older_version_leaves_the_database_of_a_newer_one_alone(opened):
    opened(software="99.0").close()
    with pytest.raises(StoreError) as caught:
        opened()
    assert caught.value.code == "store/newer-version"
    opened(software="99.0").put_setting("a", b"1")


def test_an_error_that_is_not_known_is_told_with_its_words():
    error = explain_postgres(psycopg.DataError("a strange thing"), place_of("postgresql://db/play"))
    assert error.code == "store/unexpected"
    assert "postgresql://db/play" in str(error)
    assert "a strange thing" in str(error)


def test_an_outage_is_logged_once_and_not_with_each_try(monkeypatch, caplog):
    tries = threading.Semaphore(0)

    def cut(address: str) -> None:
        tries.release()
        raise psycopg.OperationalError("no server")

    monkeypatch.setattr(postgres_signals, "reach", cut)
    monkeypatch.setattr(postgres_signals, "_PAUSE", 0.001)
    signals = postgres_signals.PostgresSignals("", None)
    signals.start(lambda message: None, lambda: None)
    for _ in range(5):
        assert tries.acquire(timeout=30)
    signals.stop()
    assert [one.getMessage() for one in caplog.records] == [
        "Signals of other servers are late: no server"
    ]
