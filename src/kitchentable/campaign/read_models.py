"""Read models: the table and the log entries as one seat sees them.

This module only defines the types; `campaign.views` fills them. Entries and dice are msgspec
structs because one is made for each seat and event: structs are created, compared and hashed
fastest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import msgspec

from kitchentable.campaign.audiences import is_gm
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
    """The exact odds of a throw: a share for each band, and the sum of the good ones.

    `counted` are the labels of the summed bands that can happen. `fell` is the key of the outcome's
    band; "" before the throw and for throws of earlier versions.
    """

    bands: tuple[tuple[str, str, str, Fraction], ...]  # key, label, tone, chance
    good: Fraction
    sentence: str
    unresolved: Fraction = field(default_factory=Fraction)
    counted: tuple[str, ...] = ()
    fell: str = ""

    @classmethod
    def of(cls, bands: Sequence[Band], solved: Solved, fell: str = "") -> SeenOdds:
        """Return the odds of these bands, with default words if the game has none."""
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
        """Whether the roll can succeed or fail; a roll for an order or on a table cannot.

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
    """The reason why no odds are shown; "" for a throw that never has odds."""

    why: str = ""


class Entry(msgspec.Struct, frozen=True):
    """One log entry as one seat reads it, without anything that the seat may not know.

    `cursor` is opaque; `number` is set for the GM only (0 for others), because gaps would reveal
    the number of hidden entries. `undone` says by whom and why the step was taken back. `stub`
    replaces a hidden text ("The GM threw dice behind the screen."). `sum` has the parts of a
    notation's total: numbers of dice, and the text between them. `face` is "drawn" next to the
    words of a character, or the id of the character's portrait. `thread` is the id of the proposal
    that the entry begins, continues or ends. `picture` belongs to a handout.
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

    `mine` are the fields that this seat may set now; `may_throw` if the dice wait for this seat.
    `odds_note` says why no odds are shown. `chances` has the chance of success with each value of
    the GM's choice, for the GM. `number` tells the page how the GM sets a custom number: the choice
    that opens it, its value, and the number's name and label; () for none.
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
    chances: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeenAsk:
    """A waiting card: its form if this seat may answer it, otherwise the people it waits for.

    `throws`: answering may throw dice, so real dice can be typed in.
    """

    ask: Ask
    fields: tuple[Field, ...] = ()
    mine: bool = False
    waits_on: str = ""
    throws: bool = False


@dataclass(frozen=True, slots=True)
class SeenMove:
    """A move of this seat for an entity, with its form, or with `why_not` if it is refused now.

    `throws` is False if the move never needs dice.
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

    `readers` are the ids of the seats that it is shown to, or "all"; set only for the GM.
    """

    id: str
    title: str
    text: str
    picture: str
    readers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quick:
    """A character's roll saved under a name."""

    label: str
    starts: Start


@dataclass(frozen=True, slots=True)
class View:
    """The whole table for one seat; pages, terminal and API read only this."""

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
    def for_gm(self) -> bool:
        """Whether the seat is the GM's or a co-GM's."""
        return is_gm(self.me)

    @property
    def plays(self) -> bool:
        """Whether this seat plays characters: every player's, and the GM's if it has one."""
        return self.me.role == "player" or any(one.owner == self.me.id for one in self.mine)

    def is_mine(self, entity: str) -> bool:
        """Whether an entity belongs to this seat."""
        return any(one.id == entity for one in self.mine)
