"""When traits are struck out: points back for them, or their level for another; kept aside else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Json,
    Line,
    Move,
    Problem,
    Result,
    Table,
    listed,
    whole,
)
from kitchentable.rulesets.toast.character import level, now
from kitchentable.rulesets.toast.options import traits

#: What a trait is worth when it joins or leaves in mid-campaign (toast.3.1-recount).
POINTS_PER_TRAIT = 4

LOST_ASK = "lost-traits"
_BACK, _NOTHING, _TO = "back", "nothing", "to."


def former(entity: Entity) -> Mapping[str, Any]:
    """The levels that have been kept aside since their traits were struck out.

    An unfinished sheet has nothing of play yet, and keeps them on itself.
    """
    built: Any = entity.sheet.get("former") or {}
    played: Any = entity.state.get("former") or {}
    return {**built, **played}


def former_notes(entity: Entity) -> tuple[str, ...]:
    """Those levels in sentences, for the sheet."""
    names = {one.key: one.name for one in traits({})}
    return tuple(
        f"{names.get(key) or key.replace('-', ' ').capitalize()} was {value}, before it was "
        "struck out."
        for key, value in former(entity).items()
        if value
    )


def _aside(entity: Entity, key: str) -> tuple[str, ...]:
    """Where a level is kept aside, or is to be."""
    for part, facts in (("state", entity.state), ("sheet", entity.sheet)):
        kept = facts.get("former")
        if isinstance(kept, Mapping) and key in kept:
            return ("entities", entity.id, part, "former", key)
    part = "state" if entity.stage == "play" else "sheet"
    return ("entities", entity.id, part, "former", key)


def fitted(entity: Entity, keys: list[str]) -> tuple[list[Change], list[str], list[str]]:
    """The changes that make a sheet fit the list; what left it and what is new on it.

    A level that leaves is kept aside, and is there again when its trait comes back.
    """
    levels: Any = entity.sheet.get("traits") or {}
    kept = former(entity)
    sheet = ("entities", entity.id, "sheet", "traits")
    gone = [key for key in levels if key not in keys]
    new = [key for key in keys if key not in levels and key not in kept]
    changes: list[Change] = []
    for key in gone:
        changes += [Change((*sheet, key), gone=True), Change(_aside(entity, key), levels[key])]
    for key in keys:
        if key not in levels:
            changes.append(Change((*sheet, key), kept.get(key, 0)))
            if key in kept:
                changes.append(Change(_aside(entity, key), gone=True))
    return changes, gone, new


def grant_ask(entity: Entity) -> Ask:
    return Ask(
        f"grant-{entity.id}",
        (f"owner:{entity.id}",),
        "spend_points",
        f"{entity.name}: points to spread",
        "The list of traits has changed. Spread the points that came with it.",
        rules=("toast.3.1-recount",),
        entity=entity.id,
    )


def lost_ask(before: Ask | None, lost: dict[str, list[str]], was: Mapping[str, Json]) -> Ask:
    """The question about all that left the list, what a card that waits already asks among it."""
    known = {**of_ask(before, "names"), **{one.key: one.name for one in traits(was)}}
    names = {trait: str(known.get(trait, trait)) for trait in lost}
    return Ask(
        LOST_ASK,
        (GM,),
        "lost_traits",
        "Traits were struck out",
        f"{listed(list(names.values()))}: do the characters get {POINTS_PER_TRAIT} points back?",
        preset={"lost": {trait: list(who) for trait, who in lost.items()}, "names": names},
        rules=("toast.3.1-recount",),
    )


def of_ask(ask: Ask | None, what: str) -> dict[str, Any]:
    """What a card about lost traits remembers: "lost", who lost which; "names", how they read."""
    found: Any = ask.preset.get(what) if ask is not None else None
    return dict(found or {})


def _lost_name(table: Table, actor: Actor, trait: str) -> str:
    """A lost trait as it was called."""
    return str(of_ask(table.asks.get(actor.ask), "names").get(trait, trait))


def _lost(table: Table, actor: Actor) -> dict[str, list[str]]:
    lost = of_ask(table.asks.get(actor.ask), "lost")
    return {str(trait): list(who) for trait, who in lost.items()}


def _lost_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    found = []
    for trait, people in _lost(table, actor).items():
        back = Choice(_BACK, f"{POINTS_PER_TRAIT} points back for each character")
        others = (
            Choice(f"{_TO}{one.key}", f"its level becomes {one.name}")
            for one in traits(table.options)
            if _heirs(table, trait, one.key)
        )
        nothing = Choice(_NOTHING, "Nothing", "Levels stay aside until the trait is back.")
        found.append(
            Field(
                f"lost.{trait}",
                f"What becomes of {_lost_name(table, actor, trait)}?",
                "choice",
                (*((back,) if people else ()), *others, nothing),
                default=_BACK if people else _NOTHING,
                rule="toast.3.1-recount",
            )
        )
    return tuple(found)


def _heirs(table: Table, trait: str, other: str) -> tuple[Entity, ...]:
    """Those whose level in a lost trait can become another that they have nothing in."""
    return tuple(
        entity
        for entity in table.in_play()
        if former(entity).get(trait) and other in _levels(entity) and not level(entity, other)
    )


def _levels(entity: Entity) -> Mapping[str, Any]:
    found = entity.sheet.get("traits")
    return found if isinstance(found, Mapping) else {}


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    """Two traits cannot become one."""
    taken = [str(answers.get(f"lost.{trait}") or "") for trait in _lost(table, actor)]
    twice = [one for one in taken if one.startswith(_TO) and taken.count(one) > 1]
    words = "Two traits cannot become one."
    return (Problem("", "toast.3.1-recount", words),) if twice else ()


def _settle_lost(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    points: dict[str, int] = {}
    lines, changes = [], []
    names = {one.key: one.name for one in traits(table.options)}
    for trait, people in _lost(table, actor).items():
        answer = str(answers[f"lost.{trait}"])
        told = {_BACK: "points back", _NOTHING: "nothing"}
        other = answer.removeprefix(_TO)
        words = told.get(answer) or f"its level becomes {names[other]}"
        lines.append(Line(f"{_lost_name(table, actor, trait)}: {words}."))
        for who in people if answer == _BACK else ():
            points[who] = points.get(who, 0) + POINTS_PER_TRAIT
        for entity in _heirs(table, trait, other) if answer.startswith(_TO) else ():
            where = ("entities", entity.id, "sheet", "traits", other)
            changes.append(Change(where, former(entity)[trait]))
            changes.append(Change(_aside(entity, trait), gone=True))
    here = {who: table.entities[who] for who in points if who in table.entities}
    changes += [
        now(entity, "grant", whole(entity.state.get("grant")) + points[who])
        for who, entity in here.items()
    ]
    card = Card("Traits were struck out", "", lines=tuple(lines), rules=("toast.3.1-recount",))
    asks = tuple(grant_ask(entity) for entity in here.values())
    return Result(card, tuple(changes), asks, (actor.ask,) if actor.ask else ())


LOST_TRAITS = Move(
    "lost_traits",
    "Traits were struck out",
    "Say whether finished characters get points back for them, or another trait their level.",
    ("toast.3.1-recount",),
    _settle_lost,
    by=(),
    fields=_lost_fields,
    check=_check,
    for_entity=False,
)
