"""What an entity of a written game comes to in numbers: levels, boxes, budgets."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.rules.facts import whole
from kitchentable.rules.kit.settings import counted
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.toml.form import Group, Listing, Scale, Written
from kitchentable.rules.values import Json


def option_numbers(game: Written, options: Mapping[str, Json]) -> dict[str, int]:
    """Options as formulas see them: numbers, and switches as 0 and 1."""
    return {
        one.key: int(options.get(one.key, one.field.default) or 0) for one in counted(game.options)
    }


def level(entity: Entity, key: str, low: int = 0) -> int:
    """The level of a trait on somebody's sheet."""
    traits = entity.sheet.get("traits")
    return whole(traits.get(key) if isinstance(traits, Mapping) else None, low)


def base_numbers(game: Written, table: Table, entity: Entity) -> dict[str, int]:
    """Options and levels by name."""
    numbers = option_numbers(game, table.options)
    for group in game.groups:
        numbers |= {one.key: level(entity, one.key, group.low) for one in group.traits}
    return numbers


def numbers_of(game: Written, table: Table, entity: Entity) -> dict[str, int]:
    """Every name that a formula may ask for, as it stands for somebody."""
    numbers = base_numbers(game, table, entity)
    return numbers | {one.key: marks(game, table, entity, one) for one in game.scales}


def boxes(game: Written, table: Table, entity: Entity, scale: Scale) -> int:
    """How many boxes a track of somebody's has; never below 0."""
    return max(0, scale.boxes.value(base_numbers(game, table, entity)))


def marks(game: Written, table: Table, entity: Entity, scale: Scale) -> int:
    """How many boxes are marked, or for a track that is spent, how many are left."""
    tracks = entity.state.get("tracks")
    most = boxes(game, table, entity, scale)
    start = most if scale.starts_full else 0
    found = whole(tracks.get(scale.key) if isinstance(tracks, Mapping) else None, start)
    return min(max(0, found), most)


def is_full(game: Written, table: Table, entity: Entity, scale: Scale) -> bool:
    """Whether a track has come to its end: all marked, or all spent."""
    most, now = boxes(game, table, entity, scale), marks(game, table, entity, scale)
    return most > 0 and now == (0 if scale.starts_full else most)


def is_out(game: Written, table: Table, entity: Entity) -> bool:
    """Whether somebody can no longer act."""
    return any(scale.out and is_full(game, table, entity, scale) for scale in game.scales)


def condition(game: Written, table: Table, entity: Entity) -> str:
    """What somebody is called whose track has come to its end; "" for nothing."""
    words = [
        s.full or "out"
        for s in game.scales
        if is_full(game, table, entity, s) and (s.full or s.out)
    ]
    return ", ".join(words)


def points_of(game: Written, table: Table, group: Group) -> int | None:
    """The points of a group; None where levels are free."""
    if group.points is None:
        return None
    return group.points.value(option_numbers(game, table.options))


def spent_on(entity: Entity, group: Group) -> int:
    """The points that a sheet spends on a group: every level above the lowest is one."""
    return sum(level(entity, one.key, group.low) - group.low for one in group.traits)


def entries(entity: Entity, listing: Listing) -> tuple[str, ...]:
    """What somebody has written in a list."""
    lists = entity.sheet.get("lists")
    rows = lists.get(listing.key) if isinstance(lists, Mapping) else None
    if not isinstance(rows, list):
        return ()
    return tuple(
        str(row["text"]).strip()
        for row in rows
        if isinstance(row, Mapping) and str(row.get("text") or "").strip()
    )


def numbers_known(entity: Entity) -> bool:
    """Whether this table has the entity's numbers, or only what everybody may see."""
    return not entity.sheet.get("closed")


def here(table: Table, but: str = "") -> tuple[Entity, ...]:
    """Everybody in play, without one."""
    return tuple(one for one in table.in_play() if one.id != but)
