"""What the rolls of harm share: luck before and after the throw, called fours, the facts kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kitchentable.rules import (
    Actor,
    Card,
    Change,
    Entity,
    Field,
    Json,
    Part,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.luck import BEFORE, points, spend
from kitchentable.rulesets.toaster.actions.waiting import Waiting
from kitchentable.rulesets.toaster.harm.state import become
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET, Outcome, band_of
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import may_call


def early_luck(table: Table, entity: Entity | None) -> tuple[Field, ...]:
    """How many luck points are put on a roll before it falls (toaster.3.luck-before-plus2)."""
    left = points(table, entity) if entity is not None else 0
    if not left:
        return ()
    return (
        Field(
            "luck",
            "Luck points before the throw",
            "number",
            default=0,
            low=0,
            high=left,
            required=False,
            help=f"+{BEFORE} for each; {left} left.",
            rule="toaster.3.luck-before-plus2",
        ),
    )


def call_field(table: Table, scope: str) -> tuple[Field, ...]:
    """Whether a 4 is called instead of throwing, where the table allows it for this roll."""
    if not may_call(table.options, scope):
        return ()
    rule = "toaster.3.call4-before"
    return (Field("called", "Call a 4", "tick", default=False, required=False, rule=rule),)


def pay(table: Table, entity: Entity, count: int) -> tuple[tuple[Change, ...], Table]:
    """The luck that was put on a roll beforehand is gone: what changed, and the table after it."""
    changes = spend(table, entity, count)
    if not changes:
        return (), table
    after = become(entity, luck=points(table, entity) - count)
    return changes, replace(table, entities={**table.entities, entity.id: after})


def luck_parts(waiting: Waiting, entity: Entity) -> tuple[Part, ...]:
    """What luck added to a roll, before it fell and after."""
    value = BEFORE * whole(waiting.roll.get("luck")) + waiting.added.get(entity.id, 0)
    return (Part("luck", value),) if value else ()


def facts(outcome: Outcome) -> dict[str, Json]:
    """A roll's outcome as a card that waits keeps it."""
    return {
        "total": outcome.total,
        "succeeds": outcome.succeeds,
        "band": outcome.band,
        "zero": outcome.zero,
        "second": outcome.second,
    }


def bettered(table: Table, waiting: Waiting, entity: Entity) -> Outcome:
    """A roll with the luck that was added after it; a zero stays what it was.

    toaster.3.luck-after-plus1, toaster.3.luck-after-zero.
    """
    roll: Mapping[str, Json] = waiting.roll
    added = waiting.added.get(entity.id, 0)
    total = whole(roll["total"]) + added
    if roll["zero"] or not added:
        second = roll["second"]
        return Outcome(total, bool(roll["succeeds"]), str(roll["band"]), bool(roll["zero"]), second)
    succeeds = total >= TARGET
    band = "success" if succeeds else "failure"
    if setting(table.options, "variable_outcomes"):
        band = band_of(total - TARGET)
    return Outcome(total, succeeds, band)


def told(table: Table, actor: Actor) -> dict[str, Json]:
    """What the card that is being answered came with."""
    ask = table.asks.get(actor.ask)
    return dict(ask.preset) if ask else {}


def unsettled(card: Card) -> Card:
    """The card of a roll that luck may still better: the dice, and no outcome yet."""
    return replace(card, sentence="It could still be bettered.", outcome="", tone="plain")
