"""Updates of a campaign to a new version of its file, or to other options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from kitchentable.rules.facts import joined
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.moves import Card, Change, Line, Result
from kitchentable.rules.sheet_migration import (
    LOST,
    Cards,
    Numbers,
    OpenQuestion,
    Place,
    lost,
    migrate,
    migration_move,
)
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.toml.budgets import About, ask_of_points, off_by, points_move
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import Body, game_of
from kitchentable.rules.values import Json, Row, Values


def update_moves(game: Written, rules: AnyRules) -> tuple[Declared, ...]:
    """The moves that answer the questions after an update."""
    moved = migration_move(rules, lists_of(game), partial(_ask_of_budgets, rules))
    return moved, points_move(game, rules)


def game_updated(rules: AnyRules, table: Table, was: str, names: Mapping[str, str]) -> Result:
    """Start new tracks and lists, and ask the GM about the rest; nothing is dropped before."""
    at = rules.at(table)
    result = joined(Result(Card("")), _with_budgets(at, off_by(at, _has_lost_nothing), "", names))
    if table.fight is None or game_of(at).fighting is not None:
        return result
    card = Card("", lines=(Line("The fight is over: this version has no fights."),))
    return joined(result, Result(card, (Change(("fight",), None),)))


def options_changed(rules: AnyRules, table: Table, was: Values) -> Result:
    """Ask the GM about tracks with more marks than boxes, and about budgets that do not fit."""
    at = rules.at(table)
    return _with_budgets(at, off_by(at, _has_lost_nothing, was), "Options", {})


def _with_budgets(at: AnyAt, about: About, title: str, names: Mapping[str, str]) -> Result:
    result = migrate(at.table, lists_of(game_of(at)), names, title)
    return joined(result, Result(None, (), *ask_of_points(at, about)))


def _has_lost_nothing(one: Body) -> bool:
    """Whether an entity has no numbers still to be moved."""
    return not lost(one.table, lists_of(one.game), one.entity)


def _ask_of_budgets(rules: AnyRules, table: Table, settled: tuple[OpenQuestion, ...]) -> Cards:
    """Ask the GM about budgets that do not fit, once lost numbers are settled."""
    at = rules.at(table)
    people = {person.id for one in settled if one.what == LOST for person in one.people}
    return ask_of_points(at, off_by(at, lambda one: one.id in people and _has_lost_nothing(one)))


def lists_of(game: Written) -> tuple[Numbers, ...]:
    """The lists of the file for which a sheet has numbers, texts or entries."""
    listings, scales = [one.rule for one in game.listings], [one.rule for one in game.scales]
    rules = [*(one.rule for one in game.groups), *listings, *scales, ""]

    def known(
        places: Callable[[Body], Iterable[Place]], table: Table, entity: Entity
    ) -> tuple[Place, ...] | None:
        """The places of an entity; None if this table hides the numbers, or has none yet."""
        one = Body(game, table, entity)
        begun = places is not _tracks or one.stage == "play"
        return tuple(places(one)) if one.is_known and begun else None

    begun: Row = {"asks_start": False}
    return (
        Numbers("traits", partial(known, _traits), rules[0]),
        Numbers("lists", partial(known, _lists), (listings or rules)[0], told=_entries, **begun),
        Numbers("texts", partial(known, _texts), rules[0], **begun),
        Numbers("tracks", partial(known, _tracks), (scales or rules)[0], part="state", **begun),
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
