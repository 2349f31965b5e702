"""Backups in generations: some of today, one for each earlier day, one for each week."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kitchentable.store.copies import STAMP, copy_database
from kitchentable.store.durable import cannot_write

BACKUPS = "backups"
"""The name of the folder of copies, next to a database."""
AUTOMATIC = "auto"
BEFORE = "before-"

_NAME = re.compile(r"(?P<stem>.+)\.(?P<made>\d{8}T\d{6}\.\d{3})Z\.(?P<reason>[A-Za-z0-9_.+-]+)\.db")
_FORGOTTEN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Keep:
    """The number of copies to keep: the newest, the last of each day, the last of each week.

    Only days and weeks with a copy count, so a group that plays once a month keeps its old copies.
    The copies from before an upgrade are counted separately, as `upgrades`.
    """

    recent: int = 10
    daily: int = 7
    weekly: int = 4
    upgrades: int = 5


@dataclass(frozen=True, slots=True)
class Generation:
    """One copy: its path, its time (UTC) and its reason (`auto`, `before-0.2.0` ...)."""

    path: Path
    made: datetime
    reason: str
    bytes: int


def backups_folder(database: Path) -> Path:
    """The folder of a database's copies: `backups` next to it.

    >>> backups_folder(Path("games/campaigns.db")).as_posix()
    'games/backups'
    """
    return database.parent / BACKUPS


def generations(database: Path) -> list[Generation]:
    """Every copy in the backups folder of a database, oldest first."""
    folder = backups_folder(database)
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        matched = _NAME.fullmatch(path.name)
        if matched and matched["stem"] == database.stem:
            made = datetime.strptime(matched["made"], STAMP).replace(tzinfo=UTC)
            found.append(Generation(path, made, matched["reason"], path.stat().st_size))
    return sorted(found, key=lambda copy: (copy.made, copy.path.name))


def make_generation(database: Path, now: datetime, reason: str = AUTOMATIC) -> Generation:
    """Add a checked copy to the backups folder, filed under the time `now`.

    Errors: as `kitchentable.store.copies.copy_database`.
    """
    folder = backups_folder(database)
    made = now.astimezone(UTC)
    made = made.replace(microsecond=made.microsecond // 1000 * 1000)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        while (path := folder / _name(database, made, reason)).exists():
            made += timedelta(milliseconds=1)
    except OSError as error:
        raise cannot_write(folder, error) from error
    written = _last_write(database)
    copy_database(database, path)
    # The copy's time of change identifies the database's state, even if the clock is changed.
    os.utime(path, ns=(written, written))
    return Generation(path, made, reason, path.stat().st_size)


def backup_due(database: Path, now: datetime, every: timedelta) -> bool:
    """Whether the newest copy is older than `every` and the database has changed since.

    A copy from the future, made before the clock was set back, counts as old.
    """
    copies = _newest_first(generations(database), now)
    if not copies:
        return True
    if now - every < copies[0].made <= now:
        return False
    return _last_write(database) != copies[0].path.stat().st_mtime_ns


def _last_write(database: Path) -> int:
    """The time of the last write to a database, in nanoseconds."""
    log = database.with_name(database.name + "-wal")
    return max(path.stat().st_mtime_ns for path in (database, log) if path.exists())


def _newest_first(copies: Iterable[Generation], now: datetime) -> list[Generation]:
    """Copies by age; copies from the future, made before the clock was set back, come last."""
    return sorted(copies, key=lambda copy: (copy.made <= now, copy.made), reverse=True)


def prune(database: Path, keep: Keep, now: datetime) -> list[Generation]:
    """Remove copies beyond `keep`, and unfinished copies."""
    gone = surplus(generations(database), keep, now)
    folder = backups_folder(database)
    try:
        for copy in gone:
            copy.path.unlink(missing_ok=True)
        for partial in folder.glob(f".{database.stem}.*.partial*"):
            if now.timestamp() - partial.stat().st_mtime > _FORGOTTEN.total_seconds():
                partial.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error
    return gone


def surplus(copies: Iterable[Generation], keep: Keep, now: datetime) -> list[Generation]:
    """The copies to remove: automatic ones and those before upgrades, beyond `keep`."""
    newest_first = _newest_first(copies, now)
    automatic = [copy for copy in newest_first if copy.reason == AUTOMATIC]
    upgrades = [copy for copy in newest_first if copy.reason.startswith(BEFORE)]
    stay = [*automatic[: keep.recent], *upgrades[: keep.upgrades]]
    stay += _last_of_each(automatic, lambda made: made.date().isoformat())[: keep.daily]
    stay += _last_of_each(automatic, lambda made: made.strftime("%G-%V"))[: keep.weekly]
    paths = {copy.path for copy in stay}
    return [copy for copy in (*automatic, *upgrades) if copy.path not in paths]


def _last_of_each(
    newest_first: Sequence[Generation], span: Callable[[datetime], str]
) -> list[Generation]:
    last: dict[str, Generation] = {}
    for copy in newest_first:
        last.setdefault(span(copy.made), copy)
    return list(last.values())


def _name(database: Path, made: datetime, reason: str) -> str:
    return f"{database.stem}.{made.strftime(STAMP)[:-3]}Z.{reason}.db"
