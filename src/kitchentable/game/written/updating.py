"""A campaign takes over a new version of its file: what is new begins, what is gone is kept."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.game.facts import whole
from kitchentable.game.moves import Card, Change, Line, Result
from kitchentable.game.table import Entity, Table
from kitchentable.game.values import EVERYONE, GM, Json
from kitchentable.game.written.form import Group, Written
from kitchentable.game.written.numbers import boxes, points_of, spent_on


def game_updated(game: Written, table: Table, was: str) -> Result:
    """New traits at their lowest, new tracks at their beginning; sheets keep what has no place."""
    changes: list[Change] = []
    lines: list[Line] = []
    for entity in table.entities.values():
        if entity.stage == "gone":
            continue
        words = [*_traits(game, entity, changes), *_tracks(game, table, entity, changes)]
        words += [_points(game, table, entity, group) for group in game.groups]
        lines += [Line(f"{entity.name}: {one}", _eyes(entity)) for one in words if one]
    return Result(Card("", lines=tuple(lines)), tuple(changes))


def options_changed(game: Written, table: Table, was: Mapping[str, Json]) -> Result:
    """Who has points to spend, or fewer boxes than marks, now that the numbers are others."""
    lines: list[Line] = []
    changes: list[Change] = []
    for entity in table.in_play():
        words = [*_tracks(game, table, entity, changes)]
        words += [_points(game, table, entity, group) for group in game.groups]
        lines += [Line(f"{entity.name}: {one}", _eyes(entity)) for one in words if one]
    card = Card("Options", lines=tuple(lines)) if lines else None
    return Result(card, tuple(changes))


def _eyes(entity: Entity) -> str:
    return GM if entity.hidden or not entity.open else EVERYONE


def _traits(game: Written, entity: Entity, changes: list[Change]) -> list[str]:
    before = entity.sheet.get("traits")
    has: Mapping[str, object] = before if isinstance(before, Mapping) else {}
    known = {one.key for group in game.groups for one in group.traits}
    words = []
    for group in game.groups:
        for one in group.traits:
            if one.key not in has:
                path = ("entities", entity.id, "sheet", "traits", one.key)
                changes.append(Change(path, group.low))
                words.append(f"{one.title} is new and stands at {group.low}.")
    words += [
        f"{key} ({value}) is on no list any more; the sheet keeps it."
        for key, value in has.items()
        if key not in known
    ]
    return words


def _tracks(game: Written, table: Table, entity: Entity, changes: list[Change]) -> list[str]:
    if entity.stage != "play":
        return []
    before = entity.state.get("tracks")
    has: Mapping[str, object] = before if isinstance(before, Mapping) else {}
    words = []
    for one in game.scales:
        most = boxes(game, table, entity, one)
        if one.key not in has:
            path = ("entities", entity.id, "state", "tracks", one.key)
            changes.append(Change(path, most if one.starts_full else 0))
            words.append(f"{one.title} is new.")
        elif whole(has[one.key]) > most:
            words.append(f"{one.title} has {most} box{'es' * (most != 1)} now, and all are marked.")
    return words


def _points(game: Written, table: Table, entity: Entity, group: Group) -> str:
    """Where a player's character has other points than it has spent, for the GM to decide."""
    points = points_of(game, table, group)
    if points is None or not entity.is_players or entity.stage != "play":
        return ""
    left = points - spent_on(entity, group)
    if left <= 0:
        return ""
    many = f"{left} point{'s' if left != 1 else ''}"
    return f"{many} of {group.title} to spend; send the sheet back to its player for that."
