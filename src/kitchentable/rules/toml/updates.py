"""Updates of a campaign after a new version of its file, or after changed options."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from kitchentable.rules.facts import joined, part_of, whole
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.forms import Form, Varying
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.moves import Card, Change, Line, Result
from kitchentable.rules.people import listed
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
from kitchentable.rules.table import Ask, Entity, Table
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import Body, SheetBudget, game_of, limits_of
from kitchentable.rules.toml.rollform import Ruled
from kitchentable.rules.values import EVERYONE, GM, Choice, Field, Json, Values

POINTS, TITLE = "points_fit", "Points do not fit"
_LEAVE, _BACK, _AS_ALL = "leave", "back", "all"


def update_moves(game: Written, rules: AnyRules) -> tuple[Declared, ...]:
    """The moves that answer the questions after an update."""
    moved = migration_move(rules, lists_of(game), partial(_ask_of_budgets, rules))
    return moved, rules.answer(POINTS, form=PointsForm, rules=_rules(game))(_settle)


def game_updated(rules: AnyRules, table: Table, was: str, names: Mapping[str, str]) -> Result:
    """Start new tracks and lists, and ask the GM about the rest; nothing is dropped unasked."""
    at = rules.at(table)
    result = joined(Result(Card("")), _with_budgets(at, off_by(at), "", names))
    if table.fight is None or game_of(at).fighting is not None:
        return result
    card = Card("", lines=(Line("The fight is over: this version has no fights."),))
    return joined(result, Result(card, (Change(("fight",), None),)))


def options_changed(rules: AnyRules, table: Table, was: Values) -> Result:
    """Ask the GM about tracks with more marks than boxes, and about budgets that do not fit."""
    at = rules.at(table)
    return _with_budgets(at, off_by(at, was), "Options", {})


def _with_budgets(
    at: AnyAt, off: Iterable[SheetBudget], title: str, names: Mapping[str, str]
) -> Result:
    result = migrate(at.table, lists_of(game_of(at)), names, title)
    return joined(result, Result(None, (), *ask_of_points(at, off)))


def _ask_of_budgets(rules: AnyRules, table: Table, settled: tuple[OpenQuestion, ...]) -> Cards:
    """Ask the GM about budgets that do not fit, once lost numbers are settled."""
    at = rules.at(table)
    people = {person.id for one in settled if one.what == LOST for person in one.people}
    return ask_of_points(at, off_by(at, among=people))


def lists_of(game: Written) -> tuple[Numbers, ...]:
    """The lists of the file for which sheets have numbers, texts or entries."""

    def numbers(
        key: str, places: Callable[[Body], Iterable[Place]], parts: Iterable[Ruled], **more: Any
    ) -> Numbers:
        def known(table: Table, entity: Entity) -> tuple[Place, ...] | None:
            """The places of an entity; None if its numbers are hidden or do not exist yet."""
            one = Body(game, table, entity)
            begun = places is not _tracks or one.stage == "play"
            return tuple(places(one)) if one.is_known and begun else None

        ruled = (*parts, *game.groups, *game.listings, *game.scales)
        rule = next((one.rule for one in ruled), "")
        return Numbers(key, known, rule, asks_start=places is _traits, **more)

    return (
        numbers("traits", _traits, game.groups),
        numbers("lists", _lists, game.listings, told=_entries),
        numbers("texts", _texts, game.groups),
        numbers("tracks", _tracks, game.scales, part="state"),
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
    """The entries of a list, as one line of text."""
    if not isinstance(rows, list):
        return str(rows)
    return ", ".join(str(row.get("text")) if isinstance(row, dict) else str(row) for row in rows)


# ---------------------------------------------------------------- budgets


def _budgets_off(one: Body) -> Iterator[SheetBudget]:
    """The budgets that do not fit a player's character in play, unless the GM agreed to them."""
    if one.stage != "play" or not one.is_players or not one.is_known:
        return
    agreed = part_of(part_of(one.entity.sheet, "agreed"), "points")
    yield from (each for each in one.budgets() if each.off != whole(agreed.get(each.key)))


