"""The parts that differ between databases: the index of words, and signals between servers."""

from collections.abc import Callable, Sequence
from typing import Protocol

from kitchentable.store.database import Database
from kitchentable.store.readers import Place
from kitchentable.store.rows import IndexedEvent


class Words(Protocol):
    """The SQL of the full-text index, which differs between databases; see `Store.find`."""

    def add(self, database: Database, campaign: str, events: Sequence[IndexedEvent]) -> None:
        """Index events of a campaign."""
        ...

    def find(
        self,
        database: Database,
        place: Place,
        marks: Sequence[str],
        prefixes: Sequence[str],
    ) -> list[int]:
        """The numbers of the events with these marks and words."""
        ...

    def remove(self, database: Database, campaign: str) -> None:
        """Remove a campaign from the index, before its events are removed."""
        ...


class Signals(Protocol):
    """Short messages between the servers of one database; any of them may be lost."""

    def start(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Listen in a thread from now on: `heard` gets each message, including this server's own.

        `missed` is called when listening begins, also again after the connection was cut.
        """
        ...

    def send(self, message: str) -> None:
        """Send a message of at most 7,000 bytes soon, without waiting for it."""
        ...

    def stop(self) -> None:
        """Send the waiting messages, and stop listening."""
        ...
