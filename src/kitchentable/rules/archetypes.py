"""Ready characters of a game, and names and sheets filled in at random or by a pattern.

A game declares archetypes as data; `random_names.toml` has the parts of names. The rest needs only
a game's sections and its check: a random character is the end of a random walk through sheets, in
which the game checks every step.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from random import Random

from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.facts import copied
from kitchentable.rules.forms import look, put, read_value
from kitchentable.rules.game import Game
from kitchentable.rules.sheets import Archetype, Section
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.values import GM, Field, Json, Row, Values, record

#: The steps of a random walk; each one runs the game's sections and its check.
_STEPS = 120
#: The most steps of a walk that has not reached a legal sheet.
_AT_MOST = 800
#: The highest number that a walk writes.
_HIGHEST = 12
#: Patterns of spending points, by key.
PATTERNS: Mapping[str, str] = {"even": "Spread evenly", "peaks": "Raise the highest"}
_NAMES: Mapping[str, list[str]] = tomllib.loads(
    (files("kitchentable.rules") / "random_names.toml").read_text("utf-8")
)


@record
class Slot:
    """One number of a sheet that a pattern or a walk may change."""

    path: str
    low: int
    high: int
    row: int = -1
    column: str = ""

    def read(self, sheet: Values) -> int:
        """The number on this sheet, by default the lowest."""
        found = look(sheet, self.path)
        if self.column:
            found = found[self.row].get(self.column)
        return found if isinstance(found, int) else self.low

    def write(self, sheet: Row, number: int) -> None:
        """Set the number on this sheet."""
        if not self.column:
            put(sheet, self.path, number)
            return
        rows = [dict(one) for one in look(sheet, self.path)]
        rows[self.row][self.column] = number
        put(sheet, self.path, rows)


@record
class Judged:
    """A sheet with the game's verdict: sections, number of faults, points left, legal or not."""

    sheet: Row
    sections: tuple[Section, ...]
    faults: float
    left: float
    legal: bool

    def is_no_worse(self, other: Judged) -> bool:
        """Whether this sheet is at least as close to a legal one as another."""
        return (self.faults, self.left) <= (other.faults, other.left)


@record
class Workbench:
    """An entity with a sheet to fill in: runs the game's sections and check on any version."""

    game: Game
    table: Table
    entity: Entity

    def sections(self, sheet: Values) -> tuple[Section, ...]:
        """The sections of the builder with this sheet."""
        return self.game.sheet.sections(self.table, replace(self.entity, sheet=sheet))

    def judge(self, sheet: Values) -> Judged:
        """A sheet with its sections and its distance from a legal one."""
        one = replace(self.entity, sheet=sheet)
        refused = [p for p in self.game.sheet.check(self.table, one, "creation") if p.refuses]
        parts = self.sections(sheet)
        budgets = [part.budget for part in parts if part.budget is not None]
        over = sum(max(0.0, -budget.left) for budget in budgets)
        left = sum(max(0.0, budget.left) for budget in budgets)
        return Judged(dict(sheet), parts, len(refused) + over, left, not refused)


def archetypes_at(game: Game, table: Table, entity: Entity) -> tuple[Archetype, ...]:
    """The archetypes of the entity's kind that are legal at this table.

    If a game declares none, the players' characters of its example are used.
    """
    bench = Workbench(game, table, entity)
    mine = _of_kind(game, entity)
    return tuple(one for one in mine if bench.judge(sheet_of(game, table, one)).legal)


def _of_kind(game: Game, entity: Entity) -> tuple[Archetype, ...]:
    declared = game.archetypes or _from_example(game)
    return tuple(one for one in declared if one.kind == entity.kind)


def _from_example(game: Game) -> Iterator[Archetype]:
    people = game.example().entities
    known = {one.id for one in people}
    for one in people:
        if one.owner != GM and not known & set(_texts(one.sheet)):
            yield Archetype(one.id, one.line or one.name, one.kind, one.sheet)


