"""Updates of a campaign to a new version of its file, or to other options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from kitchentable.rules.facts import joined
from kitchentable.rules.kit.forms import Row, Values
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.moves import Card, Change, Line, Result
from kitchentable.rules.sheet_migration import (
    LOST,
    Numbers,
    OpenQuestion,
    Place,
    lost,
    migrate,
    migration_move,
)
from kitchentable.rules.table import Ask, Entity, Table
from kitchentable.rules.toml.budgets import About, ask_of_points, off_by, points_move
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import Body
from kitchentable.rules.values import Json


def update_moves(game: Written, rules: AnyRules) -> tuple[Declared, ...]:
    """The moves that answer the questions after an update."""
    moved = migration_move(rules, lists_of(game), partial(_settled, game))
    return moved, points_move(game, rules)


def game_updated(game: Written, table: Table, was: str, names: Mapping[str, str]) -> Result:
    """Start new tracks and lists, and ask the GM about the rest; nothing is dropped before."""
    result = _followed(game, table, off_by(game, table, _has_lost_nothing(game, table)), "", names)
    if table.fight is None or game.fighting is not None:
        return result
    card = Card("", lines=(Line("The fight is over: this version has no fights."),))
    return joined(result, Result(card, (Change(("fight",), None),)))


def options_changed(game: Written, table: Table, was: Values) -> Result:
    """Ask the GM about tracks with more marks than boxes, and about budgets that do not fit."""
    about = off_by(game, table, _has_lost_nothing(game, table), was)
    return _followed(game, table, about, "Options", {})


def _followed(
    game: Written, table: Table, about: About, title: str, names: Mapping[str, str]
) -> Result:
    result = migrate(table, lists_of(game), names, title)
    asks, closes = ask_of_points(game, table, about)
    lines: tuple[Line, ...] = result.card.lines if result.card is not None else ()
    card = Card(title, lines=lines) if lines or not title else None
    return Result(card, result.changes, (*result.asks, *asks), (*result.closes, *closes))


def _has_lost_nothing(game: Written, table: Table) -> Callable[[Entity], bool]:
    """Whether an entity has no numbers still to be moved."""
    return lambda entity: not lost(table, lists_of(game), entity)


def _settled(
    game: Written, table: Table, settled: tuple[OpenQuestion, ...]
) -> tuple[tuple[Ask, ...], tuple[str, ...]]:
    """Ask the GM about budgets that do not fit, once lost numbers are settled."""
    people = {person.id for one in settled if one.what == LOST for person in one.people}
    fits = _has_lost_nothing(game, table)
    about = off_by(game, table, lambda entity: entity.id in people and fits(entity))
    return ask_of_points(game, table, about)


def lists_of(game: Written) -> tuple[Numbers, ...]:
    """The lists of the file for which a sheet has numbers, texts or entries."""
    listings, scales = [one.rule for one in game.listings], [one.rule for one in game.scales]
    rules = [*(one.rule for one in game.groups), *listings, *scales, ""]

    def known(
        places: Callable[[Body], Iterable[Place]], table: Table, entity: Entity
    ) -> tuple[Place, ...] | None:
        """The places of an entity; None if this table hides the numbers."""
        if entity.sheet.get("closed"):
            return None
        return tuple(places(Body(game, table, entity)))

    def tracks(table: Table, entity: Entity) -> tuple[Place, ...] | None:
        """The tracks of an entity in play; None before."""
        return known(_tracks, table, entity) if entity.stage == "play" else None

    begun: Row = {"asks_start": False}
    return (
        Numbers("traits", partial(known, _traits), rules[0]),
        Numbers("lists", partial(known, _lists), (listings or rules)[0], told=_entries, **begun),
        Numbers("texts", partial(known, _texts), rules[0], **begun),
        Numbers("tracks", tracks, (scales or rules)[0], part="state", **begun),
    )


def _traits(one: Body) -> Iterable[Place]:
    for group in one.groups:
        for trait in group.traits:
            yield Place(trait.key, trait.title, group.low, group.top, group.low)


def _lists(one: Body) -> Iterable[Place]:
    return (Place(o.key, o.title, start=[]) for o in one.every_list)


def _texts(one: Body) -> Iterable[Place]:
    return (Place(o.key, o.title, start="") for o in one.texts)


def _tracks(one: Body) -> Iterable[Place]:
    boxes = ((o, one.boxes(o)) for o in one.scales)
    return (Place(o.key, o.title, 0, most, o.begins(one.levels)) for o, most in boxes)


def _entries(rows: Json) -> str:
    """The entries of a list, in one line."""
    if not isinstance(rows, list):
        return str(rows)
    return ", ".join(str(row.get("text")) if isinstance(row, dict) else str(row) for row in rows)
