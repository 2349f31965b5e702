"""Lists with numbers on sheets, and the open questions after a change of such a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from kitchentable.rules.facts import copied, differences, part_of
from kitchentable.rules.moves import Change, Line
from kitchentable.rules.people import is_closed
from kitchentable.rules.table import Ask, Entity, Table
from kitchentable.rules.values import EVERYONE, GM, Json, Row, record

#: The kinds of questions: a number without a line, a line without a number, and a number outside
#: the bounds of its line.
LOST, NEW, BEYOND = "lost", "new", "beyond"
#: The id of the answering move and of the GM's card about all entities; the id of a card about one
#: entity ends with the entity's id.
MOVE = ASK = "refit"
TITLE = "The numbers on the sheets"

#: The notes of a sheet: numbers of former lines, and numbers allowed outside their bounds.
_FORMER, _AGREED = "former", "agreed"
#: Values that can be dropped without a question.
_EMPTY: tuple[Json, ...] = (None, "", [], {})


#: New cards, and the ids of cards to close.
Cards: TypeAlias = tuple[tuple[Ask, ...], tuple[str, ...]]


@record
class Place:
    """One line of a list: key, name, bounds, and the number that a new entity starts with."""

    key: str
    name: str
    low: int = -999
    high: int = 999
    start: Json = 0


def _move_nothing(entity: Entity, was: str, name: str, now: str) -> tuple[Entity, str]:
    """The `moved` of a game in which no other part of a sheet refers to a line."""
    return entity, ""


@record
class Numbers:
    """A list with a number for each line on every sheet: stats, attributes, tracks.

    `key` is the name of the list in forms and of the record with its numbers in `part`, "sheet" or
    "state". `places(table, entity)` are an entity's lines, None for an entity without this list.
    Without `asks_start`, new lines get their start value without a question. With `may_stay`, an
    entity may keep a number without a line. A value may also be text or a list of texts; `told`
    puts a value into words.

    `moved(entity, was, name, now)` updates other parts of a sheet that refer to a line by key or
    name: to the key `now`, or to "" for a removed line. It returns the entity and a sentence for
    the card about parts that could not be updated, or "".
    """

    key: str
    places: Callable[[Table, Entity], tuple[Place, ...] | None]
    rule: str
    part: str = "sheet"
    asks_start: bool = True
    may_stay: bool = False
    told: Callable[[Json], str] = str
    moved: Callable[[Entity, str, str, str], tuple[Entity, str]] = _move_nothing

    def place(self, table: Table, entity: Entity, key: str) -> Place | None:
        """An entity's line with this key, or None."""
        return next((o for o in self.places(table, entity) or () if o.key == key), None)

    def values(self, entity: Entity) -> Row:
        """An entity's numbers, including those without a line; mutable for a draft."""
        return part_of(getattr(entity, self.part), self.key)

    def former(self, entity: Entity) -> Row:
        """The notes of former numbers on a sheet: name and value by key."""
        return part_of(part_of(entity.sheet, _FORMER), self.key)

    def agreed(self, entity: Entity) -> Row:
        """The numbers that the GM has allowed outside their bounds, or without a line."""
        return part_of(part_of(entity.sheet, _AGREED), self.key)

    def unfit(self, table: Table, entity: Entity) -> Iterator[tuple[Place, Json]]:
        """The lines with a number out of bounds or not whole, unless the GM has allowed it."""
        has, agreed = self.values(entity), self.agreed(entity)
        for one in self.places(table, entity) or () if has else ():
            value = has.get(one.key)
            fits = type(value) is int and one.low <= value <= one.high
            if one.key in has and not fits and agreed.get(one.key) != value:
                yield one, value

    def agree(self, draft: Entity, key: str) -> None:
        """Allow a number on a draft."""
        record = _record_in(draft.sheet, _AGREED)
        _record_in(record, self.key)[key] = self.values(draft).get(key)

    def start(self, draft: Entity, key: str, value: Json) -> None:
        """Set a number of a draft."""
        _record_in(getattr(draft, self.part), self.key)[key] = value

    def put_aside(self, draft: Entity, key: str, name: str) -> None:
        """Turn a number of a draft into a note on its sheet."""
        note = {"name": name, "value": self.values(draft).pop(key, None)}
        _record_in(_record_in(draft.sheet, _FORMER), self.key)[key] = note


