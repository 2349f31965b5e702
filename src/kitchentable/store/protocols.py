"""The interface of a store, with one contract in the tests for memory and SQLite."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from kitchentable.store.rows import (
    AlreadyDone,
    Append,
    Appended,
    CampaignEntry,
    Draft,
    ExportData,
    IndexedEvent,
    Picture,
    Row,
    Snapshot,
    Token,
)


class EventLog(Protocol):
    """Each campaign's rows, in order; rows returned by `append` are never lost or doubled."""

    def append(self, new: Append) -> Appended | AlreadyDone:
        """Record a command's rows.

        A command id that was recorded before gives `AlreadyDone`, whatever else `new` says. Errors:
        `Conflict` when the log is not at `expected`; `KeyEnded`; `BadRecord` when the campaign is
        unknown or the rows cannot be kept; `StoreError` when the disk fails.
        """
        ...

    def append_async(self, new: Append) -> asyncio.Future[Appended | AlreadyDone]:
        """As `append`, for the event loop: the future is done once the rows are on disk."""
        ...

    def read(self, campaign: str, after: int = 0, limit: int | None = None) -> list[Row]:
        """The rows with a number above `after`, oldest first, at most `limit` of them."""
        ...

    def recorded(self, campaign: str, command: str) -> tuple[Row, ...]:
        """The rows of a command; empty if it was never recorded. Ask before throwing dice."""
        ...

    def latest(self, campaign: str) -> int:
        """The number of the last row; 0 for an empty or unknown campaign."""
        ...

    def news(self, after: Mapping[str, int]) -> list[Row]:
        """The rows of several campaigns after these numbers, at most a thousand of each."""
        ...


class Directory(Protocol):
    """The directory of campaigns."""

    def campaigns(self) -> list[CampaignEntry]:
        """Every campaign, oldest first."""
        ...

    def campaign(self, campaign: str) -> CampaignEntry | None:
        """One campaign's line, or None."""
        ...

    def put_campaign(self, entry: CampaignEntry) -> None:
        """Write a campaign's line, new or changed."""
        ...


class Throws(Protocol):
    """The throw numbers of a session's dice stream."""

    def reserve(self, campaign: str, session: int, command: str | None = None) -> int:
        """Reserve the session's next throw number (from 1), durably and only once.

        With `command`, another call for the same command gives the same number: a step repeated
        after a crash gets the dice that it had already thrown.
        """
        ...

    def reserve_async(
        self, campaign: str, session: int, command: str | None = None
    ) -> asyncio.Future[int]:
        """As `reserve`, for the event loop."""
        ...

    def assign_throw(self, campaign: str, session: int, number: int, command: str) -> None:
        """Assign a number that was reserved for no command to this command."""
        ...

    def return_throw(self, campaign: str, session: int, number: int) -> bool:
        """Take back the latest number if it was reserved for no command; gives whether it was."""
        ...


class Tokens(Protocol):
    """Keys to seats and to the server, known only by their hashes."""

    def put_token(self, token: Token, *, holder: str | None = None) -> None:
        """Keep a key's hash. Putting the same token twice is harmless; changing one is refused.

        `holder` is the hash of the key that this one is issued to: only while that is in force,
        which is looked at in the same step. Errors: `BadRecord`, `KeyEnded`.
        """
        ...

    def token(self, hash: str, now: str) -> Token | None:
        """The token that this hash opens at the time `now`; None if unknown, expired, revoked."""
        ...

    def in_force(self, hashes: Iterable[str], now: str) -> set[str]:
        """Those of these hashes that open something at the time `now`."""
        ...

    def spend_token(self, hash: str, now: str) -> Token | None:
        """As `token`, and revokes it in the same step, so that only one caller gets it."""
        ...

    def revoke_token(self, hash: str, now: str) -> bool:
        """Revoke a key; False when there was none in force."""
        ...

    def tokens(self, campaign: str | None) -> list[Token]:
        """A campaign's keys (None: the server's), oldest first, with those revoked and expired."""
        ...


class Secrets(Protocol):
    """The secrets of a server, which are never shown."""

    def put_seed(self, campaign: str, session: int, seed: bytes) -> None:
        """Keep a session's seed. The same again is harmless; another one is refused."""
        ...

    def seed(self, campaign: str, session: int) -> bytes | None:
        """A session's seed, or None."""
        ...

    def put_setting(self, name: str, value: bytes) -> None:
        """Keep a setting of the server, in place of the one before."""
        ...

    def keep_setting(self, name: str, value: bytes) -> bytes:
        """Keep a setting if there is none yet; gives the one in force, the same for all callers."""
        ...

    def settings(self) -> dict[str, bytes]:
        """Every setting of the server, by name."""
        ...

    def setting(self, name: str) -> bytes | None:
        """A setting of the server, or None."""
        ...


