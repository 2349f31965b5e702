"""Read models: the table and the log entries as one seat sees them.

These are only shapes. `campaign.views` fills them, and it is the one place where that is decided.
Entries and their dice are made for each seat and each event, so they are of the kind that is made,
compared and hashed fastest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import msgspec

from kitchentable.campaign.scene import Scene
from kitchentable.campaign.throws import Solved
from kitchentable.campaign.words import odds_in_words
from kitchentable.rules.moves import Band, Card
from kitchentable.rules.sheets import Act, FightView, Start, Summary
from kitchentable.rules.table import Ask, Entity, Seat, Table
from kitchentable.rules.values import Field


class SeenDie(msgspec.Struct, frozen=True):
    """A physical die on a card: its kind, its face, its owner, and whether it counts."""

    die: str
    sides: int
    face: str
    label: str
    fate: str = "kept"
    why: str = ""


@dataclass(frozen=True, slots=True)
class SeenOdds:
    """The odds a throw had, or has: a share per band, exact, the good ones summed.

    `counted` are the labels of those that were summed and can happen. `fell` is the key of the
    outcome's band, "" before the throw and for throws of earlier versions.
    """

    bands: tuple[tuple[str, str, str, Fraction], ...]  # key, label, tone, chance
    good: Fraction
    sentence: str
    unresolved: Fraction = field(default_factory=Fraction)
    counted: tuple[str, ...] = ()
    fell: str = ""

    @classmethod
    def of(cls, bands: Sequence[Band], solved: Solved, fell: str = "") -> SeenOdds:
        """The odds of these bands, in words of our own where the game has none."""
        shares = solved.shares
        good = [band for band in bands if band.good]
        return cls(
            bands=tuple((band.key, band.label, band.tone, shares[band.key]) for band in bands),
            good=sum((shares[band.key] for band in good), Fraction(0)),
            sentence=solved.sentence or odds_in_words(bands, shares),
            unresolved=solved.unresolved,
            counted=tuple(band.label for band in good if shares[band.key]),
            fell=fell,
        )

    @property
    def judges(self) -> bool:
        """Whether there is a chance of success; a roll for an order or from a table has none.

        >>> half = Fraction(1, 2)
        >>> order = (("1", "first", "plain", half), ("2", "last", "plain", half))
        >>> sure = (("hit", "hit", "good", Fraction(1)), ("miss", "miss", "bad", Fraction(0)))
        >>> [SeenOdds(order, Fraction(good), "").judges for good in (0, 1)]
        [False, False]
        >>> SeenOdds(sure, Fraction(1), "").judges
        True
        """
        good = {tone in {"good", "splendid"} for _, _, tone, _ in self.bands}
        return 0 < self.good < 1 or len(good) == 2


@dataclass(frozen=True, slots=True)
class NoOdds:
    """The reason why no odds are shown; "" for a throw without odds by nature."""

    why: str = ""


class Entry(msgspec.Struct, frozen=True):
    """One entry of the log as one seat reads it. Anything the seat may not know is not in it.

    `cursor` is opaque; `number` is given to the GM only (0 for others), because gaps would tell
    how much is hidden. `undone` says by whom and why, when the step was taken back. `stub` is a
    sentence shown in place of a hidden thing ("The GM threw dice behind the screen."). `sum` tells
    how dice in notation come to their total: numbers of dice, and what stands between them. `face`
    is "drawn" beside the words of a character, or the id of the character's portrait. `thread` is
    the id of the proposal that the entry begins, continues or ends.
    `picture` is that of a handout.
    """

    cursor: str
    kind: str
    time: str
    who: str
    seat: str
    text: str = ""
    mode: str = ""
    card: Card | None = None
    dice: tuple[SeenDie, ...] = ()
    typed: bool = False
    odds: SeenOdds | None = None
    to: str = ""
    reason: str = ""
    undone: str = ""
    hidden_from: str = ""
    stub: str = ""
    number: int = 0
    may_undo: bool = False
    details: tuple[tuple[str, str], ...] = ()
    sum: tuple[int | str, ...] = ()
    face: str = ""
    thread: str = ""
    picture: str = ""

    @property
    def spoken(self) -> str:
        """The text of a chat line, with the results of its dice in their places."""
        text = self.text
        for written, result in self.details:
            text = text.replace(f"[[{written}]]", result)
        return text


@dataclass(frozen=True, slots=True)
class SeenProposal:
    """A proposal of a roll: the move, the answers so far, and the waiting parties.

    `mine` are the fields this seat may set now; `may_throw` when the dice wait for this seat.
    `odds_note` says why no odds are shown. `number` is what the GM sets to give a number of their
    own: the choice that opens it, its value, and the number's name and label; () for none.
    """

    id: str
    move: str
    title: str
    entity: str
    who: str
    rules: tuple[str, ...]
    settled: tuple[tuple[str, str, bool], ...]  # label, value in words, hidden from players
    answers: dict[str, Any] = field(default_factory=dict)
    mine: tuple[Field, ...] = ()
    waits_on: str = ""
    my_turn: bool = False
    may_throw: bool = False
    may_withdraw: bool = False
    may_decline: bool = False
    number: tuple[str, ...] = ()
    odds: SeenOdds | None = None
    odds_note: str = ""


@dataclass(frozen=True, slots=True)
class SeenAsk:
    """A waiting card: its form if this seat may answer it, otherwise for whom it waits.

    `throws`: an answer may let dice fall, so real ones can be typed in.
    """

    ask: Ask
    fields: tuple[Field, ...] = ()
    mine: bool = False
    waits_on: str = ""
    throws: bool = False


@dataclass(frozen=True, slots=True)
class SeenMove:
    """A move this seat may start for an entity now, with its form; `why_not` when it may not.

    `throws` is False for one that never needs dice.
    """

    name: str
    title: str
    help: str
    place: str
    rules: tuple[str, ...]
    entity: str
    fields: tuple[Field, ...] = ()
    why_not: str = ""
    converses: bool = False
    throws: bool = True


@dataclass(frozen=True, slots=True)
class SeenHandout:
    """A handout that a seat may read; `picture` is an id or "".

    `readers` are the ids of the seats that it is shown to, "all" or nobody; for the GM alone.
    """

    id: str
    title: str
    text: str
    picture: str
    readers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quick:
    """A roll that was kept under a name with its character."""

    label: str
    starts: Start


@dataclass(frozen=True, slots=True)
class View:
    """The whole table for one seat. Templates, terminal and API get nothing else."""

    campaign: str
    title: str
    game: str
    me: Seat
    table: Table
    settings: dict[str, Any]
    summaries: dict[str, Summary]
    mine: tuple[Entity, ...]
    proposals: tuple[SeenProposal, ...]
    asks: tuple[SeenAsk, ...]
    fight: FightView | None
    notes: dict[str, str]
    session: dict[str, Any]
    sessions: dict[str, Any]
    cursor: str
    scene: Scene
    portraits: dict[str, str] = field(default_factory=dict)
    handouts: tuple[SeenHandout, ...] = ()
    backdrop: SeenHandout | None = None
    quick: dict[str, tuple[Quick, ...]] = field(default_factory=dict)
    harm: dict[str, tuple[Act, ...]] = field(default_factory=dict)

    @property
    def plays(self) -> bool:
        """Whether this seat plays characters: a player's, and a GM's that has one."""
        return self.me.role == "player" or any(one.owner == self.me.id for one in self.mine)

    def is_mine(self, entity: str) -> bool:
        """Whether an entity belongs to this seat."""
        return any(one.id == entity for one in self.mine)
