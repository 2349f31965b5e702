"""The model of a store: what each step means, in dictionaries, without a database."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kitchentable.store import (
    AlreadyDone,
    Append,
    Appended,
    BadRecord,
    CampaignEntry,
    Conflict,
    Draft,
    ExportData,
    IndexedEvent,
    KeyEnded,
    Row,
    Seed,
    Snapshot,
    Throw,
    Token,
)
from kitchentable.store.errors import no_such_campaign
from kitchentable.store.keys import in_force


class Kept:
    """What is kept of one campaign."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.throws: dict[tuple[int, int], str | None] = {}
        self.seeds: dict[int, bytes] = {}
        self.drafts: dict[tuple[str, str], Draft] = {}
        self.index: dict[int, IndexedEvent] = {}
        self.snapshot: Snapshot | None = None


class Model:
    """What a store holds after some steps."""

    def __init__(self) -> None:
        self.entries: dict[str, CampaignEntry] = {}
        self.kept: dict[str, Kept] = {}
        self.keys: dict[str, Token] = {}
        self.values: dict[str, bytes] = {}

    def _of(self, campaign: str) -> Kept:
        """What is kept of a known campaign."""
        if campaign not in self.entries:
            raise no_such_campaign(campaign)
        return self.kept.setdefault(campaign, Kept())

    def _seen(self, campaign: str) -> Kept:
        """What is kept of a campaign, nothing of an unknown one."""
        return self.kept.get(campaign, Kept())

    def _require_key(self, key: str | None) -> None:
        if key is not None and (key not in self.keys or self.keys[key].revoked):
            raise KeyEnded

    def append(self, new: Append) -> Appended | AlreadyDone:
        rows = self._seen(new.campaign).rows
        if done := tuple(row for row in rows if row.command == new.command):
            return AlreadyDone(done)
        self._require_key(new.key)
        if len(rows) != new.expected:
            raise Conflict(new.expected, len(rows))
        if new.entry is not None:
            self.entries[new.campaign] = new.entry
        added = tuple(
            Row(new.campaign, number, new.command, row.time, row.kind, row.body)
            for number, row in enumerate(new.rows, start=len(rows) + 1)
        )
        self._of(new.campaign).rows += added
        for token in self.tokens(new.campaign):
            if token.seat in new.end_keys_of:
                self.revoke_token(token.hash, new.rows[-1].time)
        if new.next_throw_of is None:
            return Appended(added)
        return Appended(added, self.reserve(new.campaign, new.next_throw_of))

    def read(self, campaign: str) -> list[Row]:
        return self._seen(campaign).rows

    def latest(self, campaign: str) -> int:
        return len(self.read(campaign))

    def news(self, after: Mapping[str, int]) -> list[Row]:
        return [row for campaign, number in after.items() for row in self.read(campaign)[number:]]

    def campaigns(self) -> list[CampaignEntry]:
        return sorted(self.entries.values(), key=lambda entry: (entry.created, entry.id))

    def campaign(self, campaign: str) -> CampaignEntry | None:
        return self.entries.get(campaign)

    def reserve(self, campaign: str, session: int, command: str | None = None) -> int:
        throws = self._of(campaign).throws
        mine = {number: whose for (other, number), whose in throws.items() if other == session}
        for number, whose in mine.items():
            if command is not None and whose == command:
                return number
        number = max(mine, default=0) + 1
        throws[session, number] = command
        return number

    def assign_throw(self, campaign: str, session: int, number: int, command: str) -> None:
        throws = self._seen(campaign).throws
        if throws.get((session, number), "") is None:
            throws[session, number] = command

    def return_throw(self, campaign: str, session: int, number: int) -> bool:
        throws = self._seen(campaign).throws
        latest = throws.get((session, number), "") is None and (session, number + 1) not in throws
        if latest:
            del throws[session, number]
        return latest

    def put_token(self, token: Token, *, holder: str | None = None) -> None:
        self._require_key(holder)
        if token.campaign is not None:
            self._of(token.campaign)
        if self.keys.setdefault(token.hash, token) != token:
            raise BadRecord("", code="store/token-known")

    def token(self, hash: str, now: str) -> Token | None:
        return in_force(self.keys.get(hash), now)

    def spend_token(self, hash: str, now: str) -> Token | None:
        token = self.token(hash, now)
        if token is not None:
            self.revoke_token(hash, now)
        return token

    def revoke_token(self, hash: str, now: str) -> bool:
        token = self.keys.get(hash)
        if token is None or token.revoked is not None:
            return False
        self.keys[hash] = replace(token, revoked=now)
        return True

    def tokens(self, campaign: str | None) -> list[Token]:
        found = [token for token in self.keys.values() if token.campaign == campaign]
        return sorted(found, key=lambda token: (token.created, token.hash))

    def put_seed(self, campaign: str, session: int, seed: bytes) -> None:
        if self._of(campaign).seeds.setdefault(session, seed) != seed:
            raise BadRecord("", code="store/seed-known")

    def put_setting(self, name: str, value: bytes) -> None:
        self.values[name] = value

    def keep_setting(self, name: str, value: bytes) -> bytes:
        return self.values.setdefault(name, value)

    def settings(self) -> dict[str, bytes]:
        return self.values

    def put_draft(self, draft: Draft) -> None:
        self._of(draft.campaign).drafts[draft.seat, draft.key] = draft

    def put_snapshot(self, snapshot: Snapshot) -> None:
        kept = self._seen(snapshot.campaign)
        known = kept.snapshot.number if kept.snapshot else 0
        if known <= snapshot.number <= len(kept.rows):
            kept.snapshot = snapshot

    def snapshot(self, campaign: str) -> Snapshot | None:
        return self._seen(campaign).snapshot

    def index(self, campaign: str, events: Sequence[IndexedEvent]) -> None:
        self._seen(campaign).index.update({one.number: one for one in events})

    def indexed(self, campaign: str) -> int:
        return max(self._seen(campaign).index, default=0)

    def find(
        self,
        campaign: str,
        marks: Sequence[str],
        prefixes: Sequence[str],
        *,
        after: int | None,
        before: int | None,
        limit: int,
    ) -> list[int]:
        found = [
            number
            for number, one in sorted(self._seen(campaign).index.items())
            if set(marks) <= set(one.marks)
            and all(any(word.startswith(start) for word in one.words["all"]) for start in prefixes)
            and (after is None or number > after)
            and (after is not None or before is None or number < before)
        ]
        return (found if after is not None else found[::-1])[:limit]

    def export_data(self, campaign: str) -> ExportData:
        kept = self._seen(campaign)
        return ExportData(
            seeds=tuple(Seed(*one) for one in sorted(kept.seeds.items())),
            throws=tuple(Throw(*one, whose) for one, whose in sorted(kept.throws.items())),
            drafts=tuple(draft for _, draft in sorted(kept.drafts.items())),
        )

    def remove(self, campaign: str) -> None:
        self.entries.pop(campaign, None)
        self.kept.pop(campaign, None)
        for token in self.tokens(campaign):
            del self.keys[token.hash]
