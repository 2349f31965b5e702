"""Dice sources for commands: the session's committed stream, system entropy, or typed-in faces.

Within a session every throw has a number in the session's stream, and the store issues each number
once. A command that is decided again, because another was recorded first, gets the same dice. The
step that records a throw also reserves the next number, so that no throw has to wait for one.
Between sessions the dice come from the operating system's entropy, and the event says so.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from bisect import insort
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from kitchentable.campaign.decide.bounds import check_faces
from kitchentable.campaign.dice_source import NO_DICE, DiceSource
from kitchentable.campaign.events import Event
from kitchentable.campaign.state import Campaign
from kitchentable.dice import LoadedDice, RollingDice, Source, SystemEntropy
from kitchentable.dice.stream import (
    SEED_BYTES,
    Contribution,
    SessionStream,
    ThrowSource,
    commit,
    commit_screen,
    secrets_of,
)
from kitchentable.store.errors import BadRecord, StoreError
from kitchentable.store.sql import Store


class Ready:
    """Reserved throw numbers by campaign and session, mostly one for each.

    The store has already recorded these numbers. Throws take them in the event loop while a thread
    may return them to the store; each is handed out once.

    >>> ready = Ready()
    >>> ready.add("salt-road", 1, 4)
    >>> ready.take("salt-road", 1), ready.take("salt-road", 1)
    (4, None)
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], list[int]] = {}
        self._lock = threading.Lock()

    def add(self, campaign: str, session: int, number: int) -> None:
        """Add a number for the next throw."""
        with self._lock:
            insort(self._numbers.setdefault((campaign, session), []), number)

    def take(self, campaign: str, session: int) -> int | None:
        """Take the lowest number of a session; None if there is none."""
        with self._lock:
            numbers = self._numbers.get((campaign, session))
            return numbers.pop(0) if numbers else None

    def has(self, campaign: str, session: int) -> bool:
        """Whether a number of this session is reserved."""
        return bool(self._numbers.get((campaign, session)))

    def take_all(self, campaign: str | None) -> list[tuple[str, int, int]]:
        """Take every number of a campaign or of all, with campaign and session, highest first.

        >>> ready = Ready()
        >>> for number in (4, 5):
        ...     ready.add("salt-road", 1, number)
        >>> ready.take_all("another"), ready.take_all(None)
        ([], [('salt-road', 1, 5), ('salt-road', 1, 4)])
        """
        with self._lock:
            ours = [key for key in self._numbers if campaign in {None, key[0]}]
            taken = [(*key, number) for key in ours for number in self._numbers.pop(key)]
        return taken[::-1]


class Kept:
    """The dice of one command, the same each time it is decided. Dice from entropy are kept and
    replayed. `numbers` are the command's throws, by session. In the sessions `reserved` they were
    reserved in advance, so the store does not know their command yet.

    >>> dice = Kept(SystemEntropy())
    >>> first = [dice.below(6) for _ in range(4)]
    >>> dice.again()
    >>> [dice.below(6) for _ in range(4)] == first
    True
    """

    def __init__(self, source: Source) -> None:
        self.numbers: dict[int, int] = {}
        self.reserved: set[int] = set()
        self._source = source
        self._fallen: list[tuple[int, int]] = []
        self._next = 0
        self._handed: list[ThrowSource] = []

    def again(self) -> None:
        """Go back to the first die."""
        self._next = 0

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1; the earlier one if this die was thrown before."""
        if self._next < len(self._fallen) and self._fallen[self._next][0] != n:
            del self._fallen[self._next :]
        if self._next == len(self._fallen):
            self._fallen.append((n, self._source.below(n)))
        self._next += 1
        return self._fallen[self._next - 1][1]

    def hand(self, session: int, stream: SessionStream) -> DiceSource:
        """The dice of this command's throw in a session, from the first die."""
        number = self.numbers[session]
        source = stream.throw(number)
        self._handed.append(source)
        if stream.screen is None:
            return DiceSource(RollingDice(source), number=number, session=session)

        def screened(labels: Collection[str] | None) -> RollingDice:
            behind = stream.behind(number)
            self._handed.append(behind)
            if labels is None:
                return RollingDice(behind)
            return RollingDice(source, labels, behind)

        return DiceSource(RollingDice(source), number=number, session=session, screen=screened)

    @property
    def has_fallen(self) -> bool:
        """Whether a die of the stream was thrown, in any attempt to decide the command."""
        return any(source.drawn for source in self._handed)