def _record_in(facts: Any, name: str) -> Row:
    """A record within a draft, created if missing."""
    facts[name] = found = part_of(facts, name)
    return found


def draft_of(entity: Entity) -> Entity:
    """A copy of an entity with a mutable sheet and state."""
    return replace(entity, sheet=copied(entity.sheet), state=copied(entity.state))


def changes_between(
    before: Mapping[str, Entity], after: Mapping[str, Entity]
) -> tuple[Change, ...]:
    """The changes from entities to their drafts."""
    return tuple(
        change
        for ident, now in after.items()
        for part in ("sheet", "state")
        for change in differences(
            ("entities", ident, part), getattr(before[ident], part), getattr(now, part)
        )
    )


def former_value(entity: Entity, numbers: Numbers, key: str) -> Json:
    """An entity's former value for a line, whether stored or noted; None without one."""
    has = numbers.values(entity)
    return has[key] if key in has else (numbers.former(entity).get(key) or {}).get("value")


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
        for one in numbers.former(entity).values()
    )


def audience_of(entity: Entity) -> str:
    """The audience of an entity's numbers; only the owner sees an unfinished sheet."""
    if entity.hidden or is_closed(entity):
        return GM
    return EVERYONE if entity.stage == "play" else entity.owner


# ---------------------------------------------------------------- open questions


@record
class OpenQuestion:
    """One open question about a number of a list, for one or more entities."""

    numbers: Numbers
    what: str
    key: str
    people: tuple[Entity, ...]

    @property
    def field(self) -> str:
        """The name of the field."""
        return f"{self.numbers.key}.{self.what}.{self.key}"

    @property
    def start(self) -> str:
        """The name of the field for the start value of a new line."""
        return f"{self.numbers.key}.start.{self.key}"

    @property
    def unseen(self) -> bool:
        """Whether the question itself must stay hidden from players."""
        return all(audience_of(one) != EVERYONE for one in self.people)


def questions(
    table: Table, lists: tuple[Numbers, ...], entity: Entity | None
) -> Iterator[OpenQuestion]:
    """The open questions about an entity's numbers; none if the entity is gone."""
    if entity is None or entity.stage == "gone":
        return
    for numbers in lists:
        places, has = numbers.places(table, entity), numbers.values(entity)
        if places is None:
            continue
        known, agreed = {one.key for one in places}, numbers.agreed(entity)
        unfit = numbers.unfit(table, entity)
        beyond = {one.key for one, value in unfit if isinstance(value, int)}
        for key, value in has.items():
            stays = numbers.may_stay and key in agreed
            if key not in known and value not in _EMPTY and not stays:
                yield OpenQuestion(numbers, LOST, key, (entity,))
        for one in places if entity.stage == "play" else ():
            if one.key not in has and numbers.asks_start:
                yield OpenQuestion(numbers, NEW, one.key, (entity,))
            if one.key in beyond:
                yield OpenQuestion(numbers, BEYOND, one.key, (entity,))


def lost(table: Table, lists: tuple[Numbers, ...], entity: Entity) -> bool:
    """Whether an entity has numbers without a line that need a question."""
    return any(one.what == LOST for one in questions(table, lists, entity))


def collect(
    table: Table, lists: tuple[Numbers, ...], wanted: Callable[[str, Entity], bool]
) -> tuple[OpenQuestion, ...]:
    """Each wanted question once, with all its entities; questions about new lines come last."""
    found: dict[str, OpenQuestion] = {}
    for entity in table.entities.values():
        for one in questions(table, lists, entity):
            if wanted(one.field, entity):
                people = found[one.field].people if one.field in found else ()
                found[one.field] = replace(one, people=(*people, entity))
    return tuple(sorted(found.values(), key=lambda one: one.what == NEW))


