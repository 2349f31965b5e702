"""The people of These Lucky Stars: stats, possessions, trackers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor
from typing import Any, TypeAlias, TypeVar

from kitchentable.dice.errors import BadInput
from kitchentable.rules import GM, Choice, Entity, Json, Table, kit, whole
from kitchentable.rules.kit import Being, Form, Row, Rows, state
from kitchentable.rules.kit.free_order import FreeOrder
from kitchentable.rules.kit.listings import fresh_key
from kitchentable.rules.sheet_migration import Numbers, Place, former_value
from kitchentable.rules.values import record
from kitchentable.rulesets.lucky_stars.options import BOOK, NO_STAT, Derived, Options
from kitchentable.rulesets.lucky_stars.sums import BadFormula, worth

#: A place, a vehicle or common property: possessions and trackers without stats.
STOCK = "stock"
#: The kinds of tracker: a supply die, a percentage; all others are plain numbers.
DIE, PERCENT = "die", "percent"
EMPTY = 0
#: Substitutes for a removed stat in a formula, other than another stat: nothing, each person's
#: former number, no derived number until the list has the stat again, or no decision yet.
NOTHING, HAD, REST, UNSAID = "nothing:", "had:", "rest:", ""


def size_name(size: int) -> str:
    """A size in words.

    >>> size_name(12), size_name(0)
    ('D12', 'Empty')
    """
    return f"D{size}" if size else "Empty"


@record
class Thing:
    """A possession or a tracker: owner, path, key, name.

    `kind` is the type of its `value`: the size of a supply die, which can also be a condition
    (stars.5.1-supply-conditions), a percentage from 0 to 100 (stars.5.2-d100-when), or a plain
    number; "" for possessions that do not run out. `rolls` says when to make a supply roll,
    `restock` how to refill it (stars.5.1-supply-item-text). `row` is its row on the sheet.
    """

    holder: Person
    where: str
    key: str
    name: str
    kind: str = DIE
    value: int = EMPTY
    rolls: str = ""
    restock: str = ""
    row: int = -1

    @property
    def id(self) -> str:
        """The id that answers use."""
        return f"{self.holder.id}/{self.where}/{self.key}"

    @property
    def words(self) -> str:
        """The value in words."""
        if self.kind == DIE:
            return size_name(self.value)
        return f"{self.value} %" if self.kind == PERCENT else str(self.value)

    @property
    def said(self) -> str:
        """The description of restocking, or ""."""
        return f"To restock: {self.restock}" if self.restock else ""

    def tell(self, at: Here, card: str, after: int, **more: Any) -> None:
        """Make the card of a change; only the GM sees supplies of closed people."""
        closed = self.holder.is_closed or at.me.hidden
        audience, now = GM if closed else self.holder.card_audience, size_name(after)
        at.tell_as(card, audience=audience, name=self.name, before=self.words, after=now, **more)

    def choice(self, owner: Person) -> Choice:
        """The supply die as a choice."""
        whose = "" if owner == self.holder else f" ({self.holder.name})"
        return Choice(self.id, f"{self.name}{whose}, {self.words}")

    def becomes(self, size: int) -> None:
        """Change the size of the die."""
        if self.where == "trackers":
            self.holder.write("state", "trackers", self.key, "value", now=size)
            return
        rows = self.holder.rows
        rows[self.row] = {**rows[self.row], "supply": str(size)}
        self.holder.write("sheet", "gear", now=rows)


class Person(Being):
    """A person, or a common stock with things and trackers but no rolls."""

    kept: kit.Fact[Row] = state({}, "trackers")

    @property
    def options(self) -> Options:
        """The options of the table."""
        return Options(self.table.options)

    @property
    def has_stats(self) -> bool:
        """Whether this is a person who makes rolls."""
        return self.entity.kind != STOCK

    @property
    def is_known(self) -> bool:
        """Whether the numbers are visible; a player's table has none of a closed person."""
        return isinstance(self.sheet.get("stats"), Mapping)

    def stat(self, key: Json) -> int:
        """The value of a stat, or 0 if it is not on the sheet.

        >>> billy = Entity("e", "Billy", "pc", "s", {"stats": {"will": 2}}, {})
        >>> Person(Table({}), billy).stat("will")
        2
        """
        values: Any = self.sheet.get("stats")
        return whole(values.get(str(key), 0)) if self.is_known else 0

    def number(self, name: str) -> int | None:
        """The value of a stat or derived number named in a formula."""
        found, made = self.options.stats.find(name), self.options.derived.find(name)
        value = self.stat(found.key) if found else self.derived(made) if made else None
        return value if isinstance(value, int) else None

    def derived(self, one: Derived) -> int | str:
        """A derived number, rounded down once, or the reason why it cannot be computed.

        stars.4.3-stress, stars.4.3-vitality, stars.4.3-round-end. Formulas use stats, not other
        derived numbers. A removed stat counts through the GM's substitute.
        """

        def counted(name: str) -> int:
            use, key = use_of(self.table, name)
            if use in {REST, UNSAID}:
                words = f"{one.name} needs {name}, which is not on the list of stats."
                raise BadFormula(words)
            if use in {NOTHING, HAD}:
                return whole(former_value(self.entity, STATS, key)) if use == HAD else 0
            return self.stat(use)

        try:
            return floor(worth(one.formula, counted))
        except BadInput as error:
            return str(error)

    @property
    def rows(self) -> Rows:
        """The rows of possessions on the sheet."""
        return list(self.sheet.get("gear") or ())

    @property
    def things(self) -> Iterator[Thing]:
        """The possessions, in the order of the sheet."""
        taken = {NO_STAT, *(str(row["id"]) for row in self.rows if row.get("id"))}
        for index, row in enumerate(self.rows):
            name, rolls, restock = (str(row.get(key) or "") for key in ("item", "rolls", "restock"))
            key = str(row.get("id") or "") or fresh_key(name, taken)
            taken.add(key)
            size = row.get("supply")
            die = (DIE, int(size)) if size else ("", EMPTY)
            yield Thing(self, "gear", key, name, *die, rolls, restock, index)

    @property
    def trackers(self) -> list[Thing]:
        """The person's trackers."""
        return [
            Thing(
                self,
                "trackers",
                key,
                one.get("name", key),
                str(one.get("kind")),
                whole(one.get("value")),
            )
            for key, one in self.kept.items()
        ]

    @property
    def supplies(self) -> list[Thing]:
        """All supply dice, those of things first."""
        return [one for one in (*self.things, *self.trackers) if one.kind == DIE]


