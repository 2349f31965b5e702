"""Lists with numbers on sheets, and the numbers that are lost, new or out of bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules.table import Entity, Table
from kitchentable.rules.values import EVERYONE, GM, Json

#: The kinds of questions about a number: its line is gone, its line has no number yet, or it lies
#: outside the bounds of its line.
LOST, NEW, BEYOND = "lost", "new", "beyond"

#: The notes of a sheet: numbers of former lines, and numbers allowed outside their bounds.
_FORMER, _AGREED = "former", "agreed"
#: Values that can be dropped without a question.
_EMPTY: tuple[Json, ...] = (None, "", [], {})


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a list: key, name, bounds, and the number that a new entity starts with."""

    key: str
    name: str
    low: int = -999
    high: int = 999
    start: Json = 0


def _unmoved(entity: Entity, was: str, name: str, now: str) -> tuple[Entity, str]:
    """The `moved` of a game in which no other part of a sheet refers to a line."""
    return entity, ""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list with a number for each line on every sheet: stats, attributes, tracks.

    `key` names the list in forms. `part` is "sheet" or "state", and `where` the record in it with
    the numbers. `places(table, entity)` are an entity's lines, None for an entity without this
    list. Without `asks_start` new lines start at their own number, with no question. With
    `may_stay` an entity may keep a number whose line is gone. A value may also be text or a list of
    texts; `told` puts a value into words.

    `moved(entity, was, name, now)` updates other parts of a sheet that name a line by key or name:
    to the key `now`, or to "" for a line that is gone. It also gives a sentence for the card about
    parts that could not be updated, "" for none.
    """

    key: str
    places: Callable[[Table, Entity], tuple[Place, ...] | None]
    rule: str
    where: str = ""
    part: str = "sheet"
    asks_start: bool = True
    may_stay: bool = False
    told: Callable[[Json], str] = str
    moved: Callable[[Entity, str, str, str], tuple[Entity, str]] = _unmoved

    @property
    def record(self) -> str:
        """The name of the record that has the numbers."""
        return self.where or self.key


@dataclass(frozen=True, slots=True)
class Open:
    """One open question about one number of an entity."""

    numbers: Numbers
    what: str
    key: str

    @property
    def field(self) -> str:
        """The name of the field.

        >>> Open(Numbers("stats", lambda table, entity: None, ""), LOST, "will").field
        'stats.lost.will'
        """
        return f"{self.numbers.key}.{self.what}.{self.key}"

    @property
    def start(self) -> str:
        """The name of the field for the number that a new line starts at."""
        return f"{self.numbers.key}.start.{self.key}"


def values(entity: Entity, numbers: Numbers) -> Mapping[str, Json]:
    """An entity's numbers for a list, including those without a line."""
    found = (entity.sheet if numbers.part == "sheet" else entity.state).get(numbers.record)
    return found if isinstance(found, Mapping) else {}


def former(entity: Entity, numbers: Numbers) -> Mapping[str, Any]:
    """The former numbers noted on a sheet, as name and value by key."""
    return _kept(entity, _FORMER, numbers.key)


def former_value(entity: Entity, numbers: Numbers, key: str) -> Json:
    """An entity's former value for a line, whether stored or noted; None without one."""
    has = values(entity, numbers)
    return has[key] if key in has else (former(entity, numbers).get(key) or {}).get("value")


def former_notes(entity: Entity, *lists: Numbers) -> tuple[str, ...]:
    """The noted former numbers, in sentences for the sheet.

    >>> stats = Numbers("stats", lambda table, entity: None, "")
    >>> kept = {"former": {"stats": {"will": {"name": "Will", "value": 2}}}}
    >>> former_notes(Entity("e", "Billy", "pc", "s", kept, {}), stats)
    ('Will was 2, before it left the list.',)
    """
    return tuple(
        f"{one['name']} was {numbers.told(one['value'])}, before it left the list."
        for numbers in lists
        for one in former(entity, numbers).values()
    )


def is_agreed(entity: Entity, numbers: Numbers, key: str, value: Json) -> bool:
    """Whether the GM has allowed this number outside its bounds."""
    return bool(_kept(entity, _AGREED, numbers.key).get(key) == value)


def stays(entity: Entity, numbers: Numbers, key: str) -> bool:
    """Whether the GM lets an entity keep a number without a line."""
    return numbers.may_stay and key in _kept(entity, _AGREED, numbers.key)