def begin(
    table: Table, lists: tuple[Numbers, ...], people: Mapping[str, Entity]
) -> tuple[dict[str, Entity], tuple[Line, ...]]:
    """Drafts of entities after all changes that need no question, and sentences about them.

    Notes are restored and new lines get their start values, except while a number without a line
    may still be moved to a new line.
    """
    found, lines = {}, []
    for ident, before in people.items():
        found[ident] = draft = draft_of(before)
        for numbers in lists if before.stage != "gone" else ():
            waits, former = lost(table, (numbers,), draft), numbers.former(draft)
            for one in numbers.places(table, draft) or ():
                if one.key in numbers.values(draft):
                    continue
                if one.key in former:
                    numbers.start(draft, one.key, former.pop(one.key)["value"])
                    words = f"is back at {numbers.told(numbers.values(draft)[one.key])}."
                elif (not numbers.asks_start and not waits) or draft.stage != "play":
                    numbers.start(draft, one.key, one.start)
                    at = f" and stands at {numbers.told(one.start)}"
                    words = f"is new{'' if one.start in _EMPTY else at}."
                else:
                    continue
                lines.append(Line(f"{before.name}: {one.name} {words}", audience_of(before)))
    return found, tuple(lines)


# ---------------------------------------------------------------- cards


def handed(table: Table, but: str = "") -> Iterator[tuple[str, str, set[str]]]:
    """The cards about one entity except `but`: the ids of card and entity, and the questions."""
    for key, ask in table.asks.items():
        if ask.move == MOVE and ask.entity and key != but:
            yield key, ask.entity, set(ask.preset.get("about") or ())


def ask_anew(
    table: Table, lists: tuple[Numbers, ...], names: Mapping[str, str], *, but: str = ""
) -> Cards:
    """The cards to add and the ids of cards to close, not counting the answered card `but`."""
    still: set[tuple[str, str]] = set()
    closes: list[str] = []
    for key, who, about in handed(table, but):
        if about & {one.field for one in questions(table, lists, table.entities.get(who))}:
            still |= {(who, field) for field in about}
        else:
            closes.append(key)
    found = collect(table, lists, lambda field, one: (one.id, field) not in still)
    about_all = {one.field: [person.id for person in one.people] for one in found}
    old = table.asks.get(ASK) if but != ASK else None
    if not found:
        return (), (*closes, *((ASK,) if old is not None else ()))
    if old is not None and old.preset.get("about") == about_all:
        return (), tuple(closes)
    ask = Ask(
        ASK,
        (GM,),
        MOVE,
        TITLE,
        "A list has changed. Say what becomes of the numbers; until then each stays as it is.",
        preset={"about": about_all, "names": {**names_of(old), **names}},
        secret=tuple(name for one in found if one.unseen for name in (one.field, one.start)),
        rules=rules_of(found),
    )
    return (ask,), tuple(closes)


def hand_over(
    entity: Entity, about: list[OpenQuestion], names: Mapping[str, str], *, to_owner: bool
) -> Ask:
    """The card about one entity, for the GM or for the player who owns it."""
    return Ask(
        f"{ASK}-{'own-' if to_owner else ''}{entity.id}",
        (f"owner:{entity.id}",) if to_owner else (GM,),
        MOVE,
        f"{entity.name}: the numbers on the sheet",
        "A list has changed. Say what becomes of these; until then each stays as it is.",
        preset={"about": [one.field for one in about], "names": dict(names)},
        rules=rules_of(about),
        entity=entity.id,
    )


def rules_of(about: Iterable[OpenQuestion]) -> tuple[str, ...]:
    """The rules of open questions, without repetition."""
    return tuple(dict.fromkeys(one.numbers.rule for one in about if one.numbers.rule))


def names_of(ask: Ask | None) -> dict[str, str]:
    """The former names of lines, stored on a card."""
    kept: Any = ask.preset.get("names") if ask is not None else None
    return {str(key): str(name) for key, name in (kept or {}).items()}


def open_questions(
    table: Table, lists: tuple[Numbers, ...], ask: Ask | None
) -> tuple[OpenQuestion, ...]:
    """The open questions of a card; without a card, all questions that are on no card."""
    about: Any = (ask.preset.get("about") or {}) if ask is not None else {}
    alone = ask.entity if ask is not None else ""
    others = {(who, field) for _, who, fields in handed(table) for field in fields}

    def wanted(field: str, one: Entity) -> bool:
        if alone:
            return one.id == alone and field in about
        return (one.id, field) not in others and (ask is None or one.id in about.get(field, ()))

    found = collect(table, lists, wanted)
    if ask is None or alone:
        return found
    # The card's answers are shown to everybody. A question that is now only about hidden entities
    # therefore needs a new card, or the move made by the GM without a card.
    return tuple(one for one in found if not one.unseen or one.field in ask.secret)
