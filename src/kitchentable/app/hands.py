"""The dice that a command is handed: the session's committed stream, loose entropy, or real dice.

Inside a session every throw has a number in that session's stream, which the store gives out once
and for good: a command that has to be decided again, because another came first, finds the same
dice. The number of the next throw is asked for with the one before, so that nobody waits for it.
Between sessions the operating system's entropy throws, and the event says so.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Sequence

from kitchentable.campaign.hand import Hand
from kitchentable.campaign.state import Campaign
from kitchentable.dice import LoadedDice, RollingDice, Source, SystemEntropy
from kitchentable.dice.stream import SEED_BYTES, Contribution, SessionStream, commit
from kitchentable.store.errors import BadRecord, StoreError
from kitchentable.store.protocols import Store

log = logging.getLogger("kitchentable.app")


class Kept:
    """Loose dice that stay as they fell: asked again from the start, they show the same.

    A command that has to be decided again, because somebody else's came first, keeps its dice:
    these, or by `numbers` its throw in each session's stream. `lay_ready` are the sessions whose
    number had lain ready, so that the record does not know yet whose it is.

    >>> dice = Kept(SystemEntropy())
    >>> first = [dice.below(6) for _ in range(4)]
    >>> dice.again()
    >>> [dice.below(6) for _ in range(4)] == first
    True
    """

    def __init__(self, source: Source) -> None:
        self.numbers: dict[int, int] = {}
        self.lay_ready: set[int] = set()
        self._source = source
        self._fallen: list[tuple[int, int]] = []
        self._next = 0

    def again(self) -> None:
        """Back to the first die."""
        self._next = 0

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1: the one that fell in this place, if the same was asked then."""
        if self._next < len(self._fallen) and self._fallen[self._next][0] != n:
            del self._fallen[self._next :]
        if self._next == len(self._fallen):
            self._fallen.append((n, self._source.below(n)))
        self._next += 1
        return self._fallen[self._next - 1][1]