def off_by(
    at: AnyAt, was: Values | None = None, among: Collection[str] | None = None
) -> Iterator[SheetBudget]:
    """The budgets that do not fit the players' characters, by default all characters.

    Characters with lost numbers are skipped. With the former options `was`, only changed budgets
    are included.
    """
    game = game_of(at)
    lists = lists_of(game)
    before = limits_of(game, was) if was is not None else {}
    now = limits_of(game, at.table.options)
    for one in at.in_play():
        if (among is None or one.id in among) and not lost(at.table, lists, one.entity):
            budgets = _budgets_off(one)
            yield from (each for each in budgets if before.get(each.key) != now.get(each.key))


def ask_of_points(at: AnyAt, off: Iterable[SheetBudget]) -> Cards:
    """The GM's card about budgets that do not fit, together with those of a waiting card."""
    waiting = at.table.asks.get(POINTS)
    about: dict[str, dict[str, Body]] = {}
    for one in (*off, *_open_budgets(at, waiting)):
        about.setdefault(one.key, {})[one.who.id] = one.who
    if not about:
        return (), ((POINTS,) if waiting is not None else ())
    people = dict.fromkeys(who for each in about.values() for who in each.values())
    secret = tuple(f"{key}.{who.id}" for key in about for who in people if who.hidden)
    text = "What there is to spend has changed. Say whether sheets stay as they are."
    preset = {"about": {key: list(each) for key, each in about.items()}}
    rules = _rules(game_of(at))
    return (Ask(POINTS, (GM,), POINTS, TITLE, text, preset, secret, rules),), ()


def _rules(game: Written) -> tuple[str, ...]:
    groups = [one.rule for one in game.groups if one.points]
    return tuple(dict.fromkeys((*groups, *(one.rule for one in game.listings))))


def _open_budgets(at: AnyAt, ask: Ask | None) -> Iterator[SheetBudget]:
    """The open questions of a card: budgets that do not fit."""
    about: Any = ask.preset.get("about") if ask is not None else {}
    for key, ids in about.items():
        for one in at.people(ids):
            yield from (each for each in _budgets_off(one) if each.key == key)


def _fields(at: AnyAt) -> Iterator[Field]:
    every: dict[str, list[SheetBudget]] = {}
    for one in _open_budgets(at, at.asked):
        every.setdefault(one.key, []).append(one)
    back = Choice(_BACK, "back to the player, out of play until it is accepted again")
    picks, as_all = (Choice(_LEAVE, "left as it is"), back), Choice(_AS_ALL, "as all")
    for key, (first, *others) in every.items():
        words = f"{listed(one.in_words for one in (first, *others))}."
        asks = f"What becomes of {'' if first.at_most else 'the points for '}{first.title}?"
        make = partial(Field, kind="choice", rule=first.rule)
        yield make(key, asks, choices=picks, default=_LEAVE, help=words)
        for one in (first, *others) if others else ():
            name, label = f"{key}.{one.who.id}", f"{one.title} of {one.who.name}"
            yield make(name, label, choices=(as_all, *picks), default=_AS_ALL)


class PointsForm(Form):
    """The GM's decision about each budget, for all sheets together or for each sheet."""

    each = Varying(_fields)


def _settle(at: AnyAt) -> None:
    settled: list[tuple[SheetBudget, bool]] = []
    for one in _open_budgets(at, at.asked):
        own = at.answers.get(f"{one.key}.{one.who.id}", _AS_ALL)
        settled.append((one, (at.answers[one.key] if own == _AS_ALL else own) == _BACK))
    drafts = {one.who.id: replace(one.who.entity, stage="draft") for one, sent in settled if sent}
    if drafts:
        # The cards are made anew, because none asks where a new line of a draft begins.
        after = replace(at.table, entities={**at.table.entities, **drafts})
        at.record(migrate(after, lists_of(game_of(at)), {}, ""))
    for one, sent in settled:
        who = one.who
        if sent:
            who.write("stage", now="draft")
        else:
            who.write("sheet", "agreed", "points", one.key, now=one.off)
        then = "the sheet goes back to its player" if sent else "that stays so"
        stands = f"{who.name}: {one.spent} of {one.of} for {one.title}"
        at.say(f"{stands}; {then}.", GM if who.hidden else EVERYONE)
    at.tell(TITLE, rules=_rules(game_of(at)), of=())
