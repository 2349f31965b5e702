"""The event store in memory, for tests and experiments: the same contract without a disk."""

import asyncio
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from kitchentable.store import checks
from kitchentable.store.errors import Conflict, KeyEnded, no_such_campaign, store_closed
from kitchentable.store.events import campaign_exists, parted
from kitchentable.store.keys import check_room, in_force, seed_changed, token_changed
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
    Seed,
    Snapshot,
    Throw,
    Token,
)


class MemoryStore:
    """A store that is lost when the program ends.

    >>> store = MemoryStore()
    >>> entry = CampaignEntry("harbour", "The Harbour", "toast", "2026-11-21T19:30:00Z")
    >>> from kitchentable.store import NewRow
    >>> row = NewRow("2026-11-21T19:30:00Z", "founded", b"{}")
    >>> store.append(Append("harbour", 0, "c1", [row], entry=entry)).rows[0].number
    1
    >>> type(store.append(Append("harbour", 0, "c1", [row]))).__name__
    'AlreadyDone'
    """

    far = False
    signals = None

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._closed = False
        self._entries: dict[str, CampaignEntry] = {}
        self._rows: dict[str, list[Row]] = {}
        self._commands: dict[tuple[str, str], tuple[Row, ...]] = {}
        self._throws: dict[str, list[Throw]] = {}
        self._tokens: dict[str, Token] = {}
        self._seeds: dict[tuple[str, int], bytes] = {}
        self._settings: dict[str, bytes] = {}
        self._drafts: dict[tuple[str, str, str], Draft] = {}
        self._pictures: dict[tuple[str, str], Picture] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._index: dict[str, dict[int, IndexedEvent]] = {}

    # The log

    def append(self, new: Append) -> Appended | AlreadyDone:
        checks.check_append(new)
        campaign, command = new.campaign, new.command
        with self._open():
            if done := self._commands.get((campaign, command)):
                return AlreadyDone(done)
            self._require_key(new.key)
            latest = len(self._rows.get(campaign, ()))
            if latest != new.expected:
                raise Conflict(campaign, new.expected, latest)
            if new.entry is not None:
                self._entries[campaign] = new.entry
            self._require(campaign)
            added = tuple(
                Row(campaign, number, command, row.time, row.kind, row.body)
                for number, row in enumerate(new.rows, start=latest + 1)
            )
            self._rows.setdefault(campaign, []).extend(added)
            self._commands[campaign, command] = added
            for token in self.tokens(campaign):
                if token.seat in new.end_keys_of:
                    self.revoke_token(token.hash, new.rows[-1].time)
            if new.next_throw_of is None:
                return Appended(added)
            return Appended(added, self.reserve(campaign, new.next_throw_of))

    def append_async(self, new: Append) -> asyncio.Future[Appended | AlreadyDone]:
        future: asyncio.Future[Appended | AlreadyDone]
        future = asyncio.get_running_loop().create_future()
        try:
            future.set_result(self.append(new))
        except (Conflict, KeyEnded) as refused:
            future.set_exception(refused)
        return future

    def read(self, campaign: str, after: int = 0, limit: int | None = None) -> list[Row]:
        with self._open():
            rows = self._rows.get(campaign, [])[max(after, 0) :]
            return rows if limit is None else rows[:limit]

    def recorded(self, campaign: str, command: str) -> tuple[Row, ...]:
        with self._open():
            return self._commands.get((campaign, command), ())

    def latest(self, campaign: str) -> int:
        with self._open():
            return len(self._rows.get(campaign, ()))

    def news(self, after: Mapping[str, int]) -> list[Row]:
        return [row for campaign, number in after.items() for row in self.read(campaign, number)]

    # The directory

    def campaigns(self) -> list[CampaignEntry]:
        with self._open():
            return sorted(self._entries.values(), key=lambda entry: (entry.created, entry.id))

    def campaign(self, campaign: str) -> CampaignEntry | None:
        with self._open():
            return self._entries.get(campaign)

    def put_campaign(self, entry: CampaignEntry) -> None:
        checks.check_entry(entry)
        with self._open():
            self._entries[entry.id] = entry

    # Throws

    def reserve(self, campaign: str, session: int, command: str | None = None) -> int:
        checks.check_session(session)
        if command is not None:
            checks.check_word(command, "command id")
        with self._open():
            self._require(campaign)
            throws = self._throws.setdefault(campaign, [])
            mine = [throw for throw in throws if throw.session == session]
            for throw in mine:
                if command is not None and throw.command == command:
                    return throw.number
            number = max((throw.number for throw in mine), default=0) + 1
            throws.append(Throw(session, number, command))
            return number

    def reserve_async(
        self, campaign: str, session: int, command: str | None = None
    ) -> asyncio.Future[int]:
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        future.set_result(self.reserve(campaign, session, command))
        return future

    def assign_throw(self, campaign: str, session: int, number: int, command: str) -> None:
        checks.check_word(command, "command id")
        with self._open():
            throws = self._throws.get(campaign, [])
            loose = Throw(session, number, None)
            if loose in throws:
                throws[throws.index(loose)] = Throw(session, number, command)

    def return_throw(self, campaign: str, session: int, number: int) -> bool:
        with self._open():
            throws = self._throws.get(campaign, [])
            last = max((one.number for one in throws if one.session == session), default=0)
            loose = Throw(session, number, None)
            if number != last or loose not in throws:
                return False
            throws.remove(loose)
            return True

    # Keys

    def put_token(self, token: Token, *, holder: str | None = None) -> None:
        checks.check_token(token)
        with self._open():
            self._require_key(holder)
            if token.campaign is not None:
                self._require(token.campaign)
            if self._tokens.setdefault(token.hash, token) != token:
                raise token_changed()

    def token(self, hash: str, now: str) -> Token | None:
        checks.check_time(now)
        with self._open():
            return in_force(self._tokens.get(hash), now)

    def in_force(self, hashes: Iterable[str], now: str) -> set[str]:
        return {one for one in hashes if self.token(one, now) is not None}

    def spend_token(self, hash: str, now: str) -> Token | None:
        with self._open():
            token = self.token(hash, now)
            if token is not None:
                self.revoke_token(hash, now)
            return token

    def revoke_token(self, hash: str, now: str) -> bool:
        checks.check_time(now)
        with self._open():
            token = self._tokens.get(hash)
            if token is None or token.revoked is not None:
                return False
            self._tokens[hash] = replace(token, revoked=now)
            return True

    def tokens(self, campaign: str | None) -> list[Token]:
        with self._open():
            found = [token for token in self._tokens.values() if token.campaign == campaign]
            return sorted(found, key=lambda token: (token.created, token.hash))

    # Secrets

    def put_seed(self, campaign: str, session: int, seed: bytes) -> None:
        checks.check_session(session)
        with self._open():
            self._require(campaign)
            if self._seeds.setdefault((campaign, session), seed) != seed:
                raise seed_changed(campaign, session)

    def seed(self, campaign: str, session: int) -> bytes | None:
        with self._open():
            return self._seeds.get((campaign, session))

    def put_setting(self, name: str, value: bytes) -> None:
        checks.check_word(name, "setting")
        with self._open():
            self._settings[name] = value

    def keep_setting(self, name: str, value: bytes) -> bytes:
        checks.check_word(name, "setting")
        with self._open():
            return self._settings.setdefault(name, value)

    def settings(self) -> dict[str, bytes]:
        with self._open():
            return dict(sorted(self._settings.items()))

    def setting(self, name: str) -> bytes | None:
        with self._open():
            return self._settings.get(name)

    # Drafts

    def put_draft(self, draft: Draft) -> None:
        checks.check_draft(draft)
        with self._open():
            self._require(draft.campaign)
            self._drafts[draft.campaign, draft.seat, draft.key] = draft

    def draft(self, campaign: str, seat: str, key: str) -> Draft | None:
        with self._open():
            return self._drafts.get((campaign, seat, key))

    def drafts(self, campaign: str, seat: str) -> list[Draft]:
        return [draft for draft in self._all_drafts(campaign) if draft.seat == seat]

    def drop_draft(self, campaign: str, seat: str, key: str) -> None:
        with self._open():
            self._drafts.pop((campaign, seat, key), None)

    # Snapshots

    def put_snapshot(self, snapshot: Snapshot) -> None:
        checks.check_id(snapshot.campaign)
        with self._open():
            known = self._snapshots.get(snapshot.campaign)
            recorded = snapshot.number <= self.latest(snapshot.campaign)
            if recorded and (known is None or known.number <= snapshot.number):
                self._snapshots[snapshot.campaign] = snapshot

    def snapshot(self, campaign: str) -> Snapshot | None:
        with self._open():
            return self._snapshots.get(campaign)

    # Index

    def index(self, campaign: str, events: Sequence[IndexedEvent]) -> None:
        checks.check_id(campaign)
        checks.check_index_words(word for one in events for word in (*one.marks, *one.words))
        with self._open():
            known = self._index.setdefault(campaign, {})
            known.update({one.number: one for one in events if one.number <= self.latest(campaign)})

    def indexed(self, campaign: str) -> int:
        with self._open():
            return max(self._index.get(campaign, ()), default=0)

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
        checks.check_index_words((*marks, *prefixes))
        with self._open():
            found = sorted(
                one.number
                for one in self._index.get(campaign, {}).values()
                if set(marks) <= set(one.marks)
                and (not readers or set(readers) & set(one.readers))
                and all(any(word.startswith(start) for word in one.words) for start in prefixes)
                and (after is None or one.number > after)
                and (after is not None or before is None or one.number < before)
            )
        return (found if after is not None else found[::-1])[:limit]

    def read_as(
        self,
        campaign: str,
        readers: Sequence[str],
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[Row]:
        numbers = self.find(
            campaign, (), (), after=after, before=before, readers=readers, limit=limit
        )
        return [self.read(campaign, number - 1, 1)[0] for number in numbers]

    # Pictures

    def put_picture(self, campaign: str, picture: Picture) -> None:
        checks.check_picture(picture)
        with self._open():
            self._require(campaign)
            if (campaign, picture.id) not in self._pictures:
                check_room(len(self.picture_ids(campaign)))
                self._pictures[campaign, picture.id] = picture

    def picture(self, campaign: str, id: str) -> Picture | None:
        with self._open():
            return self._pictures.get((campaign, id))

    def picture_ids(self, campaign: str) -> list[str]:
        with self._open():
            return sorted(name for one, name in self._pictures if one == campaign)

    # Whole campaigns

    def export_data(self, campaign: str) -> ExportData:
        with self._open():
            seeds = sorted((s, seed) for (c, s), seed in self._seeds.items() if c == campaign)
            throws = self._throws.get(campaign, [])
            return ExportData(
                seeds=tuple(Seed(session, seed) for session, seed in seeds),
                throws=tuple(sorted(throws, key=lambda throw: (throw.session, throw.number))),
                drafts=tuple(self._all_drafts(campaign)),
            )

    def adopt(
        self,
        entry: CampaignEntry,
        rows: Iterable[Row],
        export_data: ExportData,
        pictures: Iterable[Picture] = (),
    ) -> None:
        checks.check_entry(entry)
        mine = [msgspec.structs.replace(row, campaign=entry.id) for row in rows]
        brought = list(pictures)
        with self._open():
            if entry.id in self._entries:
                raise campaign_exists(entry.id)
            self._entries[entry.id] = entry
            self._rows[entry.id] = mine
            for _, row in parted(mine):
                key = (entry.id, row.command)
                self._commands[key] = (*self._commands.get(key, ()), row)
            self._throws[entry.id] = list(export_data.throws)
            for seed in export_data.seeds:
                self._seeds[entry.id, seed.session] = seed.seed
            for draft in export_data.drafts:
                self._drafts[entry.id, draft.seat, draft.key] = replace(draft, campaign=entry.id)
            for picture in brought:
                self._pictures[entry.id, picture.id] = picture

    def remove(self, campaign: str) -> None:
        with self._open():
            self._entries.pop(campaign, None)
            self._rows.pop(campaign, None)
            self._throws.pop(campaign, None)
            self._snapshots.pop(campaign, None)
            self._index.pop(campaign, None)
            held: tuple[dict[Any, Any], ...] = (
                *(self._commands, self._seeds, self._drafts, self._pictures),
            )
            for one in held:
                for key in [key for key in one if key[0] == campaign]:
                    del one[key]
            for token in [one for one in self._tokens.values() if one.campaign == campaign]:
                del self._tokens[token.hash]

    def close(self) -> None:
        with self._lock:
            self._closed = True

    def _all_drafts(self, campaign: str) -> list[Draft]:
        with self._open():
            found = [draft for draft in self._drafts.values() if draft.campaign == campaign]
            return sorted(found, key=lambda draft: (draft.seat, draft.key))

    def _open(self) -> threading.RLock:
        if self._closed:
            raise store_closed()
        return self._lock

    def _require(self, campaign: str) -> None:
        if campaign not in self._entries:
            raise no_such_campaign(campaign)

    def _require_key(self, key: str | None) -> None:
        if key is not None and (key not in self._tokens or self._tokens[key].revoked):
            raise KeyEnded