def _kept(entity: Entity, what: str, key: str) -> Mapping[str, Any]:
    kept = entity.sheet.get(what)
    found = kept.get(key) if isinstance(kept, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def open_questions(table: Table, lists: tuple[Numbers, ...], entity: Entity) -> Iterator[Open]:
    """The open questions about an entity's numbers; none about an entity that is gone."""
    if entity.stage == "gone":
        return
    for numbers in lists:
        places = numbers.places(table, entity)
        if places is None:
            continue
        has, known = values(entity, numbers), {one.key for one in places}
        yield from (
            Open(numbers, LOST, key)
            for key, value in has.items()
            if key not in known and value not in _EMPTY and not stays(entity, numbers, key)
        )
        if entity.stage != "play":
            continue
        for one in places:
            if one.key not in has:
                if numbers.asks_start:
                    yield Open(numbers, NEW, one.key)
            elif not _fits(has[one.key], one) and not is_agreed(
                entity, numbers, one.key, has[one.key]
            ):
                yield Open(numbers, BEYOND, one.key)


def _fits(value: Json, place: Place) -> bool:
    return not isinstance(value, int) or place.low <= value <= place.high


def place_of(table: Table, numbers: Numbers, entity: Entity, key: str) -> Place | None:
    """The line with that key for an entity; None without one."""
    places = numbers.places(table, entity) or ()
    return next((one for one in places if one.key == key), None)


def eyes(entity: Entity) -> str:
    """The audience of an entity's numbers; an unfinished sheet is for its player alone."""
    if entity.hidden or not (entity.is_players or entity.open):
        return GM
    return EVERYONE if entity.stage == "play" else entity.owner


def begun(table: Table, lists: tuple[Numbers, ...], before: Entity) -> tuple[Entity, list[str]]:
    """An entity after all changes that need no question: notes restored, new lines started.

    A new line does not start while a number without a line may still be moved to it.
    """
    after, words = before, []
    for numbers in lists:
        waits = any(one.numbers == numbers for one in lost(table, (numbers,), after))
        for one in numbers.places(table, after) or ():
            if one.key in values(after, numbers):
                continue
            if one.key in former(after, numbers):
                after = taken_back(after, numbers, one.key)
                words.append(
                    f"{one.name} is back at {numbers.told(values(after, numbers)[one.key])}."
                )
            elif (not numbers.asks_start and not waits) or after.stage != "play":
                after = with_value(after, numbers, one.key, one.start)
                at = "" if one.start in _EMPTY else f" and stands at {numbers.told(one.start)}"
                words.append(f"{one.name} is new{at}.")
    return after, words


def lost(table: Table, lists: tuple[Numbers, ...], entity: Entity) -> Iterator[Open]:
    """An entity's numbers without a line."""
    return (one for one in open_questions(table, lists, entity) if one.what == LOST)


def with_value(entity: Entity, numbers: Numbers, key: str, value: Json) -> Entity:
    """The entity with a number set."""
    return _with(entity, numbers.part, numbers.record, {**values(entity, numbers), key: value})


def without(entity: Entity, numbers: Numbers, key: str) -> Entity:
    """The entity without a number."""
    rest = {one: value for one, value in values(entity, numbers).items() if one != key}
    return _with(entity, numbers.part, numbers.record, rest)


def put_aside(entity: Entity, numbers: Numbers, key: str, name: str) -> Entity:
    """The entity with a number turned into a note on the sheet."""
    value = values(entity, numbers).get(key)
    kept = {**former(entity, numbers), key: {"name": name, "value": value}}
    return _noted(without(entity, numbers, key), _FORMER, numbers.key, kept)


def taken_back(entity: Entity, numbers: Numbers, key: str) -> Entity:
    """The entity with a note turned back into a number, since its line exists again."""
    kept = former(entity, numbers)
    rest = {one: note for one, note in kept.items() if one != key}
    back = with_value(entity, numbers, key, kept[key]["value"])
    return _noted(back, _FORMER, numbers.key, rest)


def agreed(entity: Entity, numbers: Numbers, key: str) -> Entity:
    """The entity with a number allowed outside its bounds."""
    value = values(entity, numbers).get(key)
    kept = {**_kept(entity, _AGREED, numbers.key), key: value}
    return _noted(entity, _AGREED, numbers.key, kept)


def _noted(entity: Entity, what: str, key: str, kept: Mapping[str, Json]) -> Entity:
    before = entity.sheet.get(what)
    return _with(
        entity, "sheet", what, {**(before if isinstance(before, Mapping) else {}), key: kept}
    )


def _with(entity: Entity, part: str, record: str, now: Json) -> Entity:
    if part == "sheet":
        return replace(entity, sheet={**entity.sheet, record: now})
    return replace(entity, state={**entity.state, record: now})
