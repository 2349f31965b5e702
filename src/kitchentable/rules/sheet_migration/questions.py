"""The cards about numbers of a changed list, for the GM or a character's player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules.facts import differences
from kitchentable.rules.moves import Card, Change, Line, Result
from kitchentable.rules.sheet_migration.lists import (
    NEW,
    Numbers,
    Open,
    begun,
    eyes,
    open_questions,
)
from kitchentable.rules.table import Ask, Entity, Table
from kitchentable.rules.values import EVERYONE, GM

#: The id of the answering move and of the GM's card about everybody; a card about one person
#: has that person's id appended.
MOVE = ASK = "refit"
TITLE = "The numbers on the sheets"


@dataclass(frozen=True, slots=True)
class Matter:
    """One open question, and the entities it is about."""

    about: Open
    people: tuple[Entity, ...]

    @property
    def unseen(self) -> bool:
        """Whether the question itself must stay hidden from players."""
        return all(eyes(one) != EVERYONE for one in self.people)


def refit(
    table: Table, lists: tuple[Numbers, ...], names: Mapping[str, str], title: str = "Options"
) -> Result:
    """The result of changed lists: notes become numbers again, and the GM is asked about the rest.

    `names` are the former names of lines, by the key of the list and their own ("stats.will"). A
    number without a place stays until its question is answered. The GM's waiting card is replaced;
    a card handed to one person stays.
    """
    people, lines = begin(table, lists, dict(table.entities))
    changes = [
        change
        for ident, after in people.items()
        for change in changes_between(table.entities[ident], after)
    ]
    asks, closes = ask_anew(replace(table, entities=people), lists, names)
    card = Card(title, lines=lines) if lines else None
    return Result(card, tuple(changes), asks, closes)


def begin(
    table: Table, lists: tuple[Numbers, ...], people: dict[str, Entity]
) -> tuple[dict[str, Entity], tuple[Line, ...]]:
    """The entities after all changes that need no question, and the sentences about them."""
    found, lines = {}, []
    for ident, before in people.items():
        after, words = (before, []) if before.stage == "gone" else begun(table, lists, before)
        found[ident] = after
        lines += [Line(f"{before.name}: {one}", eyes(before)) for one in words]
    return found, tuple(lines)


def changes_between(before: Entity, after: Entity) -> tuple[Change, ...]:
    """The changes from one state of an entity to another."""
    where = ("entities", before.id)
    return (
        *differences((*where, "sheet"), before.sheet, after.sheet),
        *differences((*where, "state"), before.state, after.state),
    )


def ask_anew(
    table: Table, lists: tuple[Numbers, ...], names: Mapping[str, str], *, but: str = ""
) -> tuple[tuple[Ask, ...], tuple[str, ...]]:
    """The cards to add and the ids of cards to close, not counting the answered card `but`."""
    waiting = {key: one for key, one in table.asks.items() if one.move == MOVE and key != but}
    still: dict[str, set[str]] = {}
    closes = []
    for key, ask in waiting.items():
        if not ask.entity:
            continue
        entity = table.entities.get(ask.entity)
        now = {one.field for one in open_questions(table, lists, entity)} if entity else set()
        if now.isdisjoint(ask.preset.get("about") or ()):
            closes.append(key)
        else:
            still.setdefault(ask.entity, set()).update(ask.preset["about"])
    found = _collected(
        (one, entity)
        for entity in table.entities.values()
        for one in open_questions(table, lists, entity)
        if one.field not in still.get(entity.id, ())
    )
    old = waiting.get(ASK)
    if not found:
        return (), (*closes, *((ASK,) if old is not None else ()))
    about = {one.about.field: [person.id for person in one.people] for one in found}
    if old is not None and old.preset.get("about") == about:
        return (), tuple(closes)
    return (_ask(found, about, {**_names(old), **names}),), tuple(closes)


def _ask(
    found: tuple[Matter, ...], about: Mapping[str, list[str]], names: Mapping[str, str]
) -> Ask:
    unseen = (one.about for one in found if one.unseen)
    return Ask(
        ASK,
        (GM,),
        MOVE,
        TITLE,
        "A list has changed. Say what becomes of the numbers; until then each stays as it is.",
        preset={"about": about, "names": dict(names)},
        secret=tuple(name for one in unseen for name in (one.field, one.start)),
        rules=rules_of(one.about for one in found),
    )


def rules_of(about: Iterable[Open]) -> tuple[str, ...]:
    """The rules of open questions, without repetition."""
    return tuple(dict.fromkeys(one.numbers.rule for one in about if one.numbers.rule))


def _collected(pairs: Iterable[tuple[Open, Entity]]) -> tuple[Matter, ...]:
    """Each question once, with all entities it is about; new lines come last."""
    found: dict[str, tuple[Open, list[Entity]]] = {}
    for one, entity in pairs:
        found.setdefault(one.field, (one, []))[1].append(entity)
    ranked = sorted(found.values(), key=lambda pair: pair[0].what == NEW)
    return tuple(Matter(one, tuple(people)) for one, people in ranked)


def hand_over(
    entity: Entity, about: list[Open], names: Mapping[str, str], *, to_owner: bool
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


def _names(ask: Ask | None) -> dict[str, str]:
    kept: Any = ask.preset.get("names") if ask is not None else None
    return {str(key): str(name) for key, name in (kept or {}).items()}


def matters(table: Table, lists: tuple[Numbers, ...], ask: Ask | None) -> tuple[Matter, ...]:
    """The open questions of a card; without a card, all that no card has."""
    handed = {
        one.entity: set(one.preset.get("about") or ())
        for one in table.asks.values()
        if one.move == MOVE and one.entity and (ask is None or not ask.entity)
    }
    every = _collected(
        (one, entity)
        for entity in table.entities.values()
        for one in open_questions(table, lists, entity)
        if (ask is None or _is_about(ask, one.field, entity))
        and one.field not in handed.get(entity.id, ())
    )
    return tuple(one for one in every if not _tells_too_much(ask, one))


def _is_about(ask: Ask, field: str, entity: Entity) -> bool:
    about: Any = ask.preset.get("about") or {}
    if ask.entity:
        return entity.id == ask.entity and field in about
    return field in about and entity.id in about[field]


def _tells_too_much(ask: Ask | None, one: Matter) -> bool:
    """Whether a question was asked about a known entity, and is now about hidden ones only.

    Its answer would be told to everybody, so only a new card, or the move made by the GM, asks it.
    """
    if ask is None or ask.entity or one.about.field in ask.secret:
        return False
    return one.unseen


def names_of(table: Table, ask: str) -> dict[str, str]:
    """The former names of lines, as kept on a card."""
    return _names(table.asks.get(ask))
