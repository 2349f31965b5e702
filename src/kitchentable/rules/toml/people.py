"""Entities of a game in a file: levels, tracks, lists, and the numbers for formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from kitchentable.rules.facts import part_of, whole
from kitchentable.rules.kit.beings import Being
from kitchentable.rules.kit.formula import Bindings, Formulas
from kitchentable.rules.kit.levels import Levels
from kitchentable.rules.kit.settings import counted
from kitchentable.rules.moves import Line
from kitchentable.rules.sheets import Budget, Track
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.toml.form import Group, Listing, Scale, Words, Written
from kitchentable.rules.toml.rollform import Roll
from kitchentable.rules.values import Values, record

K = TypeVar("K", Group, Listing, Scale, Words)


def option_numbers(game: Written, options: Values) -> Bindings:
    """The options for formulas: numbers, and ticks as 0 and 1."""
    return {
        one.key: int(options.get(one.key, one.field.default) or 0) for one in counted(game.options)
    }


def limits_of(game: Written, options: Values) -> Bindings:
    """The points of groups and the limits of lists, by the keys of their sections."""
    numbers = option_numbers(game, options)
    groups = {f"group-{o.key}": o.points.value(numbers) for o in game.groups if o.points}
    return groups | {f"list-{one.key}": one.most.value(numbers) for one in game.listings}


@record
class SheetBudget:
    """A budget of a sheet: points for a group or entries of a list, spent and available."""

    who: Body
    key: str
    title: str
    rule: str
    spent: int
    of: int
    at_most: bool = False

    @property
    def off(self) -> int:
        """The points spent beyond the budget; negative for points left."""
        return max(0, self.spent - self.of) if self.at_most else self.spent - self.of

    @property
    def budget(self) -> Budget:
        """The budget on the page."""
        return Budget(self.title, self.spent, self.of)

    @property
    def in_words(self) -> str:
        """The budget of an entity, in words."""
        name = self.who.name
        if self.at_most:
            return f"{name} has {self.spent} of at most {self.of}"
        if self.off < 0:
            return f"{name} has {-self.off} of {self.of} left to spend"
        return f"{name} has spent {self.spent} of {self.of}"


def of_kind(parts: Sequence[K], kind: str) -> list[K]:
    """The groups, lists, texts or tracks of a kind of entity."""
    return [one for one in parts if is_of(one, kind)]


def is_of(part: K | Roll, kind: str) -> bool:
    """Whether a kind of entity has this part, or may make this roll."""
    return not part.kinds or kind in part.kinds


def own_tracks(
    scales: Iterable[Scale], formulas: Formulas, numbers: Bindings
) -> list[tuple[Scale, int]]:
    """The tracks among these that formulas name, each with its number."""
    own = {one.key: one for one in scales}
    return [(own[key], one.value(numbers)) for key, one in formulas.items() if key in own]


class Body(Being):
    """An entity of a game in a file; marked tracks are read back during the move."""

    game: Written

    def __init__(self, game: Written, table: Table, entity: Entity, at: Any = None) -> None:
        super().__init__(table, entity, at)
        self.game = game
        self.groups = of_kind(game.groups, entity.kind)
        self.scales = of_kind(game.scales, entity.kind)
        self.texts = of_kind(game.words, entity.kind)
        self.every_list = of_kind(game.listings, entity.kind)

    @cached_property
    def listings(self) -> list[Listing]:
        """The lists of the entity's kind, without those of other playbooks."""
        return [one for one in self.every_list if one.playbook in {"", self.playbook}]

    @property
    def playbook(self) -> str:
        """The key of the playbook; "" for none."""
        return str(self.entity.sheet.get("playbook") or "")

    @property
    def is_known(self) -> bool:
        """Whether this table shows the entity's numbers, not only its public facts."""
        return not self.entity.sheet.get("closed")

    def level(self, key: str) -> int:
        """The level of a trait; 0 for no trait."""
        return self.levels.get(key, 0)

    @cached_property
    def levels(self) -> Bindings:
        """Options and levels by name; the lowest level for traits of other kinds."""
        numbers = option_numbers(self.game, self.table.options)
        kept, lowest = part_of(self.entity.sheet, "traits"), self.game.lowest.items()
        return numbers | {key: whole(kept.get(key), low) for key, low in lowest}

    def numbers(self) -> Bindings:
        """The current value of every name that a formula may use. Errors: Unknown."""
        self.check_known()
        return self.seen()

    def seen(self) -> Bindings:
        """The current value of every name; for hidden numbers, their defaults."""
        return self.levels | {one.key: self.marks(one) for one in self.game.scales}

    @cached_property
    def limits(self) -> Bindings:
        """The points of groups and the limits of lists, by the keys of their sections."""
        return limits_of(self.game, self.table.options)

    def bounds(self, group: Group) -> Levels:
        """The bounds of a group's traits, with its points at this table."""
        return group.levels(self.limits.get(f"group-{group.key}"))

    def budget_of(self, listing: Listing) -> SheetBudget:
        """The entries of a list, and its limit."""
        key, many = f"list-{listing.key}", len(self.entries(listing))
        return SheetBudget(
            self, key, listing.title, listing.rule, many, self.limits[key], at_most=True
        )

    def budgets(self) -> Iterator[SheetBudget]:
        """The budgets, not counting growth."""
        grown = part_of(self.entity.state, "grown")
        for group in self.groups:
            levels = self.bounds(group)
            if levels.points is not None:
                spent = levels.spent(self.own_levels(group)) - whole(grown.get(group.key))
                key = f"group-{group.key}"
                yield SheetBudget(self, key, group.title, group.rule, spent, levels.points)
        yield from map(self.budget_of, self.listings)

    def own_levels(self, group: Group) -> Bindings:
        """The levels of a group's traits."""
        return {one.key: self.level(one.key) for one in group.traits}

    def entries(self, listing: Listing) -> tuple[str, ...]:
        """The entries of a list."""
        rows = part_of(self.entity.sheet, "lists").get(listing.key) or ()
        said = [row.get("text") if isinstance(row, Mapping) else row for row in rows]
        return tuple(text for one in said if (text := str(one or "").strip()))

    # ------------------------------------------------------------ tracks

    def boxes(self, scale: Scale) -> int:
        """The number of boxes of a track."""
        return scale.most(self.levels)

    def marks(self, scale: Scale) -> int:
        """The number of marked boxes; for a track that starts full, the number of boxes left."""
        if self.at is not None:
            path = ("entities", self.id, "state", "tracks", scale.key)
            if path in self.at.changes:
                return int(self.at.changes[path].now)
        kept = part_of(self.entity.state, "tracks").get(scale.key)
        return min(max(0, whole(kept, scale.begins(self.levels))), self.boxes(scale))

    def mark(self, scale: Scale, more: int, *, anyway: bool = False) -> None:
        """Mark more boxes, or fewer if `more` is negative; `anyway` records no change too."""
        now = self.marks(scale)
        after = min(max(0, now + more), self.boxes(scale))
        if after != now or anyway:
            self.write("state", "tracks", scale.key, now=after)

    def pay(self, costs: Formulas, numbers: Bindings) -> None:
        """Pay costs from the entity's own tracks."""
        for scale, cost in own_tracks(self.scales, costs, numbers):
            self.mark(scale, scale.paid(cost))

    def lacks(self, title: str, numbers: Bindings, *costs: Formulas) -> str:
        """A sentence if the entity cannot pay all these costs from its tracks, otherwise ""."""
        owed: dict[Scale, int] = {}
        for scale, cost in (
            each for one in costs for each in own_tracks(self.scales, one, numbers)
        ):
            owed[scale] = owed.get(scale, 0) + cost
        for scale, cost in owed.items():
            has = scale.to_spend(self.seen())
            if cost > has:
                of = scale.one if cost == 1 else scale.title
                return f"{title} costs {cost} {of}; {self.name} has {has} to give."
        return ""

    def suffer(self, marks: Formulas, numbers: Bindings) -> None:
        """Take the marks of a result on the entity's own tracks."""
        for scale, more in own_tracks(self.scales, marks, numbers):
            self.mark(scale, more)

    def lacks_move(self, what: Any) -> str:
        """The reason why the entity lacks a move: another kind or playbook, or not picked."""
        if not is_of(what, self.entity.kind):
            return f"{self.name} cannot make this move."
        if what.playbook and self.playbook != what.playbook:
            return f"Only {self.game.titles[what.playbook]} can do this."
        if what.picked and what.title not in self.entries(self.game.listings.of(what.picked)):
            return f"{self.name} has not picked {what.title}."
        return ""

    def may_not(self, what: Any) -> str | None:
        """The reason why the entity lacks a move, or cannot pay its costs with any answers."""
        if (words := self.lacks_move(what)) or not self.is_known:
            return words or None
        numbers = self.numbers()
        sure = {key: one for key, one in what.costs.items() if one.names() <= numbers.keys()}
        return self.lacks(what.title, numbers, sure) or None

    def is_full(self, scale: Scale) -> bool:
        """Whether a track is at its end: all boxes marked, or none left."""
        return scale.is_full(self.seen())

    @property
    def is_out(self) -> bool:
        """Whether the entity can no longer act."""
        return any(one.out and self.is_full(one) for one in self.scales)

    @property
    def can_act(self) -> bool:
        """Whether the entity is in play and not out."""
        return self.stage == "play" and not self.is_out

    @property
    def condition(self) -> str:
        """The words for tracks at their end, or ""."""
        if not self.is_known:
            return str(self.entity.sheet.get("condition") or "")
        full = (one for one in self.scales if (one.full or one.out) and self.is_full(one))
        return ", ".join(one.full or "out" for one in full)

    def track(self, scale: Scale) -> Track:
        """A track, to be shown as boxes."""
        most, now = self.boxes(scale), self.marks(scale)
        words = f"{now} of {most} left" if scale.starts_full else f"{now or 'none'} of {most}"
        return Track(scale.title, now, most, words, "good" if scale.is_spent else "bad")

    def tell_mark(self, scale: Scale) -> Line:
        """The line of a card about a track, for those who may know its number."""
        left = " left" if scale.starts_full else ""
        count = f"{self.marks(scale)} of {self.boxes(scale)}{left}"
        return Line(f"{self.name}, {scale.title}: {count}.", self.number_audience)


def game_of(at: Any) -> Written:
    """The game of a move's moment."""
    game: Written = at.rules.game
    return game
