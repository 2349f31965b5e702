"""Budgets that no longer fit after the game or its options changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from kitchentable.rules.facts import whole
from kitchentable.rules.moves import Card, Change, Line, Move, Result
from kitchentable.rules.people import listed
from kitchentable.rules.table import Actor, Ask, Entity, Table
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.people import Body, option_numbers, points_of
from kitchentable.rules.values import EVERYONE, GM, Answers, Choice, Field, Json

POINTS = "points_fit"
_LEAVE, _BACK, _AS_ALL = "leave", "back", "all"


@dataclass(frozen=True, slots=True)
class Purse:
    """A budget of a sheet: points for a group or entries of a list, spent and available."""

    key: str
    title: str
    rule: str
    spent: int
    of: int
    at_most: bool = False

    @property
    def off(self) -> int:
        """The points spent beyond the budget; negative for points left."""
        return max(0, self.spent - self.of) if self.at_most else self.spent - self.of


def purses(game: Written, options: Mapping[str, Json], entity: Entity | None) -> Iterator[Purse]:
    """The budgets of an entity, not counting growth; without an entity nothing is spent."""
    table = Table(options=options)
    one = Body(game, table, entity) if entity is not None else None
    for group in one.groups if one is not None else game.groups:
        points = points_of(game, table, group)
        if points is not None:
            grown: Any = entity.state.get("grown") if entity is not None else None
            spent = one.spent_on(group) if one is not None else 0
            spent -= whole((grown or {}).get(group.key))
            rule = group.rule
            yield Purse(f"group-{group.key}", group.title, rule, spent, points)
    numbers = option_numbers(game, options)
    for each in one.listings if one is not None else game.listings:
        many = len(one.entries(each)) if one is not None else 0
        rule, most = each.rule, each.most.value(numbers)
        yield Purse(f"list-{each.key}", each.title, rule, many, most, at_most=True)


def off_by(
    game: Written, table: Table, was: Mapping[str, Json] | None = None
) -> dict[str, tuple[Entity, ...]]:
    """The budgets that do not fit players' characters in play, with these characters.

    With the former options, only the budgets that changed with them.
    """
    same = set()
    if was is not None:
        before = {one.key: one.of for one in purses(game, was, None)}
        now = {one.key: one.of for one in purses(game, table.options, None)}
        same = {key for key, of in now.items() if before.get(key) == of}
    found: dict[str, list[Entity]] = {}
    for entity in table.in_play():
        for one in _unfit(game, table, entity):
            if one.key not in same:
                found.setdefault(one.key, []).append(entity)
    return {key: tuple(people) for key, people in found.items()}


def _unfit(game: Written, table: Table, entity: Entity) -> Iterator[Purse]:
    if not entity.is_players or entity.sheet.get("closed"):
        return
    agreed = _agreed(entity)
    for one in purses(game, table.options, entity):
        if one.off != whole(agreed.get(one.key)):
            yield one


def _agreed(entity: Entity) -> Mapping[str, Json]:
    kept: Any = entity.sheet.get("agreed") or {}
    return kept.get("points") or {}


def ask_of_points(
    game: Written, table: Table, off: Mapping[str, tuple[Entity, ...]]
) -> tuple[tuple[Ask, ...], tuple[str, ...]]:
    """The GM's card about budgets that do not fit, together with those of a waiting card."""
    waiting = table.asks.get(POINTS)
    about = {key: [one.id for one in people] for key, people in off.items()}
    for key, entity, _ in _open(game, table, waiting):
        about.setdefault(key, [])
        about[key] += [entity.id] if entity.id not in about[key] else []
    if not about:
        return (), ((POINTS,) if waiting is not None else ())
    people = {one for ids in about.values() for one in ids}
    hidden = [one for one in people if table.entities[one].hidden]
    ask = Ask(
        POINTS,
        (GM,),
        POINTS,
        "Points do not fit",
        "What there is to spend has changed. Say whether sheets stay as they are.",
        preset={"about": about},
        secret=tuple(f"{key}.{one}" for key in about for one in hidden),
        rules=_rules(game),
    )
    return (ask,), ()


def _rules(game: Written) -> tuple[str, ...]:
    groups = [one.rule for one in game.groups if one.points]
    listings = [one.rule for one in game.listings]
    return tuple(dict.fromkeys((*groups, *listings)))


def _open(game: Written, table: Table, ask: Ask | None) -> tuple[tuple[str, Entity, Purse], ...]:
    """The open questions of a card: the budget's key, the entity, and its budget."""
    about: Any = ask.preset.get("about") if ask is not None else {}
    found = []
    for key, ids in about.items():
        for ident in ids:
            entity = table.entities.get(ident)
            if entity is not None and entity.stage == "play":
                unfit = (one for one in _unfit(game, table, entity) if one.key == key)
                found += [(key, entity, one) for one in unfit]
    return tuple(found)


def _fields(game: Written, table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    every: dict[str, list[tuple[Entity, Purse]]] = {}
    for key, entity, purse in _open(game, table, table.asks.get(actor.ask)):
        every.setdefault(key, []).append((entity, purse))
    back = Choice(_BACK, "back to the player, out of play until it is accepted again")
    leave = Choice(_LEAVE, "left as it is")
    found = []
    for key, people in every.items():
        title, rule = people[0][1].title, people[0][1].rule
        words = f"{listed(_stands(one, purse) for one, purse in people)}."
        picks = (leave, back)
        asks = f"What becomes of {'' if people[0][1].at_most else 'the points for '}{title}?"
        found.append(Field(key, asks, "choice", picks, default=_LEAVE, help=words, rule=rule))
        if len(people) > 1:
            usual = Choice(_AS_ALL, "as all")
            found += [
                Field(
                    f"{key}.{one.id}",
                    f"{title} of {one.name}",
                    "choice",
                    (usual, *picks),
                    default=_AS_ALL,
                    rule=rule,
                )
                for one, _ in people
            ]
    return tuple(found)


def _stands(entity: Entity, purse: Purse) -> str:
    """An entity's budget, in words."""
    if purse.at_most:
        return f"{entity.name} has {purse.spent}, and {purse.of} is the most"
    if purse.off < 0:
        return f"{entity.name} has {-purse.off} of {purse.of} left to spend"
    return f"{entity.name} has spent {purse.spent} of {purse.of}"


def _settle(game: Written, table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    changes, lines = [], []
    sent = set()
    for key, entity, purse in _open(game, table, table.asks.get(actor.ask)):
        own = answers.get(f"{key}.{entity.id}", _AS_ALL)
        answer = answers[key] if own == _AS_ALL else own
        eyes = GM if entity.hidden else EVERYONE
        stands = f"{entity.name}: {purse.spent} of {purse.of} for {purse.title}"
        if answer == _BACK:
            lines.append(Line(f"{stands}; the sheet goes back to its player.", eyes))
            if entity.id not in sent:
                changes.append(Change(("entities", entity.id, "stage"), "draft"))
            sent.add(entity.id)
        else:
            lines.append(Line(f"{stands}; that stays so.", eyes))
            where = ("entities", entity.id, "sheet", "agreed", "points", key)
            changes.append(Change(where, purse.off))
    card = Card("Points do not fit", lines=tuple(lines), rules=_rules(game))
    return Result(card, tuple(changes), closes=(actor.ask,))


def points_move(game: Written) -> Move:
    """The move that answers the card about budgets."""
    return Move(
        POINTS,
        "Points do not fit",
        "Say whether sheets stay as they are or go back to their players.",
        _rules(game),
        partial(_settle, game),
        by=(),
        fields=partial(_fields, game),
        for_entity=False,
    )
