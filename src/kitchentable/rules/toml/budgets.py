"""Budgets that no longer fit after the game or its options changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from kitchentable.rules.facts import whole
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.forms import Form, Values, Varying
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.people import listed
from kitchentable.rules.table import Ask, Entity, Table
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import Body, Purse, limits_of
from kitchentable.rules.values import EVERYONE, GM, Choice, Field

POINTS, TITLE = "points_fit", "Points do not fit"
_LEAVE, _BACK, _AS_ALL = "leave", "back", "all"
#: The ids of the entities that a budget does not fit, by the budget's key.
About = dict[str, list[str]]


def _unfit(game: Written, table: Table, entity: Entity | None) -> Iterator[Purse]:
    """The budgets that do not fit a player's character in play, unless the GM agreed to them."""
    if entity is None or entity.stage != "play" or not entity.is_players:
        return
    agreed: Any = entity.sheet.get("agreed") or {}
    for one in Body(game, table, entity).purses() if not entity.sheet.get("closed") else ():
        if one.off != whole((agreed.get("points") or {}).get(one.key)):
            yield one


def off_by(
    game: Written,
    table: Table,
    concerns: Callable[[Entity], bool],
    was: Values | None = None,
) -> About:
    """The budgets that do not fit the players' characters that this `concerns`.

    With the former options, only the budgets that changed with them.
    """
    before = limits_of(game, was) if was is not None else {}
    now = limits_of(game, table.options)
    same = {key for key, of in now.items() if before.get(key) == of}
    found: About = {}
    for entity in table.in_play():
        for one in _unfit(game, table, entity) if concerns(entity) else ():
            if one.key not in same:
                found.setdefault(one.key, []).append(entity.id)
    return found


def ask_of_points(
    game: Written, table: Table, about: About
) -> tuple[tuple[Ask, ...], tuple[str, ...]]:
    """The GM's card about budgets that do not fit, together with those of a waiting card."""
    waiting = table.asks.get(POINTS)
    for entity, one in _open(game, table, waiting):
        ids = about.setdefault(one.key, [])
        ids += [entity.id] if entity.id not in ids else []
    if not about:
        return (), ((POINTS,) if waiting is not None else ())
    people = {ident for ids in about.values() for ident in ids}
    hidden = [ident for ident in people if table.entities[ident].hidden]
    text = "What there is to spend has changed. Say whether sheets stay as they are."
    secret = tuple(f"{key}.{ident}" for key in about for ident in hidden)
    preset = {"about": about}
    return (Ask(POINTS, (GM,), POINTS, TITLE, text, preset, secret, _rules(game)),), ()


def _rules(game: Written) -> tuple[str, ...]:
    groups = [one.rule for one in game.groups if one.points]
    return tuple(dict.fromkeys((*groups, *(one.rule for one in game.listings))))


def _open(game: Written, table: Table, ask: Ask | None) -> Iterator[tuple[Entity, Purse]]:
    """The open questions of a card: entities, with a budget that does not fit."""
    about: Any = ask.preset.get("about") if ask is not None else {}
    for key, ids in about.items():
        for entity in filter(None, map(table.entities.get, ids)):
            unfit = _unfit(game, table, entity)
            yield from ((entity, one) for one in unfit if one.key == key)


def _fields(game: Written, at: AnyAt) -> Iterator[Field]:
    every: dict[str, list[tuple[Entity, Purse]]] = {}
    for entity, one in _open(game, at.table, at.asked):
        every.setdefault(one.key, []).append((entity, one))
    back = Choice(_BACK, "back to the player, out of play until it is accepted again")
    picks, as_all = (Choice(_LEAVE, "left as it is"), back), Choice(_AS_ALL, "as all")
    for key, people in every.items():
        first = people[0][1]
        words = f"{listed(one.stands(entity.name) for entity, one in people)}."
        asks = f"What becomes of {'' if first.at_most else 'the points for '}{first.title}?"
        make = partial(Field, kind="choice", rule=first.rule)
        yield make(key, asks, choices=picks, default=_LEAVE, help=words)
        for entity, one in people if len(people) > 1 else ():
            name, label = f"{key}.{entity.id}", f"{one.title} of {entity.name}"
            yield make(name, label, choices=(as_all, *picks), default=_AS_ALL)


def _settle(game: Written, at: AnyAt) -> None:
    for entity, one in _open(game, at.table, at.asked):
        own = at.answers.get(f"{one.key}.{entity.id}", _AS_ALL)
        sent = (at.answers[one.key] if own == _AS_ALL else own) == _BACK
        if sent:
            at.write(("entities", entity.id, "stage"), "draft")
        else:
            at.write(("entities", entity.id, "sheet", "agreed", "points", one.key), one.off)
        then = "the sheet goes back to its player" if sent else "that stays so"
        stands = f"{entity.name}: {one.spent} of {one.of} for {one.title}"
        at.say(f"{stands}; {then}.", GM if entity.hidden else EVERYONE)
    at.tell(TITLE, rules=_rules(game), of=())


def points_move(game: Written, rules: AnyRules) -> Declared:
    """The move that answers the card about budgets."""
    form: type[Form] = type("PointsForm", (Form,), {"each": Varying(partial(_fields, game))})
    words = "Say whether sheets stay as they are or go back to their players."
    made = rules.answer(POINTS, TITLE, words, form, rules=_rules(game))
    return made(partial(_settle, game))
