"""Somebody of These Lucky Stars as the rules ask after them: numbers, things, who may see what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.dice.errors import BadInput
from kitchentable.rules import (
    Actor,
    Choice,
    Entity,
    Json,
    Table,
    whole,
)
from kitchentable.rules.refit import Numbers, Place, former_value
from kitchentable.rulesets.lucky_stars.options import Derived, derived, find_stat, setting, stats
from kitchentable.rulesets.lucky_stars.reckoning import read_formula, round_down, worth

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


def _places(table: Table, entity: Entity) -> tuple[Place, ...] | None:
    if not has_stats(entity) or not numbers_known(entity):
        return None
    return tuple(
        Place(one.key, one.name, one.low, one.high, min(max(one.low, 0), one.high))
        for one in stats(table.options)
    )


#: The stats of a sheet as the table's list has places for them (stars.9-undefined-stats).
STATS = Numbers("stats", _places, "stars.9-undefined-stats")
STATS_LISTS = (STATS,)

#: What can count in a formula in place of a stat that is gone, besides another stat: nothing, the
#: number that each one had, or the derived number rests until the list has the stat again.
NOTHING, HAD, REST = "nothing:", "had:", "rest:"


def stand_ins(table: Table) -> Mapping[str, Any]:
    """What the GM has said counts in place of stats that are gone, by the names in formulas."""
    found: Any = table.own.get("stand_ins") or {}
    return found if isinstance(found, Mapping) else {}


def stand_in(table: Table, name: str) -> Mapping[str, str] | None:
    """What counts in place of a name; None where nothing was said, or its stat is gone too."""
    found: Mapping[str, str] | None = stand_ins(table).get(name.casefold())
    if found is None or found["use"] in {NOTHING, HAD, REST}:
        return found
    return found if find_stat(table.options, found["use"]) is not None else None


def _counted(table: Table, entity: Entity, name: str) -> int | None:
    """What a name in a formula counts for somebody; None where it cannot be said."""
    found = find_stat(table.options, name)
    if found is not None:
        return stat_value(entity, found.key)
    instead = stand_in(table, name)
    if instead is None or instead["use"] == REST:
        return None
    if instead["use"] == NOTHING:
        return 0
    if instead["use"] == HAD:
        return whole(former_value(entity, STATS, instead["key"]))
    return stat_value(entity, instead["use"])


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
    each other. What the GM has said stands in for a stat that is gone is counted in its place.
    """
    try:
        return round_down(worth(one.formula, lambda name: _counted(table, entity, name)))
    except BadInput:
        return None


def formula_problem(table: Table, one: Derived) -> str:
    """Why a derived number cannot be worked out at this table, or ""."""
    try:
        terms = read_formula(one.formula)
    except BadInput as error:
        return str(error)
    missing = [
        term.name
        for term in terms
        if term.name
        and find_stat(table.options, term.name) is None
        and (stand_in(table, term.name) or {"use": REST})["use"] == REST
    ]
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
