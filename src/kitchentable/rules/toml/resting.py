"""Between rolls: rest, growth, and tracks changed by the GM's word."""

from __future__ import annotations

from functools import partial
from typing import Any

from kitchentable.rules.facts import whole
from kitchentable.rules.moves import Card, Change, Line, Move, Result
from kitchentable.rules.people import card_audience, choose, is_closed
from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.toml.book import rule_of
from kitchentable.rules.toml.form import Growth, Rest, Scale, Written
from kitchentable.rules.toml.numbers import boxes, here, level, marks, numbers_known, numbers_of
from kitchentable.rules.values import EVERYONE, GM, Answers, Choice, Field, Problem


def rest_moves(game: Written) -> tuple[Move, ...]:
    """One move for each [[rest]], and the GM's hand on the tracks."""
    found = tuple(_rest_move(game, rest) for rest in game.rests)
    return (*found, _mark_move(game)) if game.scales else found


def _rest_move(game: Written, rest: Rest) -> Move:
    return Move(
        rest.key,
        rest.title,
        rest.help or rest.title,
        (rule_of(game, "rest", rest.key, rest.rule),),
        partial(_rest, game, rest),
        by=("gm",) if rest.by_gm else ("player", "gm"),
        place="rest",
        when=_when_rest,
        for_entity=not rest.by_gm,
    )


def _when_rest(table: Table, actor: Actor) -> str | None:
    return "A fight is on." if table.fight is not None else None


def _rest(
    game: Written, rest: Rest, table: Table, actor: Actor, answers: Answers, _: Any
) -> Result:
    """By the GM for everybody, by a player for their own."""
    who = here(table) if rest.by_gm else (table.entities[actor.entity],)
    changes: list[Change] = []
    lines: list[Line] = []
    for entity in who:
        for scale in game.scales:
            after = _after(game, rest, table, entity, scale)
            if after is not None:
                changes.append(Change(("entities", entity.id, "state", "tracks", scale.key), after))
                lines.append(_line(game, table, entity, scale, after))
    if rest.days:
        changes.append(Change(("day",), table.day + rest.days))
    words = f"Day {table.day + rest.days}." if rest.days else ""
    own = not rest.by_gm
    card = Card(
        rest.title,
        words if lines or words else "Nothing changes by it.",
        lines=tuple(lines),
        rules=(rule_of(game, "rest", rest.key, rest.rule),),
        entity=who[0].id if own else "",
        audience=card_audience(*who) if own else EVERYONE,
    )
    return Result(card, tuple(changes))


def _after(game: Written, rest: Rest, table: Table, entity: Entity, scale: Scale) -> int | None:
    """The boxes of a track after a rest; None where nothing changes."""
    now, most = marks(game, table, entity, scale), boxes(game, table, entity, scale)
    after = now
    if scale.key in rest.marks:
        after = now + rest.marks[scale.key].value(numbers_of(game, table, entity))
    if scale.key in rest.clears:
        after = most if scale.starts_full else 0
    after = min(max(0, after), most)
    return None if after == now else after


def _line(game: Written, table: Table, entity: Entity, scale: Scale, after: int) -> Line:
    most = boxes(game, table, entity, scale)
    left = " left" if scale.starts_full else ""
    secret = entity.hidden or is_closed(entity)
    text = f"{entity.name}, {scale.title}: {after} of {most}{left}."
    return Line(text, GM if secret else EVERYONE)


# ---------------------------------------------------------------- the GM's hand


def _mark_move(game: Written) -> Move:
    return Move(
        "mark",
        "Mark a track",
        "What no roll brought: a fall, a gift, your ruling.",
        (),
        partial(_mark, game),
        by=("gm",),
        place="gm",
        when=lambda table, actor: None if here(table) else "Nobody is there.",
        fields=partial(_mark_fields, game),
        for_entity=False,
    )


def _mark_fields(game: Written, table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field("who", "Who?", "entity", choose(here(table))),
        Field(
            "track",
            "Which track?",
            "choice",
            tuple(Choice(one.key, one.title) for one in game.scales),
            default=game.scales[0].key,
        ),
        Field(
            "more",
            "How many boxes more",
            "number",
            default=1,
            low=-99,
            high=99,
            help="Below 0 takes marks away.",
        ),
        Field("why", "Why?", longest=200),
    )


