"""Fights for moves that are no moves of the kit: the same rounds, on the facts of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from kitchentable.rules import Actor, Ask, Change, Entity, Table, differences, whom
from kitchentable.rulesets.toaster.combat import stances, turns
from kitchentable.rulesets.toaster.combat.fights import Fight as Rounds
from kitchentable.rulesets.toaster.harm.passing import fallen
from kitchentable.rulesets.toaster.harm.state import acted, changed
from kitchentable.rulesets.toaster.people import toaster

Fight: TypeAlias = dict[str, Any]


def rounds(table: Table, fight: Fight) -> Rounds:
    """The rounds of these facts."""
    return Rounds(toaster.at(table), fight)


def place(table: Table, entity: str) -> Mapping[str, Any] | None:
    """Somebody's place in the fight that is on, or None."""
    fighters: Any = table.fight["fighters"] if table.fight else {}
    found: Mapping[str, Any] | None = fighters.get(entity)
    return found


def may_act(table: Table, actor: Actor) -> str | None:
    """Why this one cannot take an action now."""
    return toaster.moment(table, actor).allows((turns.may_act,))


def spend(table: Table, fight: Fight | None, who: str) -> None:
    """Count an action in the fight that is on; outside a fight nobody counts."""
    entity = whom(table, who)
    if fight is not None and entity is not None:
        rounds(table, fight).spend(toaster.being(table, entity))


def own_action(entity: Entity) -> tuple[Entity, tuple[Change, ...]]:
    """Somebody after an action of their own, and the facts that changes: stance, aim, last act."""
    after = stances.aim_lost(stances.acted(entity))
    return after, (*changed(entity, after), *acted(entity))


def felled(table: Table, fight: Fight, changes: Iterable[Change]) -> None:
    """Whoever goes down by these changes is out of the fight."""
    rounds(table, fight).fell_down(fallen(changes))


def step(table: Table, fight: Fight | None) -> tuple[tuple[Change, ...], tuple[Ask, ...]]:
    """What changed in the fight, and the cards that its new state puts before the GM."""
    if fight is None or table.fight is None:
        return (), ()
    return differences(("fight",), table.fight, fight), rounds(table, fight).asks()
