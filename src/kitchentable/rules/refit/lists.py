"""Lists that sheets have numbers for, and which numbers have no place, no value, or do not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules.table import Entity, Table
from kitchentable.rules.values import EVERYONE, GM, Json

#: What there can be to ask about a number: it has no place any more, its place has no number yet,
#: or it lies outside the bounds of its place.
LOST, NEW, BEYOND = "lost", "new", "beyond"

#: Where a sheet keeps numbers that have left their list, and those the GM lets stand outside it.
_FORMER, _AGREED = "former", "agreed"
#: What nobody misses.
_EMPTY: tuple[Json, ...] = (None, "", [], {})


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a list: its key and name, its bounds, and where somebody new to it begins."""

    key: str
    name: str
    low: int = -999
    high: int = 999
    start: Json = 0


def _unmoved(entity: Entity, was: str, name: str, now: str) -> tuple[Entity, str]:
    """A game in which nothing else on a sheet names a line of the list."""
    return entity, ""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list of which every sheet has a number for each line: stats, attributes, tracks.

    `key` names it in forms. `part` is "sheet" or "state", and `where` the record in it that has
    the numbers. `places(table, entity)` are the lines that somebody has numbers for; None where
    somebody has none of the kind. Without `asks_start` new lines begin where they begin, and nobody
    is asked. With `may_stay` a line that left the list can stay with those who have it. What stands
    there may also be words, or a list of them; `told` says it in a line.
    `moved(entity, was, name, now)` lets what else on a sheet names a line, by its key or by its
    name, follow it to another, or to "" where it is gone; and gives a sentence for the card about
    what could not follow, "" for nothing.
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
        """The name of the record with the numbers."""
        return self.where or self.key


@dataclass(frozen=True, slots=True)
class Open:
    """One open question about one number of somebody's."""

    numbers: Numbers
    what: str
    key: str

    @property
    def field(self) -> str:
        """The name of its question.

        >>> Open(Numbers("stats", lambda table, entity: None, ""), LOST, "will").field
        'stats.lost.will'
        """
        return f"{self.numbers.key}.{self.what}.{self.key}"

    @property
    def start(self) -> str:
        """The name of the question for the number that a new line begins at."""
        return f"{self.numbers.key}.start.{self.key}"


def values(entity: Entity, numbers: Numbers) -> Mapping[str, Json]:
    """Somebody's numbers for a list, those without a place among them."""
    found = (entity.sheet if numbers.part == "sheet" else entity.state).get(numbers.record)
    return found if isinstance(found, Mapping) else {}


def former(entity: Entity, numbers: Numbers) -> Mapping[str, Any]:
    """The numbers that a sheet keeps as a note since they left the list: name and value by key."""
    return _kept(entity, _FORMER, numbers.key)


def former_value(entity: Entity, numbers: Numbers, key: str) -> Json:
    """What somebody's number was worth, still lying there or kept as a note; None for none."""
    has = values(entity, numbers)
    return has[key] if key in has else (former(entity, numbers).get(key) or {}).get("value")


def former_notes(entity: Entity, *lists: Numbers) -> tuple[str, ...]:
    """The numbers kept as a note, in sentences for the sheet.

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
    """Whether the GM lets this number stand outside its bounds."""
    return bool(_kept(entity, _AGREED, numbers.key).get(key) == value)


def stays(entity: Entity, numbers: Numbers, key: str) -> bool:
    """Whether the GM has said that somebody keeps a number though its line is gone."""
    return numbers.may_stay and key in _kept(entity, _AGREED, numbers.key)


def _kept(entity: Entity, what: str, key: str) -> Mapping[str, Any]:
    kept = entity.sheet.get(what)
    found = kept.get(key) if isinstance(kept, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def open_questions(table: Table, lists: tuple[Numbers, ...], entity: Entity) -> Iterator[Open]:
    """What there is to ask about somebody's numbers. Of who is gone nothing is asked."""
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
    """The line of that key as it stands for somebody; None for none."""
    places = numbers.places(table, entity) or ()
    return next((one for one in places if one.key == key), None)


def eyes(entity: Entity) -> str:
    """For whom somebody's numbers are: an unfinished sheet is its player's alone."""
    if entity.hidden or not (entity.is_players or entity.open):
        return GM
    return EVERYONE if entity.stage == "play" else entity.owner


def begun(table: Table, lists: tuple[Numbers, ...], before: Entity) -> tuple[Entity, list[str]]:
    """Somebody with all that asks nobody: notes whose line is back, and what begins by itself.

    A new line does not begin while a number without a place may yet become it.
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
    """Somebody's numbers without a place."""
    return (one for one in open_questions(table, lists, entity) if one.what == LOST)


def with_value(entity: Entity, numbers: Numbers, key: str, value: Json) -> Entity:
    """Somebody with a number set."""
    return _with(entity, numbers.part, numbers.record, {**values(entity, numbers), key: value})


def without(entity: Entity, numbers: Numbers, key: str) -> Entity:
    """Somebody without a number."""
    rest = {one: value for one, value in values(entity, numbers).items() if one != key}
    return _with(entity, numbers.part, numbers.record, rest)


def put_aside(entity: Entity, numbers: Numbers, key: str, name: str) -> Entity:
    """Somebody whose number has become a note on the sheet."""
    value = values(entity, numbers).get(key)
    kept = {**former(entity, numbers), key: {"name": name, "value": value}}
    return _noted(without(entity, numbers, key), _FORMER, numbers.key, kept)


def taken_back(entity: Entity, numbers: Numbers, key: str) -> Entity:
    """Somebody whose note has become a number again, since its place is there again."""
    kept = former(entity, numbers)
    rest = {one: note for one, note in kept.items() if one != key}
    back = with_value(entity, numbers, key, kept[key]["value"])
    return _noted(back, _FORMER, numbers.key, rest)


def agreed(entity: Entity, numbers: Numbers, key: str) -> Entity:
    """Somebody whose number may stand outside its bounds."""
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
