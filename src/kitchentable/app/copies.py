"""Backups of the database: listed, added on demand, and campaigns restored from them."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from kitchentable.app.keys import new_id
from kitchentable.app.places import NoCopies
from kitchentable.app.server import Server
from kitchentable.dice.errors import BadInput
from kitchentable.store import (
    CampaignEntry,
    SqliteStore,
    export_campaign,
    import_campaign,
    open_store,
)


class NoSuchCopy(BadInput):
    """No copy has that name."""

    code = "copy/unknown"


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of the whole database for a page; its time is ISO-8601 UTC."""

    name: str
    time: str
    why: str
    size: str


def copies(server: Server) -> tuple[Copy, ...]:
    """All copies, newest first; none for a database in memory."""
    if not isinstance(server.store, SqliteStore):
        return ()
    return tuple(
        Copy(
            one.path.name,
            one.made.isoformat().replace("+00:00", "Z"),
            _why(one.reason),
            _size(one.bytes),
        )
        for one in reversed(server.store.generations())
    )


def copy_now(server: Server) -> None:
    """Add a copy, unless nothing was written since the last. Errors: NoCopies, StoreError."""
    _file_of(server).backup_if_due(datetime.now(UTC), every=timedelta(0))


def _file_of(server: Server) -> SqliteStore:
    """The database file of a server. Errors: NoCopies."""
    if not isinstance(server.store, SqliteStore):
        raise NoCopies("The server makes copies only of a database file.")
    return server.store


def bring_back(server: Server, name: str) -> tuple[CampaignEntry, ...]:
    """Restore every campaign of a copy next to the current ones; none is overwritten.

    Errors: NoCopies, NoSuchCopy, StoreError.
    """
    found = [one for one in _file_of(server).generations() if one.path.name == name]
    if not found:
        raise NoSuchCopy("This copy no longer exists. Load the page again for the list.")
    brought = []
    with tempfile.TemporaryDirectory(prefix="kitchentable-") as folder:
        # Opening a database may migrate it, so a temporary copy is opened.
        record = Path(folder) / "copy.db"
        shutil.copyfile(found[0].path, record)
        with closing(open_store(record)) as old:
            for entry in old.campaigns():
                archive = Path(folder) / f"{entry.id}.zip"
                export_campaign(old, entry.id, archive)
                back = import_campaign(server.store, archive, new_id=new_id())
                named = replace(back, title=f"{back.title} (copy of {found[0].made.date()})")
                server.store.put_campaign(named)
                brought.append(named)
    return tuple(brought)


def take_in_beside(server: Server, archive: Path) -> CampaignEntry:
    """Import a campaign that already exists as a separate copy, marked in its title.

    Errors: those of `Server.take_in`.
    """
    titles = {entry.title for entry in server.campaigns()}
    back = server.take_in(archive, new_name=new_id())
    names = (f"{back.title} (copy{f' {at}' if at > 1 else ''})" for at in count(1))
    named = replace(back, title=next(name for name in names if name not in titles))
    server.store.put_campaign(named)
    return named


def _size(size: int) -> str:
    """A size in bytes, in words.

    >>> _size(812), _size(3_400_000)
    ('1 kB', '3.4 MB')
    """
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1000))} kB"


def _why(reason: str) -> str:
    if reason.startswith("before-"):
        return f"before version {reason.removeprefix('before-')} changed it"
    return "automatic" if reason == "auto" else reason
