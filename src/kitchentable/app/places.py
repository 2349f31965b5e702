"""The location of a server's data: a database file or a database address."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from kitchentable.app.local_games import FOLDER, LocalGames
from kitchentable.dice.errors import BadInput
from kitchentable.store import is_address, move, open_place


class NoCopies(BadInput):
    """Only a database file has copies."""

    code = "copy/none"


class NoDatabase(BadInput):
    """There is no database at the given location."""

    code = "cli/no-database"


@dataclass(frozen=True, slots=True)
class Data:
    """The location of a server's data: a file, or a database with its address. `folder` has the
    local games, backups and exports of removed campaigns; None for no folder.
    """

    database: str
    folder: Path | None

    @classmethod
    def named(cls, words: str, folder: Path | None = None) -> Data:
        """The location that a person has typed; `folder` goes with a database address.

        >>> str(Data.named("postgresql://table:secret@db.example.org/play"))
        'postgresql://db.example.org/play'
        """
        return cls(words, folder if is_address(words) else Path(words).parent)

    @property
    def is_there(self) -> bool:
        """Whether there is a database; always true for an address, which is not contacted."""
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
                "Only a database file has automatic copies that can be restored this way. For "
                "PostgreSQL, `kitchentable backup FILE` makes a copy, and `kitchentable move "
                "FILE ADDRESS` restores it to an empty database."
            )
        return Path(self.database)

    def __str__(self) -> str:
        """The location without its password."""
        if not is_address(self.database):
            return self.database
        scheme, _, rest = self.database.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"

    @property
    def local_games(self) -> LocalGames:
        """The server's local games."""
        return LocalGames(self.folder / FOLDER if self.folder else None)


def move_all(source: Data, target: Data) -> tuple[int, int]:
    """Move everything to an empty database; return the numbers of campaigns and events.

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
