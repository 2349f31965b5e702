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


@record
class Entity:
    """A character, a minion, a ship: anything with a sheet.

    `kind` is one of the game's own kinds. `owner` is a seat's id, or "gm". `sheet` is what was
    built and agreed on, `state` what play changes (wounds ...); both are plain JSON whose unknown
    keys are kept. `stage`: "draft" (being built), "submitted" (waits for the GM), "play", "gone".
    `hidden`: players do not know that it exists. `open`: players may see its numbers; a player's
    own character is always open. On a table that was concealed for a seat, a closed entity has only
    the facts that the game shows to everybody.
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
    """An evening of play.

    Phases: "none" (between sessions), "open", "closing". `number` counts from 1; 0 before the
    first. `notes` are the game's own notes of the evening (perks used ...), emptied by the game
    when the session ends.
    """

    number: int = 0
    phase: str = "none"
    notes: Values = field(default_factory=dict)


@record
class Ask:
    """A card that waits for a person: its question, its audiences, and the move of an answer.

    `to` holds audiences: "gm", "players" (every player), "owner:ENTITY", or a seat's id. An answer
    runs the move named `move` with `preset` and the person's answers; the move's result closes the
    ask (or keeps it open while others still have to answer: `votes` then holds the answers of each
    seat). `secret` names the keys of `preset` that only the GM may see. `skippable` asks can be
    dismissed by their audience, and by the GM alone where the GM is in it.
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

    `ask` is the id of the ask that is being answered; `hidden` names the answers that the GM keeps
    secret, so that no card tells them.
    """

    seat: str
    role: str
    entity: str = ""
    ask: str = ""
    hidden: frozenset[str] = frozenset()

    @property
    def is_gm(self) -> bool:
        """Whether the person is a GM or co-GM."""
        return self.role == GM


#: The most values that follow from rules and an entity; when there are more, all are read anew.
_MOST_KEPT = 500


class _Reads:
    """Values read once for an immutable object; no field, so never stored or sent."""

    __slots__ = ("_read",)
    _read: Row

    def once(self, name: str, read: Callable[[], T]) -> T:
        """A value that follows from this object alone, read when it is first asked for."""
        if not hasattr(self, "_read"):
            object.__setattr__(self, "_read", {})
        if name not in self._read:
            self._read[name] = read()
        found: T = self._read[name]
        return found


@record
class Table(_Reads):
    """Everything that a game may read; immutable.

    `own` holds the game's own facts of the campaign; `fight` its current fight in plain data, or
    None. `number` is the number of the last event: names made from it are new. `salt` belongs to
    the campaign and leaves the server only with the GM's export; campaigns opened before salts
    existed have none. `alone`: nobody is the GM, and whoever plays answers the GM's cards.
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
        """A value that follows from the options, the own facts, and at most one entity.

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
        """The table itself, sharing values of `for_rules` with another one if the rules are alike.

        They are where the options and the own facts are the same objects.
        """
        if other.options is self.options and other.own is self.own:
            kept: dict[str, Any] = other.once("for rules", dict)
            self.once("for rules", lambda: kept)
        return self

    def in_play(self) -> Iterator[Entity]:
        """All accepted entities that are not gone, in the order in which they came."""
        return (one for one in self.entities.values() if one.stage == "play")

    def owned_by(self, seat: str) -> tuple[Entity, ...]:
        """The entities of a seat, drafts included, without those that are gone."""
        return tuple(e for e in self.entities.values() if e.owner == seat and e.stage != "gone")

    @property
    def gm(self) -> Seat:
        """The seat of the GM, which every campaign has from its first event."""
        return next(seat for seat in self.seats.values() if seat.role == GM)

    def players(self) -> tuple[Seat, ...]:
        """The seated players, as they came; where nobody is the GM, whoever runs the game too."""
        roles = {"player", "cogm"} if self.alone else {"player"}
        return tuple(s for s in self.seats.values() if s.role in roles and s.state == "seated")


def fresh(table: Table, prefix: str, index: int = 0) -> str:
    """A new id for an entity, ask or note: a prefix and a hash of the next event's number.

    The bare number would tell a player how many steps they have not seen. Hashed with the
    campaign's salt it tells nothing, and the same step decided again gets the same id.

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
