"""Entities with the facts of sheet and state as typed attributes."""

from __future__ import annotations

from typing import Generic, TypeVar

from kitchentable.rules.errors import GameFault, Unknown
from kitchentable.rules.moves import Change, Part, Side
from kitchentable.rules.people import card_audience, is_closed, number_audience
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.values import Json, Values

T = TypeVar("T")


class Recorder:
    """The changes of a move, by their path."""

    def __init__(self) -> None:
        self.changes: dict[tuple[str, ...], Change] = {}

    def write(self, path: tuple[str, ...], now: Json = None, *, gone: bool = False) -> None:
        """Records a changed fact; see `Change` for the paths."""
        self.changes[path] = Change(path, now, gone)


class Being:
    """An entity with typed facts; assigning a fact records a change, and reading returns it.

    `at` is the moment of the move; without a moment no fact can be assigned. The id, name, owner
    and stage are those of `Entity`.
    """

    __slots__ = ("at", "entity", "hidden", "id", "is_players", "name", "owner", "stage", "table")

    def __init__(self, table: Table, entity: Entity, at: Recorder | None = None) -> None:
        self.table, self.entity, self.at = table, entity, at
        self.id, self.name, self.owner = entity.id, entity.name, entity.owner
        self.stage, self.hidden, self.is_players = entity.stage, entity.hidden, entity.is_players

    @property
    def sheet(self) -> Values:
        """The sheet as it is stored."""
        return self.entity.sheet

    @property
    def is_dead(self) -> bool:
        """Whether the entity is dead; False in games without death."""
        return False

    @property
    def is_closed(self) -> bool:
        """Whether only the GM may see the numbers."""
        return is_closed(self.entity)

    @property
    def is_known(self) -> bool:
        """Whether this table has the numbers; a player's table lacks those of a closed foe."""
        return True

    def check_known(self) -> None:
        """Errors: Unknown, if this table does not have the numbers."""
        if not self.is_known:
            raise Unknown(f"Only the GM may see the numbers of {self.name}.")

    @property
    def card_audience(self) -> str:
        """The audience of cards about the entity."""
        return card_audience(self.entity)

    @property
    def number_audience(self) -> str:
        """The audience of the entity's numbers."""
        return number_audience(self.entity)

    def side(
        self, label: str, parts: tuple[Part, ...] = (), total: int | None = None, word: str = ""
    ) -> Side:
        """The entity's throw on a card, which only readers of its numbers see in full."""
        return Side(self.name, label, parts, total, word, self.number_audience, unseen=self.hidden)

    def write(self, *path: str, now: Json = None, gone: bool = False) -> None:
        """Records a changed fact, such as ("state", "perks", "Sly"). Errors: GameFault."""
        if self.at is None:
            raise GameFault("Facts change only while a move is made.")
        self.at.write(("entities", self.id, *path), now, gone=gone)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Being) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


#: The class of a ruleset's beings.
B = TypeVar("B", bound=Being)


class Fact(Generic[T]):
    """A fact of a sheet or state by its key, with a default.

    Errors: TypeError for a stored value of another type.
    """

    def __init__(self, default: T, where: str = "state", key: str = "") -> None:
        self.default, self.where, self.key = default, where, key

    def __set_name__(self, owner: type, name: str) -> None:
        self.key = self.key or name

    def __get__(self, one: Being, owner: type) -> T:
        if one.at is not None and one.at.changes:
            written = one.at.changes.get(("entities", one.id, self.where, self.key))
            if written is not None:
                return self.default if written.now is None else written.now
        value = getattr(one.entity, self.where).get(self.key)
        if value is None:
            return self.default
        if type(value) is not type(self.default):
            raise TypeError(f"{self.where} {self.key!r} of {one.name} cannot be {value!r}.")
        return value

    def __set__(self, one: Being, value: T) -> None:
        one.write(self.where, self.key, now=value)


def state(default: T, key: str = "") -> Fact[T]:
    """A fact that play changes."""
    return Fact(default, "state", key)


def on_sheet(default: T, key: str = "") -> Fact[T]:
    """A fact of the sheet, built and accepted before play."""
    return Fact(default, "sheet", key)
