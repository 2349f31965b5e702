"""Bleeding: what open wounds cost each round, what it comes to, and what stops it."""

from __future__ import annotations

from dataclasses import replace

from kitchentable.rules import (
    Entity,
    Json,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.character.people import plural
from kitchentable.rulesets.toaster.harm.hurting import Blow, inflict, open_wounds
from kitchentable.rulesets.toaster.harm.state import DEAD, OUT, become, condition, record
from kitchentable.rulesets.toaster.options import Options

#: Stun lost to bleeding that makes another wound (toaster.4.bleed-extra-wound).
POINTS_FOR_A_WOUND = 10

STOP, REDUCE = "stop", "reduce"


def full_rate(entity: Entity) -> int:
    """What the wounds would cost each round if nobody had stopped any of it.

    Each wound but those from bleeding itself, and what the GM added for movement
    (toaster.4.bleed-rate, toaster.4.bleed-rate-stays).
    """
    return open_wounds(entity) + whole(record(entity, "bleeding").get("extra"))


def bleeds(table: Table, entity: Entity) -> int:
    """The stun points that somebody loses at the end of each round; 0 where bleeding is not played.

    The unnamed who are out of a fight, and the dead, are not counted on.
    """
    if not Options(table.options).bleeding or condition(entity) in {DEAD, OUT}:
        return 0
    rate = full_rate(entity)
    return max(0, rate - min(rate, whole(record(entity, "bleeding").get("stopped"))))


def loss(table: Table, entity: Entity) -> Blow:
    """One round's loss: stun, and a wound for every ten points lost, counted on from before.

    toaster.4.bleed-extra-wound, toaster.4.bleed-counting, toaster.4.bleed-death.
    """
    rate = bleeds(table, entity)
    before = whole(record(entity, "bleeding").get("lost"))
    more = (before + rate) // POINTS_FOR_A_WOUND - before // POINTS_FOR_A_WOUND
    counted = become(entity, bleeding={**record(entity, "bleeding"), "lost": before + rate})
    blow = inflict(table, counted, stun=rate, wounds=more, cause="bleeding")
    return replace(
        blow,
        sentence=f"{entity.name} bleeds: {blow.sentence}",
        before=entity,
        seen=blow.seen if blow.fells or more else f"{entity.name} bleeds.",
        rules=("toaster.4.bleed-rate", "toaster.4.bleed-counting", *blow.rules),
    )


def stops(table: Table, entity: Entity, healer: str, total: int, *, succeeds: bool) -> Entity:
    """Somebody after a medic's roll against their bleeding, whichever way the table plays it.

    All or nothing with "stop"; with "reduce" what the total has over 10, and the best roll counts
    (toaster.4.bleed-stop, toaster.4.bleed-reduce, toaster.4.bleed-reduce-repeat).
    """
    facts = record(entity, "bleeding")
    tried = [str(one) for one in facts.get("tried") or []]
    stopped = whole(facts.get("stopped"))
    if Options(table.options).bleeding_aid == STOP:
        tried = tried if succeeds or healer in tried else [*tried, healer]
        stopped = full_rate(entity) if succeeds else stopped
    else:
        stopped = max(stopped, min(full_rate(entity), total - 10)) if succeeds else stopped
    return become(entity, bleeding={**facts, "stopped": stopped, "tried": tried})


def has_tried(entity: Entity, healer: str) -> bool:
    """Whether this healer has failed at it already (toaster.4.bleed-stop-retry)."""
    tried: Json = record(entity, "bleeding").get("tried") or []
    return healer in tried


def bleeding_words(table: Table, entity: Entity) -> str:
    """How it stands, in words: "bleeds 2 points a round"; "" for not at all."""
    rate = bleeds(table, entity)
    return f"bleeds {plural(rate, 'point')} a round" if rate else ""
