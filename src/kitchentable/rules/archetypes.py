"""Ready characters of a game, and names and sheets filled in by chance or by a pattern.

A game declares archetypes as data; the parts of names stand in `random_names.toml`. All else needs
only a game's sections and its check: a random character is a walk through sheets on which every
step is judged by the game itself.
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

#: Steps of a random walk over one sheet; each asks the game for its sections and its check.
_STEPS = 120
#: A walk that has not come to a legal sheet goes on for this many steps more.
_AT_MOST = 800
#: The highest number that a walk writes where a field has no such limit.
_HIGHEST = 12
#: Patterns of spending points, by key.
PATTERNS: Mapping[str, str] = {"even": "Spread evenly", "peaks": "Raise the highest"}
_NAMES: Mapping[str, list[str]] = tomllib.loads(
    (files("kitchentable.rules") / "random_names.toml").read_text("utf-8")
)


@record
class Slot:
    """One number of a sheet that a pattern or a walk may move."""

    path: str
    low: int
    high: int
    row: int = -1
    column: str = ""

    def read(self, sheet: Values) -> int:
        """The number that stands there; the lowest where there is none."""
        found = look(sheet, self.path)
        if self.column:
            found = found[self.row].get(self.column)
        return found if isinstance(found, int) else self.low

    def write(self, sheet: Row, number: int) -> None:
        """Put a number there."""
        if not self.column:
            put(sheet, self.path, number)
            return
        rows = [dict(one) for one in look(sheet, self.path)]
        rows[self.row][self.column] = number
        put(sheet, self.path, rows)


@record
class Judged:
    """A sheet as the game judges it: its sections, its faults, the points that are left."""

    sheet: Row
    sections: tuple[Section, ...]
    faults: float
    left: float
    legal: bool

    def is_no_worse(self, other: Judged) -> bool:
        """Whether this sheet is as close to a legal one as another."""
        return (self.faults, self.left) <= (other.faults, other.left)


@record
class Workbench:
    """A sheet being filled in for an entity: the game's sections and check on any version of it."""

    game: Game
    table: Table
    entity: Entity

    def sections(self, sheet: Values) -> tuple[Section, ...]:
        """The sections of the builder with this sheet."""
        return self.game.sheet.sections(self.table, replace(self.entity, sheet=sheet))

    def judge(self, sheet: Values) -> Judged:
        """A sheet with its sections, and how far it is from a legal one."""
        one = replace(self.entity, sheet=sheet)
        refused = [p for p in self.game.sheet.check(self.table, one, "creation") if p.refuses]
        parts = self.sections(sheet)
        budgets = [part.budget for part in parts if part.budget is not None]
        over = sum(max(0.0, -budget.left) for budget in budgets)
        left = sum(max(0.0, budget.left) for budget in budgets)
        return Judged(dict(sheet), parts, len(refused) + over, left, not refused)


def archetypes_at(game: Game, table: Table, entity: Entity) -> tuple[Archetype, ...]:
    """The archetypes of the entity's kind that are legal at this table.

    A game without any has the players' people of its ready campaign in their place.
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
    """A whole sheet: a blank one with the parts of the archetype.

    What the table does not know, such as a trait that it renamed, is left out.
    """
    sheet: Row = copied(game.sheet.blank(table, archetype.kind))
    for key, value in archetype.sheet.items():
        before = sheet.get(key)
        if isinstance(value, Mapping) and isinstance(before, Mapping) and before:
            known = {name: one for name, one in value.items() if name in before}
            sheet[key] = {**before, **copied(known)}
        else:
            sheet[key] = copied(value)
    return sheet


def raw_of(sections: Sequence[Section], sheet: Values) -> Row:
    """A sheet as the answers of its form: what stands in each field, by the field's name."""
    found = ((f.name, look(sheet, f.name)) for part in sections for f in part.fields)
    return {name: value for name, value in found if value is not None}


def random_name(rng: Random, *, person: bool) -> str:
    """A name and a surname for a person, or a name for a thing; of no language.

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
    """A legal sheet at random: a walk from an archetype, or from a blank sheet.

    Each step changes one part; a step to a sheet with more faults is not taken. Errors: RuleRefuses
    where no legal sheet was found.
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
        "No legal character came up by chance with these options. Begin from an archetype or a "
        "blank sheet."
    )


def spend(game: Game, table: Table, entity: Entity, part: str, pattern: str) -> Row:
    """The sheet with the points of one section spent by a pattern.

    "even" begins at the lowest and raises the lowest again and again; "peaks" keeps the order of
    the numbers as they stand and raises the highest as far as the rules allow. A raise that the
    rules refuse is not made.
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
    """Raise numbers as a staircase: each stays below the one before it."""

    def may_rise(place: int) -> bool:
        above = slots[place - 1].read(purse.now.sheet) if place else _HIGHEST + 1
        return slots[place].read(purse.now.sheet) < above

    places = range(len(slots) - 1, -1, -1)
    while sum(may_rise(place) and purse.raise_one(slots[place]) for place in places):
        pass


def slots_of(part: Section, sheet: Values) -> tuple[Slot, ...]:
    """The numbers on which the points of a section are spent; none where it has no points."""
    if part.budget is None:
        return ()
    below = {
        f.name for f in part.fields for c in f.columns if c.kind == "number" and _may_be_negative(c)
    }
    return tuple(slot for slot in _numbers(part, sheet) if slot.path not in below)


def _may_be_negative(column: Field) -> bool:
    """Whether a number may be below zero, so that points are not simply spent on it."""
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
    """Move a point from one number to another, raise or lower one, or let two change places.

    Numbers that cost no points only change places.
    """
    parts = [part for part in sections if len([*_numbers(part, sheet)]) > 1]
    if not parts:
        return
    part = rng.choice(parts)
    one, other = rng.sample([*_numbers(part, sheet)], 2)
    here, there = one.read(sheet), other.read(sheet)
    match rng.randrange(4) if part.budget is not None else 0:
        case 0:
            here, there = there, here
        case 1:
            here, there = here + 1, there - 1
        case 2:
            here += 1
        case _:
            here -= 1
    for slot, number in ((one, here), (other, there)):
        slot.write(sheet, min(slot.high, max(slot.low, number)))


def _numbers(part: Section, sheet: Values) -> Iterator[Slot]:
    """Every number of a section, also in rows."""
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
    """Another answer to one question, where it offers answers to choose from."""
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
