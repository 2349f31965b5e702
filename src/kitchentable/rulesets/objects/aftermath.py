"""What follows every roll: karma spent and earned, words on the card, the story of a critical."""

from __future__ import annotations

from kitchentable.rules import (
    Answers,
    Card,
    Change,
    Entity,
    Line,
    Result,
    Table,
    is_closed,
    number_audience,
)
from kitchentable.rulesets.objects.critical import critical_ask
from kitchentable.rulesets.objects.mechanics import Attempt
from kitchentable.rulesets.objects.scenes import note_roll
from kitchentable.rulesets.objects.thing import capped, has_karma, karma, now, numbers_known


def may_spend(table: Table, entity: Entity) -> bool:
    """Whether it has karma that it may use (objects.3.k-gm-objects)."""
    return numbers_known(entity) and has_karma(table, entity) and karma(entity) > 0


def tells(entity: Entity, outcome: Attempt) -> bool:
    """Whether the story of the two dice is told: not where it would tell a closed object's dice."""
    return outcome.grade != "undecided" and (outcome.critical or not is_closed(entity))


def title(entity: Entity, answers: Answers) -> str:
    """The talent, unless it is a closed object's; what it would have taken, where none fits."""
    if is_closed(entity):
        return "A roll"
    return str(answers.get("talent") or answers.get("unlisted") or "No talent that fits")


def karma_lines(table: Table, entity: Entity, outcome: Attempt, spent: int) -> tuple[Line, ...]:
    """What became of karma, in words."""
    lines = []
    if spent:
        points = f"{abs(spent)} point{'s' * (abs(spent) != 1)}"
        lines.append(Line(f"{entity.name} spends {points} of karma.", number_audience(entity)))
    if outcome.critical and has_karma(table, entity):
        lines.append(Line(f"{entity.name} gains a point of karma.", number_audience(entity)))
    return tuple(lines)


def karma_changes(table: Table, entity: Entity, outcome: Attempt, spent: int) -> tuple[Change, ...]:
    """Karma after a roll: what was put on it is gone, a critical brings one.

    objects.3.k-spent, objects.3.k-earn, objects.3.k-gm-objects.
    """
    before = karma(entity)
    after = before - abs(spent)
    if outcome.critical and has_karma(table, entity):
        after = max(after, capped(table, after + 1))
    return (now(entity, "karma", after),) if after != before else ()


def ended(
    table: Table, entity: Entity, outcome: Attempt, card: Card, changes: list[Change]
) -> Result:
    """A decided roll: it is noted with the situation, and a critical asks for its story."""
    more, asks = note_roll(table, entity, outcome.grade)
    if outcome.critical:
        asks = (*asks, critical_ask(table, entity, outcome))
    return Result(card, (*changes, *more), asks)
