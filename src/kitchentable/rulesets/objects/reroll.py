"""Karma on a re-roll of Self, where the table plays so: said before the die falls."""

from __future__ import annotations

from kitchentable.rules import (
    Actor,
    Answers,
    Ask,
    Card,
    Field,
    Json,
    Line,
    Move,
    Question,
    Result,
    Table,
    asked,
    card_audience,
    fresh,
    is_closed,
    whole,
    whom,
)
from kitchentable.rulesets.objects import mechanics, odds
from kitchentable.rulesets.objects.aftermath import (
    ended,
    karma_changes,
    karma_lines,
    may_spend,
    tells,
    title,
)
from kitchentable.rulesets.objects.mechanics import Attempt
from kitchentable.rulesets.objects.thing import karma


def again_ask(table: Table, actor: Actor, outcome: Attempt, answers: Answers) -> Ask:
    """The card on which the owner says how much karma goes on Self's re-roll.

    What Conflict counted as stays the GM's where its modifier is.
    """
    entity = table.entities[actor.entity]
    kept = bool({"modifier", "aspects"} & actor.hidden)
    return Ask(
        fresh(table, "again"),
        (f"owner:{entity.id}",),
        "again",
        f"{entity.name} throws Self again",
        "Now large is good. Say how much karma goes on it before it falls.",
        preset={
            "level": outcome.level,
            "own": outcome.own,
            "task": outcome.task,
            "title": title(entity, answers),
        },
        secret=("task",) if kept else (),
        rules=("objects.3.k-reroll", "objects.3-reroll-mandatory"),
        entity=entity.id,
    )


def _again_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    if entity is None or not may_spend(table, entity):
        return ()
    has = karma(entity)
    return (
        Field(
            "karma",
            "Karma on the re-roll",
            "number",
            default=0,
            required=False,
            low=-has,
            high=has,
            help=f"Of {has}. Here plus is better; the result stays between 0 and 6.",
            rule="objects.3.k-reroll",
        ),
    )


def _first(told: dict[str, Json]) -> Attempt | None:
    if not all(key in told for key in ("level", "own", "task")):
        return None
    numbers = (whole(told["level"]), whole(told["own"]), whole(told["task"]))
    return Attempt("undecided", *numbers)


def _again_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = whom(table, actor.entity)
    first = _first(asked(table, actor, answers))
    if entity is None or first is None:
        return None
    closed = odds.LABELS if is_closed(entity) else ()
    arguments = (first, whole(answers.get("karma")))
    return Question(mechanics.settle, arguments, odds.BANDS, odds.grade, closed)


def _again(table: Table, actor: Actor, answers: Answers, outcome: Attempt) -> Result:
    entity = table.entities[actor.entity]
    told = asked(table, actor, answers)
    spent = whole(answers.get("karma"))
    card = Card(
        f"{told['title']}, thrown again",
        odds.sentence(outcome),
        outcome.grade,
        odds.TONES.get(outcome.grade, "bad"),
        odds.again(entity, outcome, spent),
        (
            *odds.points_line(entity, outcome),
            *((Line(odds.reading(outcome)),) if tells(entity, outcome) else ()),
            *karma_lines(table, entity, outcome, spent),
        ),
        ("objects.3-self-equal", *odds.rules(outcome), *(("objects.3.k-reroll",) if spent else ())),
        entity.id,
        card_audience(entity),
        name=entity.name,
    )
    return ended(table, entity, outcome, card, [*karma_changes(table, entity, outcome, spent)])


AGAIN = Move(
    "again",
    "Throw Self again",
    "Say how much karma helps, and throw.",
    ("objects.3.k-reroll", "objects.3-self-equal"),
    _again,
    by=(),
    fields=_again_fields,
    question=_again_question,
)
