"""What follows from a roll: the card, the marks on the tracks, the question for a story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules.moves import Card, Change, Line, Move, Result, Side
from kitchentable.rules.people import card_audience, is_closed
from kitchentable.rules.table import Actor, Ask, Entity, Table, fresh
from kitchentable.rules.toml.book import rule_of
from kitchentable.rules.toml.dicework import Outcome
from kitchentable.rules.toml.fighting import act_changes
from kitchentable.rules.toml.form import MARGIN, Band, Roll, Scale, Written
from kitchentable.rules.toml.numbers import boxes, marks
from kitchentable.rules.toml.throwing import (
    BY_THE_GM,
    Cast,
    cast,
    our_numbers,
    target_number,
    their_numbers,
    their_trait,
    trait_of,
)
from kitchentable.rules.values import EVERYONE, GM, Answers, Field

STORY = "story"


def consequences(
    game: Written, roll: Roll, table: Table, actor: Actor, answers: Answers, outcome: Outcome
) -> Result:
    entity = table.entities[actor.entity]
    other = table.entities.get(str(answers.get("target") or ""))
    band = next(one for one in roll.bands if one.key == outcome.result)
    rule = rule_of(game, "roll", roll.key, roll.rule)
    numbers = our_numbers(game, table, entity, roll, answers) | {MARGIN: outcome.margin}
    changed: dict[tuple[str, str], int] = {}
    for key, formula in roll.costs.items():
        scale = game.scale(key)
        spent = formula.value(numbers)
        _add(changed, game, table, entity, scale, -spent if scale.starts_full else spent)
    for key, formula in band.marks.items():
        _add(changed, game, table, entity, game.scale(key), formula.value(numbers))
    if other is not None:
        for key, formula in band.others_marks.items():
            _add(changed, game, table, other, game.scale(key), formula.value(numbers))
    lines = [Line(str(answers["what"]))] if answers.get("what") else []
    lines += _against_lines(game, roll, numbers, actor, answers)
    lines += _kept_lines(roll, actor, answers, outcome)
    lines += _mark_lines(game, table, changed)
    changes = [
        Change(("entities", who, "state", "tracks", key), value)
        for (who, key), value in changed.items()
    ]
    asks = (_story_ask(table, entity, other, band, rule),) if band.asks else ()
    if roll.fight:
        more, cards = act_changes(game, table, actor, changed)
        changes += more
        asks = (*asks, *cards)
    card = Card(
        _title(game, roll, answers),
        band.says or band.title.capitalize() + ".",
        band.title,
        band.tone,
        _sides(game, roll, table, actor, entity, other, answers, outcome),
        tuple(lines),
        (rule,),
        entity.id,
        card_audience(entity, *((other,) if other is not None else ())),
    )
    return Result(card, tuple(changes), asks)


def _title(game: Written, roll: Roll, answers: Answers) -> str:
    trait = game.trait(trait_of(roll, answers))
    named = f"{roll.title}: {trait.title}" if trait is not None else roll.title
    return f"{named}, with {answers['entry']}" if answers.get("entry") else named


def _sides(
    game: Written,
    roll: Roll,
    table: Table,
    actor: Actor,
    entity: Entity,
    other: Entity | None,
    answers: Answers,
    outcome: Outcome,
) -> tuple[Side, ...]:
    numbers = our_numbers(game, table, entity, roll, answers)
    ours = cast(game, roll, numbers, "roll", trait_of(roll, answers))
    sides = [_side(entity, "roll", ours, outcome.total, outcome.face, "modifier" in actor.hidden)]
    if roll.opposed is not None and other is not None:
        numbers = their_numbers(game, table, other, roll, answers)
        theirs = cast(game, roll, numbers, "other", their_trait(roll, answers))
        kept = "other_modifier" in actor.hidden
        sides.append(_side(other, "other", theirs, outcome.other, "", kept))
    return tuple(sides)


def _side(
    entity: Entity, label: str, thrown: Cast, total: int | None, face: str, kept: bool
) -> Side:
    """One side; where the GM keeps the modifier, it shows neither that nor a total."""
    parts = thrown.parts if total is not None else ()
    if kept:
        parts, total = tuple(one for one in parts if one.name != BY_THE_GM), None
    eyes = GM if is_closed(entity) or entity.hidden else EVERYONE
    return Side(entity.name, label, parts, total, face, eyes, unseen=entity.hidden)


def _kept_lines(roll: Roll, actor: Actor, answers: Answers, outcome: Outcome) -> list[Line]:
    """What the GM keeps from the players' card, for the GM."""
    lines = []
    for name, total in (("modifier", outcome.total), ("other_modifier", outcome.other)):
        if name in actor.hidden and total is not None:
            lines.append(
                Line(f"With the hidden modifier {answers.get(name) or 0:+d}: {total}.", GM)
            )
    return lines


def _against_lines(
    game: Written, roll: Roll, numbers: Mapping[str, int], actor: Actor, answers: Answers
) -> list[Line]:
    if not roll.ladder and roll.against is None:
        return []
    number = target_number(roll, numbers, answers)
    hidden = {"difficulty", "number"} & actor.hidden
    return [Line(f"Against {number}.", GM if hidden else EVERYONE)]


def _add(
    changed: dict[tuple[str, str], int],
    game: Written,
    table: Table,
    entity: Entity,
    scale: Scale,
    more: int,
) -> None:
    """Mark (or clear) so many boxes more, on top of what this very roll did already."""
    now = changed.get((entity.id, scale.key), marks(game, table, entity, scale))
    most = boxes(game, table, entity, scale)
    after = min(max(0, now + more), most)
    if after != now:
        changed[entity.id, scale.key] = after


def _mark_lines(game: Written, table: Table, changed: Mapping[tuple[str, str], int]) -> list[Line]:
    lines = []
    for (who, key), value in changed.items():
        entity, scale = table.entities[who], game.scale(key)
        most = boxes(game, table, entity, scale)
        end = value == (0 if scale.starts_full else most)
        count = f"{value} of {most}" + (" left" if scale.starts_full else "")
        eyes = GM if is_closed(entity) or entity.hidden else EVERYONE
        lines.append(Line(f"{entity.name}, {scale.title}: {count}.", eyes))
        if end and (scale.full or scale.out):
            words = f"{entity.name} is {scale.full or 'out'}."
            lines.append(Line(words, GM if entity.hidden else EVERYONE))
    return lines


def _story_ask(table: Table, entity: Entity, other: Entity | None, band: Band, rule: str) -> Ask:
    hidden = entity.hidden or (other is not None and other.hidden)
    return Ask(
        fresh(table, STORY),
        (GM,) if hidden else (GM, f"owner:{entity.id}"),
        STORY,
        f"{entity.name}: {band.title}",
        band.asks,
        rules=(rule,),
        skippable=True,
        entity=entity.id,
    )


def story_move(game: Written) -> Move:
    """The answer to what a result asks for: a sentence in the log."""
    return Move(
        STORY,
        "What happens",
        "Tell what a result brings.",
        (),
        _tell,
        by=(),
        fields=lambda table, actor, answers: (Field("text", "What happens", "story"),),
        for_entity=False,
    )


def _tell(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ask = table.asks[actor.ask]
    entity = table.entities.get(ask.entity)
    card = Card(
        ask.title,
        str(answers["text"]),
        tone="splendid",
        rules=ask.rules,
        entity=ask.entity,
        audience=card_audience(entity) if entity is not None else EVERYONE,
    )
    return Result(card, closes=(ask.id,))
