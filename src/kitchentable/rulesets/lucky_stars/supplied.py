"""What runs out: things with a supply die, and trackers that stand for no thing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kitchentable.dice import odds
from kitchentable.dice.chance import floor
from kitchentable.rules import (
    Actor,
    Change,
    Choice,
    Entity,
    Json,
    Table,
    Track,
    whole,
)
from kitchentable.rulesets.lucky_stars.character import STOCK, numbers_known, present
from kitchentable.rulesets.lucky_stars.mechanics import SIZES, supply_uses
from kitchentable.rulesets.lucky_stars.options import fresh_key

#: Kinds of tracker: a supply die, a share of a hundred, a plain number.
DIE, PERCENT, COUNT = "die", "percent", "count"
EMPTY = 0


@dataclass(frozen=True, slots=True)
class Thing:
    """A possession: its key, name, supply die (None for none), and what its description says.

    `rolls` tells when a supply roll is made, `restock` how it is filled up
    (stars.5.1-supply-item-text).
    """

    key: str
    name: str
    size: int | None = None
    rolls: str = ""
    restock: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tracker:
    """Something that is kept count of beside the sheet: a label, a kind, where it stands.

    A supply die may stand for a condition, not only for a thing (stars.5.1-supply-conditions);
    a percentage goes from 0 to 100 (stars.5.2-d100-when).
    """

    key: str
    name: str
    kind: str
    value: int

    @property
    def words(self) -> str:
        """Where it stands.

        >>> Tracker("a", "Arrows", "percent", 40).words, Tracker("h", "Hope", "die", 6).words
        ('40 %', 'D6')
        """
        if self.kind == DIE:
            return size_name(self.value)
        return f"{self.value} %" if self.kind == PERCENT else str(self.value)


@dataclass(frozen=True, slots=True)
class Supply:
    """A supply die wherever it is: whose, whether a thing's or a tracker's, its key and size."""

    holder: Entity
    where: str
    key: str
    name: str
    size: int

    @property
    def id(self) -> str:
        """How an answer names it."""
        return f"{self.holder.id}/{self.where}/{self.key}"

    def becomes(self, size: int) -> Change:
        """The change by which its die is another."""
        if self.where == "trackers":
            path = ("entities", self.holder.id, "state", "trackers", self.key, "value")
            return Change(path, size)
        rows = [dict(row) for row in _rows(self.holder)]
        for row, one in zip(rows, things(self.holder), strict=True):
            if one.key == self.key:
                row["supply"] = str(size)
        return Change(("entities", self.holder.id, "sheet", "gear"), rows)


def size_name(size: int) -> str:
    """A size as it is said.

    >>> size_name(12), size_name(0)
    ('D12', 'Empty')
    """
    return f"D{size}" if size else "Empty"


#: The six states of a supply die (stars.5.1-supply-sizes).
SIZE_CHOICES = tuple(Choice(str(size), size_name(size)) for size in SIZES)


def expected_uses(size: int) -> Fraction:
    """How many supply rolls a die lasts on average, exactly.

    >>> [str(expected_uses(size)) for size in SIZES]
    ['40/3', '28/3', '6', '10/3', '4/3', '0']
    """
    return floor(odds(supply_uses, size).mean())


def uses_in_words(size: int) -> str:
    """The same for people, who do not count in thirds.

    >>> [uses_in_words(size) for size in (12, 8, 4)]
    ['13.3', '6', '1.3']
    """
    return f"{float(expected_uses(size)):.1f}".removesuffix(".0")


def _rows(entity: Entity) -> list[dict[str, Any]]:
    rows: Any = entity.sheet.get("gear") or []
    return list(rows)


def things(entity: Entity) -> tuple[Thing, ...]:
    """Somebody's possessions, in the order of the sheet."""
    rows = _rows(entity)
    taken = {str(row["id"]) for row in rows if row.get("id")}
    found = []
    for row in rows:
        key = str(row.get("id") or "") or fresh_key(str(row.get("item") or ""), taken)
        taken.add(key)
        found.append(
            Thing(
                key,
                str(row.get("item") or ""),
                read_size(row.get("supply")),
                str(row.get("rolls") or ""),
                str(row.get("restock") or ""),
                str(row.get("note") or ""),
            )
        )
    return tuple(found)


def read_size(word: Json) -> int | None:
    """A supply die as a sheet keeps it: "12" to "4", "0" for Empty; None for a thing without."""
    text = str(word if word is not None else "")
    return int(text) if text in {str(size) for size in SIZES} else None


def trackers(entity: Entity) -> tuple[Tracker, ...]:
    """Everything that is kept count of beside somebody's sheet."""
    rows: Any = entity.state.get("trackers") or {}
    return tuple(
        Tracker(key, str(one.get("name") or key), str(one.get("kind")), whole(one.get("value")))
        for key, one in rows.items()
    )


def supplies_of(entity: Entity) -> tuple[Supply, ...]:
    """Every supply die of somebody, things first."""
    gear = (
        Supply(entity, "gear", one.key, one.name, one.size)
        for one in things(entity)
        if one.size is not None
    )
    beside = (
        Supply(entity, "trackers", one.key, one.name, one.value)
        for one in trackers(entity)
        if one.kind == DIE
    )
    return (*gear, *beside)


def within_reach(table: Table, actor: Actor, entity: Entity | None) -> tuple[Supply, ...]:
    """The supply dice that somebody can use: their own, and those of a common stock."""
    own = supplies_of(entity) if entity is not None and numbers_known(entity) else ()
    stocks = [
        one
        for one in present(table, actor, but=entity.id if entity else "")
        if one.kind == STOCK and numbers_known(one) and (one.open or actor.is_gm)
    ]
    return (*own, *(supply for one in stocks for supply in supplies_of(one)))


def find_supply(table: Table, ident: Json) -> Supply | None:
    """The supply die that an answer names, as it is now; None for none."""
    holder, _, rest = str(ident or "").partition("/")
    entity = table.entities.get(holder)
    if entity is None:
        return None
    return next((one for one in supplies_of(entity) if f"{one.where}/{one.key}" == rest), None)


def supply_choice(one: Supply, owner: Entity | None) -> Choice:
    """A supply die to pick from."""
    whose = "" if owner is not None and one.holder.id == owner.id else f" ({one.holder.name})"
    return Choice(one.id, f"{one.name}{whose}, {size_name(one.size)}")


def track_of(name: str, size: int) -> Track:
    """A supply die as a row of boxes: five while it is a D12, none when it is Empty."""
    boxes = len(SIZES) - 1
    left = boxes - SIZES.index(size)
    lasts = f", {uses_in_words(size)} rolls on average" if size else ""
    return Track(
        name, left, boxes, f"{name}: {size_name(size)}{lasts}", "good" if left > 1 else "bad"
    )