class Drafts(Protocol):
    """Drafts of forms."""

    def put_draft(self, draft: Draft) -> None:
        """Keep a draft, in place of the one before under the same campaign, seat and key."""
        ...

    def draft(self, campaign: str, seat: str, key: str) -> Draft | None:
        """One draft, or None."""
        ...

    def drafts(self, campaign: str, seat: str) -> list[Draft]:
        """A seat's drafts, by key."""
        ...

    def drop_draft(self, campaign: str, seat: str, key: str) -> None:
        """Forget a draft; harmless when there is none."""
        ...


class Snapshots(Protocol):
    """The latest saved state of each campaign, which can be derived again from its log."""

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of an older one of the campaign; an older one changes nothing.

        A snapshot of an unknown campaign, or of events that are not recorded, is passed over.
        """
        ...

    def snapshot(self, campaign: str) -> Snapshot | None:
        """The campaign's snapshot, or None."""
        ...


class Index(Protocol):
    """An index of the words in each campaign's events, which can be derived again from its log."""

    def index(self, campaign: str, events: Sequence[IndexedEvent]) -> None:
        """Add recorded events, which follow those that are indexed. A repetition is harmless."""
        ...

    def indexed(self, campaign: str) -> int:
        """The number of the last indexed event; 0 for none."""
        ...

    def find(
        self,
        campaign: str,
        marks: Sequence[str],
        prefixes: Sequence[str],
        *,
        after: int | None = None,
        before: int | None = None,
        readers: Sequence[str] = (),
        limit: int = 100,
    ) -> list[int]:
        """The numbers of indexed events with all marks and with a word for each prefix.

        Those after a number come oldest first; otherwise those before one, the latest first. With
        `readers`, only events that one of them may know of.
        """
        ...

    def read_as(
        self,
        campaign: str,
        readers: Sequence[str],
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[Row]:
        """The rows of indexed events that one of the readers may know of, in the order of `find`.

        It takes as long however many events between them are for others.
        """
        ...


class Pictures(Protocol):
    """The pictures of campaigns, which events name by the hash of their bytes."""

    def put_picture(self, campaign: str, picture: Picture) -> None:
        """Keep a picture; the same again is harmless.

        Errors: `BadRecord` for an id that is not the hash of the bytes, an unknown campaign, and
        ``store/too-many-pictures``.
        """
        ...

    def picture(self, campaign: str, id: str) -> Picture | None:
        """One picture, or None."""
        ...

    def picture_ids(self, campaign: str) -> list[str]:
        """The ids of a campaign's pictures, sorted."""
        ...


class Signals(Protocol):
    """Short messages between the servers of one database; any of them may be lost."""

    def start(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Listen in a thread from now on: `heard` gets each message, its own sender's too.

        `missed` is called when listening begins, also again after the connection was cut.
        """
        ...

    def send(self, message: str) -> None:
        """Send a message of at most 7,000 bytes soon, without waiting for it."""
        ...

    def stop(self) -> None:
        """Send what waits, and listen no more."""
        ...


class Store(
    EventLog, Directory, Throws, Tokens, Secrets, Drafts, Snapshots, Index, Pictures, Protocol
):
    """The whole store of a server."""

    @property
    def far(self) -> bool:
        """Whether a read may wait for the network, so that an event loop must not wait for it."""
        ...

    @property
    def signals(self) -> Signals | None:
        """The messages between servers; None where one server has the database for itself."""
        ...

    def export_data(self, campaign: str) -> ExportData:
        """The data of a campaign beyond its journal, for a move to another server."""
        ...

    def adopt(
        self,
        entry: CampaignEntry,
        rows: Iterable[Row],
        export_data: ExportData,
        pictures: Iterable[Picture] = (),
    ) -> None:
        """Import a whole campaign under the id of `entry`, all or none.

        The rows must be checked (as `read_journal` does) and numbered from 1. Errors: `BadRecord`
        when the id is taken.
        """
        ...

    def remove(self, campaign: str) -> None:
        """Remove a campaign with all its data and keys; an unknown campaign is passed over."""
        ...

    def close(self) -> None:
        """Finish pending writes and close the file. Closing twice is harmless."""
        ...
