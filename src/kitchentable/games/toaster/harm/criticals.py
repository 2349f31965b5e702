"""What the critical table leaves behind: lost weapons, lost balance, and getting up again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kitchentable.game import (
    Actor,
    Answers,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Json,
    Line,
    Move,
    Result,
    Table,
    fresh,
)
from kitchentable.games.toaster.character import lens
from kitchentable.games.toaster.harm.state import (
    acted,
    become,
    can_act,
    changed,
    dropped,
    effects,
)
from kitchentable.games.toaster.mechanics.tables import Critical
from kitchentable.games.toaster.options.reading import whole

#: What somebody who fell has on their card until they get up (toaster.4.crit-b).
PRONE = "prone"

_LOST = {
    "feet": "falls at their feet",
    "reach": "lands out of reach",
    "broken": "breaks",
}


@dataclass(frozen=True, slots=True)
class Left:
    """What a critical leaves on the defender: changed facts, sentences, the rules."""

    changes: tuple[Change, ...] = ()
    lines: tuple[Line, ...] = ()
    rules: tuple[str, ...] = ()


def left_behind(table: Table, entity: Entity, critical: Critical, weapon: str = "") -> Left:
    """The effects on the defender that outlast the blow; `weapon` is the id of what they hold.

    A weapon at their feet, out of reach or broken (toaster.4.crit-a); off balance for the next
    round only, or on the ground (toaster.4.crit-b). What it does to the blow itself, protection
    bypassed and extra damage, is the attack's own (toaster.4.crit-c, toaster.4.crit-d).
    """
    after, rules = entity, ["toaster.4.crit-table"]
    lines = [Line(f"{text}.", lens.card_audience(entity)) for text in critical.texts]
    if critical.weapon and weapon:
        after = become(after, dropped={**dropped(after), weapon: critical.weapon})
        held = lens.weapon(table, entity, weapon)
        words = f"{held.name if held else 'The weapon'} {_LOST[critical.weapon]}."
        lines.append(Line(words, lens.card_audience(entity)))
        rules.append("toaster.4.crit-a")
    found: list[Json] = list(after.state.get("effects") or [])
    if critical.penalty and table.fight:
        next_round = whole(table.fight.get("round")) + 1
        found.append(_effect(table, "off balance", critical.penalty, next_round))
        rules.append("toaster.4.crit-b")
    if critical.falls:
        found.append({**_effect(table, "on the ground", 0, 0), "id": PRONE})
        rules.append("toaster.4.crit-b")
    if len(found) > len(after.state.get("effects") or []):
        after = become(after, effects=found)
    return Left(changed(entity, after), tuple(lines), tuple(dict.fromkeys(rules)))


def _effect(table: Table, name: str, value: int, this: int) -> dict[str, Json]:
    return {
        "id": fresh(table, "effect"),
        "name": name,
        "value": value,
        "scope": "all",
        "from": this,
        "until": this,
    }


def is_prone(table: Table, entity: Entity) -> bool:
    """Whether somebody lies on the ground."""
    return any(one.get("id") == PRONE for one in effects(table, entity))


# ---------------------------------------------------------------- getting over it


def _choices(table: Table, entity: Entity, *, by_gm: bool) -> tuple[Choice, ...]:
    found = []
    for weapon, where in dropped(entity).items():
        held = lens.weapon(table, entity, weapon)
        name = held.name if held else "the weapon"
        if where != "broken":
            verb = "Pick up" if where == "feet" else "Fetch"
            found.append(Choice(f"weapon:{weapon}", f"{verb} {name}"))
        elif by_gm:
            found.append(Choice(f"weapon:{weapon}", f"{name} is whole again"))
    for one in entity.state.get("effects") or []:
        if one.get("id") == PRONE:
            found.append(Choice(f"effect:{PRONE}", "Get up from the ground"))
        elif by_gm:
            found.append(Choice(f"effect:{one.get('id')}", f"No longer {one.get('name')}"))
    return tuple(found)


def _when(table: Table, actor: Actor) -> str | None:
    entity = lens.whom(table, actor.entity)
    if entity is None:
        return "Nobody is named."
    if not actor.is_gm and can_act(table, entity):
        return can_act(table, entity)
    if not _choices(table, entity, by_gm=actor.is_gm):
        return f"{entity.name} has nothing to get over."
    return None


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = lens.whom(table, actor.entity)
    choices = _choices(table, entity, by_gm=actor.is_gm) if entity is not None else ()
    first = choices[0].value if choices else None
    return (Field("what", "What?", "choice", choices, default=first, rule="toaster.4.crit-a"),)


def _recover(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    kind, _, name = str(answers["what"]).partition(":")
    words = {one.value: one.label for one in _choices(table, entity, by_gm=True)}
    if kind == "weapon":
        kept = {weapon: where for weapon, where in dropped(entity).items() if weapon != name}
        after = become(entity, dropped=kept)
    else:
        rows: list[Any] = list(entity.state.get("effects") or [])
        after = become(entity, effects=[row for row in rows if row.get("id") != name])
    card = Card(
        entity.name,
        f"{words.get(str(answers['what']), 'Gets over it')}.",
        rules=("toaster.4.crit-a" if kind == "weapon" else "toaster.4.crit-b",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, (*changed(entity, after), *acted(entity)))


RECOVER = Move(
    "recover",
    "Get up, or take up a weapon",
    "What a critical hit did and somebody can undo: a weapon on the ground, a fall.",
    ("toaster.4.crit-a", "toaster.4.crit-b"),
    _recover,
    place="fight",
    when=_when,
    fields=_fields,
)

MOVES = (RECOVER,)
