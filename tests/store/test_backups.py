"""Copies while people play, generations that stay, and putting a copy back without a loss."""

import os
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kitchentable.store import Append, BadFile, Generation, Keep, StoreError, restore
from kitchentable.store.backups import backups_folder, generations, prune, surplus
from tests.store.samples import founded, new

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def bodies(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        found: int = database.execute("select count(*) from events").fetchone()[0]
        return found


def damage(path: Path, first: int = 4096) -> None:
    """Overwrite all pages from this byte on."""
    with path.open("r+b") as file:
        file.seek(first)
        file.write(b"\x5a" * (path.stat().st_size - first))


def test_a_copy_is_one_whole_private_file(opened, path: Path, tmp_path: Path):
    store = founded(opened())
    target = tmp_path / "copy.db"
    assert store.backup(target) == target
    store.append(Append("harbour", 1, "c2", [new()]))
    assert bodies(target) == 1
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", path.parent.name]


def test_a_copy_never_takes_the_place_of_a_file(opened, tmp_path: Path):
    store = founded(opened())
    target = tmp_path / "copy.db"
    target.write_bytes(b"my thesis")
    with pytest.raises(BadFile) as caught:
        store.backup(target)
    assert caught.value.code == "store/file-exists"
    assert target.read_bytes() == b"my thesis"
    with pytest.raises(StoreError) as caught:
        store.backup(tmp_path / "no folder" / "copy.db")
    assert caught.value.code == "store/cannot-write"


def test_copies_are_whole_while_somebody_writes(opened, tmp_path: Path):
    store = founded(opened())
    stop = threading.Event()

    def write() -> None:
        step = 1
        while not stop.is_set():
            step = (
                store.append(Append("harbour", step, f"c{step}", [new("x" * 500)] * 3))
                .rows[-1]
                .number
            )

    writer = threading.Thread(target=write)
    writer.start()
    for number in range(5):
        store.backup(tmp_path / f"{number}.db")
    stop.set()
    writer.join()
    counts = [bodies(tmp_path / f"{number}.db") for number in range(5)]
    assert counts == sorted(counts)
    assert all(count % 3 == 1 for count in counts)


def test_a_damaged_database_is_not_copied_and_old_copies_stay(opened, path: Path):
    store = founded(opened())
    for step in range(1, 40):
        store.append(Append("harbour", step, f"c{step}", [new("x" * 2000)]))
    good = store.backup_if_due(NOW)
    store.close()
    damage(path, path.stat().st_size // 4096 // 2 * 4096)
    store = opened()
    with pytest.raises(StoreError) as caught:
        store.backup_if_due(NOW + 2 * HOUR, keep=Keep(0, 0, 0))
    assert caught.value.code == "store/damaged"
    assert generations(path) == [good]


def test_a_generation_is_due_when_time_has_passed_and_something_was_written(opened, path: Path):
    store = founded(opened())
    first = store.backup_if_due(NOW)
    assert first is not None
    assert first.path.name == "campaigns.20261121T193000.000Z.auto.db"
    assert first.path.parent == backups_folder(path)
    assert store.backup_if_due(NOW + 2 * HOUR) is None, "nothing was written since"
    store.append(Append("harbour", 1, "c2", [new()]))
    assert store.backup_if_due(NOW + HOUR / 2) is None, "too soon"
    second = store.backup_if_due(NOW + 2 * HOUR)
    assert second is not None
    assert store.generations() == [first, second]
    assert (bodies(first.path), bodies(second.path)) == (1, 2)


def test_a_clock_that_was_ahead_stops_no_copies_and_takes_none_away(opened, path: Path):
    store = founded(opened())
    ahead = NOW + 4000 * DAY
    for step in range(1, 13):
        assert store.backup_if_due(ahead + step * HOUR) is not None
        store.append(Append("harbour", step, f"c{step}", [new()]))
    first = store.backup_if_due(NOW)
    assert first is not None, "the clock is right again"
    assert first in store.generations()
    assert store.backup_if_due(NOW + 2 * HOUR) is None, "nothing was written since"
    store.append(Append("harbour", 13, "c13", [new()]))
    assert store.backup_if_due(NOW + HOUR / 2) is None, "too soon"
    made = [first]
    for step in range(2, 14):
        made.append(store.backup_if_due(NOW + step * HOUR))
        store.append(Append("harbour", 12 + step, f"d{step}", [new()]))
    assert set(made[-10:]) <= set(store.generations())


def test_what_is_written_while_the_files_clock_stands_still_or_goes_back_is_copied(
    opened, path: Path
):
    store = founded(opened())
    store.backup_if_due(NOW)
    store.append(Append("harbour", 1, "c2", [new()]))
    for file in (path, path.with_name(path.name + "-wal")):
        os.utime(file, (0, 0))
    assert store.backup_if_due(NOW + 2 * HOUR) is not None


def test_two_generations_of_one_moment_have_two_names(opened, path: Path):
    store = founded(opened())
    store.backup_if_due(NOW)
    store.append(Append("harbour", 1, "c2", [new()]))
    store.backup_if_due(NOW, every=timedelta(0))
    first, second = store.generations()
    assert second.made - first.made == timedelta(milliseconds=1)


def copies(*moments: datetime, reason: str = "auto") -> list[Generation]:
    return [Generation(Path(f"{m.isoformat()}.{reason}"), m, reason, 1) for m in moments]


def stays(found: list[Generation], keep: Keep) -> list[datetime]:
    gone = surplus(found, keep, NOW + 40 * DAY)
    return [copy.made for copy in found if copy not in gone]


def test_the_newest_of_today_of_each_day_and_of_each_week_stay():
    hourly = [NOW - step * HOUR for step in range(24 * 40)]
    kept = stays(copies(*hourly), Keep(recent=10, daily=7, weekly=4))
    last_of_day = [NOW] + [NOW.replace(hour=23) - step * DAY for step in range(1, 7)]
    sundays = [datetime(2026, 11, day, 23, 30, tzinfo=UTC) for day in (15, 8, 1)]
    assert set(kept) == {*hourly[:10], *last_of_day, *sundays}


def test_a_table_that_plays_once_a_month_keeps_its_old_copies():
    monthly = [NOW - step * 30 * DAY for step in range(12)]
    assert stays(copies(*monthly), Keep(recent=1, daily=2, weekly=4)) == monthly[:4]


def test_copies_from_before_a_version_change_are_counted_apart():
    found = [
        *copies(*[NOW + step * HOUR for step in range(20)]),
        *copies(*[NOW - step * DAY for step in range(3)], reason="before-0.2.0"),
        *copies(NOW - 100 * DAY, reason="by-hand"),
    ]
    gone = surplus(found, Keep(recent=2, daily=1, weekly=1, upgrades=2), NOW + DAY)
    assert len([copy for copy in gone if copy.reason == "auto"]) == 18
    assert [c.made for c in gone if c.reason != "auto"] == [NOW - 2 * DAY]


def test_pruning_leaves_other_files_and_removes_what_was_given_up(opened, path: Path):
    store = founded(opened())
    for step in range(1, 6):
        store.append(Append("harbour", step, f"c{step}", [new()]))
        store.backup_if_due(NOW + step * 2 * HOUR, keep=Keep(recent=2, daily=0, weekly=0))
    assert [bodies(copy.path) for copy in store.generations()] == [5, 6]
    folder = backups_folder(path)
    other = folder / "other.20261121T193000.000Z.auto.db"
    half = folder / ".campaigns.20261121T193000.000Z.auto.db.1.partial"
    for file in (other, half):
        file.write_bytes(b"")
    prune(path, Keep(), datetime.now(UTC) + timedelta(hours=23))
    assert half.exists()
    prune(path, Keep(), datetime.now(UTC) + timedelta(hours=25))
    assert not half.exists()
    assert other.exists()
    assert len(generations(path)) == 2


def test_a_copy_is_put_back_and_the_former_file_is_kept(opened, path: Path):
    store = founded(opened())
    copy = store.backup_if_due(NOW)
    store.append(Append("harbour", 1, "c2", [new()]))
    with pytest.raises(StoreError) as caught:
        restore(copy.path, path, NOW)
    assert caught.value.code == "store/in-use"
    store.close()

    kept = restore(copy.path, path, NOW)
    assert kept == path.with_name("campaigns.replaced-20261121T193000.000Z.db")
    assert bodies(kept) == 2
    assert opened().latest("harbour") == 1
    assert copy.path.exists()
    assert {file.name for file in path.parent.iterdir()} >= {kept.name, path.name, "backups"}
    assert not list(path.parent.glob(".*"))


def test_what_a_killed_server_left_in_its_log_is_kept_too(opened, path: Path, tmp_path: Path):
    store = founded(opened())
    copy = store.backup(tmp_path / "copy.db")
    store.append(Append("harbour", 1, "c2", [new()]))
    elsewhere = tmp_path / "killed"
    elsewhere.mkdir()
    for tail in ("", "-wal"):
        name = path.name + tail
        (elsewhere / name).write_bytes(path.with_name(name).read_bytes())
    kept = restore(copy, elsewhere / path.name, NOW)
    assert bodies(kept) == 2
    assert bodies(elsewhere / path.name) == 1


def test_a_damaged_database_is_replaced_and_kept(opened, path: Path, tmp_path: Path):
    store = founded(opened())
    copy = store.backup(tmp_path / "copy.db")
    store.close()
    damage(path)
    spoiled = path.read_bytes()
    kept = restore(copy, path, NOW)
    assert kept.read_bytes()[4096:] == spoiled[4096:]
    assert bodies(path) == 1


def test_a_database_beyond_reading_is_kept_to_the_last_byte(opened, path: Path, tmp_path: Path):
    store = founded(opened())
    copy = store.backup(tmp_path / "copy.db")
    store.close()
    path.write_bytes(b"no header is left" * 300)
    log = path.with_name(path.name + "-wal")
    log.write_bytes(b"what was in the log")
    kept = restore(copy, path, NOW)
    assert kept.read_bytes() == b"no header is left" * 300
    assert kept.with_name(kept.name + "-wal").read_bytes() == b"what was in the log"
    assert not log.exists()
    assert bodies(path) == 1


def test_a_copy_is_put_where_nothing_was(opened, path: Path, tmp_path: Path):
    copy = founded(opened()).backup(tmp_path / "copy.db")
    fresh = tmp_path / "fresh.db"
    assert restore(copy, fresh, NOW) is None
    assert bodies(fresh) == 1


def test_what_is_no_sound_copy_is_not_put_back(opened, path: Path, tmp_path: Path):
    store = founded(opened())
    for step in range(1, 40):
        store.append(Append("harbour", step, f"c{step}", [new("x" * 2000)]))
    copy = store.backup(tmp_path / "copy.db")
    store.close()
    wrong = tmp_path / "wrong.db"
    damage(copy)
    for content, code in (
        (copy.read_bytes(), "store/damaged"),
        (b"", "store/empty-file"),
        (b"something else entirely" * 300, "store/not-a-database"),
    ):
        wrong.write_bytes(content)
        with pytest.raises((StoreError, BadFile)) as caught:
            restore(wrong, path, NOW)
        assert caught.value.code == code
    with pytest.raises(BadFile) as caught:
        restore(tmp_path / "nothing.db", path, NOW)
    assert caught.value.code == "store/no-such-file"
    with pytest.raises(BadFile) as caught:
        restore(path, path, NOW)
    assert caught.value.code == "store/same-file"
    assert bodies(path) == 40
    assert not list(path.parent.glob("*replaced*"))
