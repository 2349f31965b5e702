"""Updates of a campaign to a new version of its file, or to other options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType

from kitchentable.rules.facts import joined
from kitchentable.rules.moves import Card, Change, Line, Move, Result
from kitchentable.rules.sheet_migration import LOST, Matter, Numbers, Place, lost, refit, refit_move
from kitchentable.rules.table import Ask, Entity, Table
from kitchentable.rules.toml.budgets import ask_of_points, off_by, points_move
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import Body, of_kind
from kitchentable.rules.values import Json

_NO_NAMES: Mapping[str, str] = MappingProxyType({})


def update_moves(game: Written) -> tuple[Move, ...]:
    """The moves that answer the questions after an update."""
    return refit_move(lists_of(game), partial(_settled, game)), points_move(game)


def game_updated(game: Written, table: Table, was: str, names: Mapping[str, str]) -> Result:
    """Start new tracks and lists, and ask the GM about the rest; nothing is dropped before."""
    result = _followed(game, table, off_by(game, table), "", names)
    if table.fight is None or game.fighting is not None:
        return result
    card = Card("", lines=(Line("The fight is over: this version has no fights."),))
    return joined(result, Result(card, (Change(("fight",), None),)))


def options_changed(game: Written, table: Table, was: Mapping[str, Json]) -> Result:
    """Ask the GM about tracks with more marks than boxes, and about budgets that do not fit."""
    return _followed(game, table, off_by(game, table, was), "Options")


def _followed(
    game: Written,
    table: Table,
    off: Mapping[str, tuple[Entity, ...]],
    title: str,
    names: Mapping[str, str] = _NO_NAMES,
) -> Result:
    result = refit(table, lists_of(game), names, title)
    asks, closes = ask_of_points(game, table, _without_losses(game, table, off))
    lines: tuple[Line, ...] = result.card.lines if result.card is not None else ()
    card = Card(title, lines=lines) if lines or not title else None
    return Result(card, result.changes, (*result.asks, *asks), (*result.closes, *closes))


def _without_losses(
    game: Written, table: Table, off: Mapping[str, tuple[Entity, ...]]
) -> dict[str, tuple[Entity, ...]]:
    """Budgets that do not fit, without entities that have numbers still to be moved."""
    lists = lists_of(game)
    left = {
        key: tuple(one for one in people if next(lost(table, lists, one), None) is None)
        for key, people in off.items()
    }
    return {key: people for key, people in left.items() if people}


def _settled(
    game: Written, table: Table, settled: tuple[Matter, ...]
) -> tuple[tuple[Ask, ...], tuple[str, ...]]:
    """Ask the GM about budgets that do not fit, once lost numbers are settled."""
    people = {person.id for one in settled if one.about.what == LOST for person in one.people}
    off = {
        key: tuple(one for one in unfit if one.id in people)
        for key, unfit in off_by(game, table).items()
    }
    return ask_of_points(game, table, _without_losses(game, table, off))


def lists_of(game: Written) -> tuple[Numbers, ...]:
    """The lists of the file for which a sheet has numbers, texts or entries."""
    groups = [one.rule for one in game.groups]
    listings = [one.rule for one in game.listings]
    scales = [one.rule for one in game.scales]
    rules = [*groups, *listings, *scales, ""]
    return (
        Numbers("traits", partial(_traits, game), rules[0]),
        Numbers(
            "lists", partial(_lists, game), (listings or rules)[0], asks_start=False, told=_entries
        ),
        Numbers("texts", partial(_texts, game), rules[0], asks_start=False),
        Numbers(
            "tracks",
            partial(_tracks, game),
            (scales or rules)[0],
            part="state",
            asks_start=False,
        ),
    )


def _traits(game: Written, table: Table, entity: Entity) -> tuple[Place, ...] | None:
    return _known(
        entity,
        (
            Place(one.key, one.title, group.low, group.top, group.low)
            for group in of_kind(game.groups, entity.kind)
            for one in group.traits
        ),
    )


def _lists(game: Written, table: Table, entity: Entity) -> tuple[Place, ...] | None:
    listings = of_kind(game.listings, entity.kind)
    return _known(entity, (Place(one.key, one.title, start=[]) for one in listings))


def _entries(rows: Json) -> str:
    """The entries of a list, in one line."""
    if not isinstance(rows, list):
        return str(rows)
    return ", ".join(str(row.get("text")) if isinstance(row, dict) else str(row) for row in rows)


def _texts(game: Written, table: Table, entity: Entity) -> tuple[Place, ...] | None:
    words = of_kind(game.words, entity.kind)
    return _known(entity, (Place(one.key, one.title, start="") for one in words))


def _tracks(game: Written, table: Table, entity: Entity) -> tuple[Place, ...] | None:
    """The tracks of an entity in play; None before."""
    if entity.stage != "play":
        return None
    body = Body(game, table, entity)
    boxes = ((one, body.boxes(one)) for one in body.scales)
    return _known(
        entity,
        (Place(one.key, one.title, 0, most, most if one.starts_full else 0) for one, most in boxes),
    )


def _known(entity: Entity, places: Iterable[Place]) -> tuple[Place, ...] | None:
    """The places; None if this table hides the numbers."""
    return None if entity.sheet.get("closed") else tuple(places)