def _mark(game: Written, table: Table, actor: Actor, answers: Answers, _: Any) -> Result:
    entity, scale = table.entities[str(answers["who"])], game.scale(str(answers["track"]))
    most = boxes(game, table, entity, scale)
    after = min(max(0, marks(game, table, entity, scale) + whole(answers["more"])), most)
    card = Card(
        f"{entity.name}: {answers['why']}",
        "By the GM's ruling.",
        lines=(_line(game, table, entity, scale, after),),
        rules=(rule_of(game, "track", scale.key, scale.rule),),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, (Change(("entities", entity.id, "state", "tracks", scale.key), after),))


# ---------------------------------------------------------------- growth


def session_ended(game: Written, growth: Growth, table: Table) -> Result:
    """Points for everybody whose player sits at the table."""
    rule = rule_of(game, "growth", "points", growth.rule)
    changes, lines = [], []
    for entity in here(table):
        if not entity.is_players:
            continue
        more = growth.points.value(numbers_of(game, table, entity))
        if more > 0:
            now = whole(entity.state.get("points")) + more
            changes.append(Change(("entities", entity.id, "state", "points"), now))
            lines.append(Line(f"{entity.name}: {more} to grow by.", card_audience(entity)))
    card = Card("Growth", lines=tuple(lines), rules=(rule,)) if lines else None
    return Result(card, tuple(changes))


def growth_move(game: Written, growth: Growth) -> Move:
    """Points become a level."""
    rule = rule_of(game, "growth", "points", growth.rule)
    return Move(
        "grow",
        "Grow",
        "Turn points into one more level of a trait.",
        (rule,),
        partial(_grow, game, growth, rule),
        place="rest",
        when=_when_grow,
        fields=partial(_grow_fields, game, growth, rule),
        check=partial(_grow_check, game, growth, rule),
    )


def _when_grow(table: Table, actor: Actor) -> str | None:
    entity = table.entities.get(actor.entity)
    if entity is None or whole(entity.state.get("points")) <= 0:
        return "There are no points to grow by."
    return None


def _grow_fields(
    game: Written, growth: Growth, rule: str, table: Table, actor: Actor, answers: Answers
) -> tuple[Field, ...]:
    entity = table.entities.get(actor.entity)
    if entity is None or not numbers_known(entity):
        return ()
    picks = tuple(
        Choice(
            one.key,
            f"{one.title} {level(entity, one.key)}, costs "
            f"{_cost(game, growth, table, entity, one.key)}",
        )
        for group in game.groups
        for one in group.traits
    )
    return (Field("trait", "Which trait?", "choice", picks, rule=rule),)


def _cost(game: Written, growth: Growth, table: Table, entity: Entity, key: str) -> int:
    numbers = numbers_of(game, table, entity) | {"trait": level(entity, key)}
    return max(1, growth.cost.value(numbers))


def _grow_check(
    game: Written, growth: Growth, rule: str, table: Table, actor: Actor, answers: Answers
) -> tuple[Problem, ...]:
    entity, key = table.entities.get(actor.entity), str(answers.get("trait") or "")
    if entity is None or not key:
        return ()
    has, cost = whole(entity.state.get("points")), _cost(game, growth, table, entity, key)
    found = []
    if cost > has:
        found.append(Problem("trait", rule, f"That costs {cost}; {entity.name} has {has}."))
    group = next(one for one in game.groups if any(t.key == key for t in one.traits))
    if level(entity, key) >= group.top:
        found.append(Problem("trait", rule, f"{group.top} is the most."))
    return tuple(found)


def _grow(
    game: Written, growth: Growth, rule: str, table: Table, actor: Actor, answers: Answers, _: Any
) -> Result:
    entity, key = table.entities[actor.entity], str(answers["trait"])
    cost, now = _cost(game, growth, table, entity, key), level(entity, key) + 1
    trait = game.trait(key)
    card = Card(
        f"{entity.name} grows",
        f"{trait.title if trait else key} goes up to {now}.",
        tone="good",
        rules=(rule,),
        entity=entity.id,
        audience=card_audience(entity),
    )
    left = whole(entity.state.get("points")) - cost
    group = next(one.key for one in game.groups if any(each.key == key for each in one.traits))
    grown: Any = entity.state.get("grown") or {}
    changes = (
        Change(("entities", entity.id, "sheet", "traits", key), now),
        Change(("entities", entity.id, "state", "points"), left),
        Change(("entities", entity.id, "state", "grown", group), whole(grown.get(group)) + 1),
    )
    return Result(card, changes)