class DiceSources:
    """Makes the dice source of each command; the only place that uses entropy.

    `loose` is the source outside of sessions. The store knows a campaign by its id on this server;
    commitments to dice name the id in the campaign's first event. The ids differ for a copy
    imported next to the original, so that the two never share a stream.
    """

    def __init__(self, store: Store, loose: Source | None = None) -> None:
        self._store = store
        self._loose = loose or SystemEntropy()
        #: For each campaign, the session's facts and the dice stream made from them.
        self._streams: dict[str, tuple[Mapping[str, Any], SessionStream]] = {}
        self._ready = Ready()

    def kept(self) -> Kept:
        """The dice of one command, the same each time it is decided."""
        return Kept(self._loose)

    def typed(self, state: Campaign, faces: Sequence[str]) -> DiceSource:
        """Real dice with typed-in faces, in the order of the throw. Real dice take no number of the
        session's stream, but its audit counts them. Errors: WrongFaces.
        """
        check_faces(faces)
        dice = LoadedDice(tuple(_face(face) for face in faces))
        session = state.table.session
        return DiceSource(
            dice, session=session.number if session.phase != "none" else 0, typed=True
        )

    async def prepare(self, campaign: str, state: Campaign) -> None:
        """Read the open session's secret if it is not known and the database is remote."""
        if self._store.far and self._known(campaign, state) is None:
            await asyncio.to_thread(self._stream, campaign, state)

    def at_hand(self, campaign: str, state: Campaign, loose: Kept) -> DiceSource:
        """The session's dice if a number is reserved for them; otherwise none."""
        session = state.table.session.number
        if session not in loose.numbers:
            number = self._ready.take(campaign, session)
            if number is None:
                return NO_DICE
            loose.numbers[session] = number
            loose.reserved.add(session)
        stream = self._stream(campaign, state)
        return loose.hand(session, stream) if stream is not None else NO_DICE

    async def thrown(self, campaign: str, state: Campaign, command: str, loose: Kept) -> DiceSource:
        """The server's dice for a command; the same command always gets the same dice.

        Without an open session, or if its seed is on another server, the dice come from entropy,
        and the event (session 0) says so.
        """
        stream = self._stream(campaign, state)
        if stream is None:
            loose.again()
            return DiceSource(RollingDice(loose))
        session = state.table.session.number
        if session not in loose.numbers:
            loose.numbers[session] = await self._store.reserve_async(campaign, session, command)
        return loose.hand(session, stream)

    def next_of(self, campaign: str, events: Iterable[Event]) -> int | None:
        """The session of these events' throws, if no number is reserved for its next throw."""
        for event in events:
            session = event.throw.session if event.throw is not None else 0
            if session and not self._ready.has(campaign, session):
                return session
        return None

    def keep_reserved(self, campaign: str, session: int, number: int) -> None:
        """Keep the number that the store has reserved for the next throw."""
        self._ready.add(campaign, session, number)

    def release(self, campaign: str, loose: Kept, events: Iterable[Event] = ()) -> None:
        """Release a command's reserved numbers that nobody saw, for the next throw.

        The command was recorded by these events, or by another process with other dice.
        """
        throws = [event.throw for event in events if event.throw is not None]
        shown = {(throw.session, throw.number) for throw in throws}
        for session in loose.reserved:
            if (session, loose.numbers[session]) not in shown:
                self._ready.add(campaign, session, loose.numbers[session])

    async def release_refused(self, campaign: str, command: str, loose: Kept) -> None:
        """Release a refused command's numbers; those with dice already thrown stay unused."""
        for session in loose.reserved:
            number = loose.numbers[session]
            if loose.has_fallen:
                assign = self._store.assign_throw
                await asyncio.to_thread(assign, campaign, session, number, command)
            else:
                self._ready.add(campaign, session, number)

    def put_back(self, campaign: str | None = None) -> None:
        """Return the reserved numbers of one campaign or of all to the store.

        The highest goes first, because the store takes back only the latest. Errors: StoreError.
        """
        for one, session, number in self._ready.take_all(campaign):
            self._store.return_throw(one, session, number)

    def _stream(self, campaign: str, state: Campaign) -> SessionStream | None:
        """The open session's dice; None without a session, or if its seed is elsewhere."""
        if state.table.session.phase == "none":
            return None
        known = self._known(campaign, state)
        if known is not None:
            return known
        kept = self._secrets(campaign, state)
        if kept is None:
            return None
        seed, screen = kept
        stream = SessionStream(seed, contributions(state), screen)
        self._streams[campaign] = (state.tree["session"], stream)
        return stream

    def _known(self, campaign: str, state: Campaign) -> SessionStream | None:
        """The cached dice, unless the session's facts have changed. Unchanged facts stay the same
        object, so the stream is made again only when contributions are added; a stored seed never
        changes.
        """
        evening, stream = self._streams.get(campaign, (None, None))
        return stream if evening is state.tree["session"] else None

    def _secrets(self, campaign: str, state: Campaign) -> tuple[bytes, bytes | None] | None:
        """The open session's seed, and its secret seed if it has one; None if not on this server. A
        session from before secret streams stores the seed itself.
        """
        root = self._store.seed(campaign, state.table.session.number)
        if root is None:
            return None
        has_screen = bool(state.tree["session"].get("screen_commitment"))
        return secrets_of(root) if has_screen else (root, None)

    def seal(self, campaign: str, state: Campaign) -> tuple[str, str]:
        """The commitments to the next session's seed and to its screen.

        Both come from one secret, created and stored at the first call.
        """
        session = state.table.session.number + 1
        root = self._store.seed(campaign, session)
        if root is None:
            try:
                self._store.put_seed(campaign, session, secrets.token_bytes(SEED_BYTES))
            except BadRecord as error:
                if error.code != "store/seed-known":
                    raise
            # Another process may have been first: the stored seed counts.
            root = self._store.seed(campaign, session)
        if root is None:
            raise StoreError("The seed of the dice could not be stored.", code="store/failed")
        seed, screen = secrets_of(root)
        return commit(seed, state.id, session), commit_screen(screen, state.id, session)

    def reveal(self, campaign: str, state: Campaign) -> tuple[str, str, tuple[int, ...]]:
        """The open session's seed and screen in hexadecimal, and the unused throws.

        Both are "" if they were never on this server. A throw is unused if its command was refused
        or lost: the journal states its number, so that none is missing. A number still reserved at
        the end was not a throw.
        """
        session = state.table.session.number
        seed, screen = self._secrets(campaign, state) or (None, None)
        shown = set(state.session_throws())
        given = [one for one in self._store.export_data(campaign).throws if one.session == session]
        last = max({one.number for one in given if one.command is not None} | shown, default=0)
        unused = {one.number for one in given if one.number <= last} - shown
        told = [one.hex() if one is not None else "" for one in (seed, screen)]
        return told[0], told[1], tuple(sorted(unused))


def contributions(state: Campaign) -> tuple[Contribution, ...]:
    """The words that players contributed to the open session's dice, in order."""
    told = state.tree["session"].get("contributions", ())
    return tuple(Contribution(one["who"], one["words"], one["from_throw"]) for one in told)


def _face(face: str) -> int | str:
    """A typed face: a number, or a word such as flub."""
    text = face.strip()
    return int(text) if text.isdecimal() else text
