"""Budgets that no longer fit after the game or its options changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from kitchentable.rules.facts import part_of, whole
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.forms import Form, Varying
from kitchentable.rules.kit.moves import AnyRules, Declared
from kitchentable.rules.people import listed
from kitchentable.rules.sheet_migration import Cards
from kitchentable.rules.table import Ask
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import Body, SheetBudget, game_of, limits_of
from kitchentable.rules.values import EVERYONE, GM, Choice, Field, Values

POINTS, TITLE = "points_fit", "Points do not fit"
_LEAVE, _BACK, _AS_ALL = "leave", "back", "all"
#: The ids of the entities that a budget does not fit, by the budget's key.
About = dict[str, list[str]]


def _budgets_off(one: Body) -> Iterator[SheetBudget]:
    """The budgets that do not fit a player's character in play, unless the GM agreed to them."""
    if one.stage != "play" or not one.is_players or not one.is_known:
        return
    agreed = part_of(part_of(one.entity.sheet, "agreed"), "points")
    yield from (each for each in one.budgets() if each.off != whole(agreed.get(each.key)))


def off_by(at: AnyAt, concerns: Callable[[Body], bool], was: Values | None = None) -> About:
    """The budgets that do not fit the players' characters that this `concerns`.

    With the former options, only the budgets that changed with them.
    """
    game = game_of(at)
    before = limits_of(game, was) if was is not None else {}
    now = limits_of(game, at.table.options)
    found: About = {}
    for each in (each for one in at.in_play() if concerns(one) for each in _budgets_off(one)):
        if before.get(each.key) != now.get(each.key):
            found.setdefault(each.key, []).append(each.who.id)
    return found


def ask_of_points(at: AnyAt, about: About) -> Cards:
    """The GM's card about budgets that do not fit, together with those of a waiting card."""
    waiting = at.table.asks.get(POINTS)
    for one in _open_budgets(at, waiting):
        ids = about.setdefault(one.key, [])
        ids += [one.who.id] if one.who.id not in ids else []
    if not about:
        return (), ((POINTS,) if waiting is not None else ())
    people = dict.fromkeys(ident for ids in about.values() for ident in ids)
    hidden = [ident for ident in people if at.table.entities[ident].hidden]
    text = "What there is to spend has changed. Say whether sheets stay as they are."
    secret = tuple(f"{key}.{ident}" for key in about for ident in hidden)
    rules = _rules(game_of(at))
    return (Ask(POINTS, (GM,), POINTS, TITLE, text, {"about": about}, secret, rules),), ()


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
        words = f"{listed(one.stands for one in (first, *others))}."
        asks = f"What becomes of {'' if first.at_most else 'the points for '}{first.title}?"
        make = partial(Field, kind="choice", rule=first.rule)
        yield make(key, asks, choices=picks, default=_LEAVE, help=words)
        for one in (first, *others) if others else ():
            name, label = f"{key}.{one.who.id}", f"{one.title} of {one.who.name}"
            yield make(name, label, choices=(as_all, *picks), default=_AS_ALL)


class PointsForm(Form):
    """The GM's decision about each budget, for all its sheets and for each."""

    each = Varying(_fields)


def _settle(at: AnyAt) -> None:
    for one in _open_budgets(at, at.asked):
        who, own = one.who, at.answers.get(f"{one.key}.{one.who.id}", _AS_ALL)
        sent = (at.answers[one.key] if own == _AS_ALL else own) == _BACK
        if sent:
            who.write("stage", now="draft")
        else:
            who.write("sheet", "agreed", "points", one.key, now=one.off)
        then = "the sheet goes back to its player" if sent else "that stays so"
        stands = f"{who.name}: {one.spent} of {one.of} for {one.title}"
        at.say(f"{stands}; {then}.", GM if who.hidden else EVERYONE)
    at.tell(TITLE, rules=_rules(game_of(at)), of=())


def points_move(game: Written, rules: AnyRules) -> Declared:
    """The move that answers the card about budgets."""
    return rules.answer(POINTS, form=PointsForm, rules=_rules(game))(_settle)