# ---------------------------------------------------------------- the list of stats


def _places(table: Table, entity: Entity) -> tuple[Place, ...] | None:
    one = Person(table, entity)
    if not (one.has_stats and one.is_known):
        return None
    return tuple(
        Place(each.key, each.name, each.low, each.high, each.begins) for each in one.options.stats
    )


#: The stats of a sheet that are on the table's list (stars.9-undefined-stats).
STATS = Numbers("stats", _places, "stars.9-undefined-stats")


def stand_ins(table: Table) -> Row:
    """The GM's substitutes for removed stats, by their names in formulas."""
    return table.own.get("stand_ins") or {}


def use_of(table: Table, name: str) -> tuple[str, str]:
    """The stat that counts for a name in a formula, or its substitute, with its former key.

    `UNSAID` if there is neither, or the substitute was removed too.
    """
    options = Options(table.options)
    found, said = options.stats.find(name), stand_ins(table).get(name.casefold())
    if found or not said:
        return found.key if found else UNSAID, ""
    known = said["use"] in {NOTHING, HAD, REST} or options.stats.find(said["use"])
    return said["use"] if known else UNSAID, said["key"]


# ---------------------------------------------------------------- at the table

F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Person, Options]
Here = At[Any]
stars = BOOK.ruleset(Person, Options)
FIGHTS = FreeOrder(
    stars,
    ("stars.1-table",),
    "Say who is in it. The chapter has no order of turns; the GM says who acts.",
)


def people(at: Here) -> list[Person]:
    """Everybody in play who makes rolls and is visible to the actor."""
    return [one for one in at.here() if one.has_stats]


def others(at: Here) -> list[Person]:
    """The people against whom the actor may roll."""
    return [one for one in at.others() if one.has_stats]


def rolls(at: Here) -> str | None:
    """Refuse a roll of a person without stats."""
    if at.me.has_stats:
        return None
    return f"{at.me.name} holds supplies and trackers, and makes no rolls of its own."
