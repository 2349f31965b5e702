"""The cards on which the GM, or a player for their own, says what becomes of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules.facts import differences
from kitchentable.rules.moves import Card, Change, Line, Result
from kitchentable.rules.refit.lists import (
    NEW,
    Numbers,
    Open,
    begun,
    eyes,
    open_questions,
)
from kitchentable.rules.table import Ask, Entity, Table
from kitchentable.rules.values import EVERYONE, GM

#: The move that answers, and the card to the GM about everybody; what is put about one person
#: has that person's id behind it.
MOVE = ASK = "refit"
TITLE = "The numbers on the sheets"


@dataclass(frozen=True, slots=True)
class Matter:
    """One question: what is open, and those whom it is about."""

    about: Open
    people: tuple[Entity, ...]

    @property
    def unseen(self) -> bool:
        """Whether players may not even know that there is something to ask."""
        return all(eyes(one) != EVERYONE for one in self.people)


def refit(
    table: Table, lists: tuple[Numbers, ...], names: Mapping[str, str], title: str = "Options"
) -> Result:
    """What follows when lists have changed: what is back comes back, the GM is asked of the rest.

    `names` are the names that lines had before, by the key of the list and their own
    ("stats.will"). A number without a place stays where it is until somebody has answered. A card
    that waits already is put anew; what was handed to one person stays with them.
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
    """Everybody with all that asks nobody, and what there is to tell of it."""
    found, lines = {}, []
    for ident, before in people.items():
        after, words = (before, []) if before.stage == "gone" else begun(table, lists, before)
        found[ident] = after
        lines += [Line(f"{before.name}: {one}", eyes(before)) for one in words]
    return found, tuple(lines)


def changes_between(before: Entity, after: Entity) -> tuple[Change, ...]:
    """The changes that make somebody as they are afterwards."""
    where = ("entities", before.id)
    return (
        *differences((*where, "sheet"), before.sheet, after.sheet),
        *differences((*where, "state"), before.state, after.state),
    )


def ask_anew(
    table: Table, lists: tuple[Numbers, ...], names: Mapping[str, str], *, but: str = ""
) -> tuple[tuple[Ask, ...], tuple[str, ...]]:
    """The cards that have to wait now, and those that need not any more; one aside is answered."""
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
    """The rules behind questions, each once."""
    return tuple(dict.fromkeys(one.numbers.rule for one in about if one.numbers.rule))


def _collected(pairs: Iterable[tuple[Open, Entity]]) -> tuple[Matter, ...]:
    """Each question once, with all whom it is about; what is new comes last."""
    found: dict[str, tuple[Open, list[Entity]]] = {}
    for one, entity in pairs:
        found.setdefault(one.field, (one, []))[1].append(entity)
    ranked = sorted(found.values(), key=lambda pair: pair[0].what == NEW)
    return tuple(Matter(one, tuple(people)) for one, people in ranked)


def hand_over(
    entity: Entity, about: list[Open], names: Mapping[str, str], *, to_owner: bool
) -> Ask:
    """The card about one person: to the GM, or to the player whose character it is."""
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
    """The questions that are open on a card; without one, all that no card has."""
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
    """Whether a question was laid out about somebody whom all know, and is now about others only.

    Its answer would be told to everybody; a card that is put anew, or the move by hand, keeps it.
    """
    if ask is None or ask.entity or one.about.field in ask.secret:
        return False
    return one.unseen


def names_of(table: Table, ask: str) -> dict[str, str]:
    """The names that lines had before, as a card remembers them."""
    return _names(table.asks.get(ask))
