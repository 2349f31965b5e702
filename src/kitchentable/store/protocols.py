"""What the table asks of a store. Memory and SQLite fulfil it; tests hold both to one contract."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Protocol

from kitchentable.store.rows import (
    AlreadyDone,
    Appended,
    CampaignEntry,
    Draft,
    Luggage,
    NewRow,
    Row,
    Token,
)


class EventLog(Protocol):
    """Each campaign's rows, in order. What `append` has returned is never lost, never doubled."""

    def append(
        self,
        campaign: str,
        expected: int,
        command: str,
        rows: Sequence[NewRow],
        *,
        entry: CampaignEntry | None = None,
        next_throw_of: int | None = None,
        key: str | None = None,
        end_keys_of: Sequence[str] = (),
    ) -> Appended | AlreadyDone:
        """Record a command's rows after row `expected` (0: the campaign is empty), all or none.

        `entry` writes the campaign's line in the directory in the same step: give it with the first
        command of a campaign and whenever the title or the archive changes. A command id that was
        recorded before gives `AlreadyDone`, whatever `expected` and `rows` say. `next_throw_of` is
        a session whose next throw number is handed out in the same step, as by `reserve` without a
        command; where nothing was recorded, none is. `key` is the hash of the key that the command
        came with: it is recorded only if nobody has ended that, which is looked at in the same
        step. `end_keys_of` are seats whose keys all end with what is recorded; where nothing is,
        none does.

        Errors: `Conflict` when the log is not at `expected`; `KeyEnded`; `BadRecord` when the
        campaign is unknown or the rows cannot be kept; `StoreError` when the disk fails.
        """
        ...

    def append_async(
        self,
        campaign: str,
        expected: int,
        command: str,
        rows: Sequence[NewRow],
        *,
        entry: CampaignEntry | None = None,
        next_throw_of: int | None = None,
        key: str | None = None,
        end_keys_of: Sequence[str] = (),
    ) -> asyncio.Future[Appended | AlreadyDone]:
        """As `append`, for the event loop: the future is done once the rows are on disk."""
        ...

    def read(self, campaign: str, after: int = 0, limit: int | None = None) -> list[Row]:
        """The rows with a number above `after`, oldest first, at most `limit` of them."""
        ...

    def recorded(self, campaign: str, command: str) -> tuple[Row, ...]:
        """The rows a command gave; empty when it was never recorded. Ask before throwing dice."""
        ...

    def latest(self, campaign: str) -> int:
        """The number of the last row; 0 for an empty or unknown campaign."""
        ...


class Directory(Protocol):
    """Which campaigns there are."""

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
    """Whose turn it is on a session's dice stream."""

    def reserve(self, campaign: str, session: int, command: str | None = None) -> int:
        """Hand out the session's next throw number (from 1), durably and never to two askers.

        With `command`, asking again for the same command gives the same number: a step repeated
        after a crash finds the dice that had already fallen for it.
        """
        ...

    def reserve_async(
        self, campaign: str, session: int, command: str | None = None
    ) -> asyncio.Future[int]:
        """As `reserve`, for the event loop."""
        ...

    def assign_throw(self, campaign: str, session: int, number: int, command: str) -> None:
        """Note for which command a number was, that had been handed out for none."""
        ...

    def return_throw(self, campaign: str, session: int, number: int) -> bool:
        """Take back the latest number, handed out for no command and never used; whether it was."""
        ...


class Tokens(Protocol):
    """Keys to seats and to the house, known only by their hashes."""

    def put_token(self, token: Token, *, holder: str | None = None) -> None:
        """Keep a key's hash. Putting the same token twice is harmless; changing one is refused.

        `holder` is the hash of the key that this one is issued to: only while that is in force,
        which is looked at in the same step. Errors: `BadRecord`, `KeyEnded`.
        """
        ...

    def token(self, hash: str, now: str) -> Token | None:
        """The token that this hash opens at the time `now`; None if unknown, expired, revoked."""
        ...

    def spend_token(self, hash: str, now: str) -> Token | None:
        """As `token`, and revokes it in the same step: of several askers one gets it."""
        ...

    def revoke_token(self, hash: str, now: str) -> bool:
        """Revoke a key; False when there was none in force."""
        ...

    def tokens(self, campaign: str | None) -> list[Token]:
        """A campaign's keys (None: the house's), oldest first, with those revoked and expired."""
        ...


class Secrets(Protocol):
    """What the table must remember and never show."""

    def put_seed(self, campaign: str, session: int, seed: bytes) -> None:
        """Keep a session's seed. The same again is harmless; another one is refused."""
        ...

    def seed(self, campaign: str, session: int) -> bytes | None:
        """A session's seed, or None."""
        ...

    def put_setting(self, name: str, value: bytes) -> None:
        """Keep a setting of the house, in place of the one before."""
        ...

    def keep_setting(self, name: str, value: bytes) -> bytes:
        """Keep a setting if there is none yet; gives the one in force. One winner, always."""
        ...

    def setting(self, name: str) -> bytes | None:
        """A setting of the house, or None."""
        ...


class Drafts(Protocol):
    """Forms that were begun."""

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


class Store(EventLog, Directory, Throws, Tokens, Secrets, Drafts, Protocol):
    """All that the table keeps, in one place."""

    def luggage(self, campaign: str) -> Luggage:
        """What moves house with a campaign beside its journal."""
        ...

    def adopt(self, entry: CampaignEntry, rows: Iterable[Row], luggage: Luggage) -> None:
        """Take in a whole campaign under the id of `entry`, all or none.

        The rows must be checked (as `read_journal` does) and numbered from 1. Errors: `BadRecord`
        when the id is taken.
        """
        ...

    def remove(self, campaign: str) -> None:
        """Remove a campaign and all that is kept with it, its keys too; nothing where it is not."""
        ...

    def close(self) -> None:
        """Finish what was begun, then let go of the file. Closing twice is harmless."""
        ...
