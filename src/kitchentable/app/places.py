"""The place of a server's record: a database file, or the address of a database."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from kitchentable.app.local_games import FOLDER, LocalGames
from kitchentable.dice.errors import BadInput
from kitchentable.store import is_address, move, open_place


class NoCopies(BadInput):
    """A record that is not in a file has no copies."""

    code = "copy/none"


class NoDatabase(BadInput):
    """There is no database at the place named."""

    code = "cli/no-database"


@dataclass(frozen=True, slots=True)
class Data:
    """The place of a server's record: a file, or a database with its address.

    In `folder` are its own games and the backups, or the exports of removed campaigns; None for
    nowhere.
    """

    database: str
    folder: Path | None

    @classmethod
    def named(cls, words: str, folder: Path | None = None) -> Data:
        """The place that somebody names; `folder` is the folder of a database with an address.

        >>> str(Data.named("postgresql://table:secret@db.example.org/play"))
        'postgresql://db.example.org/play'
        """
        return cls(words, folder if is_address(words) else Path(words).parent)

    @property
    def is_there(self) -> bool:
        """Whether there is a database, as far as can be said without asking for it."""
        return is_address(self.database) or Path(self.database).exists()

    @property
    def is_shared(self) -> bool:
        """Whether several servers can use the database at once."""
        return is_address(self.database)

    @property
    def file(self) -> Path:
        """The database file. Errors: NoCopies for an address."""
        if is_address(self.database):
            raise NoCopies(
                "Only a database file has automatic copies, and only there a copy is put in its "
                "place. `kitchentable backup FILE` copies PostgreSQL to a file, and `kitchentable "
                "move FILE ADDRESS` restores it to an empty database."
            )
        return Path(self.database)

    def __str__(self) -> str:
        """The place without a password."""
        parts = urlsplit(self.database)
        if not is_address(self.database):
            return self.database
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    @property
    def local_games(self) -> LocalGames:
        """The server's own games."""
        return LocalGames(self.folder / FOLDER if self.folder else None)


def move_all(source: Data, target: Data) -> tuple[int, int]:
    """Carry everything to an empty database; gives the numbers of campaigns and events.

    Errors: NoDatabase, BadRecord ``store/not-empty``, StoreError.
    """
    if not source.is_there:
        raise NoDatabase(f"There is no database at {source}.")
    with (
        closing(open_place(source.database)) as old,
        closing(open_place(target.database)) as new,
    ):
        campaigns = move(old, new)
        return campaigns, sum(new.latest(entry.id) for entry in new.campaigns())
