"""Old schemas are migrated after a backup; newer ones are refused and not changed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kitchentable.store import Append, Draft, StoreError, Token
from kitchentable.store.migrate import Migration, bring_up, form_of, migrations, release, statements
from tests.store.make_fixture import HASH, dump, fixture
from tests.store.samples import HARBOUR, LATER, TIME, founded, new, texts

FORMS = [step.number for step in migrations()]


def form(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute("select number from migrations order by 1")]


def lay_down(path: Path, number: int) -> None:
    """A database as the version with this form left it."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(fixture(number).read_text(encoding="utf-8"))
        database.execute("pragma journal_mode = wal")


def test_migrations_are_numbered_without_gaps():
    assert list(range(1, len(FORMS) + 1)) == FORMS
    assert len({step.name for step in migrations()}) == len(FORMS)


def layout(script: str) -> list[tuple[str, ...]]:
    """The tables and indexes that a script makes."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(script)
        found = database.execute("select type, name, sql from sqlite_schema order by type, name")
        return found.fetchall()


@pytest.mark.parametrize("number", FORMS)
def test_each_form_has_a_fixture_and_the_migrations_still_lead_there(number: int):
    assert fixture(number).is_file(), "python -m tests.store.make_fixture writes it"
    if number == FORMS[-1]:
        assert layout(fixture(number).read_text(encoding="utf-8")) == layout(dump(number))


@pytest.mark.parametrize("number", FORMS)
def test_an_old_database_opens_with_all_it_holds(opened, path: Path, number: int):
    lay_down(path, number)
    assert form(path) == list(range(1, number + 1))
    store = opened()
    assert store.campaigns() == [HARBOUR]
    assert texts(store.read("harbour")) == ["once", "Who goes there?", "5"]
    assert [row.command for row in store.read("harbour")] == ["founding", "c2", "c2"]
    anna = Token(HASH, "device", TIME, "harbour", "anna", "a phone", LATER)
    assert store.token(HASH, TIME) == anna
    assert store.seed("harbour", 1) == b"\x00secret"
    assert store.setting("csrf") == b"\xffsecret"
    assert store.reserve("harbour", 1, "c2") == 1
    assert store.reserve("harbour", 1) == 2
    draft = Draft("harbour", "anna", "note", b"x", TIME)
    store.put_draft(draft)
    assert store.draft("harbour", "anna", "note") == draft
    assert store.append(Append("harbour", 3, "c3", [new()])).rows[0].number == 4
    assert form(path) == FORMS
    copies = store.generations()
    assert len(copies) == (number < FORMS[-1])
    for copy in copies:
        assert copy.reason == "before-0.1.0"
        assert form(copy.path) == list(range(1, number + 1))


def test_keys_that_a_crash_left_in_force_end_when_the_record_is_opened(opened, path: Path):
    lay_down(path, 2)
    ended = '{"kind":"seat-handed-over","data":{"of":"%s"}}'
    events = [
        ("2026-11-21T20:00:00Z", "seat-handed-over", ended % "anna"),
        ("2026-11-21T21:00:00Z", "seat-revoked", ended % "bert"),
        ("2026-11-21T22:00:00Z", "seat-revoked", "damaged"),
        ("2026-11-21T23:00:00Z", "said", ended % "carl"),
    ]
    tokens = [("anna", 19), ("anna", 21), ("bert", 20), ("bert", 22), ("carl", 19)]
    with closing(sqlite3.connect(path)) as database, database:
        for number, (time, kind, body) in enumerate(events, start=4):
            values = (number, f"c{number}", time, kind, body.encode())
            database.execute(
                "insert into events (campaign, number, command, part, time, kind, body) "
                "values ('harbour', ?, ?, 0, ?, ?, ?)",
                values,
            )
        for seat, hour in tokens:
            key = f"{hour}{seat}".encode().hex().ljust(64, "0")
            database.execute(
                "insert into tokens (hash, purpose, campaign, seat, label, created) "
                "values (?, 'seat', 'harbour', ?, '', ?)",
                (key, seat, f"2026-11-21T{hour}:00:00Z"),
            )
    known = [token for token in opened().tokens("harbour") if token.hash != HASH]
    in_force = [(one.seat, one.created[11:13]) for one in known if one.revoked is None]
    assert sorted(in_force) == [("anna", "21"), ("bert", "22"), ("carl", "19")]


def test_another_version_makes_a_copy_first_and_the_same_one_does_not(opened, path: Path):
    founded(opened(software="0.1.0")).close()
    opened(software="0.1.0").close()
    store = opened(software="0.2.0")
    (copy,) = store.generations()
    assert copy.reason == "before-0.2.0"
    store.append(Append("harbour", 1, "c2", [new()]))
    store.close()
    with closing(sqlite3.connect(copy.path)) as before:
        assert before.execute("select count(*) from events").fetchone() == (1,)
        assert [row[0] for row in before.execute("select software from openings")] == ["0.1.0"]
    assert len(opened(software="0.2.0").generations()) == 1


def test_a_record_that_is_up_to_date_is_opened_without_writing(opened, path: Path):
    # So that it can be read and copied while its disk is full.
    founded(opened())
    log = path.with_name(f"{path.name}-wal")
    before = log.read_bytes()
    assert opened().latest("harbour") == 1
    assert log.read_bytes() == before


def test_a_fault_that_ends_the_transaction_is_told_as_it_is(path: Path):
    class Full(sqlite3.Connection):
        def execute(self, sql: str, *values):
            if sql.startswith("pragma"):
                super().execute("rollback")
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(sql, *values)

    database = sqlite3.connect(":memory:", factory=Full, isolation_level=None)
    with closing(database), pytest.raises(sqlite3.OperationalError, match="disk is full"):
        form_of(database, path)


@pytest.mark.parametrize("newer", ["0.1.1", "0.2", "1.0.0rc1", "0.10.0"])
def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(opened, path: Path, newer: str):
    founded(opened(software=newer)).close()
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        opened(software="0.1.0")
    assert caught.value.code == "store/newer-version"
    assert newer in str(caught.value)
    assert "0.1.0" in str(caught.value)
    assert path.read_bytes() == before
    assert not (path.parent / "backups").exists()


def test_a_newer_form_is_refused_and_left_as_it_is(opened, path: Path):
    founded(opened()).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("insert into migrations values (9999, 'later', '0.1.0', ?)", (TIME,))
    with pytest.raises(StoreError) as caught:
        opened()
    assert caught.value.code == "store/newer-version"
    assert "9999" in str(caught.value)


def test_a_migration_that_fails_leaves_the_form_before_it(path: Path, opened):
    founded(opened()).close()
    broken = Migration(
        FORMS[-1] + 1, "broken", "create table new (a); insert into nowhere values (1);"
    )
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        with pytest.raises(StoreError) as caught:
            bring_up(database, path, (*migrations(), broken), "0.2.0", TIME)
        assert caught.value.code == "store/migration-failed"
        assert "broken" in str(caught.value)
        assert "nowhere" in str(caught.value)
        names = [row[0] for row in database.execute("select name from sqlite_schema")]
    assert "new" not in names
    assert form(path) == FORMS
    assert texts(opened().read("harbour")) == ["once"]


def test_a_copy_that_cannot_be_made_stops_the_change(opened, path: Path):
    lay_down(path, 1)
    (path.parent / "backups").write_bytes(b"in the way")
    with pytest.raises(StoreError) as caught:
        opened()
    assert caught.value.code == "store/cannot-write"
    assert form(path) == [1]


def test_versions_are_compared_by_their_numbers():
    ordered = ["0.1", "0.1.1", "0.2", "0.10.0", "1.0.0.dev3", "1.0.1"]
    assert sorted(ordered, key=release) == ordered
    assert release("1.0") == release("1.0.0") == (1,)
    assert release("2rc1") == (2,)
    assert release("unknown") == ()


def test_a_script_is_split_where_its_statements_end():
    trigger = "create trigger t after insert on a begin update a set b = 1; select ';'; end;"
    script = f"-- one; two\ncreate table a (b); {trigger} select 1"
    assert [part.strip() for part in statements(script)] == [
        "-- one; two\ncreate table a (b);",
        trigger,
        "select 1",
    ]