class Hands:
    """Makes hands of dice. Entropy comes in here and nowhere else.

    `loose` throws where no session is open. A campaign is kept under the house's id for it; what is
    promised about its dice names the id that its own first event gave it. The two differ in a copy
    that was taken in beside the original, so that the two never share a stream.
    """

    def __init__(self, store: Store, loose: Source | None = None) -> None:
        self._store = store
        self._loose = loose or SystemEntropy()
        self._seeds: dict[str, tuple[int, bytes]] = {}
        #: By campaign and session: the numbers of the next throws here, mostly one.
        self._ready: dict[tuple[str, int], list[asyncio.Future[int]]] = {}
        #: Numbers are given back from a thread too, and each goes one way only.
        self._lock = threading.Lock()

    def kept(self) -> Kept:
        """What one command keeps of its dice, however often it is decided."""
        return Kept(self._loose)

    def typed(self, state: Campaign, faces: Sequence[str]) -> Hand:
        """Real dice whose faces somebody typed in, in the order in which they are asked for.

        They take no number of the session's stream, but its audit counts them.
        """
        dice = LoadedDice(tuple(_face(face) for face in faces))
        session = state.table.session
        return Hand(dice, session=session.number if session.phase != "none" else 0, typed=True)

    async def thrown(self, campaign: str, state: Campaign, command: str, loose: Kept) -> Hand:
        """The table's dice for a command. The same command always gets the same dice.

        Without an open session, or in one whose seed stayed in another house, what falls is loose,
        and the event (session 0) says so.
        """
        session = state.table.session
        seed = self._seed(campaign, session.number) if session.phase != "none" else None
        if seed is None:
            loose.again()
            return Hand(RollingDice(loose))
        number = loose.numbers.get(session.number)
        if number is None:
            number = await self._number(campaign, session.number, command, loose)
            loose.numbers[session.number] = number
        stream = SessionStream(seed, contributions(state))
        return Hand(RollingDice(stream.throw(number)), number=number, session=session.number)

    async def _number(self, campaign: str, session: int, command: str, loose: Kept) -> int:
        """The number of a command's throw: the one that lies ready here, or else a new one."""
        while (asked := self._take(campaign, session)) is not None:
            try:
                if _is_ours(asked):
                    number = await asked
                    loose.lay_ready.add(session)
                    return number
            except StoreError as error:
                # This throw asks for itself, and is told if the disk still fails.
                log.warning("The number of the next throw could not be kept: %s", error)
        return await self._store.reserve_async(campaign, session, command)

    def _take(self, campaign: str, session: int) -> asyncio.Future[int] | None:
        with self._lock:
            ready = self._ready.get((campaign, session))
            return ready.pop(0) if ready else None

    def make_ready(self, campaign: str, loose: Kept) -> None:
        """Ask for the number of the next throw, after one that is being recorded.

        It is given out with whatever is written then, and the next throw waits for the disk once
        instead of twice.
        """
        for session in loose.numbers:
            with self._lock:
                ready = self._ready.setdefault((campaign, session), [])
                if not ready:
                    ready.append(self._store.reserve_async(campaign, session))
                    ready[0].add_done_callback(_heard)

    def keep_ready(self, campaign: str, loose: Kept) -> None:
        """The command was done elsewhere with other dice: what was in hand here fell for nobody,
        and is the next throw's.
        """
        for session, number in loose.numbers.items():
            kept: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            kept.set_result(number)
            with self._lock:
                self._ready.setdefault((campaign, session), []).insert(0, kept)

    async def set_aside(self, campaign: str, command: str, loose: Kept) -> None:
        """Dice were in hand, and then their command was refused: nobody gets them any more."""
        for session in loose.lay_ready:
            number = loose.numbers[session]
            await asyncio.to_thread(self._store.assign_throw, campaign, session, number, command)

    def put_back(self, campaign: str | None = None) -> None:
        """Give back the numbers that lie ready, of a campaign that goes elsewhere or of all.

        The highest goes first, as the record takes back no other. Errors: StoreError.
        """
        with self._lock:
            ours = [key for key in self._ready if campaign in {None, key[0]}]
            taken = {key: self._ready.pop(key) for key in ours}
        for (one, session), ready in taken.items():
            for number in sorted(filter(None, map(_given, ready)), reverse=True):
                self._store.return_throw(one, session, number)

    def _seed(self, campaign: str, session: int) -> bytes | None:
        """The running session's seed, which never changes once it is kept; None where none is."""
        known = self._seeds.get(campaign)
        if known is not None and known[0] == session:
            return known[1]
        seed = self._store.seed(campaign, session)
        if seed is not None:
            self._seeds[campaign] = (session, seed)
        return seed

    def seal(self, campaign: str, state: Campaign) -> str:
        """The commitment to the next session's secret seed, made and kept on the first asking."""
        session = state.table.session.number + 1
        seed = self._store.seed(campaign, session)
        if seed is None:
            try:
                self._store.put_seed(campaign, session, secrets.token_bytes(SEED_BYTES))
            except BadRecord as error:
                if error.code != "store/seed-known":
                    raise
            # Another process may have been first: the seed that is kept is the one that counts.
            seed = self._store.seed(campaign, session)
        if seed is None:
            raise StoreError("The seed of the dice could not be kept.", code="store/failed")
        return commit(seed, state.id, session)

    def reveal(self, campaign: str, state: Campaign) -> tuple[str, tuple[int, ...]]:
        """The running session's seed in hexadecimal, and the throws nobody was shown.

        The seed is "" when this house never had it. A throw is unused when its number was given
        out, and then its command was refused or lost: the journal says so, and misses no number.
        What still lies ready at the end was no throw.
        """
        session = state.table.session.number
        seed = self._store.seed(campaign, session)
        shown = {
            event.throw.number
            for event in state.events
            if event.throw is not None and event.throw.session == session
        }
        given = [one for one in self._store.luggage(campaign).throws if one.session == session]
        last = max({one.number for one in given if one.command is not None} | shown, default=0)
        unused = {one.number for one in given if one.number <= last} - shown
        return (seed.hex() if seed is not None else ""), tuple(sorted(unused))


def contributions(state: Campaign) -> tuple[Contribution, ...]:
    """The words that count for the running session's dice, in their order."""
    told = state.tree["session"].get("contributions", ())
    return tuple(Contribution(one["who"], one["words"], one["from_throw"]) for one in told)


def _is_ours(ready: asyncio.Future[int]) -> bool:
    """Whether a future can be waited for here: it is done, or will be in this event loop."""
    return ready.done() or ready.get_loop() is asyncio.get_running_loop()


def _given(ready: asyncio.Future[int]) -> int | None:
    """The number that was asked for, where it has come."""
    came = ready.done() and not ready.cancelled() and ready.exception() is None
    return ready.result() if came else None


def _heard(asked: asyncio.Future[int]) -> None:
    """Take note of a failure; the throw that needs the number asks again."""
    if not asked.cancelled():
        asked.exception()


def _face(face: str) -> int | str:
    """A typed face is a number, or a word such as flub."""
    text = face.strip()
    return int(text) if text.isdecimal() else text
