"""The immutable table that a game reads: seats, entities, session, asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from hashlib import blake2s
from typing import Any, Self, TypeVar

from kitchentable.rules.values import GM, Answers, Row, RuleIds, Values, record

T = TypeVar("T")


@record
class Seat:
    """A person's place at the table. Roles: "gm", "player", "spectator".

    States: "waiting" (asked to join), "seated", "revoked".
    """

    id: str
    name: str
    role: str
    state: str = "seated"

    @property
    def is_seated(self) -> bool:
        """Whether the seat is taken: neither waited for nor ended."""
        return self.state == "seated"


@record
class Entity:
    """A character, a minion, a ship: anything with a sheet.

    `kind` is one of the game's kinds. `owner` is a seat's id, or "gm". `sheet` has the facts that
    were built and accepted, `state` those that play changes (wounds ...); both are plain JSON, and
    unknown keys are kept. `stage`: "draft" (being built), "submitted" (waits for the GM), "play",
    "gone". `hidden`: players do not know that it exists. `open`: players may see its numbers; a
    player's character is always open. On a table concealed for a seat, a closed entity has only the
    facts that the game shows to everybody.
    """

    id: str
    name: str
    kind: str
    owner: str
    sheet: Values
    state: Values
    stage: str = "play"
    hidden: bool = False
    open: bool = True
    line: str = ""

    @property
    def is_players(self) -> bool:
        """Whether a player, not the GM, owns the entity."""
        return self.owner != GM


@record
class Session:
    """A session of play.

    Phases: "none" (between sessions), "open", "closing". `number` is 0 before the first session.
    `notes` are the game's notes of the session (perks used ...); the game clears them at its end.
    """

    number: int = 0
    phase: str = "none"
    notes: Values = field(default_factory=dict)


@record
class Ask:
    """A card that waits for an answer: its question, its audiences, and the move that answers it.

    `to` has the audiences: "gm", "players" (every player), "owner:ENTITY", or a seat's id. An
    answer runs the move named `move` with `preset` and the person's answers. The result closes the
    ask, or keeps it open while others still have to answer; `votes` has the answers so far by seat.
    `secret` names the keys of `preset` that only the GM may see. A `skippable` ask can be dismissed
    by its audience, but only by the GM if the GM belongs to it.
    """

    id: str
    to: tuple[str, ...]
    move: str
    title: str
    text: str = ""
    preset: Values = field(default_factory=dict)
    secret: tuple[str, ...] = ()
    rules: RuleIds = ()
    skippable: bool = False
    entity: str = ""
    votes: Values = field(default_factory=dict)


@record
class Actor:
    """The maker of a move: seat, role, and entity (an id, or "" for nobody).

    `ask` is the id of the answered ask; `hidden` names answers that the GM keeps secret and no card
    may show.
    """

    seat: str
    role: str
    entity: str = ""
    ask: str = ""
    hidden: frozenset[str] = frozenset()

    @property
    def is_gm(self) -> bool:
        """Whether the actor is the GM or a co-GM."""
        return self.role == GM


#: The largest number of cached values of `for_rules`; then the cache is cleared.
_MOST_KEPT = 500


class _Reads:
    """A cache of values of an immutable object; not a field, so never stored or sent."""

    __slots__ = ("_read",)
    _read: Row

    def once(self, name: str, read: Callable[[], T]) -> T:
        """A value that depends only on this object, read on first use."""
        if not hasattr(self, "_read"):
            object.__setattr__(self, "_read", {})
        if name not in self._read:
            self._read[name] = read()
        found: T = self._read[name]
        return found


@record
class Table(_Reads):
    """Everything that a game may read; immutable.

    `own` has the game's own facts of the campaign; `fight` is its current fight in plain data, or
    None. `number` is the number of the last event. `salt` is the campaign's secret for new ids, and
    leaves the server only in the GM's export; campaigns opened before salts existed have none.
    `alone`: the campaign has no GM, and the players answer the GM's cards.
    """

    options: Values
    seats: Mapping[str, Seat] = field(default_factory=dict)
    entities: Mapping[str, Entity] = field(default_factory=dict)
    session: Session = Session()
    day: int = 0
    fight: Values | None = None
    asks: Mapping[str, Ask] = field(default_factory=dict)
    own: Values = field(default_factory=dict)
    number: int = 0
    salt: str = ""
    alone: bool = False

    def for_rules(self, name: str, read: Callable[[], T], of: Entity | None = None) -> T:
        """A cached value that depends only on options, `own`, and at most one entity.

        Tables that share these objects share the value; see `sharing`.
        """
        kept: dict[str, tuple[Entity | None, Any]] = self.once("for rules", dict)
        found = kept.get(name)
        if found is None or found[0] is not of:
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            found = kept[name] = (of, read())
        value: T = found[1]
        return value

    def sharing(self, other: Table) -> Self:
        """The table itself, sharing values of `for_rules` with another table if possible.

        Both tables must have the same objects as `options` and `own`.
        """
        if other.options is self.options and other.own is self.own:
            kept: dict[str, Any] = other.once("for rules", dict)
            self.once("for rules", lambda: kept)
        return self

    def in_play(self) -> Iterator[Entity]:
        """All entities in play, oldest first."""
        return (one for one in self.entities.values() if one.stage == "play")

    def owned_by(self, seat: str) -> tuple[Entity, ...]:
        """The entities of a seat that are not gone, including drafts."""
        return tuple(e for e in self.entities.values() if e.owner == seat and e.stage != "gone")

    @property
    def gm(self) -> Seat:
        """The seat of the GM; every campaign has one."""
        return next(seat for seat in self.seats.values() if seat.role == GM)

    def players(self) -> tuple[Seat, ...]:
        """The seated players, oldest first; in a campaign without a GM, co-GMs too."""
        roles = {"player", "cogm"} if self.alone else {"player"}
        return tuple(s for s in self.seats.values() if s.role in roles and s.state == "seated")


def fresh(table: Table, prefix: str, index: int = 0) -> str:
    """A new id for an entity, ask or note: a prefix and a hash of the next event's number.

    A plain number would reveal to players how many steps they have not seen, so it is hashed with
    the campaign's salt. The same step decided again gets the same id.

    >>> fresh(Table(options={}, number=41), "minion", 2)
    'minion-42-2'
    >>> fresh(Table(options={}, number=41, salt="8c1f"), "minion", 2)
    'minion-5de55b938c89'
    """
    plain = f"{table.number + 1}-{index}" if index else f"{table.number + 1}"
    if not table.salt:
        return f"{prefix}-{plain}"
    stirred = blake2s(plain.encode(), key=table.salt.encode()[:32], digest_size=6)
    return f"{prefix}-{stirred.hexdigest()}"


__all__ = ["Actor", "Answers", "Ask", "Entity", "Seat", "Session", "Table", "fresh"]
