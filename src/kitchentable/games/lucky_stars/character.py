"""Somebody of These Lucky Stars as the rules ask after them: numbers, things, who may see what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.dice.errors import BadInput
from kitchentable.game import (
    Actor,
    Choice,
    Entity,
    Json,
    Table,
    whole,
)
from kitchentable.games.lucky_stars.options import Derived, derived, find_stat, setting, stats
from kitchentable.games.lucky_stars.reckoning import read_formula, round_down, worth

PC, NPC = "pc", "npc"
#: A place, a vehicle or what the party owns together: things and trackers, no stats.
STOCK = "stock"


def numbers_known(entity: Entity) -> bool:
    """Whether the stats are there; on a table concealed for a player a closed one has none."""
    return isinstance(entity.sheet.get("stats"), Mapping)


def stat_value(entity: Entity, stat: Json) -> int:
    """The number of a stat; 0 for one the sheet does not have, and for no stat at all.

    >>> stat_value(Entity("e", "Billy", "pc", "s", {"stats": {"will": 2}}, {}), "will")
    2
    """
    values: Any = entity.sheet.get("stats") or {}
    return whole(values.get(str(stat), 0)) if isinstance(values, Mapping) else 0


def number_of(table: Table, entity: Entity, name: str) -> int | None:
    """What a name in a formula is worth for somebody: a stat's or a derived number's value."""
    found = find_stat(table.options, name)
    if found is not None:
        return stat_value(entity, found.key)
    for one in derived(table.options):
        if one.name.casefold() == name.strip().casefold():
            return derived_value(table, entity, one)
    return None


def derived_value(table: Table, entity: Entity, one: Derived) -> int | None:
    """A derived number, rounded down once; None where its formula fits no stat of this table.

    stars.4.3-stress, stars.4.3-vitality, stars.4.3-round-end. Formulas are made of stats, not of
    each other.
    """

    def of_stat(name: str) -> int | None:
        found = find_stat(table.options, name)
        return stat_value(entity, found.key) if found is not None else None

    try:
        return round_down(worth(one.formula, of_stat))
    except BadInput:
        return None


def formula_problem(table: Table, one: Derived) -> str:
    """Why a derived number cannot be worked out at this table, or ""."""
    try:
        terms = read_formula(one.formula)
    except BadInput as error:
        return str(error)
    missing = [t.name for t in terms if t.name and find_stat(table.options, t.name) is None]
    return f"{one.name} needs {missing[0]}, which is not on the list of stats." if missing else ""


def has_stats(entity: Entity) -> bool:
    """Whether this is somebody who rolls; a common stock has things and trackers only."""
    return entity.kind != STOCK


def stat_choices(table: Table, entity: Entity | None) -> tuple[Choice, ...]:
    """The stats that are added to rolls, with somebody's values where they may be seen."""
    shown = entity is not None and numbers_known(entity)
    return tuple(
        Choice(
            one.key,
            f"{one.name} {stat_value(entity, one.key):+d}" if entity and shown else one.name,
            one.purpose,
        )
        for one in stats(table.options)
        if one.rolled
    )


def present(table: Table, actor: Actor, *, but: str = "") -> tuple[Entity, ...]:
    """Everybody in play that the one who acts knows of, one aside."""
    return tuple(e for e in table.in_play() if e.id != but and (actor.is_gm or not e.hidden))


def people(table: Table, actor: Actor, *, but: str = "") -> tuple[Entity, ...]:
    """Those of them who roll."""
    return tuple(one for one in present(table, actor, but=but) if has_stats(one))


def seat_name(table: Table, seat: str) -> str:
    """The name of a seat."""
    return table.seats[seat].name if seat in table.seats else "Somebody"


def may_restock(table: Table, actor: Actor) -> bool:
    """Whether this person may fill up a supply die (stars.5.1-supply-item-text)."""
    return actor.is_gm or bool(setting(table.options, "players_restock"))