def _texts(value: Json) -> Iterator[str]:
    """All texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def sheet_of(game: Game, table: Table, archetype: Archetype) -> Row:
    """A whole sheet: a blank one with the parts of the archetype."""
    return filled(game.sheet.blank(table, archetype.kind), archetype.sheet)


def filled(blank: Values, parts: Values) -> Row:
    """A blank sheet with these parts; a table replaces values of the blank sheet's table.

    Parts that the blank sheet does not have, such as a renamed trait, are left out.

    >>> filled({"traits": {"aim": 0, "wits": 0}, "gear": []}, {"traits": {"aim": 2, "art": 1}})
    {'traits': {'aim': 2, 'wits': 0}, 'gear': []}
    """
    sheet: Row = copied(blank)
    for key, value in parts.items():
        before = sheet.get(key)
        if isinstance(value, Mapping) and isinstance(before, Mapping) and before:
            known = {name: one for name, one in value.items() if name in before}
            sheet[key] = {**before, **copied(known)}
        else:
            sheet[key] = copied(value)
    return sheet


def raw_of(sections: Sequence[Section], sheet: Values) -> Row:
    """A sheet as the answers of its form: the value of each field, by the field's name."""
    found = ((f.name, look(sheet, f.name)) for part in sections for f in part.fields)
    return {name: value for name, value in found if value is not None}


def random_name(rng: Random, *, person: bool) -> str:
    """A random first name and surname for a person, or a name for a thing.

    >>> random_name(Random(3), person=True), random_name(Random(3), person=False)
    ('Halsemond Thornton', 'The Humble Raven')
    """

    def draw(part: str) -> str:
        return rng.choice(_NAMES[part])

    if not person:
        return f"The {draw('ways')} {draw('things')}"
    first = f"{draw('starts')}{draw('middles')}{draw('ends')}"
    return f"{first} {draw('places')}{draw('roots')}"


def surprise(game: Game, table: Table, entity: Entity, rng: Random) -> Row:
    """A random legal sheet: the end of a random walk from an archetype, or from a blank sheet.

    Each step changes one part, and is undone if it leads further from a legal sheet. Errors:
    RuleRefuses if no legal sheet was found.
    """
    bench = Workbench(game, table, entity)
    bases = archetypes_at(game, table, entity) or _of_kind(game, entity)
    sheets = [sheet_of(game, table, one) for one in bases]
    sheet = rng.choice(sheets) if sheets else copied(game.sheet.blank(table, entity.kind))
    now = bench.judge(sheet)
    for step in range(_AT_MOST):
        if step >= _STEPS and now.legal:
            return now.sheet
        changed = copied(now.sheet)
        _change(now.sections, changed, rng)
        then = bench.judge(changed)
        if then.is_no_worse(now):
            now = then
    raise RuleRefuses(
        "No legal random character was found with these options. Begin with an archetype or a "
        "blank sheet."
    )


def spend(game: Game, table: Table, entity: Entity, part: str, pattern: str) -> Row:
    """The sheet with the points of one section spent by a pattern.

    "even" starts with all numbers at their lowest and raises each by one in turn; "peaks" keeps the
    current ranking of the numbers and raises the highest as far as the rules allow. Raises that the
    rules refuse are skipped.
    """
    bench = Workbench(game, table, entity)
    now = bench.judge(copied(entity.sheet))
    slots = [o for one in now.sections if one.key == part for o in slots_of(one, now.sheet)]
    ranked = sorted(slots, key=lambda one: -one.read(entity.sheet))
    for one in slots:
        one.write(now.sheet, one.low)
    purse = _Purse(bench, part, bench.judge(now.sheet))
    if pattern == "peaks":
        _raise_peaks(ranked, purse)
    while sum(purse.raise_one(one) for one in ranked):
        pass
    return purse.now.sheet


