"""The dice that a command is handed: the session's committed stream, loose entropy, or real dice.

Inside a session every throw has a number in that session's stream, which the store gives out once
and for good: a command that has to be decided again, even after a crash, finds the same dice.
Between sessions the operating system's entropy throws, and the event says so.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from kitchentable.campaign.hand import Hand
from kitchentable.campaign.state import Campaign
from kitchentable.dice import LoadedDice, RollingDice, Source, SystemEntropy
from kitchentable.dice.stream import SEED_BYTES, Contribution, SessionStream, commit
from kitchentable.store.protocols import Store


class Hands:
    """Makes hands of dice. Entropy comes in here and nowhere else.

    `loose` throws where no session is open; `fresh` gives the secret seed of a new session.
    """

    def __init__(self, store: Store, loose: Source | None = None) -> None:
        self._store = store
        self._loose = loose or SystemEntropy()

    def typed(self, faces: Sequence[str]) -> Hand:
        """Real dice whose faces somebody typed in, in the order in which they are asked for."""
        return Hand(LoadedDice(tuple(_face(face) for face in faces)), typed=True)

    async def thrown(self, campaign: Campaign, command: str) -> Hand:
        """The table's dice for a command. The same command always gets the same dice."""
        session = campaign.table.session
        if session.phase == "none":
            return Hand(RollingDice(self._loose))
        number = await self._store.reserve_async(campaign.id, session.number, command)
        seed = self._store.seed(campaign.id, session.number)
        if seed is None:
            # Moved house without its secrets: what was promised cannot be kept, so the dice are
            # loose again, and the event (number 0) says so.
            return Hand(RollingDice(self._loose))
        stream = SessionStream(seed, _contributions(campaign))
        return Hand(RollingDice(stream.throw(number)), number=number, session=session.number)

    def seal(self, campaign: str, session: int) -> str:
        """The commitment to a session's secret seed, which is made and kept on the first asking."""
        seed = self._store.seed(campaign, session)
        if seed is None:
            seed = secrets.token_bytes(SEED_BYTES)
            self._store.put_seed(campaign, session, seed)
        return commit(seed, campaign, session)

    def reveal(self, campaign: str, session: int) -> str:
        """A session's seed in hexadecimal; "" when this house never had it."""
        seed = self._store.seed(campaign, session)
        return seed.hex() if seed is not None else ""


def _contributions(campaign: Campaign) -> tuple[Contribution, ...]:
    """What the players added to the seed of the session that is open."""
    added = campaign.tree["session"].get("contributions", ())
    return tuple(Contribution(one["who"], one["words"], one["from_throw"]) for one in added)


def _face(face: str) -> int | str:
    """A typed face is a number, or a word such as flub."""
    text = face.strip()
    return int(text) if text.isdecimal() else text