@dataclass(slots=True)
class _Purse:
    """The points of one section while they are spent."""

    bench: Workbench
    part: str
    now: Judged

    def left(self, judged: Judged) -> float:
        """Points left in the section."""
        budget = next((one.budget for one in judged.sections if one.key == self.part), None)
        return budget.left if budget is not None else 0

    def raise_one(self, slot: Slot) -> bool:
        """Raise a number by one if the points and the rules allow it."""
        before = slot.read(self.now.sheet)
        if before >= slot.high or self.left(self.now) <= 0:
            return False
        sheet = copied(self.now.sheet)
        slot.write(sheet, before + 1)
        then = self.bench.judge(sheet)
        if self.left(then) < 0 or then.faults > self.now.faults:
            return False
        self.now = then
        return True


def _raise_peaks(slots: Sequence[Slot], purse: _Purse) -> None:
    """Raise numbers to a staircase: each stays below the one before it."""

    def may_rise(place: int) -> bool:
        above = slots[place - 1].read(purse.now.sheet) if place else _HIGHEST + 1
        return slots[place].read(purse.now.sheet) < above

    places = range(len(slots) - 1, -1, -1)
    while sum(may_rise(place) and purse.raise_one(slots[place]) for place in places):
        pass


def slots_of(part: Section, sheet: Values) -> tuple[Slot, ...]:
    """The numbers on which the points of a section are spent; () for a section without points."""
    if part.budget is None:
        return ()
    below = {
        f.name for f in part.fields for c in f.columns if c.kind == "number" and _may_be_negative(c)
    }
    return tuple(slot for slot in _numbers(part, sheet) if slot.path not in below)


def _may_be_negative(column: Field) -> bool:
    """Whether a number may be negative, so that points are not simply spent on it."""
    return column.low is None or column.low < 0


def _range(field: Field) -> tuple[int, int]:
    low = field.default if isinstance(field.default, int) else 0
    low = max(low, field.low) if field.low is not None else low
    return low, min(_HIGHEST, field.high if field.high is not None else _HIGHEST)


# ---------------------------------------------------------------- one step of a walk


def _change(sections: Sequence[Section], sheet: Row, rng: Random) -> None:
    """Change one part of a sheet at random."""
    fields = [field for part in sections for field in part.fields]
    if rng.random() < 1 / 2 or not fields:
        _move_points(sections, sheet, rng)
    else:
        _refill(rng.choice(fields), sheet, rng)


def _move_points(sections: Sequence[Section], sheet: Row, rng: Random) -> None:
    """Move a point from one number to another, raise or lower one, or swap two.

    Numbers that cost no points are only swapped.
    """
    slots = [(part, [*_numbers(part, sheet)]) for part in sections]
    movable = [(o, several) for o, several in slots if len(several) > (o.budget is None)]
    if not movable:
        return
    part, several = rng.choice(movable)
    one, other = rng.sample(several, 2) if len(several) > 1 else several * 2
    here, there = one.read(sheet), other.read(sheet)
    swapped, moved = (there, here), (here + 1, there - 1)
    raised, lowered = (here + 1, there), (here - 1, there)
    change = rng.randrange(4) if part.budget is not None else 0
    numbers = (swapped, moved, raised, lowered)[change]
    # The first is written last, because both are the same if a section has only one number.
    for slot, number in zip((other, one), reversed(numbers), strict=True):
        slot.write(sheet, min(slot.high, max(slot.low, number)))


def _numbers(part: Section, sheet: Values) -> Iterator[Slot]:
    """Every number of a section, including those in rows."""
    for field in part.fields:
        if field.kind == "number":
            yield Slot(field.name, *_range(field))
    for field in part.fields:
        columns = [one for one in field.columns if one.kind == "number" and one.required]
        rows = look(sheet, field.name) if columns else None
        for row in range(len(rows) if isinstance(rows, list) else 0):
            for one in columns:
                yield Slot(field.name, *_range(one), row, one.name)


def _refill(field: Field, sheet: Row, rng: Random) -> None:
    """Change the answer to one question to another of its choices, if it has any."""
    value: Json
    match field.kind:
        case "choice" if field.choices:
            value = rng.choice(field.choices).value
        case "many":
            value = [one.value for one in field.choices if rng.random() < 1 / 3]
        case _:
            return
    read, problem = read_value(field, value)
    if problem is None:
        put(sheet, field.name, read)
